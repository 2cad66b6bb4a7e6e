import fc from 'fast-check';
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OF_ANY } from '../../src/platform/store/nodes/everywhere.ts';
import { isSendingAllowedTo } from '../../src/platform/store/sending.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import { destinationNameOf } from '../../src/messaging/store/outbox.ts';
import { parkWaiting } from '../../src/messaging/store/parking.ts';
import type { OutboxRow } from '../../src/messaging/domain/outbox.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import {
  addToOutbox,
  claimHeads,
  claimQuery,
  dueHeadsQuery,
  dueKinds,
  dueKindsQuery,
  parked,
  replay,
  settle,
  type Claim,
  type ClaimedRow,
} from '../../src/messaging/store/outbox.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { add, aMessage, anEvent, emptyOutbox, ORG, storedRow } from '../support/background/outbox.ts';
import { newId } from '../support/database/ids.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { insert, insertShop } from '../support/database/rows.ts';

let database: TestDatabase;
let db: Db<Database>;

beforeAll(async () => {
  database = await freshDatabase();
  db = connect<Database>(database.connection, PATIENT);
  await insertShop(db.kysely, ORG, 'beit-el-bunn');
});

afterAll(async () => {
  await db.close();
  await database.release();
});

beforeEach(() => emptyOutbox(db));

const NOW = Date.UTC(2026, 10, 20, 18);
const SECOND = 1_000;
const LEASE = 60 * SECOND;

const aClaim = (of: Partial<Claim> = {}): Claim => {
  const now = of.now ?? NOW;
  return {
    ...{ kind: 'message', now, leaseId: newId(), leaseUntil: now + LEASE },
    ...{ limit: 100, perDestination: 100, inFlight: new Map(), without: [] },
    ...of,
  };
};
const claim = async (of: Partial<Claim> = {}, through = db): Promise<readonly ClaimedRow[]> =>
  (await claimHeads(through.kysely, aClaim(of))).rows;

const idsOf = (rows: readonly { readonly id: Uuid }[]): Uuid[] => rows.map(({ id }) => id).sort();
const A_TARGET = {
  ...{ org_id: ORG, url: 'https://till.example', secret_hash: '\\x00', generation: 1, is_active: true },
  created_at: '2026-01-01T00:00:00Z',
};
const only = <T>(rows: readonly T[]): T => {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`${rows.length} rows, not one`);
  return row;
};
const sent = { status: 'sent', providerId: null } as const;
const LOST = { isHeld: false, isNextDue: false };
const failedUntil = (until: number) => ({ status: 'waiting', until, reason: 'answered 503' }) as const;

describe('an ordering key', () => {
  test('has its messages claimed in order, each after the previous one is settled', async () => {
    const order = newId();
    const rows = (['order_received', 'order_confirmed', 'order_ready'] as const).map((name) =>
      aMessage(order, name),
    );
    await add(db, rows, NOW);
    const sentRows: Uuid[] = [];
    const due: boolean[] = [];
    for (let row = (await claim())[0]; row !== undefined; row = (await claim())[0]) {
      expect(await claim()).toEqual([]);
      sentRows.push(row.id);
      due.push((await settle(db.kysely, row, sent, NOW)).isNextDue);
    }
    expect(sentRows).toEqual(rows.map(({ id }) => id));
    expect(due).toEqual([true, true, false]);
  });

  test('has no message claimed while its first message waits for a retry', async () => {
    const order = newId();
    const [first, second] = [aMessage(order), aMessage(order, 'order_ready')];
    await add(db, [first, second], NOW);
    await settle(db.kysely, only(await claim()), failedUntil(NOW + 5 * SECOND), NOW);
    expect(await claim({ now: NOW + 4 * SECOND })).toEqual([]);
    expect((await storedRow(db, second)).nextAt).toBe(NOW + 5 * SECOND);
    const again = only(await claim({ now: NOW + 5 * SECOND }));
    expect(again).toMatchObject({ id: first.id, tried: 1 });
  });

  test('continues after a parked message', async () => {
    const order = newId();
    const [first, second] = [aMessage(order), aMessage(order, 'order_ready')];
    await add(db, [first, second], NOW);
    await settle(db.kysely, only(await claim()), { status: 'parked', reason: 'no such template' }, NOW);
    expect(only(await claim()).id).toBe(second.id);
  });

  test('does not wait for other keys, such as that of the same order at another address', async () => {
    const [order, other, till, stock] = [newId(), newId(), newId(), newId()];
    const rows = [aMessage(order), aMessage(order), aMessage(other)];
    const events = [anEvent(order, till), anEvent(order, stock), anEvent(order, till)];
    await add(db, [...rows, ...events], NOW);
    expect(idsOf(await claim())).toEqual(idsOf([rows[0], rows[2]].flatMap((row) => row ?? [])));
    expect(idsOf(await claim({ kind: 'webhook' }))).toEqual(
      idsOf([events[0], events[1]].flatMap((row) => row ?? [])),
    );
  });

  test('of one shop is separate from the same key of another shop', async () => {
    const row = aMessage(newId());
    const elsewhere = { ...row, id: newId(), orgId: '0a000000-0000-4000-8000-000000000002' };
    await add(db, [row], NOW);
    await add(db, [elsewhere], NOW);
    expect(await claim()).toHaveLength(2);
  });

  test('goes on behind a waiting row that an older build has put there', async () => {
    const order = newId();
    const [first, second] = [aMessage(order), aMessage(order, 'order_ready')];
    await add(db, [first], NOW);
    await sql`update outbox set position = 1000000000000`.execute(db.kysely);
    await add(db, [second], NOW);
    expect(only(await claim()).id).toBe(first.id);
  });
});

