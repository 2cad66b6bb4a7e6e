/** Excludes tables of extensions, the table of the silence, and the counts of request limits. */
import pg from 'pg';
import { REQUEST_LIMIT_TABLE } from '../request-limits.ts';
import { SILENCE_TABLE } from '../sending.ts';
import { BackupError } from './head.ts';
import type { Column, MigrationMark, SequenceState } from './head.ts';

export interface Table {
  readonly name: string;
  /** Stored columns in table order. Without generated ones, and without transactions, which mean nothing in another server. */
  readonly columns: readonly Column[];
  /** Primary key; `sorted`: the order depends on the database's collation. */
  readonly key: readonly { readonly name: string; readonly sorted: boolean }[];
  /** Without itself. */
  readonly refersTo: readonly string[];
}

/** Each table with rows of shops has it. */
export const SHOP_COLUMN = 'org_id';

const OWN_RELATIONS = `
  c.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = current_schema())
  and c.relname not in ('${SILENCE_TABLE}', '${REQUEST_LIMIT_TABLE}')
  and not exists (
    select from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

const RELATIONS = `
  select c.relname as name
  from pg_catalog.pg_class c
  where ${OWN_RELATIONS} and c.relkind = any ($1)
  order by c.relname`;

/** Names by `relkind`: r and p are tables, S sequences, v, m and f views and foreign tables. */
export const relations = async (client: pg.Client, kinds: readonly string[]): Promise<string[]> =>
  (await client.query<{ name: string }>(RELATIONS, [kinds])).rows.map(({ name }) => name);

const TABLES = `
  select
    c.relname as name,
    (select coalesce(json_agg(json_build_object(
              'name', a.attname, 'type', pg_catalog.format_type(a.atttypid, a.atttypmod)) order by a.attnum), '[]')
       from pg_catalog.pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         and a.atttypid <> 'pg_catalog.xid8'::pg_catalog.regtype) as columns,
    (select coalesce(json_agg(json_build_object(
              'name', a.attname, 'sorted', a.attcollation <> 0) order by k.place), '[]')
       from pg_catalog.pg_index i
       cross join lateral unnest(i.indkey::int2[]) with ordinality k (attnum, place)
       join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
       where i.indrelid = c.oid and i.indisprimary) as key,
    (select coalesce(json_agg(distinct t.relname), '[]')
       from pg_catalog.pg_constraint f
       join pg_catalog.pg_class t on t.oid = f.confrelid
       where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as "refersTo"
  from pg_catalog.pg_class c
  where ${OWN_RELATIONS} and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`;

/** Referenced tables first, then by name. Throws BackupError on a cycle. */
export const byReference = <T extends Pick<Table, 'name' | 'refersTo'>>(tables: readonly T[]): T[] => {
  const waiting = new Map(tables.map((table) => [table.name, table]));
  const ordered: T[] = [];
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ refersTo }) => !refersTo.some((name) => waiting.has(name)));
    if (free.length === 0)
      throw new BackupError(
        `These tables refer to each other in a circle, and none of them could be restored first: ${[...waiting.keys()].join(', ')}.`,
      );
    for (const table of free) waiting.delete(table.name);
    ordered.push(...free);
  }
  return ordered;
};

/** In insertion order. */
export const tablesOf = async (client: pg.Client): Promise<Table[]> =>
  byReference((await client.query<Table>(TABLES)).rows);

/** The change log begins anew where a shop is restored: it numbers what the readers of one installation have read. */
const CHANGE_LOG = 'change';

/** Those with rows of shops, in the given order. */
export const tablesOfShops = (tables: readonly Table[]): Table[] =>
  tables.filter(
    ({ name, columns }) => name !== CHANGE_LOG && columns.some((column) => column.name === SHOP_COLUMN),
  );

/** Sequences ignore snapshots: each is at least as far as the rows of the snapshot. */
export const sequencesOf = async (client: pg.Client): Promise<SequenceState[]> => {
  const states: SequenceState[] = [];
  for (const name of await relations(client, ['S'])) {
    const { rows } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${pg.escapeIdentifier(name)}`,
    );
    for (const row of rows) states.push({ name, ...row });
  }
  return states;
};

export const migrationsIn = async (client: pg.Client): Promise<MigrationMark[]> =>
  (await client.query<MigrationMark>('select id, name, checksum from migration order by id')).rows;

export const quoted = (names: readonly string[]): string =>
  names.map((name) => pg.escapeIdentifier(name)).join(', ');
