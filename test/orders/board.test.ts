/** The board over HTTP (Decisions 4, 12): lists, moves and preparing time. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { branchId, openShops, thingId } from '../support/shops/cafe.ts';
import {
  aStaffedShop,
  change,
  changed,
  orderOf,
  pairedTill,
  personId,
  setCredentials,
  type SignedIn,
  signInAs,
  type StaffOrder,
  type Till,
} from '../support/people/staff.ts';
import { auditOf, messagesOf } from '../support/database/stored-rows.ts';
import { anOrder, MONA, type OrderInput, placed } from '../support/people/guests.ts';
import { done, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;

let world: World;
let till: Till;
let teller: SignedIn;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop(), aStaffedShop('kashk'));
  await setCredentials(world);
  await setCredentials(world, 'kashk');
  till = await pairedTill(world);
  teller = await till.signIn('teller');
});
afterAll(() => world.close());

const now = (): string => new Date(world.now).toISOString();

/** Placed a minute after the previous one. */
const taken = async (more: Partial<OrderInput> = {}): Promise<{ readonly id: string }> => {
  world.now += MINUTE;
  return placed(world, anOrder(more));
};
const toTheUmbrella = { channel: 'umbrella', place_name: 'شمسية ١٢' } as const;

const listed = async (query = '', who: SignedIn = teller): Promise<StaffOrder[]> =>
  done('listOrders', await world.get(`/staff/orders?branch_id=${branchId()}${query}`, { ...who }));
const idsOf = (orders: readonly { readonly id: string }[]): string[] => orders.map(({ id }) => id);

describe('GET /staff/orders', () => {
  test('lists open orders, oldest first, with contact, cart and possible moves', async () => {
    const [first, second, off] = [await taken(), await taken({ ...toTheUmbrella }), await taken()];
    await changed(world, teller, off.id, 'cancel', { reason: 'guest_asked', from: 'received' });
    await changed(world, teller, second.id, 'move', { to: 'ready', from: 'received' });
    const orders = await listed();
    expect(idsOf(orders)).toEqual([first.id, second.id]);
    expect(orders.at(-1)).toMatchObject({
      ...{ status: 'ready', revision: 2, channel: 'umbrella', place_name: 'شمسية ١٢', language: 'ar' },
      ...{ customer_name: 'منى السيد', customer_phone: MONA.phone, total: 6000 },
      cart: { lines: [{ name: 'قهوة تركي', quantity: 1, line_total: 4500 }] },
    });
    expect(orders.at(-1)?.moves).toEqual(['confirmed', 'preparing', 'out_for_delivery']);
    expect(orders.at(-2)?.moves).toEqual(['confirmed', 'preparing', 'ready']);
  });

  test('lists the orders of one status, newest first', async () => {
    const [older, newer] = [await taken(), await taken()];
    for (const { id } of [older, newer])
      await changed(world, teller, id, 'cancel', { reason: 'closed', from: 'received' });
    expect(idsOf(await listed('&status=rejected')).slice(0, 2)).toEqual([newer.id, older.id]);
    expect((await listed('&status=rejected')).every(({ status }) => status === 'rejected')).toBe(true);
  });

  test('returns every order once when it is paged with limit and after', async () => {
    const made = [await taken(), await taken(), await taken()];
    for (const query of ['', '&status=received']) {
      const all = idsOf(await listed(query));
      const pages: string[] = [];
      for (let after = ''; ;) {
        const page = idsOf(await listed(`${query}&limit=2${after}`));
        expect(page.length).toBeLessThanOrEqual(2);
        pages.push(...page);
        if (page.length < 2) break;
        after = `&after=${page.at(-1) ?? ''}`;
      }
      expect(pages).toEqual(all);
      expect(pages).toEqual(expect.arrayContaining(idsOf(made)));
    }
  });

  test('sorts orders of the same instant by id, also across pages', async () => {
    world.now += MINUTE;
    const made = await Promise.all([placed(world), placed(world), placed(world), placed(world)]);
    const all = idsOf(await listed());
    expect(all.slice(-4)).toEqual(idsOf(made).toSorted());
    const rest = await listed(`&after=${all.at(-3) ?? ''}`);
    expect(idsOf(rest)).toEqual(all.slice(-2));
  });

  test('returns at most 200 orders a page and refuses a larger limit', async () => {
    const first = await placed(world, anOrder({ branch_id: branchId('maadi') }));
    await sql`
      insert into delivery_order
      select copy.*
      from delivery_order first, generate_series(1, 203) number,
           jsonb_populate_record(null::delivery_order, to_jsonb(first) || jsonb_build_object(
             'id', gen_random_uuid(), 'delivery_ref', 'D-MAD-' || number)) copy
      where first.id = ${first.id}
    `.execute(world.db.kysely);
    const owner = await signInAs(world, 'owner');
    const address = `/staff/orders?branch_id=${branchId('maadi')}`;
    const page = async (query: string) => done('listOrders', await world.get(`${address}${query}`, owner));
    const all = await page('');
    expect(all).toHaveLength(200);
    expect(await page('&limit=200')).toHaveLength(200);
    expect(await page(`&after=${all.at(-1)?.id ?? ''}`)).toHaveLength(4);
    expect(refusalOf(await world.get(`${address}&limit=201`, owner))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'limit', problem: 'must be a whole number from 1 to 200' }] },
    });
  });

  test('accepts an ended order as after and refuses an order that is not of the branch', async () => {
    const [ended, next] = [await taken(), await taken()];
    await changed(world, teller, ended.id, 'cancel', { reason: 'other', from: 'received' });
    expect(idsOf(await listed(`&after=${ended.id}`))).toEqual([next.id]);
    const there = await taken({ branch_id: branchId('maadi') });
    for (const after of [newId(), there.id])
      expect(
        refusalOf(await world.get(`/staff/orders?branch_id=${branchId()}&after=${after}`, { ...teller })),
      ).toMatchObject({
        ...{ status: 400, fields: [{ path: 'after', problem: 'is no order of this branch' }] },
      });
  });

  test('refuses invalid parameters and names each of them', async () => {
    const list = (query: string) => world.get(`/staff/orders${query}`, { ...teller });
    expect(refusalOf(await list(''))).toMatchObject({ status: 400, fields: [{ path: 'branch_id' }] });
    expect(refusalOf(await list(`?branch_id=zamalek&status=lost&limit=0&after=x`))).toMatchObject({
      status: 400,
      fields: [{ path: 'branch_id' }, { path: 'status' }, { path: 'limit' }, { path: 'after' }],
    });
  });
});