test('rows of a rolled-back transaction are never sent', async () => {
  const undone = db.tx(async (tx) => {
    await addToOutbox(tx, [aMessage(newId())], NOW);
    throw new Error('a refusal');
  });
  await expect(undone).rejects.toThrow('a refusal');
  expect(await claim()).toEqual([]);
});

test('a claimed row has the fields it was added with and its creation time', async () => {
  const row = anEvent(newId(), newId());
  await add(db, [row], NOW);
  const leaseId = newId();
  const claimed = only(await claim({ kind: 'webhook', leaseId, now: NOW + SECOND }));
  expect(claimed).toMatchObject({ ...row, leaseId, tried: 0, createdAt: NOW });
});

describe('several processes', () => {
  test('never claim the same message', async () => {
    const others = await Promise.all(
      Array.from({ length: 4 }, () => Promise.resolve(connect<Database>(database.connection, PATIENT))),
    );
    const rows = Array.from({ length: 60 }, () => aMessage(newId()));
    await add(db, rows, NOW);
    const claimed: Uuid[] = [];
    const work = async (own: Db<Database>): Promise<void> => {
      for (let got = await claim({ limit: 3 }, own); got.length > 0; got = await claim({ limit: 3 }, own))
        claimed.push(...idsOf(got));
    };
    await Promise.all(others.map(work));
    await work(db);
    expect(claimed.toSorted()).toEqual(idsOf(rows));
    await Promise.all(others.map((other) => other.close()));
  });

  test('an expired lease passes to another claim, and the late result overwrites nothing', async () => {
    const row = aMessage(newId());
    await add(db, [row], NOW);
    const late = only(await claim());
    expect(await claim({ now: NOW + LEASE - 1 })).toEqual([]);
    const taken = only(await claim({ now: NOW + LEASE }));
    expect(await settle(db.kysely, late, { status: 'parked', reason: 'too late' }, NOW)).toEqual(LOST);
    expect(await settle(db.kysely, late, failedUntil(NOW + LEASE * 9), NOW)).toEqual(LOST);
    expect(await storedRow(db, row)).toMatchObject({ status: 'waiting', attempts: 0, reason: null });
    const taking = await settle(db.kysely, taken, { status: 'sent', providerId: 'wamid.1' }, NOW + LEASE);
    expect(taking.isHeld).toBe(true);
    expect(await storedRow(db, row)).toMatchObject({
      ...{ status: 'sent', attempts: 1, doneAt: NOW + LEASE, providerId: 'wamid.1', reason: null },
    });
  });

  test('an expired lease still settles a row that was not claimed again', async () => {
    const row = aMessage(newId());
    await add(db, [row], NOW);
    const late = only(await claim());
    expect(await settle(db.kysely, late, sent, NOW + 2 * LEASE)).toMatchObject({ isHeld: true });
  });
});

