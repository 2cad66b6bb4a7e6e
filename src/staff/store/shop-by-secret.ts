/** The shop of a secret that does not carry it; null: no shop has the secret. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

const firstShop = async (
  rows: Promise<{ readonly rows: readonly { readonly orgId: Uuid }[] }>,
): Promise<Uuid | null> => (await rows).rows[0]?.orgId ?? null;

/** A code that people type is too short to carry its shop. */
export const shopOfPairingCode = (db: Db, pairingHash: Buffer): Promise<Uuid | null> =>
  firstShop(
    sql<{ orgId: Uuid }>`
      select org_id as "orgId" from staff_device where pairing_hash = ${pairingHash}
    `.execute(db),
  );

// Tokens of builds before migration 0051. Sessions end within 12 hours; devices keep theirs.

export const shopOfSession = (db: Db, tokenHash: Buffer): Promise<Uuid | null> =>
  firstShop(
    sql<{ orgId: Uuid }>`
      select org_id as "orgId" from staff_session where token_hash = ${tokenHash}
    `.execute(db),
  );

export const shopOfDevice = (db: Db, tokenHash: Buffer): Promise<Uuid | null> =>
  firstShop(
    sql<{ orgId: Uuid }>`
      select org_id as "orgId" from staff_device
      where token_hash = ${tokenHash} or ended_token_hash = ${tokenHash}
    `.execute(db),
  );
