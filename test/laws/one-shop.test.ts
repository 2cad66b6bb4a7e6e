/**
 * A statement names its shop: each reference to a table of shops has the shop's id as a parameter, so that a sharded
 * database sends the statement to one shard, and no statement mixes shops. Every statement that a test makes the program
 * send is judged (`test/support/setup/statements.ts`); here is the judge.
 */
import { sep } from 'node:path';
import { expect, inject, test } from 'vitest';
import { BATCHES, EXCEPTIONS, GLOBAL_TABLES, OF_MANY_SHOPS } from '../support/statements/exceptions.ts';
import { judge, namesOneShop } from '../support/statements/one-shop.ts';
import { faultOfWrites } from '../support/statements/transactions.ts';
import { readSources } from './sources.ts';

const TABLES = new Set(['branch', 'sale', 'till', 'outbox', 'customer']);
const judged = (text: string) => judge(text, TABLES);

test.each([
  ['select from sale where org_id = $1', [1]],
  ['select from "sale" where $2::uuid = "sale"."org_id" and id = $1', [2]],
  ['select from sale s join till t on t.org_id = $2 and t.id = s.till_id where s.org_id = $1', [1, 2]],
  ['select from sale s left join till t on t.org_id = $1 and t.id = s.till_id where s.org_id = $1', [1]],
  ['select from sale s, till t where s.org_id = $1 and t.org_id = $2 and t.id = s.till_id', [1, 2]],
  ['select (select count(*) from till where org_id = $1) from sale where org_id = $2', [1, 2]],
  ['with own as (select * from sale where org_id = $1) select from own join own other on true', [1]],
  ['select id from sale where org_id = $1 union select id from till where org_id = $2', [1, 2]],
  ['update sale s set id = t.id from till t where s.org_id = $1 and t.org_id = $2', [1, 2]],
  ['delete from sale s using till t where s.org_id = $1 and t.org_id = $1', [1]],
  ['insert into sale (id, org_id) values ($1, $2), ($3, $4)', [2, 4]],
  ['insert into sale (org_id, id) select $1::uuid, id from till where org_id = $2', [1, 2]],
  ['with made as (insert into sale (org_id) values ($1) returning id) select from made', [1]],
  ['select from device_token where token_hash = $1', []],
])('%s names its shop', (text, shops) => {
  const { faults, shops: found } = judged(text);
  expect({ faults, shops: [...found].sort() }).toEqual({ faults: [], shops });
});

test.each([
  ['select from sale', ['sale']],
  ['select from sale where id = $1', ['sale']],
  ['select from sale where org_id = any($1)', ['sale']],
  ['select from sale where org_id <> $1', ['sale']],
  ['select from sale where org_id = $1 or id = $2', ['sale']],
  ["select from sale where org_id = '0a000000-0000-4000-8000-000000000001'", ['sale']],
  ['select from sale s join till t on t.org_id = s.org_id where s.org_id = $1', ['till t']],
  ['select from sale s join till t using (org_id) where s.org_id = $1', ['till t', 'JoinExpr']],
  ['select from sale full join till using (org_id) where org_id = $1', ['JoinExpr']],
  ['select from sale natural join till where org_id = $1', ['JoinExpr']],
  ['select from sale tablesample system (1) where org_id = $1', ['RangeTableSample']],
  // The condition says nothing of sales without a till.
  ['select from sale s left join till t on t.org_id = $1 and s.org_id = $1', ['sale s']],
  ['select from sale s right join till t on t.org_id = $1 and s.org_id = $1', ['till t']],
  ['select from sale s full join till t on t.org_id = $1 and s.org_id = $1', ['sale s', 'till t']],
  [
    'select from sale s where s.org_id = $1 and exists (select from till t where t.org_id = s.org_id)',
    ['till t'],
  ],
  ['select from sale where org_id = (select org_id from till where org_id = $1)', ['sale']],
  ['select from sale where org_id = $1 union select from till', ['till']],
  ['with own as (select * from sale) select from own where org_id = $1', ['sale']],
  ['update sale s set id = t.id from till t where s.org_id = $1 and t.org_id = s.org_id', ['till t']],
  ['update sale set id = $1', ['sale']],
  ['update sale set org_id = $2 where org_id = $1', ['UpdateStmt']],
  [
    'insert into sale (org_id, id) values ($1, $2) on conflict (id) do update set org_id = $3',
    ['onConflictClause'],
  ],
  [
    'insert into sale (id, name, org_id) select t.*, $1, $2 from till t where t.org_id = $1',
    ['insert into sale'],
  ],
  ['truncate sale', ['TruncateStmt']],
  ['lock table sale', ['LockStmt']],
  ['delete from sale s using till t where t.org_id = $1', ['sale s']],
  ['insert into sale (org_id, id) select org_id, id from till where org_id = $1', ['insert into sale']],
  ['insert into sale (id) values ($1)', ['insert into sale']],
  ['insert into sale values ($1)', ['insert into sale']],
  ['insert into sale (org_id) values ($1), (gen_random_uuid())', ['insert into sale']],
  [
    'insert into sale (org_id) select $1 union all select org_id from till where org_id = $1',
    ['insert into sale'],
  ],
  ['insert into device_token (id) select id from till', ['till']],
  ['with sale as (select 1) select from sale', ['with sale: the name of a table']],
  ['merge into sale s using till t on s.id = t.id when matched then delete', ['MergeStmt']],
])('%s does not name its shop', (text, faults) => {
  expect(judged(text).faults).toEqual(faults);
});

