/** Restores one shop into a database that has others (docs/decisions/0056). */
import pg from 'pg';
import { codeOf } from '../../domain/fault-code.ts';
import { CLOSE_RESTORED_SHOP } from '../closed-shop.ts';
import { UNIQUE_VIOLATION } from '../duplicate.ts';
import { LOCK_EMAILS } from '../email-lock.ts';
import { label } from '../migrate.ts';
import { migrationsIn, quoted, relations, SHOP_COLUMN, tablesOf, tablesOfShops } from './catalog.ts';
import type { Table } from './catalog.ts';
import { fillTables, type FilledTables } from './fill.ts';
import { BackupError, damaged } from './head.ts';
import type { BackupHead, ShopMark } from './head.ts';
import { mustNotBeMigrated } from './session.ts';
import type { OpenBackup, Progress } from './text.ts';

const lastOf = (migrations: BackupHead['migrations']): string => {
  const last = migrations.at(-1);
  return last === undefined ? 'no migration' : `migration ${label(last)}`;
};

const mustHaveTablesOf = async (client: pg.Client, head: BackupHead): Promise<void> => {
  await mustNotBeMigrated(client);
  if (!(await relations(client, ['r', 'p'])).includes('migration'))
    throw new BackupError(
      'The database has no tables of Ahwa, and this is a backup of one shop: run `ahwa migrate` first.',
    );
  const here = await migrationsIn(client);
  if (JSON.stringify(here) !== JSON.stringify(head.migrations))
    throw new BackupError(
      `The backup has the tables of ${lastOf(head.migrations)}, this database those of ${lastOf(here)}; nothing was changed. Bring both installations to one version of Ahwa, and back the shop up again.`,
    );
};

/** Table by table: where tables are spread over nodes, one statement about all of them cannot be planned. */
const countOfShop = async (client: pg.Client, name: string, { orgId }: ShopMark): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from ${quoted([name])} where ${SHOP_COLUMN} = $1`,
    [orgId],
  );
  return Number(rows[0]?.count);
};

const mustNotBeHere = async (client: pg.Client, tables: readonly Table[], shop: ShopMark): Promise<void> => {
  for (const { name } of tables)
    if ((await countOfShop(client, name, shop)) > 0)
      throw new BackupError(
        `The shop ${shop.slug} (${shop.orgId}) is in this database already, in the table ${name}; nothing was changed.`,
      );
};

/** Digests do not tell whose rows they are: a backup that somebody wrote must not reach other shops. */
const mustBeOfShop = async (
  client: pg.Client,
  tables: readonly Table[],
  { filled }: FilledTables,
  shop: ShopMark,
): Promise<void> => {
  let count = 0;
  for (const { name } of tables) count += await countOfShop(client, name, shop);
  if (count !== filled) throw damaged('it has rows of another shop');
};

const taken = (table: string, detail: string, cause?: unknown): BackupError =>
  new BackupError(
    `Another shop of this installation has what must be of one shop alone, in the table ${table}: ${detail} Nothing was changed.`,
    { cause },
  );

/** What another shop has, such as an address name or the e-mail address of a person. */
const asTaken = (fault: unknown): unknown => {
  const cause = fault instanceof BackupError ? fault.cause : null;
  if (!(cause instanceof pg.DatabaseError) || codeOf(cause) !== UNIQUE_VIOLATION) return fault;
  return taken(cause.table ?? '', cause.detail ?? cause.message, cause);
};

const SIGN_INS = `
  select lower(email) as email from staff
  where org_id = $1 and email is not null and archived_at is null`;
const SIGN_INS_ELSEWHERE = `
  select lower(email) as email from staff
  where org_id <> $1 and lower(email) = any($2) and email is not null and archived_at is null
  limit 1`;

/** The index that keeps an address to one shop is one of each shop where tables are spread over nodes. */
const mustHaveOwnSignIns = async (client: pg.Client, { orgId }: ShopMark): Promise<void> => {
  const own = await client.query<{ email: string }>(SIGN_INS, [orgId]);
  const emails = own.rows.map(({ email }) => email).sort();
  await client.query(LOCK_EMAILS, [emails]);
  const { rows } = await client.query<{ email: string }>(SIGN_INS_ELSEWHERE, [orgId, emails]);
  if (rows[0] !== undefined) throw taken('staff', `${rows[0].email} signs in there.`);
};

/** Within a transaction; the shop is closed until `ahwa shop open`. Throws BackupError. */
export const fillShop = async (
  client: pg.Client,
  shop: ShopMark,
  backup: OpenBackup,
  onProgress?: (progress: Progress) => void,
): Promise<FilledTables> => {
  await mustHaveTablesOf(client, backup.head);
  // Tables that are not ours may be on one side alone.
  const inBackup = new Set(backup.head.tables.map(({ name }) => name));
  const tables = tablesOfShops(await tablesOf(client)).filter(({ name }) => inBackup.has(name));
  await mustNotBeHere(client, tables, shop);
  try {
    const filled = await fillTables(client, tables, backup, onProgress);
    await mustBeOfShop(client, tables, filled, shop);
    await mustHaveOwnSignIns(client, shop);
    await client.query(CLOSE_RESTORED_SHOP, [shop.orgId]);
    return filled;
  } catch (fault) {
    throw asTaken(fault);
  }
};