describe('a destination', () => {
  /** Parks rows that have waited for a second. */
  const giveUp = (targetId: Uuid, now = NOW): Promise<number> => {
    const reason = 'nothing went through';
    return parkWaiting(db.kysely, { kind: 'webhook', targetId, since: now - SECOND, reason }, now);
  };

  const events = (target: Uuid, count: number): OutboxRow[] =>
    Array.from({ length: count }, () => anEvent(newId(), target));

  test('with a long queue leaves room for other destinations', async () => {
    const [slow, quick] = [newId(), newId()];
    await add(db, events(slow, 50), NOW - SECOND);
    await add(db, events(quick, 3), NOW);
    const claimed = await claim({ kind: 'webhook', limit: 8, perDestination: 2 });
    const counts = [slow, quick].map((target) => claimed.filter((row) => row.targetId === target).length);
    expect(counts).toEqual([2, 2]);
  });

  test('has its rows in flight counted, and no row claimed while it is excluded', async () => {
    const [busy, excluded, free] = [newId(), newId(), newId()];
    await add(
      db,
      [busy, excluded, free].flatMap((target) => events(target, 3)),
      NOW,
    );
    const claimed = await claim({
      ...{ kind: 'webhook', perDestination: 2, inFlight: new Map([[busy, 1]]), without: [excluded] },
    });
    const counts = [busy, excluded, free].map(
      (target) => claimed.filter((row) => destinationNameOf(row) === target).length,
    );
    expect(counts).toEqual([1, 0, 2]);
  });

  test('that fails has its old rows parked, not new ones or those in flight', async () => {
    const [dead, other] = [newId(), newId()];
    const [old, held] = [anEvent(newId(), dead), anEvent(newId(), dead)];
    const [fresh, elsewhere] = [anEvent(newId(), dead), anEvent(newId(), other)];
    await add(db, [held], NOW - 3 * SECOND);
    await claim({ kind: 'webhook' });
    await add(db, [old, elsewhere], NOW - 2 * SECOND);
    await add(db, [fresh], NOW);
    expect(await giveUp(dead)).toBe(1);
    const statuses = await Promise.all([old, held, fresh, elsewhere].map((row) => storedRow(db, row)));
    expect(statuses.map(({ status }) => status)).toEqual(['parked', 'waiting', 'waiting', 'waiting']);
    expect(statuses[0]?.reason).toBe('nothing went through');
  });

  test('that fails has replayed rows parked no sooner than new ones', async () => {
    const dead = newId();
    const old = anEvent(newId(), dead);
    await insert(db.kysely, 'webhook_target', { ...A_TARGET, id: dead });
    await add(db, [old], NOW - 9 * SECOND);
    expect(await giveUp(dead)).toBe(1);
    expect(await replay(db.kysely, ORG, { since: null }, NOW)).toBe(1);
    await settle(db.kysely, only(await claim({ kind: 'webhook' })), failedUntil(NOW + 5 * SECOND), NOW);
    expect(await giveUp(dead)).toBe(0);
    expect(await giveUp(dead, NOW + 2 * SECOND)).toBe(1);
    expect((await storedRow(db, old)).reason).toBe('answered 503; nothing went through');
  });
});

describe('a parked row', () => {
  const parkAll = async (now = NOW): Promise<void> => {
    for (const kind of ['message', 'webhook'] as const)
      for (let rows = await claim({ kind }); rows.length > 0; rows = await claim({ kind }))
        for (const row of rows)
          await settle(db.kysely, row, { status: 'parked', reason: 'answered 410' }, now);
  };

  test('is listed with its reason, oldest first, for its shop alone', async () => {
    const order = newId();
    const rows = [aMessage(order), aMessage(order, 'order_ready')];
    await add(db, rows, NOW);
    await parkAll(NOW + SECOND);
    expect(await parked(db.kysely, ORG, 10)).toEqual(
      rows.map(({ id }) => ({
        ...{ id, kind: 'message', subject: 'order', subjectId: order, targetId: null, attempts: 1 },
        ...{ createdAt: NOW, nextAt: NOW, triedAt: NOW + SECOND, parkedAt: NOW + SECOND },
        reason: 'answered 410',
      })),
    );
    expect(await parked(db.kysely, ORG, 1)).toHaveLength(1);
    expect(await parked(db.kysely, newId(), 10)).toEqual([]);
  });

  test('waits again after a replay, in order, with its id and without tries', async () => {
    const order = newId();
    const rows = [aMessage(order), aMessage(order, 'order_ready')];
    await add(db, rows, NOW);
    await parkAll();
    expect(await replay(db.kysely, ORG, { since: null }, NOW + SECOND)).toBe(2);
    expect(await claim({ now: NOW })).toEqual([]);
    const first = only(await claim({ now: NOW + SECOND }));
    expect(first).toMatchObject({ id: rows[0]?.id, tried: 0, createdAt: NOW });
    expect(await replay(db.kysely, ORG, { since: null }, NOW)).toBe(0);
  });

  test('is replayed only for its kind and its shop', async () => {
    await add(db, [aMessage(newId())], NOW);
    await parkAll();
    expect(await replay(db.kysely, ORG, { kind: 'webhook', since: null }, NOW)).toBe(0);
    expect(await replay(db.kysely, newId(), { since: null }, NOW)).toBe(0);
    expect(await replay(db.kysely, ORG, { kind: 'message', since: null }, NOW)).toBe(1);
  });
});

