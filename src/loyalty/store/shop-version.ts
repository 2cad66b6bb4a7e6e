/** The version of a shop's own data, which tells whether a cached shop is current. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

/** The newest change of the shop itself, 0 without any; every import of its file is one. One index look-up. */
export const shopVersion = (orgId: RawBuilder<unknown>): RawBuilder<number> =>
  sql`coalesce((select max(seq) from change where org_id = ${orgId} and scope = 'shop'), 0)`;

/** Read it first, in the snapshot of the shop. */
export const loadShopVersion = async (db: Kysely<Database>, orgId: Uuid): Promise<number> => {
  const { rows } = await sql<{
    version: number;
  }>`select ${shopVersion(sql`${orgId}::uuid`)} as version`.execute(db);
  return rows[0]?.version ?? 0;
};
