/** Restores one shop into a database that has others (docs/decisions/0056). */
import pg from 'pg';
import { codeOf } from '../../domain/fault-code.ts';
import { CLOSE_RESTORED_SHOP } from '../closed-shop.ts';
import { UNIQUE_VIOLATION } from '../duplicate.ts';
import { label, MIGRATION_LOCK } from '../migrate.ts';
import { migrationsIn, quoted, relations, SHOP_COLUMN, tablesOf, tablesOfShops } from './catalog.ts';
import type { Table } from './catalog.ts';
import { fillTables, type FilledTables } from './fill.ts';
import { BackupError, damaged } from './head.ts';
import type { BackupHead, ShopMark } from './head.ts';
import type { OpenBackup, Progress } from './text.ts';

const lastOf = (migrations: BackupHead['migrations']): string => {
  const last = migrations.at(-1);
  return last === undefined ? 'no migration' : `migration ${label(last)}`;
};

/** No migration runs until the end of the transaction. */
const mustHaveTablesOf = async (client: pg.Client, head: BackupHead): Promise<void> => {
  const lock = await client.query<{ held: boolean }>('select pg_try_advisory_xact_lock_shared($1) as held', [
    MIGRATION_LOCK,
  ]);
  if (lock.rows[0]?.held !== true)
    throw new BackupError(
      'The tables are being brought up to date; nothing was changed. Restore after that.',
    );
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

const mustNotBeHere = async (client: pg.Client, tables: readonly Table[], shop: ShopMark): Promise<void> => {
  const looks = tables.map(
    ({ name }) =>
      `select ${pg.escapeLiteral(name)} as name where exists (select from ${quoted([name])} where ${SHOP_COLUMN} = $1)`,
  );
  const { rows } = await client.query<{ name: string }>(looks.join(' union all '), [shop.orgId]);
  const [found] = rows;
  if (found !== undefined)
    throw new BackupError(
      `The shop ${shop.slug} (${shop.orgId}) is in this database already, in the table ${found.name}; nothing was changed.`,
    );
};

/** Digests do not tell whose rows they are: a backup that somebody wrote must not reach other shops. */
const mustBeOfShop = async (
  client: pg.Client,
  tables: readonly Table[],
  { filled }: FilledTables,
  shop: ShopMark,
): Promise<void> => {
  const counts = tables.map(
    ({ name }) => `(select count(*) from ${quoted([name])} where ${SHOP_COLUMN} = $1)`,
  );
  const counted = await client.query<{ is_all: boolean }>(`select ${counts.join(' + ')} = $2 as is_all`, [
    shop.orgId,
    filled,
  ]);
  if (counted.rows[0]?.is_all !== true) throw damaged('it has rows of another shop');
};

/** What another shop has, such as an address name or the e-mail address of a person. */
const asTaken = (fault: unknown): unknown => {
  const cause = fault instanceof BackupError ? fault.cause : null;
  if (!(cause instanceof pg.DatabaseError) || codeOf(cause) !== UNIQUE_VIOLATION) return fault;
  return new BackupError(
    `Another shop of this installation has what must be of one shop alone, in the table ${cause.table ?? ''}: ${cause.detail ?? cause.message} Nothing was changed.`,
    { cause },
  );
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
    await client.query(CLOSE_RESTORED_SHOP, [shop.orgId]);
    return filled;
  } catch (fault) {
    throw asTaken(fault);
  }
};
