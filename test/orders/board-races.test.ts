/** Concurrent changes of one order through two servers on one database. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageFor } from '../../src/orders/domain/message.ts';
import type { OrderStatus } from '../../src/orders/domain/order.ts';
import { aMenu, openShops, shopId, branchId, thingId } from '../support/shops/cafe.ts';
import {
  aStaffedShop,
  change,
  changed,
  orderOf,
  setCredentials,
  type SignedIn,
  signInAs,
  type StaffOrder,
} from '../support/people/staff.ts';
import { auditOf, messagesOf, storedAvailability } from '../support/database/stored-rows.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const UNITS = 1_000;

let worlds: readonly [World, World];
let people: readonly SignedIn[];
beforeAll(async () => {
  const one = await makeWorld();
  const menu = aMenu();
  const items = (menu.items ?? []).map((item) => ({
    ...item,
    availability: [{ branch: 'zamalek', stock: UNITS }],
  }));
  await openShops(one, aStaffedShop(undefined, { menu: { ...menu, items } }));
  await setCredentials(one);
  worlds = [one, await makeWorld({ database: one.database })];
  people = await Promise.all([signInAs(one, 'teller'), signInAs(one, 'manager'), signInAs(one, 'owner')]);
});
afterAll(async () => {
  await worlds[1].close();
  await worlds[0].close();
});

type Change = readonly [what: Parameters<typeof change>[3], body: object];

/** Concurrently, through both servers. */
const all = (orderId: string, changes: readonly Change[]): Promise<Reply[]> =>
  Promise.all(
    changes.map(([what, body], at) => {
      const [world, who] = [worlds[at % 2], people[at % people.length]];
      if (world === undefined || who === undefined) throw new Error('no server or no session');
      return change(world, who, orderId, what, body);
    }),
  );

const twenty = (of: (at: number) => Change): readonly Change[] =>
  Array.from({ length: 20 }, (_, at) => of(at));

const now = async (orderId: string): Promise<StaffOrder> => {
  const [who] = people;
  if (who === undefined) throw new Error('no session');
  return orderOf(worlds[0], who, orderId);
};

const left = async (): Promise<number | null> =>
  (await storedAvailability(worlds[0], branchId(), thingId('item', 'turkish')))?.stock ?? null;

/** Entries of the order in the change log, its creation included. */
const logged = async (orderId: string): Promise<number> =>
  (
    await worlds[0].db.kysely
      .selectFrom('change')
      .select('seq')
      .where('org_id', '=', shopId())
      .where('type', '=', 'delivery')
      .where('id', '=', orderId)
      .execute()
  ).length;

/** `done`, or the refusal code. */
const ends = (replies: readonly Reply[]): string[] =>
  replies.map(({ status, body }) => (status === 200 ? 'done' : (body as { code: string }).code));