test('two parameters name one shop where their values are the same', () => {
  const statement = judged('select from sale s, till t where s.org_id = $1 and t.org_id = $3 and t.id = $2');
  expect(namesOneShop(statement, ['here', 'a till', 'here'])).toBe(true);
  expect(namesOneShop(statement, ['here', 'a till', 'there'])).toBe(false);
});

test.each([
  ['select from sale where org_id = $1 for update', false],
  ['delete from sale where org_id = $1', true],
  ['with made as (insert into sale (org_id) values ($1) returning id) select from made', true],
])('%s: it writes is %s', (text, isWrite) => {
  expect(judged(text).isWrite).toBe(isWrite);
});

test('a transaction that writes for two shops is a fault unless it may', () => {
  const [here, there] = [
    { shop: 'here', name: 'a' },
    { shop: 'there', name: 'b' },
  ];
  expect(faultOfWrites([], {})).toBeNull();
  expect(faultOfWrites([here, here], {})).toBeNull();
  expect(faultOfWrites([here, there], {})).toBe('b writes for another shop than a in one transaction');
  expect(faultOfWrites([here, there], { a: 'a reason' })).toBeNull();
  const ofNone = { shop: null, name: 'c' };
  expect(faultOfWrites([ofNone, here], {})).toBeNull();
  expect(faultOfWrites([ofNone, here, there], { c: 'a reason' })).toBeNull();
});

/** Commands on the whole database, before or beside a server, and what sends the statements of Kysely. */
const WHOLE_DATABASE =
  /^platform\/store\/(?:backup|grants|migrate|nodes\/(?:distribute|layout|spread)|one-database|pool)|^adapters\/embedded-postgres\//;

test('only commands on the whole database send statements without Kysely', () => {
  const senders = readSources()
    .filter(({ code }) => /\.query\(/.test(code))
    .map(({ path }) => path.split(sep).join('/'));
  expect(senders.filter((path) => !WHOLE_DATABASE.test(path))).toEqual([]);
  expect(senders.length).toBeGreaterThan(4);
});

test('only what deletes or clears by the clock works on a batch of rows of all shops', () => {
  const users = readSources()
    .filter(({ code }) => /\b(?:deleteBatch|updateBatch|inBatch)\(/.test(code))
    .map(({ path }) => path.split(sep).join('/'));
  expect(users.filter((path) => !path.endsWith('/store/sweep.ts') && !(path in BATCHES))).toEqual([]);
  expect(Object.keys(BATCHES).filter((path) => !users.includes(path))).toEqual([]);
});

test('global tables exist, and exceptions name files that exist', () => {
  expect(Object.keys(GLOBAL_TABLES).filter((table) => !inject('shopTables').includes(table))).toEqual([]);
  const files = new Set(readSources().map(({ path }) => path.split(sep).join('/')));
  const names = Object.keys({ ...EXCEPTIONS, ...OF_MANY_SHOPS });
  expect(names.filter((name) => !files.has(name.split(' ')[0] ?? ''))).toEqual([]);
});
