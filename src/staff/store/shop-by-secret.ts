/** The shop of a secret that does not carry it; null: no shop has the secret. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { rowOfAnyShop, type OfShops } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

const firstShop = async (
  db: Db,
  ask: (ofShops: OfShops) => RawBuilder<{ readonly orgId: Uuid }>,
): Promise<Uuid | null> => (await rowOfAnyShop(db, ask))?.orgId ?? null;

/** A code that people type is too short to carry its shop. */
export const shopOfPairingCode = async (db: Db, pairingHash: Buffer): Promise<Uuid | null> =>
  await firstShop(
    db,
    (ofShops) => sql`
      select org_id as "orgId" from staff_device where pairing_hash = ${pairingHash} and ${ofShops('org_id')}
    `,
  );

// Tokens of builds before migration 0051. Sessions end within 12 hours; devices keep theirs.

export const shopOfSession = async (db: Db, tokenHash: Buffer): Promise<Uuid | null> =>
  await firstShop(
    db,
    (ofShops) => sql`
      select org_id as "orgId" from staff_session where token_hash = ${tokenHash} and ${ofShops('org_id')}
    `,
  );

export const shopOfDevice = async (db: Db, tokenHash: Buffer): Promise<Uuid | null> =>
  await firstShop(
    db,
    (ofShops) => sql`
      select org_id as "orgId" from staff_device
      where (token_hash = ${tokenHash} or ended_token_hash = ${tokenHash}) and ${ofShops('org_id')}
    `,
  );