describe('access to orders', () => {
  test('orders and branches that the caller may not see are the same 404 on every endpoint', async () => {
    const here = await taken();
    const elsewhere = await placed(
      world,
      anOrder({
        branch_id: branchId('zamalek', 'kashk'),
        items: [{ menu_item_id: thingId('item', 'turkish', 'kashk'), quantity: 1 }],
      }),
    );
    const ramy = await signInAs(world, 'ramy');
    const stranger = await signInAs(world, 'owner', 'kashk');
    const cases: readonly (readonly [SignedIn, string, string])[] = [
      [ramy, here.id, branchId()],
      [stranger, here.id, branchId()],
      [teller, elsewhere.id, branchId('zamalek', 'kashk')],
      [teller, newId(), branchId('maadi')],
      [teller, newId(), newId()],
    ];
    for (const [who, order, branch] of cases) {
      const replies = [
        await world.get(`/staff/orders?branch_id=${branch}`, { ...who }),
        await world.get(`/staff/orders/${order}`, { ...who }),
        await world.get(`/staff/events?branch_id=${branch}`, { ...who }),
        await change(world, who, order, 'move', { to: 'confirmed', from: 'received' }),
        await change(world, who, order, 'cancel', { reason: 'other', from: 'received' }),
        await change(world, who, order, 'finalize', { payment_method: 'cash', from: 'received' }),
        await change(world, who, order, 'prep-time', { extra_prep_minutes: 5, from: 'received' }),
        await change(world, who, order, 'printed'),
      ];
      for (const reply of replies) expect(refusalOf(reply)).toMatchObject({ status: 404 });
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    }
    expect(await orderOf(world, teller, here.id)).toMatchObject({ status: 'received', revision: 1 });
    expect(await auditOf(world, here.id)).toEqual([]);
    expect(await auditOf(world, elsewhere.id)).toEqual([]);
  });

  test('an owner reads the orders of every branch', async () => {
    const there = await taken({ branch_id: branchId('maadi') });
    const owner = await signInAs(world, 'owner');
    expect(await orderOf(world, owner, there.id)).toMatchObject({ branch_id: branchId('maadi') });
    expect((await world.get(`/staff/orders/${there.id}`, { ...teller })).status).toBe(404);
  });

  test('an id in upper case names the same order or branch', async () => {
    const { id } = await taken();
    expect(await orderOf(world, teller, id.toUpperCase())).toMatchObject({ id });
    const reply = await world.get(`/staff/orders?branch_id=${branchId().toUpperCase()}`, { ...teller });
    expect(idsOf(done('listOrders', reply))).toContain(id);
    const after = await changed(world, teller, id.toUpperCase(), 'move', { to: 'confirmed', revision: 1 });
    expect(after).toMatchObject({ id, status: 'confirmed' });
  });
});

