/**
 * A topic's statements name its own tables and those of topics before it. A topic owns the tables in its
 * `store/schema`.
 */
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import type { Table } from '../../src/platform/store/schema/columns.ts';
import { isInTopic, readSources, SRC, topicOf, TOPICS, type Source } from './sources.ts';

/** Statements that name a table of a later topic, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'platform/store/backup/remove-shop.ts shop':
    'rows whose shop is gone were left by a removal, and may be removed although no counter says closed',
  'platform/store/backup/restore-shop.ts staff':
    'an address that signs in at one shop alone is guarded by no index where tables are spread over nodes',
  'platform/store/nodes/answering.ts shop_code': 'each node has a copy of it, so that it lists all shops',
  'shops/store/shop.ts menu_item':
    'the links page lists the menu if there is one, and is read in one statement',
};

const inSchema = ({ path }: Source): boolean => /^\w+\/store\/schema\//.test(path.split(sep).join('/'));
const sources = readSources().filter(({ path }) => isInTopic(path));
const statements = sources.filter(({ path }) => path.split(sep)[1]?.startsWith('store') === true);

/** `[table, topic]` of every specification. */
const owners = (
  await Promise.all(
    sources.filter(inSchema).map(async ({ path }) => {
      const module = (await import(join(SRC, path))) as Readonly<Record<string, unknown>>;
      return Object.entries(module)
        .filter(([name]) => name.endsWith('_TABLES'))
        .flatMap(([, tables]) => Object.keys(tables as Readonly<Record<string, Table>>))
        .map((table) => [table, topicOf(path)] as const);
    }),
  )
).flat();
const ownerOf = new Map(owners);

/** Words where SQL names a table, also after a comma in `from`. */
const IN_SQL =
  /\b(?:from|join|into|update|using|table)\s+(?:only\s+)?(\w+(?:(?:\s+(?:as\s+)?\w+)?\s*,\s*\w+)*)/gi;
/** A literal argument that names a table: `('staff_device as device'`, `(db, 'otp_phone'`. */
const IN_CALL =
  /\b(?:selectFrom|insertInto|updateTable|deleteFrom|\w+Join|sql\.table|(?:delete|update)Batch)\(\s*(?:\w+,\s*)?'(\w+)/g;
/** A call whose table is a variable: any literal of its file may be the name. */
const VARIABLE = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|\w+Join|sql\.table)\(\s*\w/;

const wordsIn = (code: string): string[] => {
  const text = code.replace(/--\s.*$/gm, '');
  return [
    ...[...text.matchAll(IN_SQL)].flatMap(([, list = '']) =>
      list.split(',').map((one) => one.trim().split(/\s/)[0] ?? ''),
    ),
    ...[...text.matchAll(IN_CALL)].map(([, name = '']) => name),
    ...(VARIABLE.test(text) ? [...text.matchAll(/'(\w+)'/g)].map(([, name = '']) => name) : []),
  ];
};

const tablesIn = (code: string): string[] => [...new Set(wordsIn(code).filter((word) => ownerOf.has(word)))];

const named = statements.flatMap(({ path, code }) =>
  tablesIn(code).map((table) => ({ path: path.split(sep).join('/'), table })),
);

test('the statements of a topic name no table of a later topic', () => {
  const later = named
    .filter(({ path, table }) => TOPICS.indexOf(ownerOf.get(table) ?? '') > TOPICS.indexOf(topicOf(path)))
    .map(({ path, table }) => `${path} ${table}`);
  // Both ways: an exception that is no longer needed goes.
  expect(later.sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});

test('every table has one owner, and statements that name it', () => {
  expect(owners.map(([table]) => table).sort()).toEqual([...ownerOf.keys()].sort());
  const inStatements = new Set(named.map(({ table }) => table));
  expect([...ownerOf.keys()].filter((table) => !inStatements.has(table))).toEqual([]);
});

test.each([
  ['sql`select x from staff s, deal d, lateral f() where 1`', ['staff', 'deal']],
  ['sql`insert into audit (id) select 1 -- from deal`', ['audit']],
  ["db.selectFrom('staff').leftJoin('staff_device as device', (on) => on)", ['staff', 'staff_device']],
  ["deleteBatch(db, 'outbox', sql`staff.x = 1`, limit)", ['outbox']],
  ["for (const table of ['deal', 'price'] as const) await tx.deleteFrom(table)", ['deal', 'price']],
  ["hoursFor(row, 'booking')", []],
])('the tables of %s', (code, tables) => {
  expect(tablesIn(code).sort()).toEqual([...tables].sort());
});
