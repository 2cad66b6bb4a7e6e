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

describe('the list of a branch', () => {
  test('has what is under way, oldest first, with what staff need to make and bring it', async () => {
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

  test('has the orders of one status, newest first', async () => {
    const [older, newer] = [await taken(), await taken()];
    for (const { id } of [older, newer])
      await changed(world, teller, id, 'cancel', { reason: 'closed', from: 'received' });
    expect(idsOf(await listed('&status=rejected')).slice(0, 2)).toEqual([newer.id, older.id]);
    expect((await listed('&status=rejected')).every(({ status }) => status === 'rejected')).toBe(true);
  });

  test('comes page by page, each from the last order of the one before', async () => {
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

  test('keeps orders of one moment apart by their ids', async () => {
    world.now += MINUTE;
    const made = await Promise.all([placed(world), placed(world), placed(world), placed(world)]);
    const all = idsOf(await listed());
    expect(all.slice(-4)).toEqual(idsOf(made).toSorted());
    const rest = await listed(`&after=${all.at(-3) ?? ''}`);
    expect(idsOf(rest)).toEqual(all.slice(-2));
  });

  test('has 200 at once, the rest from the last of them, and no more can be asked for', async () => {
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

  test('goes on from an order that has ended since, and from none that is not the branch’s', async () => {
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

  test('says what is wrong with what was asked', async () => {
    const asked = (query: string) => world.get(`/staff/orders${query}`, { ...teller });
    expect(refusalOf(await asked(''))).toMatchObject({ status: 400, fields: [{ path: 'branch_id' }] });
    expect(refusalOf(await asked(`?branch_id=zamalek&status=lost&limit=0&after=x`))).toMatchObject({
      status: 400,
      fields: [{ path: 'branch_id' }, { path: 'status' }, { path: 'limit' }, { path: 'after' }],
    });
  });
});

describe('what is of others', () => {
  test('is not there: another shop’s branch and orders, and another branch’s', async () => {
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

  test('an owner sees at every branch', async () => {
    const there = await taken({ branch_id: branchId('maadi') });
    const owner = await signInAs(world, 'owner');
    expect(await orderOf(world, owner, there.id)).toMatchObject({ branch_id: branchId('maadi') });
    expect((await world.get(`/staff/orders/${there.id}`, { ...teller })).status).toBe(404);
  });

  test('ids in capitals are the same', async () => {
    const { id } = await taken();
    expect(await orderOf(world, teller, id.toUpperCase())).toMatchObject({ id });
    const list = await world.get(`/staff/orders?branch_id=${branchId().toUpperCase()}`, { ...teller });
    expect(idsOf(done('listOrders', list))).toContain(id);
    const after = await changed(world, teller, id.toUpperCase(), 'move', { to: 'confirmed', revision: 1 });
    expect(after).toMatchObject({ id, status: 'confirmed' });
  });
});

describe('a move', () => {
  test('goes from step to step, each stamped and told where it matters to the guest', async () => {
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

  test('may skip steps, whose times stay empty', async () => {
    const { id } = await taken();
    const order = await changed(world, teller, id, 'move', { to: 'ready', from: 'received' });
    expect(order).toMatchObject({ ready_at: now(), confirmed_at: null, preparing_at: null });
    expect(await messagesOf(world, id)).toEqual(['order_received', 'order_ready']);
  });

  test('that was a mis-tap is undone, its time with it, and the guest is told nothing', async () => {
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

  test('to where the order is already is done, and nothing happens twice', async () => {
    const { id } = await taken();
    const first = await changed(world, teller, id, 'move', { to: 'confirmed', from: 'received' });
    world.now += MINUTE;
    for (const seen of [{ from: 'received' }, { from: 'confirmed' }, { revision: 1 }, { revision: 99 }])
      expect(await changed(world, teller, id, 'move', { to: 'confirmed', ...seen })).toEqual(first);
    expect(await messagesOf(world, id)).toEqual(['order_received', 'order_confirmed']);
    expect(await auditOf(world, id)).toHaveLength(1);
  });

  test('that was decided on what is no longer so is refused, with what is', async () => {
    const { id } = await taken();
    await changed(world, teller, id, 'move', { to: 'preparing', from: 'received' });
    for (const seen of [{ from: 'received' }, { revision: 1 }, { from: 'preparing', revision: 1 }])
      expect(refusalOf(await change(world, teller, id, 'move', { to: 'ready', ...seen }))).toMatchObject({
        ...{ status: 409, code: 'ORDER_MOVED', vars: { status: 'preparing', revision: 2 } },
      });
    expect(await orderOf(world, teller, id)).toMatchObject({ status: 'preparing', revision: 2 });
  });

  test('of an order that has ended is refused, however it was decided', async () => {
    const { id } = await taken();
    await changed(world, teller, id, 'cancel', { reason: 'other', from: 'received' });
    for (const seen of [{ from: 'rejected' }, { from: 'received' }, { revision: 2 }])
      expect(refusalOf(await change(world, teller, id, 'move', { to: 'ready', ...seen }))).toMatchObject({
        ...{ status: 409, code: 'ORDER_ENDED', vars: { status: 'rejected', revision: 2 } },
      });
  });

  test.each([
    ['received', 'an order goes back to `confirmed` at most'],
    ['delivered', 'an order is delivered by finalize, with a payment method'],
    ['cancelled', 'an order is cancelled by cancel, with a reason'],
    ['rejected', 'an order is rejected by cancel, with a reason'],
  ])('to %s is none', async (to, why) => {
    const { id } = await taken();
    const reply = await change(world, teller, id, 'move', { to, from: 'received' });
    expect(refusalOf(reply)).toMatchObject({
      ...{ status: 400, fields: [{ path: 'to', problem: `cannot be \`${to}\`: ${why}` }] },
    });
  });

  test('to what is no status is told where an order can be moved', async () => {
    const { id } = await taken();
    const reply = await change(world, teller, id, 'move', { to: 'bogus', from: 'received' });
    const problem = 'must be one of confirmed, preparing, ready, out_for_delivery';
    expect(refusalOf(reply)).toMatchObject({ status: 400, fields: [{ path: 'to', problem }] });
  });

  test('on the way is none for an order to pick up', async () => {
    const { id } = await taken();
    const reply = await change(world, teller, id, 'move', { to: 'out_for_delivery', from: 'received' });
    expect(refusalOf(reply)).toMatchObject({ status: 400, fields: [{ path: 'to' }] });
  });

  test.each([
    ['move', { to: 'confirmed' }],
    ['cancel', { reason: 'other' }],
    ['finalize', { payment_method: 'cash' }],
    ['prep-time', { extra_prep_minutes: 5 }],
  ] as const)('and any %s names what it was decided on', async (what, body) => {
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
  });
});

describe('the time that an order takes', () => {
  test('is lengthened in fives, and the guest sees it', async () => {
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

  test.each([3, -5, 1445, 2.5, '5', null])('is not lengthened by %j', async (extra_prep_minutes) => {
    const { id } = await taken();
    const reply = await change(world, teller, id, 'prep-time', { extra_prep_minutes, from: 'received' });
    expect(refusalOf(reply)).toMatchObject({ status: 400, fields: [{ path: 'extra_prep_minutes' }] });
  });
});

test('a receipt was printed when it was printed first, and that is no decision on the order', async () => {
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

test('refusals are told in Arabic to who prefers it', async () => {
  const { id } = await taken();
  await changed(world, teller, id, 'move', { to: 'ready', from: 'received' });
  const reply = await change(world, { ...teller, 'accept-language': 'ar' } as SignedIn, id, 'move', {
    ...{ to: 'preparing', from: 'received' },
  });
  expect(refusalOf(reply).error).toMatch(/[\u0600-\u06ff]/);
});

test('what is answered to staff is kept by nobody', async () => {
  const { id } = await taken();
  const reply = await world.get(`/staff/orders/${id}`, { ...teller });
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers).not.toHaveProperty('etag');
  expect(done('getOrder', reply).id).toBe(id);
});
