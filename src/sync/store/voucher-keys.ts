/** Of which keys of vouchers the change log has told devices. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

/** False: the log told of these keys before. */
export const replaceVoucherKeys = async (tx: Db, keys: string): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update feed_clock set voucher_keys = ${keys} where voucher_keys is distinct from ${keys}
  `.execute(tx);
  return numAffectedRows === 1n;
};

export const shopsWithVouchers = async (db: Db): Promise<readonly Uuid[]> => {
  const rows = await db
    .selectFrom('loyalty_program')
    .select('org_id')
    .where('offline_limit', 'is not', null)
    .execute();
  return rows.map((row) => row.org_id);
};
