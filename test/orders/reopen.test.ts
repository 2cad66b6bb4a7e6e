/** The delivery of an order is undone, on its business day (Decisions 4). */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditOf, messagesOf, storedAvailability } from '../support/database/stored-rows.ts';
import { aGuest, anOrder, placed, type OrderInput } from '../support/people/guests.ts';
import { aMember, aProgramme, balanceOf, entriesOfSales } from '../support/people/reward-members.ts';
import {
  aStaffedShop,
  change,
  changed,
  orderOf,
  pairedTill,
  setCredentials,
  signInAs,
  type SignedIn,
} from '../support/people/staff.ts';
import { anOpenTill } from '../support/people/tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aMenu, branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';
import { pull } from '../support/sync/replica.ts';

const DAY = 24 * 60 * 60_000;
const COFFEE = thingId('item', 'turkish');
const UNITS = 1_000;

let world: World;
/** On a second server. */
let otherWorld: World;
let teller: SignedIn;
let manager: SignedIn;
let till: string;

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  const menu = aMenu();
  const items = (menu.items ?? []).map((item) => ({
    ...item,
    availability: [{ branch: 'zamalek', stock: UNITS }],
  }));
  await openShops(
    world,
    aStaffedShop(undefined, { menu: { ...menu, items }, loyalty: aProgramme() }),
    aStaffedShop('kashk'),
  );
  await setCredentials(world);
  await setCredentials(world, 'kashk');
  otherWorld = await makeWorld({ database: world.database, limitScale: 0 });
  [teller, manager] = [await signInAs(world, 'teller'), await signInAs(world, 'manager')];
});
afterAll(async () => {
  await otherWorld.close();
  await world.close();
});
beforeEach(async () => {
  till = await anOpenTill(world, 'teller');
});

/** By the teller, whose till is open. */
const delivered = async (input: Partial<OrderInput> = {}, steps: readonly string[] = ['ready']) => {
  const { id } = await placed(world, anOrder(input));
  for (const to of steps) {
    const { revision } = await orderOf(world, teller, id);
    await changed(world, teller, id, 'move', { to, revision });
  }
  const { revision } = await orderOf(world, teller, id);
  return changed(world, teller, id, 'finalize', { payment_method: 'cash', revision });
};
const reopening = (id: string, body: object = { from: 'delivered' }, who = manager) =>
  change(world, who, id, 'reopen', body);
const reopened = (id: string) => changed(world, manager, id, 'reopen', { from: 'delivered' });

const reportOf = async () =>
  done('getTillReport', await world.get(`/staff/tills/${till}/report`, { ...manager }));
const saleOf = (id: string) => world.get(`/staff/sales/${id}`, { ...manager });
const daySales = async () =>
  done('listSales', await world.get(`/staff/sales?branch_id=${branchId()}`, { ...manager }));

