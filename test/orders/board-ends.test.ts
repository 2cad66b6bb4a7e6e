/** Staff cancel, reject or deliver an order over HTTP (Decisions 4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { newId } from '../support/database/ids.ts';
import { aMenu, branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';
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
  type Till,
} from '../support/people/staff.ts';
import { auditOf, messagesOf, storedAvailability } from '../support/database/stored-rows.ts';
import { anOrder, type OrderInput, placed } from '../support/people/guests.ts';
import { refusalOf } from '../support/server/requests.ts';
import { insert } from '../support/database/rows.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;

/** Turkish coffee, tea at a given price, and two croissants. */
const shopWith = ({ tea }: { readonly tea: number }): ShopFile => {
  const menu = aMenu();
  const more = [
    { key: 'tea', name: { ar: 'شاي', en: 'Tea' }, category: 'coffee', price: tea },
    {
      ...{ key: 'croissant', name: { ar: 'كرواسون', en: 'Croissant' }, category: 'coffee', price: 3000 },
      availability: [{ branch: 'zamalek', stock: 2 }],
    },
  ];
  return aStaffedShop(undefined, { menu: { ...menu, items: [...(menu.items ?? []), ...more] } });
};

let world: World;
let till: Till;
let teller: SignedIn;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, shopWith({ tea: 2000 }), aStaffedShop('kashk'));
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
describe('POST /staff/orders/{id}/cancel', () => {
  const croissants = (quantity: number) => ({
    items: [{ menu_item_id: thingId('item', 'croissant'), quantity }],
  });
  const onTheMenu = async (): Promise<boolean> => {
    const menu = await world.read('getBranchMenu', `/public/branches/${branchId()}/menu?channel=pickup`);
    return menu.items.some(({ id }) => id === thingId('item', 'croissant'));
  };
  const left = async (): Promise<number | null> =>
    (await storedAvailability(world, branchId(), thingId('item', 'croissant')))?.stock ?? null;

  test('rejects an unconfirmed order and puts its last units back on the menu', async () => {
    const { id } = await taken(croissants(2));
    expect([await left(), await onTheMenu()]).toEqual([0, false]);
    const body = { reason: 'too_busy', note: ' the oven\n is cold ', from: 'received' };
    const order = await changed(world, teller, id, 'cancel', body);
    expect(order).toMatchObject({
      ...{ status: 'rejected', rejected_at: now(), cancelled_at: null, moves: [], payment_method: null },
      ...{ cancel_reason: 'too_busy', cancel_restocked: true, cancel_note: 'the oven is cold' },
    });
    expect([await left(), await onTheMenu()]).toEqual([2, true]);
    expect(await messagesOf(world, id)).toEqual(['order_received', 'order_rejected']);
    const tracked = await world.get(`/public/delivery-orders/${id}/track`);
    expect(tracked.body).toMatchObject({ status: 'rejected', cancel_reason: 'الفرع مزدحم جدًا الآن' });
    expect(tracked.text).not.toContain('oven');
    expect(await auditOf(world, id)).toMatchObject([
      {
        ...{ action: 'order.cancelled', staff_id: personId('teller'), device_id: till.id },
        detail: { from: 'received', to: 'rejected', reason: 'too_busy', restocked: true },
      },
    ]);
  });

  test('returns the stock once when an order is cancelled repeatedly', async () => {
    const { id } = await taken(croissants(1));
    await changed(world, teller, id, 'move', { to: 'preparing', from: 'received' });
    const body = { reason: 'guest_asked', restock: true, from: 'preparing' };
    const first = await changed(world, teller, id, 'cancel', body);
    expect(first).toMatchObject({ status: 'cancelled', cancelled_at: now(), rejected_at: null });
    world.now += MINUTE;
    expect(await changed(world, teller, id, 'cancel', body)).toEqual(first);
    expect(await changed(world, teller, id, 'cancel', { ...body, reason: 'other' })).toEqual(first);
    expect(await left()).toBe(2);
    expect(await messagesOf(world, id)).toEqual(['order_received', 'order_confirmed', 'order_cancelled']);
    expect((await auditOf(world, id)).map(({ action }) => action)).toEqual([
      'order.moved',
      'order.cancelled',
    ]);
  });

  test('returns no stock when restock is false', async () => {
    const { id } = await taken(croissants(2));
    const order = await changed(world, teller, id, 'cancel', {
      reason: 'other',
      restock: false,
      revision: 1,
    });
    expect(order).toMatchObject({ cancel_restocked: false, cancel_note: null });
    expect([await left(), await onTheMenu()]).toEqual([0, false]);
  });

  test('refuses an unknown reason, and not_confirmed, which only the service gives', async () => {
    const { id } = await taken();
    for (const reason of ['not_confirmed', 'because', ''])
      expect(
        refusalOf(await change(world, teller, id, 'cancel', { reason, from: 'received' })),
      ).toMatchObject({ status: 400, fields: [{ path: 'reason' }] });
  });

  test('refuses to cancel a delivered order with ORDER_ENDED', async () => {
    const { id } = await taken();
    await changed(world, teller, id, 'finalize', { payment_method: 'cash', from: 'received' });
    const reply = await change(world, teller, id, 'cancel', { reason: 'other', from: 'delivered' });
    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'ORDER_ENDED' });
  });
});