describe('changes of an order', () => {
  test('a move stamps its step, adds an audit entry and sends the message of that step', async () => {
    const { id } = await taken({ ...toTheUmbrella });
    const times: Record<string, string> = {};
    for (const [to, from] of [
      ['confirmed', 'received'],
      ['preparing', 'confirmed'],
      ['ready', 'preparing'],
      ['out_for_delivery', 'ready'],
    ] as const) {
      world.now += MINUTE;
      times[`${to}_at`] = now();
      const order = await changed(world, teller, id, 'move', { to, from });
      expect(order).toMatchObject({ status: to, updated_at: now(), ...times });
      const tracked = await world.read('trackOrder', `/public/delivery-orders/${id}/track`);
      expect(tracked).toMatchObject({ status: to, ...times });
    }
    expect(await orderOf(world, teller, id)).toMatchObject({ revision: 5, payment_method: null });
    expect(await messagesOf(world, id)).toEqual(['order_received', 'order_confirmed', 'order_on_the_way']);
    expect(await auditOf(world, id)).toMatchObject([
      { detail: { from: 'received', to: 'confirmed', revision: 2 } },
      { detail: { from: 'confirmed', to: 'preparing', revision: 3 } },
      { detail: { from: 'preparing', to: 'ready', revision: 4 } },
      { detail: { from: 'ready', to: 'out_for_delivery', revision: 5 } },
    ]);
    for (const entry of await auditOf(world, id))
      expect(entry).toMatchObject({
        ...{ action: 'order.moved', subject: 'order', branch_id: branchId() },
        ...{ staff_id: personId('teller'), device_id: till.id },
      });
  });

  test('a move may skip steps, whose times stay null', async () => {
    const { id } = await taken();
    const order = await changed(world, teller, id, 'move', { to: 'ready', from: 'received' });
    expect(order).toMatchObject({ ready_at: now(), confirmed_at: null, preparing_at: null });
    expect(await messagesOf(world, id)).toEqual(['order_received', 'order_ready']);
  });

  test('a move back clears the times of the undone steps and sends no message', async () => {
    const { id } = await taken();
    await changed(world, teller, id, 'move', { to: 'confirmed', revision: 1 });
    const confirmedAt = now();
    await changed(world, teller, id, 'move', { to: 'ready', revision: 2 });
    world.now += MINUTE;
    const undone = await changed(world, teller, id, 'move', { to: 'preparing', revision: 3 });
    expect(undone).toMatchObject({
      ...{ status: 'preparing', revision: 4, ready_at: null, preparing_at: now(), confirmed_at: confirmedAt },
    });
    expect(await messagesOf(world, id)).toEqual(['order_received', 'order_confirmed', 'order_ready']);
  });

  test('a move to the current status returns the order and changes nothing', async () => {
    const { id } = await taken();
    const first = await changed(world, teller, id, 'move', { to: 'confirmed', from: 'received' });
    world.now += MINUTE;
    for (const basis of [{ from: 'received' }, { from: 'confirmed' }, { revision: 1 }, { revision: 99 }])
      expect(await changed(world, teller, id, 'move', { to: 'confirmed', ...basis })).toEqual(first);
    expect(await messagesOf(world, id)).toEqual(['order_received', 'order_confirmed']);
    expect(await auditOf(world, id)).toHaveLength(1);
  });

  test('a stale from or revision is ORDER_MOVED with the current status and revision', async () => {
    const { id } = await taken();
    await changed(world, teller, id, 'move', { to: 'preparing', from: 'received' });
    for (const basis of [{ from: 'received' }, { revision: 1 }, { from: 'preparing', revision: 1 }])
      expect(refusalOf(await change(world, teller, id, 'move', { to: 'ready', ...basis }))).toMatchObject({
        ...{ status: 409, code: 'ORDER_MOVED', vars: { status: 'preparing', revision: 2 } },
      });
    expect(await orderOf(world, teller, id)).toMatchObject({ status: 'preparing', revision: 2 });
  });

  test('a move of an ended order is ORDER_ENDED, with a current or a stale from', async () => {
    const { id } = await taken();
    await changed(world, teller, id, 'cancel', { reason: 'other', from: 'received' });
    for (const basis of [{ from: 'rejected' }, { from: 'received' }, { revision: 2 }])
      expect(refusalOf(await change(world, teller, id, 'move', { to: 'ready', ...basis }))).toMatchObject({
        ...{ status: 409, code: 'ORDER_ENDED', vars: { status: 'rejected', revision: 2 } },
      });
  });

  test.each([
    ['received', 'an order goes back to `confirmed` at most'],
    ['delivered', 'an order is delivered by finalize, with a payment method'],
    ['cancelled', 'an order is cancelled by cancel, with a reason'],
    ['rejected', 'an order is rejected by cancel, with a reason'],
  ])('a move to %s is refused with the reason', async (to, why) => {
    const { id } = await taken();
    const reply = await change(world, teller, id, 'move', { to, from: 'received' });
    expect(refusalOf(reply)).toMatchObject({
      ...{ status: 400, fields: [{ path: 'to', problem: `cannot be \`${to}\`: ${why}` }] },
    });
  });

  test('a move to an unknown status is refused with the list of possible ones', async () => {
    const { id } = await taken();
    const reply = await change(world, teller, id, 'move', { to: 'bogus', from: 'received' });
    const problem = 'must be one of confirmed, preparing, ready, out_for_delivery';
    expect(refusalOf(reply)).toMatchObject({ status: 400, fields: [{ path: 'to', problem }] });
  });

  test('a move to out_for_delivery is refused for a pickup order', async () => {
    const { id } = await taken();
    const reply = await change(world, teller, id, 'move', { to: 'out_for_delivery', from: 'received' });
    expect(refusalOf(reply)).toMatchObject({ status: 400, fields: [{ path: 'to' }] });
  });

  test.each([
    ['move', { to: 'confirmed' }],
    ['cancel', { reason: 'other' }],
    ['finalize', { payment_method: 'cash' }],
    ['prep-time', { extra_prep_minutes: 5 }],
  ] as const)(
    '%s without from and revision is refused, and all malformed fields are named',
    async (what, body) => {
      const { id } = await taken();
      expect(refusalOf(await change(world, teller, id, what, body))).toMatchObject({
        ...{ status: 400, fields: [{ path: 'from' }, { path: 'revision' }] },
      });
      const nonsense = await change(world, teller, id, what, {
        ...body,
        from: 'lost',
        revision: '1',
        by: 'me',
      });
      expect(
        refusalOf(nonsense)
          .fields?.map(({ path }) => path)
          .toSorted(),
      ).toEqual(['by', 'from', 'revision']);
    },
  );
});

