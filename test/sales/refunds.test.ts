/** Refunds (Decisions 12, Sale; 11, Earning). */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { newId } from '../support/database/ids.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { aMember, aProgramme, balanceOf, entriesOfSales } from '../support/people/reward-members.ts';
import {
  changed,
  setCredentials,
  signInAs,
  type SignedIn,
  type StaffReply,
} from '../support/people/staff.ts';
import { ticketsBy } from '../support/people/tickets.ts';
import { anOpenTill, withoutTills } from '../support/people/tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, tableId, thingId } from '../support/shops/cafe.ts';
import { aKitchenShop, meals } from '../support/shops/kitchen-shop.ts';

type Sale = StaffReply<'getSale'>;

let world: World;
let teller: SignedIn;
let tillId: string;

const aShop = (): ShopFile => {
  const file = aKitchenShop({ tax: { rate: 0.14, inclusive: false }, service_charge: { rate: 0.12 } });
  const items = (file.menu.items ?? []).map((item) =>
    item.key === 'burger' ? { ...item, availability: [{ branch: 'zamalek', stock: 50 }] } : item,
  );
  return { ...file, loyalty: aProgramme(), menu: { ...file.menu, items } };
};

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aShop());
  await setCredentials(world);
  teller = await signInAs(world, 'teller');
});
afterAll(() => world.close());
beforeEach(async () => {
  tillId = await anOpenTill(world, 'teller');
});

const item = (key: string, quantity: number) => ({ menu_item_id: thingId('item', key), quantity });
const sell = async (items: object[], more: object = {}): Promise<Sale> => {
  const body = { branch_id: branchId(), items, ...more };
  const { total } = done('quoteCounterSale', await post(world, '/staff/cart-quote', body, teller));
  const payments = [{ method: 'cash', amount: total }];
  return done('sellOverCounter', await post(world, '/staff/sales', { ...body, payments }, teller));
};
const asks = ({ id }: Pick<Sale, 'id'>, body: object, headers: Record<string, string> = {}) =>
  post(
    world,
    `/staff/sales/${id}/refund`,
    { method: 'cash', reason: 'quality', ...body },
    { ...teller, ...headers },
  );
/** A second after what was before. */
const refund = async (sale: Pick<Sale, 'id'>, body: object): Promise<Sale> => {
  world.now += 1_000;
  return done('refundSale', await asks(sale, body));
};
const units = (index: number, count: number) => ({ lines: [{ index, units: count }] });
const stockOfBurgers = async (): Promise<number> => {
  const { rows } = await sql<{ stock: number }>`
    select stock from availability where subject_id = ${thingId('item', 'burger')} and stock is not null
  `.execute(world.db.kysely);
  return rows[0]?.stock ?? -1;
};

