/** Of which keys of vouchers the change log has told devices. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

/** Null: none were told of. */
export const toldVoucherKeys = async (db: Db): Promise<string | null> => {
  const row = await db.selectFrom('feed_clock').select('voucher_keys').executeTakeFirst();
  return row?.voucher_keys ?? null;
};

/** Only after `beginFeedClock`. */
export const setVoucherKeys = async (db: Db, keys: string): Promise<void> => {
  await db.updateTable('feed_clock').set({ voucher_keys: keys }).execute();
};

export const shopsWithVouchers = async (db: Db): Promise<readonly Uuid[]> => {
  const rows = await db
    .selectFrom('loyalty_program')
    .select('org_id')
    .where('offline_limit', 'is not', null)
    .execute();
  return rows.map((row) => row.org_id);
};