describe('POST /staff/orders/{id}/prep-time', () => {
  test('adds a multiple of 5 minutes, which tracking shows', async () => {
    const { id } = await taken();
    const body = { extra_prep_minutes: 15, revision: 1 };
    const order = await changed(world, teller, id, 'prep-time', body);
    expect(order).toMatchObject({ extra_prep_minutes: 15, estimated_prep_minutes: 35, revision: 2 });
    const tracked = await world.read('trackOrder', `/public/delivery-orders/${id}/track`);
    expect(tracked.estimated_prep_minutes).toBe(35);
    expect(await changed(world, teller, id, 'prep-time', body)).toEqual(order);
    expect(await messagesOf(world, id)).toEqual(['order_received']);
    expect(await auditOf(world, id)).toMatchObject([
      { action: 'order.prep_time_set', detail: { extra_prep_minutes: 15, revision: 2 } },
    ]);
    await changed(world, teller, id, 'prep-time', { extra_prep_minutes: 0, revision: 2 });
  });

  test.each([3, -5, 1445, 2.5, '5', null])('refuses %j extra minutes', async (extra_prep_minutes) => {
    const { id } = await taken();
    const reply = await change(world, teller, id, 'prep-time', { extra_prep_minutes, from: 'received' });
    expect(refusalOf(reply)).toMatchObject({ status: 400, fields: [{ path: 'extra_prep_minutes' }] });
  });
});

test('the first printing of a receipt is stored and leaves the revision unchanged', async () => {
  const { id } = await taken();
  const first = await changed(world, teller, id, 'printed');
  expect(first).toMatchObject({ receipt_printed_at: now(), revision: 1, status: 'received' });
  world.now += MINUTE;
  expect(await changed(world, teller, id, 'printed')).toEqual(first);
  expect((await auditOf(world, id)).map(({ action }) => action)).toEqual(['order.printed']);
  await changed(world, teller, id, 'finalize', { payment_method: 'cash', revision: 1 });
  expect(await changed(world, teller, id, 'printed')).toMatchObject({
    receipt_printed_at: first.receipt_printed_at,
  });
});

test('refusals are in Arabic for a client that prefers Arabic', async () => {
  const { id } = await taken();
  await changed(world, teller, id, 'move', { to: 'ready', from: 'received' });
  const reply = await change(world, { ...teller, 'accept-language': 'ar' } as SignedIn, id, 'move', {
    ...{ to: 'preparing', from: 'received' },
  });
  expect(refusalOf(reply).error).toMatch(/[\u0600-\u06ff]/);
});

test('responses to staff are no-store and have no ETag', async () => {
  const { id } = await taken();
  const reply = await world.get(`/staff/orders/${id}`, { ...teller });
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers).not.toHaveProperty('etag');
  expect(done('getOrder', reply).id).toBe(id);
});