describe('a refund', () => {
  test('gives units back at their share of what was paid, tax included, and is shown on the sale', async () => {
    const sale = await sell([item('turkish', 2), item('burger', 1)]);
    expect(sale.total).toBe(23_940);
    const once = await refund(sale, units(0, 1));
    expect(once).toMatchObject({
      refunded: 5_130,
      refunds: [
        {
          ...{
            amount: 5_130,
            tax_amount: 630,
            method: 'cash',
            reason: 'quality',
            note: null,
            restocked: false,
          },
          ...{ till_id: tillId, lines: [{ index: 0, units: 1, amount: 5_130 }] },
        },
      ],
    });
    const twice = await refund(sale, { all: true, method: 'card' });
    expect(twice).toMatchObject({ refunded: 23_940, total: 23_940 });
    expect(twice.refunds[1]?.lines).toEqual([
      { index: 0, units: 1, amount: 5_130 },
      { index: 1, units: 1, amount: 13_680 },
    ]);
    expect(done('getSale', await world.get(`/staff/sales/${sale.id}`, teller))).toEqual(twice);
  });

  test('goes back by a method that the sale was paid with, also where the shop takes it no more', async () => {
    const sale = await sell([item('turkish', 2)]);
    await openShops(world, { ...aShop(), payment_methods: ['card'] });
    expect(await refund(sale, units(0, 1))).toMatchObject({ refunds: [{ method: 'cash' }] });
    const other = { ...units(0, 1), method: 'instapay' };
    expect(refusalOf(await asks(sale, other))).toMatchObject({ status: 400, fields: [{ path: 'method' }] });
    await openShops(world, aShop());
  });

  test('is refused for units that are not left, a part of a combo, and lines that there are not', async () => {
    const sale = await sell([item('turkish', 2), meals(2)]);
    const refused = async (body: object) => refusalOf(await asks(sale, body));
    expect(await refused(units(0, 3))).toMatchObject({ status: 400, fields: [{ path: 'lines[0].units' }] });
    expect(await refused(units(7, 1))).toMatchObject({ status: 400, fields: [{ path: 'lines[0].index' }] });
    expect(await refused(units(1, 1))).toMatchObject({ status: 409, code: 'COMBO_WHOLE_ONLY' });
    expect(await refused({})).toMatchObject({ status: 400, fields: [{ path: 'lines' }] });
    expect(await refused({ ...units(0, 1), all: true })).toMatchObject({ status: 400 });
    expect(await refused({ all: false })).toMatchObject({
      fields: [{ path: 'all', problem: 'must be true' }],
    });
    const twice = { lines: [...units(0, 1).lines, ...units(0, 1).lines] };
    expect(await refused(twice)).toMatchObject({ status: 400, fields: [{ path: 'lines[1].index' }] });
    expect(await refused({ ...units(0, 1), method: 'shells' })).toMatchObject({
      fields: [{ path: 'method' }],
    });
    expect(await refused({ ...units(0, 1), reason: 'other' })).toMatchObject({ fields: [{ path: 'note' }] });
    await refund(sale, units(0, 1));
    expect(await refused(units(0, 2))).toMatchObject({
      ...{ status: 409, code: 'ALREADY_REFUNDED', vars: { index: 0, units: 2, left: 1 } },
    });
    await refund(sale, { all: true });
    expect(await refused({ all: true })).toMatchObject({ status: 409, code: 'ALREADY_REFUNDED' });
    const waiter = await signInAs(world, 'waiter');
    expect((await asks(sale, { all: true }, { ...waiter })).status).toBe(403);
    const ramy = await signInAs(world, 'ramy');
    expect((await asks(sale, { all: true }, { ...ramy })).status).toBe(404);
  });

  test('by twenty clients at once is made once for each unit', async () => {
    const sale = await sell([item('turkish', 3)]);
    const replies = await Promise.all(Array.from({ length: 20 }, () => asks(sale, units(0, 1))));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 201, 201, ...Array.from({ length: 17 }, () => 409)]);
    const after = done('getSale', await world.get(`/staff/sales/${sale.id}`, teller));
    expect(after).toMatchObject({ refunded: after.total, refunds: [{}, {}, {}] });
  });

  test('under one key is made once, also by twenty tabs at once', async () => {
    const [sale, key] = [await sell([item('turkish', 3)]), { 'idempotency-key': newId() }];
    const replies = await Promise.all(Array.from({ length: 20 }, () => asks(sale, units(0, 1), key)));
    expect(new Set(replies.map((reply) => done('refundSale', reply).refunds.length))).toEqual(new Set([1]));
    expect(refusalOf(await asks(sale, units(0, 2), key))).toMatchObject({ status: 422 });
  });

  test('gives counted stock back by its reason, or as told; add-ons of a combo’s parts too', async () => {
    const sale = await sell([item('burger', 2), meals(1)]);
    const before = await stockOfBurgers();
    await refund(sale, units(0, 1));
    expect(await stockOfBurgers()).toBe(before);
    await refund(sale, { ...units(0, 1), reason: 'mistake' });
    expect(await stockOfBurgers()).toBe(before + 1);
    await refund(sale, { ...units(1, 1), restock: true });
    expect(await stockOfBurgers()).toBe(before + 2);
  });

  test('of a ticket at a table has its service in it, of an order its delivery fee with the last unit', async () => {
    const floor = ticketsBy(world, teller);
    const ticket = await floor.open({ items: [item('turkish', 2)], table_id: tableId('t1') });
    const settle = {
      revision: ticket.revision,
      payments: [{ method: 'card', amount: ticket.bill?.total ?? 0 }],
    };
    await post(world, `/staff/tickets/${ticket.id}/settle`, settle, teller);
    const { refunds } = await refund(ticket, units(0, 1));
    expect(refunds[0]?.amount).toBe((ticket.bill?.total ?? 0) / 2);
    const order = await placed(world, anOrder({ items: [item('turkish', 2)] }));
    await changed(world, teller, order.id, 'finalize', { payment_method: 'cash', from: 'received' });
    await sql`update sale set delivery_fee = 1000, total = total + 1000 where id = ${order.id}`.execute(
      world.db.kysely,
    );
    await refund(order, units(0, 1));
    const both = (await refund(order, units(0, 1))).refunds;
    expect(both.map(({ delivery_fee: fee }) => fee)).toEqual([0, 1_000]);
    expect(both.reduce((sum, { amount }) => sum + amount, 0)).toBe(order.total + 1_000);
  });

  test('comes out of the till of who gives it back, and needs one for cash', async () => {
    const sale = await sell([item('turkish', 2)]);
    await withoutTills(world, 'teller');
    expect(refusalOf(await asks(sale, units(0, 1)))).toMatchObject({ status: 409, code: 'TILL_REQUIRED' });
    const till = await anOpenTill(world, 'teller');
    await refund(sale, units(0, 1));
    await refund(sale, { ...units(0, 1), method: 'card' });
    const closing = await post(
      world,
      `/staff/tills/${till}/close`,
      { counted: { cash: 0, card: 0 } },
      teller,
    );
    const { figures } = done('closeTill', closing);
    expect(figures).toMatchObject({ sales_count: 0, total: 0, refunds_count: 2, refunded: sale.total });
    expect(figures?.methods).toMatchObject([
      { method: 'cash', sales: 0, refunds: 5_130, expected: -5_130, difference: 5_130 },
      { method: 'card', sales: 0, refunds: 5_130, expected: -5_130, difference: 5_130 },
    ]);
  });

  test('is on the receipt', async () => {
    const sale = await sell([item('turkish', 1)]);
    await refund(sale, { all: true });
    const receipt = done('getReceipt', await world.get(`/staff/sales/${sale.id}/receipt?lang=en`, teller));
    expect(receipt.refunds).toEqual([{ label: 'Refunded: Cash', amount: -5_130 }]);
    expect(receipt.text).toContain('Refunded: Cash');
  });
});