describe('POST /staff/orders/{id}/finalize', () => {
  const openTill = (staff: string, status: 'open' | 'closed', id: string): Promise<void> =>
    insert(world.db.kysely, 'till', {
      ...{
        org_id: shopId(),
        id,
        branch_id: branchId(),
        staff_id: personId(staff),
        device_id: till.id,
        status,
      },
      ...{ opened_at: now(), closed_at: status === 'open' ? null : now() },
    });

  test('delivers an order at its stored amounts and adds it to the open till', async () => {
    const { id } = await taken({ items: [{ menu_item_id: thingId('item', 'tea'), quantity: 2 }] });
    const [open, closed, others] = [newId(), newId(), newId()];
    await openTill('teller', 'open', open);
    await openTill('teller', 'closed', closed);
    await openTill('manager', 'open', others);
    const before = await orderOf(world, teller, id);
    await openShops(world, shopWith({ tea: 9900 }));
    const body = { payment_method: 'card', from: 'received' };
    const order = await changed(world, teller, id, 'finalize', body);
    expect(order).toEqual({
      ...before,
      ...{ status: 'delivered', revision: 2, payment_method: 'card', delivered_at: now(), updated_at: now() },
      ...{ moves: [], order_id: order.order_id },
    });
    expect(order.order_id).toMatch(/^[0-9a-f-]{36}$/);
    const row = await world.db.kysely
      .selectFrom('delivery_order')
      .select(['till_id', 'order_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ till_id: open, order_id: order.order_id });
    world.now += MINUTE;
    expect(await changed(world, teller, id, 'finalize', body)).toEqual(order);
    const otherwise = await change(world, teller, id, 'finalize', { ...body, payment_method: 'cash' });
    expect(refusalOf(otherwise)).toMatchObject({ status: 409, code: 'ORDER_ENDED' });
    expect(await messagesOf(world, id)).toEqual(['order_received']);
    expect(await auditOf(world, id)).toMatchObject([
      { action: 'order.delivered', detail: { from: 'received', to: 'delivered', payment_method: 'card' } },
    ]);
  });

  test('adds an order to no till when the staff member has none open', async () => {
    const { id } = await taken();
    const owner = await signInAs(world, 'owner');
    await changed(world, owner, id, 'finalize', { payment_method: 'cash', from: 'received' });
    const { till_id } = await world.db.kysely
      .selectFrom('delivery_order')
      .select('till_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(till_id).toBeNull();
  });

  test('refuses a payment method that the shop does not accept, except in a repetition', async () => {
    const { id } = await taken();
    const pay = (payment_method: string) =>
      change(world, teller, id, 'finalize', { payment_method, from: 'received' });
    const accept = (methods: string[]) =>
      world.db.kysely
        .updateTable('shop')
        .set({ payment_methods: methods })
        .where('org_id', '=', shopId())
        .execute();
    expect(refusalOf(await pay('wallet'))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'payment_method', problem: 'must be one of cash, card' }] },
    });
    await accept(['cash', 'wallet']);
    expect((await pay('card')).status).toBe(400);
    expect((await pay('wallet')).status).toBe(200);
    await accept(['cash', 'card']);
    expect((await pay('wallet')).status).toBe(200);
  });

  test('refuses a stale revision with ORDER_MOVED', async () => {
    const { id } = await taken();
    await changed(world, teller, id, 'move', { to: 'ready', from: 'received' });
    const reply = await change(world, teller, id, 'finalize', { payment_method: 'cash', revision: 1 });
    expect(refusalOf(reply)).toMatchObject({
      ...{ status: 409, code: 'ORDER_MOVED', vars: { status: 'ready', revision: 2 } },
    });
  });
});
