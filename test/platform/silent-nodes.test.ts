/** What is done about silent nodes, on connections that answer for some nodes: no server without Citus has any. */
import { Kysely, sql, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../src/platform/store/db.ts';
import { apartIfHeard, rowsIfHeard } from '../../src/platform/store/nodes/apart.ts';
import { readCounters } from '../../src/platform/store/nodes/feed.ts';
import { Nodes, NodesDialect } from '../../src/platform/store/nodes/spread.ts';
import { placeOf } from '../../src/platform/store/place.ts';
import type { Database } from '../../src/platform/store/schema.ts';

const SHOPS = [1, 2, 3].map((n) => `0a000000-0000-4000-8000-00000000000${n}`);
const [A = '', B = '', C = ''] = SHOPS;

const isControl = (text: string): boolean => /^(?:begin|commit|rollback)/.test(text);

/** Three nodes with a shop each, of which some are silent. The rows of a shop are its counters. */
const spread = (isSpread = true) => {
  const silent = new Set<string>();
  const counters = new Map(SHOPS.map((shop) => [shop, 1]));
  const sent: string[] = [];
  const rowsFor = (text: string, shops: readonly string[]): readonly unknown[] => {
    if (isControl(text)) return [];
    if (text.includes('"shop_code"')) return SHOPS.map((org_id) => ({ org_id }));
    if (text.includes('pg_dist_shard_placement'))
      return SHOPS.map((shop) => ({ name: `${shop}:5432`, shops: [shop] }));
    if (shops.some((shop) => silent.has(shop)))
      throw new DatabaseUnavailable('lost', { cause: Object.assign(new Error(), { code: '08006' }) });
    if (/from change where/.test(text))
      return shops.map((org_id) => ({
        ...{ org_id, transaction_id: '7', scope: 'menu' },
        version: counters.get(org_id),
      }));
    return shops.map((org_id) => ({ org_id, seq: counters.get(org_id) }));
  };
  const query = (text: string, parameters: readonly unknown[] = []) => {
    sent.push(text);
    const named = SHOPS.filter((shop) => parameters.flat().includes(shop));
    const rows = rowsFor(text, named.length === 0 ? SHOPS : named);
    return Promise.resolve({ command: 'SELECT' as const, rowCount: rows.length, rows: [...rows] });
  };
  const client = {
    query: (async (text: string, parameters?: readonly unknown[]) =>
      query(text, parameters)) as unknown as PostgresPoolClient['query'],
    release: () => undefined,
  };
  const pool: PostgresPool = { connect: () => Promise.resolve(client), end: () => Promise.resolve() };
  const nodes = new Nodes(pool, placeOf({ url: 'postgres://localhost/ahwa' }), () => undefined);
  nodes.isSpread = isSpread;
  const db = new Kysely<Database>({ dialect: new NodesDialect(pool, nodes) });
  return { silent, counters, sent, nodes, db };
};

/** By a statement over all shops, those that were heard. */
const heard = async (db: Kysely<Database>): Promise<readonly string[]> => [
  ...(await readCounters(db, null)).position.counters.keys(),
];
const about = (shop: string) => sql<{ seq: number }>`select seq from change_counter where org_id = ${shop}`;
const SILENT = { name: 'DatabaseUnavailable', reason: 'silent' };

test('a statement over all shops is sent once while all nodes answer, and else to those that do', async () => {
  const { silent, sent, db } = spread();
  expect(await heard(db)).toEqual(SHOPS);
  expect(sent).toHaveLength(1);
  silent.add(B);
  expect(await heard(db)).toEqual([A, C]);
});

test('it fails where no node answers', async () => {
  const { silent, db } = spread();
  for (const shop of SHOPS) silent.add(shop);
  await expect(heard(db)).rejects.toMatchObject(SILENT);
});

test('a second node that falls silent is left out, but in a transaction, which it has ended', async () => {
  const { silent, db } = spread();
  silent.add(B);
  await heard(db);
  silent.add(C);
  expect(await heard(db)).toEqual([A]);
  await expect(db.transaction().execute((tx) => heard(tx))).rejects.toMatchObject(SILENT);
});

test('the first silence that a transaction meets ends it', async () => {
  const { silent, db } = spread();
  silent.add(B);
  await expect(db.transaction().execute((tx) => heard(tx))).rejects.toMatchObject(SILENT);
});

test('what names a shop of a silent node is refused before it is sent', async () => {
  const { silent, sent, nodes, db } = spread();
  silent.add(B);
  await heard(db);
  expect(nodes.silent.count).toBe(1);
  const before = sent.length;
  await expect(about(B).execute(db)).rejects.toMatchObject(SILENT);
  expect(sent).toHaveLength(before);
  expect((await about(A).execute(db)).rows).toHaveLength(1);
});

test('what can be done without is null where its node is silent', async () => {
  const { silent, db } = spread();
  silent.add(B);
  const query = { query: about(B), types: { seq: 'int' } };
  expect(await rowsIfHeard(db, query)).toBeNull();
  expect((await apartIfHeard(db, query)).isHeard).toBe(false);
  expect(await rowsIfHeard(db, { ...query, query: about(A) })).toHaveLength(1);
});

test('one server that is lost is no silent node', async () => {
  const { silent, db } = spread(false);
  silent.add(B);
  await expect(rowsIfHeard(db, { query: about(B), types: { seq: 'int' } })).rejects.toMatchObject({
    reason: 'lost',
  });
});

test('the feed keeps the counters of shops that do not answer, and reads the changes of the others', async () => {
  const { silent, counters, db } = spread();
  const first = await readCounters(db, null);
  silent.add(B);
  for (const shop of SHOPS) counters.set(shop, 2);
  const { position, changes } = await readCounters(db, first.position);
  expect(Object.fromEntries(position.counters)).toEqual({ [A]: 2, [B]: 1, [C]: 2 });
  expect(position.isPart).toBe(false);
  expect(changes).toHaveLength(2);
});

test('a feed that begins without some shops says so', async () => {
  const { silent, db } = spread();
  silent.add(B);
  const { position, changes } = await readCounters(db, null);
  expect([[...position.counters.keys()], position.isPart, changes]).toEqual([[A, C], true, null]);
});