describe('POST /staff/orders/{id}/reopen', () => {
  test('takes the order back to its last step, unpaid, and its sale out of till, lists and reports', async () => {
    const order = await delivered({}, ['preparing', 'ready']);
    expect((await reportOf()).figures).toMatchObject({ sales_count: 1, total: order.total });
    world.now += 60_000;
    const now = new Date(world.now).toISOString();
    expect(await reopened(order.id)).toMatchObject({
      ...{ status: 'ready', revision: order.revision + 1, ready_at: now, preparing_at: order.preparing_at },
      ...{ delivered_at: null, payment_method: null, order_id: null, total: order.total },
      moves: ['confirmed', 'preparing'],
    });
    expect((await saleOf(order.id)).status).toBe(404);
    expect((await daySales()).map(({ id }) => id)).not.toContain(order.id);
    expect((await reportOf()).figures).toMatchObject({ sales_count: 0, total: 0 });
    const tracking = done('trackOrder', await world.get(`/public/delivery-orders/${order.id}/track`));
    expect(tracking).toMatchObject({ status: 'ready', delivered_at: null });
    // The guest reads no message about a mis-tap.
    expect(await messagesOf(world, order.id)).toEqual(['order_received', 'order_confirmed', 'order_ready']);
    const { rows } = await sql<{ till_id: string | null }>`
      select till_id from delivery_order where id = ${order.id}`.execute(world.db.kysely);
    expect(rows).toEqual([{ till_id: till }]);
  });

  test('is audited with what was undone', async () => {
    const order = await delivered();
    const { sale_ref } = done('getSale', await saleOf(order.id));
    await reopened(order.id);
    expect((await auditOf(world, order.id)).at(-1)).toMatchObject({
      action: 'order.reopened',
      detail: { from: 'delivered', to: 'ready', payment_method: 'cash', sale_ref, till },
    });
  });

  test('is followed by a delivery with the right payment method, as one sale', async () => {
    const order = await delivered();
    const { revision } = await reopened(order.id);
    await changed(world, teller, order.id, 'finalize', { payment_method: 'card', revision });
    const sale = done('getSale', await saleOf(order.id));
    expect(sale.payments).toMatchObject([{ method: 'card', amount: order.total, till_id: till }]);
    const { figures } = await reportOf();
    expect(figures).toMatchObject({ sales_count: 1, total: order.total });
    expect(figures?.methods.filter(({ sales }) => sales > 0)).toMatchObject([
      { method: 'card', sales: order.total },
    ]);
  });

  test('takes an order that skipped its steps back to confirmed', async () => {
    const order = await delivered({}, []);
    expect(await reopened(order.id)).toMatchObject({
      ...{ status: 'confirmed', confirmed_at: new Date(world.now).toISOString(), ready_at: null },
    });
  });

  test('leaves an open order as it is', async () => {
    const { id } = await placed(world, anOrder());
    expect(await changed(world, manager, id, 'reopen', { from: 'delivered' })).toMatchObject({
      ...{ status: 'received', revision: 1 },
    });
    const order = await delivered();
    const once = await reopened(order.id);
    expect(await changed(world, manager, order.id, 'reopen', { revision: order.revision })).toEqual(once);
  });

  test('of a cancelled order is ORDER_ENDED, with a stale revision ORDER_MOVED, without either 400', async () => {
    const { id } = await placed(world, anOrder());
    await changed(world, teller, id, 'cancel', { reason: 'other', from: 'received' });
    expect(refusalOf(await reopening(id, { revision: 2 }))).toMatchObject({ code: 'ORDER_ENDED' });
    const order = await delivered();
    expect(refusalOf(await reopening(order.id, { revision: 1 }))).toMatchObject({
      ...{ status: 409, code: 'ORDER_MOVED', vars: { status: 'delivered', revision: order.revision } },
    });
    expect((await reopening(order.id, {})).status).toBe(400);
    expect(await orderOf(world, teller, order.id)).toEqual(order);
  });

  test('is for managers and owners', async () => {
    const { id } = await delivered();
    expect(refusalOf(await reopening(id, { from: 'delivered' }, teller))).toMatchObject({
      ...{ status: 403, code: 'NOT_PERMITTED', vars: { permission: 'orders.reopen' } },
    });
    const stranger = await signInAs(world, 'owner', 'kashk');
    expect((await reopening(id, { from: 'delivered' }, stranger)).status).toBe(404);
  });
});

