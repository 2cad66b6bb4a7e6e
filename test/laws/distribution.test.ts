/**
 * The schema fits a database that is spread over nodes by shop: each table says how it is spread, and has keys that one
 * node can hold. What Citus would refuse is found here, on one PostgreSQL.
 */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  DISTRIBUTIONS,
  DROPPED_KEYS,
  spreadBy,
  WIDENED_KEYS,
} from '../../src/platform/store/nodes/distribution.ts';
import { freshDatabase, withAdmin, type TestDatabase } from '../support/database/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.release());

const query = <R extends pg.QueryResultRow>(text: string): Promise<R[]> =>
  withAdmin({ connection: database.owner }, async (client) => (await client.query<R>(text)).rows);

test('every table of the schema says how it is spread over nodes', async () => {
  const tables = await query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  );
  expect(Object.keys(DISTRIBUTIONS).toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

interface Key {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}

const uniqueKeys = (): Promise<Key[]> =>
  query<Key>(`
    select c.relname as name, t.relname as table,
      array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality k (n, place)
            join pg_attribute a on a.attrelid = t.oid and a.attnum = k.n
            where k.place <= i.indnkeyatts order by k.place) as columns
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where (i.indisunique or i.indisexclusion) and t.relnamespace = 'public'::regnamespace order by 1`);

/** One node can tell whether a row is the only one with its key where the key has the column of the node. */
test('a unique key has the column by which its table is spread, or is widened by it', async () => {
  const narrow = (await uniqueKeys()).filter(({ table, columns }) => {
    const column = spreadBy(table);
    return column !== null && !columns.includes(column);
  });
  expect(narrow.map(({ name }) => name)).toEqual(Object.keys(WIDENED_KEYS).toSorted());
  expect(narrow.filter(({ table }) => DISTRIBUTIONS[table] !== 'shop')).toEqual([]);
});

test('a unique key with the id of the shop begins with it', async () => {
  const late = (await uniqueKeys()).filter(
    ({ table, columns }) => DISTRIBUTIONS[table] === 'shop' && columns.indexOf('org_id') > 0,
  );
  expect(late).toEqual([]);
});

interface ForeignKey {
  readonly name: string;
  readonly child: string;
  readonly parent: string;
  /** `child column = parent column` */
  readonly pairs: readonly string[];
}

const foreignKeys = (): Promise<ForeignKey[]> =>
  query<ForeignKey>(`
    select f.conname as name, c.relname as child, p.relname as parent,
      array(select a.attname || ' = ' || b.attname from unnest(f.conkey, f.confkey) k (m, n)
            join pg_attribute a on a.attrelid = c.oid and a.attnum = k.m
            join pg_attribute b on b.attrelid = p.oid and b.attnum = k.n) as pairs
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid
    where f.contype = 'f'`);

test('a foreign key stays within a shop or leads to a copy on every node, or is dropped', async () => {
  const fits = ({ child, parent, pairs }: ForeignKey): boolean => {
    if (DISTRIBUTIONS[parent] === 'everywhere') return true;
    return (
      DISTRIBUTIONS[child] === 'shop' && DISTRIBUTIONS[parent] === 'shop' && pairs.includes('org_id = org_id')
    );
  };
  const unfit = (await foreignKeys()).filter((key) => !fits(key)).map(({ name }) => name);
  expect(unfit).toEqual(Object.keys(DROPPED_KEYS));
});

test('a table is laid out after those that its foreign keys lead to', async () => {
  const order = Object.keys(DISTRIBUTIONS);
  const early = (await foreignKeys()).filter(
    ({ name, child, parent }) => !(name in DROPPED_KEYS) && order.indexOf(child) < order.indexOf(parent),
  );
  expect(early).toEqual([]);
});

test('the rows of every table can be told apart while they move to another node', async () => {
  const blind = await query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relreplident <> 'f'
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`);
  expect(blind.map(({ name }) => name)).toEqual([]);
});

/** Columns that older builds fill, on one server. */
const OLD_SEQUENCES = ['loyalty_entry_position_seq', 'outbox_position_seq'];

test('no table has a trigger or takes numbers from a sequence, of which each node has its own', async () => {
  const found = await query<{ name: string }>(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'
    union all
    select tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not tgisinternal and c.relnamespace = 'public'::regnamespace`);
  expect(found.map(({ name }) => name).filter((name) => !OLD_SEQUENCES.includes(name))).toEqual([]);
});
