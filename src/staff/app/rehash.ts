/** Hashes without a pepper, or under a key that is not in the settings. */
import { rowsHeard } from '../../platform/store/nodes/everywhere.ts';
import { unpepperedHashes } from '../store/key-use.ts';
import { storedSilence } from '../../platform/store/sending.ts';
import { renewSecret, type SecretColumn } from '../store/staff.ts';
import type { StaffDeps } from './access.ts';
import { secretKeyUses } from './staff.ts';

const BATCH = 500;

type Parts = Pick<StaffDeps, 'db' | 'passwords' | 'keyring'>;

/**
 * Adds the pepper to every hash that lacks it; needs no secret, since the pepper comes after scrypt. Skips a
 * restored copy that is still silent, whose key may not be set yet. Idempotent; returns the number of people.
 */
export const pepperHashes = async ({ db, passwords }: Parts): Promise<number> => {
  if ((await storedSilence(db.kysely))?.reason === 'restored') return 0;
  let count = 0;
  let batch = await unpepperedHashes(db.kysely, null, BATCH);
  while (batch.length > 0) {
    for (const person of batch) {
      const put = async (column: SecretColumn, hash: string | null): Promise<void> => {
        const renewed = hash === null ? null : passwords.peppered(hash);
        if (hash !== null && renewed !== null) await renewSecret(db.kysely, person, column, hash, renewed);
      };
      await put('password_hash', person.passwordHash);
      await put('pin_hash', person.pinHash);
    }
    count += batch.length;
    batch = await unpepperedHashes(db.kysely, batch.at(-1) ?? null, BATCH);
  }
  return count;
};

export const secretsWithMissingKeys = async (deps: Pick<Parts, 'db' | 'keyring'>) => {
  const lost = (await secretKeyUses(deps, rowsHeard)).filter(
    ({ keyId, position }) => keyId !== null && position === null,
  );
  if (lost.length === 0) return null;
  const sumOf = (kind: 'passwords' | 'pins' | 'factors'): number =>
    lost.reduce((sum, use) => sum + use[kind], 0);
  return {
    ...{ key_ids: lost.map(({ keyId }) => keyId), passwords: sumOf('passwords'), pins: sumOf('pins') },
    authenticator_apps: sumOf('factors'),
  };
};