describe('what cannot be undone any more', () => {
  const unchanged = async (order: { readonly id: string }) => {
    expect(await orderOf(world, manager, order.id)).toEqual(order);
    expect((await saleOf(order.id)).status).toBe(200);
  };

  test('is a delivery of an earlier business day', async () => {
    const order = await delivered();
    const { business_date } = done('getSale', await saleOf(order.id));
    world.now += DAY;
    try {
      manager = await signInAs(world, 'manager');
      expect(refusalOf(await reopening(order.id))).toMatchObject({
        ...{ status: 409, code: 'REOPEN_TOO_LATE', vars: { business_date } },
      });
      await unchanged(order);
    } finally {
      world.now -= DAY;
    }
  });

  test('is one of whose sale something was refunded', async () => {
    const order = await delivered({ items: [{ menu_item_id: COFFEE, quantity: 2 }] });
    const refund = { lines: [{ index: 0, units: 1 }], method: 'card', reason: 'quality', restock: false };
    done('refundSale', await post(world, `/staff/sales/${order.id}/refund`, refund, { ...manager }));
    expect(refusalOf(await reopening(order.id))).toMatchObject({
      ...{ status: 409, code: 'SALE_REFUNDED', vars: { refunded: order.total / 2 } },
    });
    await unchanged(order);
  });

  test('is one of which something was refunded that a reward paid for, with no money', async () => {
    const member = await aMember(world, 25);
    const order = await delivered({
      ...{ customer_phone: member.typed, member_token: member.memberToken, device_token: member.deviceToken },
      items: [
        { menu_item_id: COFFEE, quantity: 1 },
        { menu_item_id: COFFEE, quantity: 1 },
      ],
      rewards: [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }],
    });
    const refund = { lines: [{ index: 0, units: 1 }], method: 'card', reason: 'quality', restock: false };
    const sale = done(
      'refundSale',
      await post(world, `/staff/sales/${order.id}/refund`, refund, { ...manager }),
    );
    expect([sale.refunded, sale.refunds.length]).toEqual([0, 1]);
    expect(refusalOf(await reopening(order.id))).toMatchObject({ status: 409, code: 'SALE_REFUNDED' });
    await unchanged(order);
  });

  test('is one of a guest who was erased', async () => {
    const guest = aGuest();
    const order = await delivered({ customer_phone: guest.typed });
    const owner = await signInAs(world, 'owner');
    expect((await post(world, '/staff/people/erase', { phone: guest.typed }, { ...owner })).status).toBe(200);
    expect(refusalOf(await reopening(order.id))).toMatchObject({ status: 409, code: 'ORDER_ENDED' });
    expect((await saleOf(order.id)).status).toBe(200);
  });

  test('is one whose till is closed: its figures never change', async () => {
    const order = await delivered();
    const close = `/staff/tills/${till}/close`;
    const report = done('closeTill', await post(world, close, { counted: { cash: 0 } }, { ...teller }));
    expect(refusalOf(await reopening(order.id))).toMatchObject({ status: 409, code: 'REOPEN_TILL_CLOSED' });
    await unchanged(order);
    expect((await reportOf()).figures).toEqual(report.figures);
  });
});

describe('an order of a member that is reopened', () => {
  const order = async () => {
    const member = await aMember(world, 25);
    const input = {
      ...{ customer_phone: member.typed, member_token: member.memberToken, device_token: member.deviceToken },
      items: [{ menu_item_id: COFFEE, quantity: 3 }],
      rewards: [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }],
    };
    return { member, ...(await delivered(input)) };
  };
  const leftOf = async () => (await storedAvailability(world, branchId(), COFFEE))?.stock;

  test('earns once, however often it is delivered', async () => {
    const { member, id } = await order();
    expect(await balanceOf(world, member.cardId)).toBe(105);
    for (const payment_method of ['card', 'cash']) {
      const { revision } = await reopened(id);
      await changed(world, teller, id, 'finalize', { payment_method, revision });
    }
    expect(await balanceOf(world, member.cardId)).toBe(105);
  });

  test('keeps a card that it was given to after its delivery, until it is cancelled', async () => {
    const { cardId } = await aMember(world);
    const guest = aGuest();
    const { id } = await delivered({ customer_phone: guest.typed });
    done('awardSale', await post(world, `/staff/sales/${id}/award`, { member_id: cardId }, { ...manager }));
    expect(await balanceOf(world, cardId)).toBe(45);
    const again = await reopened(id);
    await changed(world, teller, id, 'finalize', { payment_method: 'card', revision: again.revision });
    expect(done('getSale', await saleOf(id)).member_id).toBe(cardId);
    expect(await balanceOf(world, cardId)).toBe(45);
    const { revision } = await reopened(id);
    await changed(world, teller, id, 'cancel', { reason: 'other', revision });
    expect(await balanceOf(world, cardId)).toBe(0);
  });

  test('gives points, rewards and stock back, once, when it is cancelled', async () => {
    const stock = await leftOf();
    const { member, id } = await order();
    const { revision } = await reopened(id);
    for (const reason of ['guest_asked', 'other'])
      await changed(world, teller, id, 'cancel', { reason, revision });
    expect(await balanceOf(world, member.cardId)).toBe(25);
    expect(await entriesOfSales(world, member.cardId)).toEqual([
      { kind: 'redeem', source: 'redemption', amount: -10 },
      { kind: 'earn', source: 'sale', amount: 90 },
      { kind: 'reversal', source: 'void', amount: -90 },
      { kind: 'reversal', source: 'void', amount: 10 },
    ]);
    expect(await leftOf()).toBe(stock);
    expect((await saleOf(id)).status).toBe(404);
    expect((await reportOf()).figures).toMatchObject({ sales_count: 0, total: 0 });
  });
});

