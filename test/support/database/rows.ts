/** Rows inserted directly, for tests of reads. */
import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/** Column to JSON value; instants and dates are ISO text. */
export type Row = Readonly<Record<string, unknown>>;

/** Inserts rows with the columns of the first one; other columns get their defaults. */
export const insert = async <DB>(db: Kysely<DB>, table: string, ...rows: readonly Row[]): Promise<void> => {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)));
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
  `.execute(db);
};

export const insertLocated = async <DB>(
  db: Kysely<DB>,
  kind: string,
  table: string,
  ...rows: readonly Row[]
): Promise<void> => {
  await insert(db, table, ...rows);
  await insert(db, 'locator', ...rows.map((row) => ({ id: row['id'], org_id: row['org_id'], kind })));
};

/** Inserts a shop with its required columns, its slug and its code. */
export const insertShop = async <DB>(
  db: Kysely<DB>,
  orgId: string,
  slug: string,
  row: Row = {},
): Promise<void> => {
  await insert(db, 'shop', {
    org_id: orgId,
    slug,
    name: 'بيت البن',
    background_color: '#FFFFFF',
    foreground_color: '#000000',
    accent_color: '#AA5500',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...row,
  });
  await insert(db, 'shop_slug', { slug, org_id: orgId });
  await insert(db, 'shop_code', { code: randomBytes(5).toString('hex'), org_id: orgId });
};