test('failures, expired leases and races never reorder an ordering key', async () => {
  const processes = [db, connect<Database>(database.connection, PATIENT)];
  const step = fc.record({
    process: fc.constantFrom(0, 1),
    limit: fc.integer({ min: 1, max: 4 }),
    fate: fc.constantFrom('sent', 'later', 'forgotten'),
    seconds: fc.constantFrom(0, 1, 30, 61),
  });
  const lanes = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lanes, fc.array(step, { minLength: 1, maxLength: 15 }), async (of, steps) => {
      await emptyOutbox(db);
      const orders = [newId(), newId(), newId()];
      const rows = of.map((lane) => aMessage(orders[lane] ?? ''));
      await add(db, rows, NOW);
      const sentRows: OutboxRow[] = [];
      let now = NOW;
      for (const { process, limit, fate, seconds } of steps) {
        now += seconds * SECOND;
        const own = processes[process] ?? db;
        for (const row of await claim({ now, limit }, own)) {
          if (fate === 'sent') {
            sentRows.push(row);
            await settle(own.kysely, row, sent, now);
          } else if (fate === 'later') await settle(own.kysely, row, failedUntil(now + 5 * SECOND), now);
        }
      }
      for (const order of orders) {
        const added = rows.filter(({ subjectId }) => subjectId === order).map(({ id }) => id);
        const inOrder = sentRows.filter(({ subjectId }) => subjectId === order).map(({ id }) => id);
        expect(inOrder).toEqual(added.slice(0, inOrder.length));
      }
    }),
    { numRuns: 60 },
  );
  await processes[1]?.close();
});

describe('beside 50,000 finished rows', () => {
  interface Plan {
    readonly 'Node Type': string;
    readonly 'Relation Name'?: string;
    readonly 'Index Name'?: string;
    readonly Plans?: readonly Plan[];
  }
  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

  const explained = async (query: RawBuilder<unknown>): Promise<Plan[]> => {
    const { rows } = await sql<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>`
      explain (format json) ${query}
    `.execute(db.kysely);
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    return plan === undefined ? [] : nodesOf(plan);
  };

  /** The two indexes of waiting rows, and the key by which found rows are locked. */
  const CLAIMED_BY = ['outbox_waiting', 'outbox_lane', 'outbox_pkey'];

  test('one look tells which kinds of rows are due', async () => {
    await add(db, [aMessage(newId())], NOW);
    expect(await dueKinds(db.kysely, NOW)).toEqual(new Set(['message']));
  });

  test('a claim reads the indexes of waiting rows, never the whole table', async () => {
    await sql`
      insert into outbox (org_id, id, kind, lane, subject_id, payload, status, created_at, waiting_since, next_at, done_at)
      select ${ORG}::uuid, md5(n::text)::uuid, 'message', 'order:' || n, md5(n::text)::uuid, '{}', 'sent',
             to_timestamp(n), to_timestamp(n), to_timestamp(n), to_timestamp(n)
      from generate_series(1, 50000) n
    `.execute(db.kysely);
    const orders = Array.from({ length: 40 }, newId);
    await add(
      db,
      orders.flatMap((order) => [aMessage(order), aMessage(order, 'order_ready')]),
      NOW,
    );
    for (const known of [false, true]) {
      if (known) await asOwner(database, 'analyze outbox');
      const of = aClaim({ limit: 8 });
      const isAllowed = await isSendingAllowedTo(db.kysely, 'o.org_id');
      const look = { ofShops: OF_ANY, isAllowed };
      const heads = (await dueHeadsQuery(of, look).execute(db.kysely)).rows;
      const ids = heads.map(({ id }) => id);
      const queries = [dueKindsQuery(NOW, look), dueHeadsQuery(of, look), claimQuery(ORG, ids, of)];
      const nodes: Plan[] = [];
      for (const query of queries) nodes.push(...(await explained(query)));
      const whole = nodes.filter(
        (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'outbox',
      );
      expect(whole).toEqual([]);
      const indexes = new Set(
        nodes.flatMap((node) => node['Index Name'] ?? []).filter((name) => name.startsWith('outbox')),
      );
      expect([...indexes].filter((name) => !CLAIMED_BY.includes(name))).toEqual([]);
      expect(indexes.size).toBeGreaterThan(0);
    }
    expect(await claim({ limit: 8 })).toHaveLength(8);
  });
});
