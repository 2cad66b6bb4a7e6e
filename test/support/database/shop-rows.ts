/** The rows of one shop in all tables. */
import type { ShopMark } from '../../../src/platform/store/backup.ts';
import { inDatabase, rowsOf } from './backups.ts';
import type { TestDatabase } from './test-database.ts';

export const shopsOf = async (database: TestDatabase): Promise<ShopMark[]> =>
  (await rowsOf(database, 'select org_id as "orgId", slug from shop order by slug')) as ShopMark[];

const SHOP_TABLES = `
  select table_name as name from information_schema.columns
  where table_schema = current_schema() and column_name = 'org_id' order by 1`;

export const shopTables = async (database: TestDatabase): Promise<string[]> =>
  ((await rowsOf(database, SHOP_TABLES)) as { name: string }[]).map(({ name }) => name);

/** The numbers of changes begin anew. */
const isComparable = (table: string): boolean => table !== 'change' && table !== 'change_counter';

export type Rows = Readonly<Record<string, readonly unknown[]>>;

export const rowsOfShop = async (database: TestDatabase, { orgId }: ShopMark): Promise<Rows> => {
  const tables = (await shopTables(database)).filter(isComparable);
  return inDatabase(database, async (client) => {
    const all: Record<string, readonly unknown[]> = {};
    for (const table of tables)
      all[table] = (
        await client.query(`select t::text as row from "${table}" t where org_id = $1 order by 1`, [orgId])
      ).rows;
    return all;
  });
};