describe('the card of a refunded sale', () => {
  test('keeps what the rest would have earned, and gets a spent reward back with the last unit, once', async () => {
    const { cardId } = await aMember(world, 10);
    const rewards = [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }];
    const sale = await sell([item('turkish', 3)], { rewards, member_id: cardId });
    expect(await balanceOf(world, cardId)).toBe(90);
    await refund(sale, units(0, 1));
    expect(await balanceOf(world, cardId)).toBe(45);
    await refund(sale, units(0, 1));
    expect(await balanceOf(world, cardId)).toBe(0);
    await refund(sale, units(0, 1));
    expect(await balanceOf(world, cardId)).toBe(10);
    const entries = await entriesOfSales(world, cardId);
    expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['redeem', -10],
      ['earn', 90],
      ['reversal', -45],
      ['reversal', -45],
      ['reversal', 10],
    ]);
  });

  test('never goes below nothing: what was spent meanwhile is not owed', async () => {
    const { cardId } = await aMember(world);
    const sale = await sell([item('turkish', 1)], { member_id: cardId });
    const rewards = [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }];
    await sell([item('turkish', 1)], { rewards, member_id: cardId });
    await refund(sale, { all: true });
    expect(await balanceOf(world, cardId)).toBe(0);
  });

  test('that it is given afterwards earns for what is left', async () => {
    const { cardId } = await aMember(world);
    const sale = await sell([item('turkish', 3)]);
    await refund(sale, units(0, 1));
    const owner = await signInAs(world, 'owner');
    const given = await post(world, `/staff/sales/${sale.id}/award`, { member_id: cardId }, owner);
    expect(done('awardSale', given)).toMatchObject({ earned: 90, balance: 90 });
  });
});