test('the devices of the branch forget the sale, and hold the one of the next delivery', async () => {
  const { device } = await pairedTill(world);
  const how = { branchId: branchId(), device, types: ['sale', 'till'] } as const;
  const held = async (since: number) => {
    const { changes, next } = await pull(world, how, { since });
    return { rows: changes.map(({ type, id, op }) => ({ type, id, op })), next };
  };
  const ofTill = { type: 'till', id: till, op: 'upsert' };
  const order = await delivered();
  const start = (await pull(world, how)).next;
  const { revision } = await reopened(order.id);
  const after = await held(start);
  expect(after.rows).toHaveLength(2);
  expect(after.rows).toEqual(expect.arrayContaining([{ type: 'sale', id: order.id, op: 'delete' }, ofTill]));
  await changed(world, teller, order.id, 'finalize', { payment_method: 'card', revision });
  const { rows } = await held(after.next);
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(expect.arrayContaining([{ type: 'sale', id: order.id, op: 'upsert' }, ofTill]));
});

test('of many who reopen, refund and award a sale at once, refunds stay and no sale is half undone', async () => {
  const members = [await aMember(world), await aMember(world)];
  const orders = [await delivered(), await delivered(), await delivered()];
  const refund = { all: true, method: 'card', reason: 'quality', restock: false };
  const asked = orders.flatMap(({ id }) =>
    [world, otherWorld].flatMap((on, place) => [
      () => change(on, manager, id, 'reopen', { from: 'delivered' }),
      () => post(on, `/staff/sales/${id}/refund`, refund, { ...manager }),
      () => post(on, `/staff/sales/${id}/award`, { member_id: members[place]?.cardId }, { ...manager }),
    ]),
  );
  const replies = await Promise.all(asked.map((ask) => ask()));
  expect(replies.filter(({ status }) => ![200, 201, 400, 404, 409].includes(status))).toEqual([]);
  for (const { id } of orders) {
    const { status } = await orderOf(world, manager, id);
    const sale = await saleOf(id);
    expect(sale.status).toBe(status === 'delivered' ? 200 : 404);
    if (sale.status === 200) expect(done('getSale', sale).refunds).toHaveLength(1);
  }
});

test('of many who reopen, deliver, cancel and close at once, a sale is there exactly where its order is delivered', async () => {
  const orders = [await delivered(), await delivered(), await delivered(), await delivered()];
  const asked = orders.flatMap(({ id, revision }, place) =>
    [world, otherWorld].flatMap((on) => [
      () => change(on, manager, id, 'reopen', { from: 'delivered' }),
      () => change(on, teller, id, 'finalize', { payment_method: 'card', revision: revision + 1 }),
      () => change(on, teller, id, 'cancel', { reason: 'other', revision: revision + 1 }),
      () => change(on, manager, id, 'reopen', { revision: revision + 2 }),
      ...(place === 2
        ? [() => post(on, `/staff/tills/${till}/close`, { counted: { cash: 0 } }, { ...teller })]
        : []),
    ]),
  );
  const replies = await Promise.all(asked.map((ask) => ask()));
  expect(replies.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
  const found = await Promise.all(
    orders.map(async ({ id }) => {
      const { status } = await orderOf(world, manager, id);
      const sale = await saleOf(id);
      expect(sale.status).toBe(status === 'delivered' ? 200 : 404);
      return sale.status === 200 && done('getSale', sale).till_id === till;
    }),
  );
  expect((await reportOf()).figures?.sales_count).toBe(found.filter(Boolean).length);
  const { rows } = await sql<{ wrong: number }>`
    select count(*)::int as wrong from sale s
    where s.org_id = ${shopId()}
      and s.total <> (select sum(amount) from sale_payment p where p.org_id = s.org_id and p.sale_id = s.id)
  `.execute(world.db.kysely);
  expect(rows).toEqual([{ wrong: 0 }]);
});