describe('concurrent changes of one order', () => {
  test('twenty confirmations confirm the order once and get the same answer', async () => {
    const { id } = await placed(worlds[0]);
    const replies = await all(
      id,
      twenty(() => ['move', { to: 'confirmed', from: 'received' }]),
    );
    expect(new Set(ends(replies))).toEqual(new Set(['done']));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await now(id)).toMatchObject({ status: 'confirmed', revision: 2 });
    expect(await auditOf(worlds[0], id)).toHaveLength(1);
    expect(await messagesOf(worlds[0], id)).toEqual(['order_received', 'order_confirmed']);
    expect(await logged(id)).toBe(2);
  });

  test('of twenty moves to three steps one step wins, and the others get ORDER_MOVED', async () => {
    const { id } = await placed(worlds[0]);
    const steps = ['confirmed', 'preparing', 'ready'] as const;
    const replies = await all(
      id,
      twenty((at) => ['move', { to: steps[at % 3], revision: 1 }]),
    );
    const order = await now(id);
    expect(order.revision).toBe(2);
    for (const [at, reply] of replies.entries())
      if (steps[at % 3] === order.status) expect(reply.body).toEqual(order);
      else
        expect(reply.body).toMatchObject({
          ...{ code: 'ORDER_MOVED', vars: { status: order.status, revision: 2 } },
        });
    expect(await auditOf(worlds[0], id)).toHaveLength(1);
    expect(await messagesOf(worlds[0], id)).toHaveLength(2);
  });

  test('twenty cancellations return the stock once and keep one reason', async () => {
    const before = await left();
    const { id } = await placed(
      worlds[0],
      anOrder({ items: [{ menu_item_id: thingId('item', 'turkish'), quantity: 7 }] }),
    );
    expect(await left()).toBe((before ?? 0) - 7);
    const reasons = ['sold_out', 'too_busy', 'closed', 'other'];
    const replies = await all(
      id,
      twenty((at) => ['cancel', { reason: reasons[at % 4], from: 'received' }]),
    );
    expect(new Set(ends(replies))).toEqual(new Set(['done']));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await left()).toBe(before);
    expect(await auditOf(worlds[0], id)).toHaveLength(1);
    expect(await messagesOf(worlds[0], id)).toEqual(['order_received', 'order_rejected']);
  });

  test('of twenty payments by two methods one method wins, and the other gets ORDER_ENDED', async () => {
    const { id } = await placed(worlds[0]);
    const methods = ['cash', 'card'];
    const replies = await all(
      id,
      twenty((at) => ['finalize', { payment_method: methods[at % 2], from: 'received' }]),
    );
    const order = await now(id);
    expect(order).toMatchObject({ status: 'delivered', revision: 2 });
    for (const [at, reply] of replies.entries())
      if (methods[at % 2] === order.payment_method) expect(reply.body).toEqual(order);
      else expect(reply.body).toMatchObject({ code: 'ORDER_ENDED' });
    expect(await auditOf(worlds[0], id)).toHaveLength(1);
  });

  test('deliveries and cancellations: one of them wins, and only a cancellation returns stock', async () => {
    const before = (await left()) ?? 0;
    const { id } = await placed(worlds[0]);
    const replies = await all(
      id,
      twenty((at) =>
        at % 2 === 0
          ? ['finalize', { payment_method: 'cash', from: 'received' }]
          : ['cancel', { reason: 'other', from: 'received' }],
      ),
    );
    const { status, revision } = await now(id);
    expect(revision).toBe(2);
    expect(ends(replies).filter((end) => end === 'done').length % 10).toBe(0);
    expect(ends(replies).filter((end) => end === 'ORDER_ENDED')).toHaveLength(10);
    expect(await left()).toBe(status === 'rejected' ? before : before - 1);
  });
});

test('any concurrent changes are counted once each, and their messages are in order', async () => {
  const aBasis = fc.oneof(
    fc.record({ revision: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ from: fc.constantFrom<OrderStatus>('received', 'confirmed', 'preparing', 'ready') }),
  );
  const aChange = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(
        fc.constant('move' as const),
        fc.record({ to: fc.constantFrom('confirmed', 'preparing', 'ready') }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(
        fc.constant('prep-time' as const),
        fc.record({ extra_prep_minutes: fc.constantFrom(0, 5, 10) }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constant('cancel' as const),
        fc.record({ reason: fc.constantFrom('other', 'closed') }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constant('finalize' as const),
        fc.record({ payment_method: fc.constantFrom('cash', 'card') }),
      ),
    },
  );
  const some = fc.array(fc.tuple(aChange, aBasis), { minLength: 10, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(some, async (tried) => {
      const { id } = await placed(worlds[0]);
      const replies = await all(
        id,
        tried.map(([[what, body], basis]): Change => [what, { ...body, ...basis }]),
      );
      for (const end of ends(replies)) expect(['done', 'ORDER_MOVED', 'ORDER_ENDED']).toContain(end);
      const order = await now(id);
      const rows = await auditOf(worlds[0], id);
      const steps = rows
        .map(({ detail }) => detail as { from: OrderStatus; to: OrderStatus; revision: number })
        .toSorted((a, b) => a.revision - b.revision);
      expect(steps.map(({ revision }) => revision)).toEqual(steps.map((_, at) => at + 2));
      expect(order.revision).toBe(1 + steps.length);
      expect(order.status).toBe(steps.at(-1)?.to ?? 'received');
      expect(await logged(id)).toBe(1 + steps.length);
      const facts = {
        language: 'ar',
        shopName: '',
        reference: '',
        prepMinutes: 1,
        cancelReason: 'other',
      } as const;
      const messages = steps
        .filter(({ from, to }) => from !== to)
        .flatMap(({ from, to }) => messageFor({ from, to, channel: 'pickup' }, facts)?.template ?? []);
      expect(await messagesOf(worlds[0], id)).toEqual(['order_received', ...messages]);
    }),
    { numRuns: 12 },
  );
});

test('a change with the current revision succeeds after a race', async () => {
  const { id } = await placed(worlds[0]);
  const [who] = people;
  if (who === undefined) throw new Error('no session');
  await all(
    id,
    twenty((at) => ['move', { to: at % 2 === 0 ? 'confirmed' : 'preparing', revision: 1 }]),
  );
  const { revision } = await now(id);
  expect(await changed(worlds[1], who, id, 'move', { to: 'ready', revision })).toMatchObject({
    ...{ status: 'ready', revision: revision + 1 },
  });
});
