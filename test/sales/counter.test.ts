/** Sales over the counter (Decisions 12, Sale). */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { sweepingProcess } from '../support/background/sweeper.ts';
import { newId } from '../support/database/ids.ts';
import { aMember, aProgramme, entriesOfSales } from '../support/people/reward-members.ts';
import {
  aStaffedShop,
  setCredentials,
  signInAs,
  type SignedIn,
  type StaffBody,
} from '../support/people/staff.ts';
import { anOpenTill, withoutTills } from '../support/people/tills.ts';
import type { Reply } from '../support/server/http-client.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, thingId } from '../support/shops/cafe.ts';

type Sell = StaffBody<'sellOverCounter'>;

let world: World;
let teller: SignedIn;
let tillId: string;

const deal = (key: string, price: number, sell: object): NonNullable<ShopFile['menu']['deals']>[number] => ({
  ...{
    key,
    name: { ar: key, en: key },
    kind: 'n_for_price',
    qty: 2,
    price,
    sell,
    pool: [{ category: 'coffee' }],
  },
});
const MENU: ShopFile['menu'] = {
  categories: [{ key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' } }],
  items: [
    { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'coffee', price: 4_500 },
    { key: 'cake', name: { ar: 'كيك', en: 'Cake' }, price: 3_000 },
  ],
  deals: [deal('at-tills', 8_000, { qr: false, online: false }), deal('at-tables', 5_000, { pos: false })],
};

/** `cakes`: units that are left. */
const aShop = (cakes: number): ShopFile => {
  const branches = aStaffedShop().branches.map((branch) => ({ ...branch, service_charge: { rate: 0.12 } }));
  const items = (MENU.items ?? []).map((item) =>
    item.key === 'cake' ? { ...item, availability: [{ branch: 'zamalek', stock: cakes }] } : item,
  );
  return aStaffedShop(undefined, { menu: { ...MENU, items }, loyalty: aProgramme(), branches });
};

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aShop(7));
  await setCredentials(world);
  teller = await signInAs(world, 'teller');
});
afterAll(() => world.close());
beforeEach(async () => {
  tillId = await anOpenTill(world, 'teller');
});

const line = (key: string, quantity: number) => ({ menu_item_id: thingId('item', key), quantity });
const cart = (...items: Sell['items']) => ({ branch_id: branchId(), items });
const cash = (amount: number) => ({ payments: [{ method: 'cash', amount }] });
const asksSale = (body: object, headers: Record<string, string> = {}): Promise<Reply> =>
  post(world, '/staff/sales', body, { ...teller, ...headers });
const sell = async (body: object) => done('sellOverCounter', await asksSale(body));
const quote = async (body: object) =>
  done('quoteCounterSale', await post(world, '/staff/cart-quote', body, teller));
const stockOf = async (key: string): Promise<number> => {
  const { rows } = await sql<{ stock: number }>`
    select stock from availability where subject_id = ${thingId('item', key)} and stock is not null
  `.execute(world.db.kysely);
  return rows[0]?.stock ?? -1;
};
const countOfSales = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from sale`.execute(
    world.db.kysely,
  );
  return rows[0]?.count ?? 0;
};

describe('a counter sale', () => {
  test('costs what the till quoted, with the deals of tills and without service', async () => {
    const body = cart(line('turkish', 3));
    const quoted = await quote(body);
    expect(quoted).toMatchObject({ total: 12_500, deal_discount: 1_000, service_charge_amount: 0 });
    const sale = await sell({ ...body, ...cash(12_500), customer_name: ' منى ' });
    expect(sale).toMatchObject({
      ...{ source: 'counter', channel: 'dine_in', total: 12_500, subtotal: 13_500, deal_discount: 1_000 },
      ...{ service_charge_amount: 0, tax_amount: quoted.tax_amount, till_id: tillId, staff_name: 'teller' },
      ...{ customer_name: 'منى', payments: [{ method: 'cash', amount: 12_500, tip: 0 }] },
    });
    expect(done('getSale', await world.get(`/staff/sales/${sale.id}`, teller))).toEqual(sale);
  });

  test('is in the report of its till', async () => {
    await sell({
      ...cart(line('turkish', 1)),
      payments: [{ method: 'cash', amount: 4_500, tip: 300, tendered: 5_000 }],
    });
    await sell({ ...cart(line('turkish', 1)), payments: [{ method: 'card', amount: 4_500 }] });
    const owner = await signInAs(world, 'owner');
    const report = done('getTillReport', await world.get(`/staff/tills/${tillId}/report`, owner));
    expect(report.figures).toMatchObject({ sales_count: 2, total: 9_000 });
    expect(report.figures?.methods).toMatchObject([
      { method: 'cash', sales: 4_500, tips: 300, expected: 4_800 },
      { method: 'card', sales: 4_500, tips: 0, expected: 4_500 },
    ]);
  });

  test('and others, with deals and rewards, add up to the figures of their till, which closes right', async () => {
    const { cardId } = await aMember(world, 40);
    const rewards = [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }];
    const tip = (amount: number, more: number) => ({ payments: [{ method: 'cash', amount, tip: more }] });
    const sold = [
      await sell({ ...cart(line('turkish', 3)), ...cash(8_000), rewards, member_id: cardId }),
      await sell({ ...cart(line('turkish', 1), line('cake', 1)), ...tip(7_500, 500) }),
      await sell({ ...cart(line('turkish', 2)), payments: [{ method: 'card', amount: 8_000 }] }),
    ];
    await post(world, `/staff/tills/${tillId}/cash`, { kind: 'drop', amount: 2_000, reason: 'خزنة' }, teller);
    const back = { lines: [{ index: 1, units: 1 }], method: 'cash', reason: 'quality' };
    const refunded = done(
      'refundSale',
      await post(world, `/staff/sales/${sold[1]?.id}/refund`, back, teller),
    );
    const counted = { cash: 8_000 + 8_000 - 2_000 - refunded.refunded, card: 8_000 };
    const closed = done('closeTill', await post(world, `/staff/tills/${tillId}/close`, { counted }, teller));
    const { figures } = closed;
    const sums = (
      figure: 'subtotal' | 'deal_discount' | 'reward_discount' | 'tax_amount' | 'total',
    ): number => sold.reduce((sum, sale) => sum + sale[figure], 0);
    for (const figure of ['subtotal', 'deal_discount', 'reward_discount', 'tax_amount', 'total'] as const)
      expect(figures?.[figure]).toBe(sums(figure));
    expect(sums('reward_discount')).toBe(4_500);
    expect(figures?.methods.map(({ difference }) => difference)).toEqual([0, 0]);
    expect(figures).toMatchObject({ refunds_count: 1, refunded: refunded.refunded });
  });

  test('under one key is made once, also by two tabs at once', async () => {
    const [key, before] = [{ 'idempotency-key': newId() }, await countOfSales()];
    const body = { ...cart(line('turkish', 1)), ...cash(4_500) };
    const replies = await Promise.all(Array.from({ length: 20 }, () => asksSale(body, key)));
    expect(new Set(replies.map((reply) => done('sellOverCounter', reply).id)).size).toBe(1);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    const manager = await signInAs(world, 'manager');
    expect((await post(world, '/staff/sales', body, { ...manager, ...key })).status).toBe(200);
    expect(await countOfSales()).toBe(before + 1);
    const other = await asksSale({ ...cart(line('turkish', 2)), ...cash(8_000) }, key);
    expect(refusalOf(other)).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('needs the total, a till for cash, and a member for rewards; else nothing has changed', async () => {
    const [before, stock] = [await countOfSales(), await stockOf('cake')];
    const cakes = cart(line('cake', 1));
    const wrong = refusalOf(await asksSale({ ...cakes, ...cash(2_999) }));
    expect(wrong).toMatchObject({
      status: 400,
      code: 'PAYMENT_MISMATCH',
      vars: { total: 3_000, got: 2_999 },
    });
    const rewards = [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }];
    const nobody = refusalOf(await asksSale({ ...cart(line('turkish', 1)), ...cash(0), rewards }));
    expect(nobody).toMatchObject({ status: 400, fields: [{ path: 'member_id' }] });
    const stranger = refusalOf(await asksSale({ ...cakes, ...cash(3_000), member_id: newId() }));
    expect(stranger).toMatchObject({ status: 400, fields: [{ path: 'member_id' }] });
    await withoutTills(world, 'teller');
    expect(refusalOf(await asksSale({ ...cakes, ...cash(3_000) }))).toMatchObject({
      status: 409,
      code: 'TILL_REQUIRED',
    });
    expect([await countOfSales(), await stockOf('cake')]).toEqual([before, stock]);
  });

  test('of the last units at once sells no unit twice', async () => {
    const stock = await stockOf('cake');
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => asksSale({ ...cart(line('cake', 1)), ...cash(3_000) })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(stock);
    for (const reply of replies.filter(({ status }) => status !== 201))
      expect(refusalOf(reply)).toMatchObject({ status: 409 });
    expect(await stockOf('cake')).toBe(0);
  });

  test('spends the rewards of a member once, and earns by what is paid', async () => {
    const member = await aMember(world, 10);
    const rewards = [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }];
    const free = { ...cart(line('turkish', 1)), rewards, member_id: member.cardId };
    expect(await quote(free)).toMatchObject({ total: 0, reward_cost: 10 });
    const replies = await Promise.all(Array.from({ length: 20 }, () => asksSale({ ...free, payments: [] })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 201))
      expect(refusalOf(reply).code).toBe('REWARD_UNAVAILABLE');
    await sell({ ...cart(line('turkish', 1)), ...cash(4_500), member_id: member.cardId });
    expect((await entriesOfSales(world, member.cardId)).map(({ kind }) => kind)).toEqual(['redeem', 'earn']);
  });

  test('under one key sells the last unit for the last points once, and every repetition is answered with it', async () => {
    const member = await aMember(world, 50);
    await openShops(world, aShop(1));
    const rewards = [{ reward_id: thingId('reward', 'any'), line_index: 0, units: 1 }];
    const body = { ...cart(line('cake', 1)), rewards, member_id: member.cardId, payments: [] };
    const key = { 'idempotency-key': newId() };
    const replies = await Promise.all(Array.from({ length: 20 }, () => asksSale(body, key)));
    expect(new Set(replies.map((reply) => done('sellOverCounter', reply).id)).size).toBe(1);
    expect(await stockOf('cake')).toBe(0);
    expect(await entriesOfSales(world, member.cardId)).toHaveLength(1);
  });

  test('in a till that is closed meanwhile is in its report, or in no till', async () => {
    const card = { ...cart(line('turkish', 1)), payments: [{ method: 'card', amount: 4_500 }] };
    const [report, ...replies] = await Promise.all([
      post(world, `/staff/tills/${tillId}/close`, { counted: { cash: 0 } }, teller),
      ...Array.from({ length: 20 }, () => asksSale(card)),
    ]);
    const sales = replies.map((reply) => done('sellOverCounter', reply));
    const inTill = sales.filter(({ till_id: id }) => id === tillId).length;
    expect(done('closeTill', report).figures?.sales_count).toBe(inTill);
  });

  test('forgets the name a day later', async () => {
    const { id } = await sell({ ...cart(line('turkish', 1)), ...cash(4_500), customer_name: 'منى' });
    world.now += 25 * 60 * 60_000;
    const process = sweepingProcess(world);
    await process.sweeper.sweep();
    await process.close();
    const owner = await signInAs(world, 'owner');
    const sale = done('getSale', await world.get(`/staff/sales/${id}`, owner));
    expect(sale.customer_name).toBeNull();
    teller = await signInAs(world, 'teller');
  });
});

test('a shop that takes no cash sells, and gives back, by its own methods alone', async () => {
  await openShops(world, { ...aShop(7), payment_methods: ['card', 'wallet'] });
  const coffee = cart(line('turkish', 1));
  const noMethod = { status: 400, fields: [{ path: 'payments[0].method' }] };
  expect(refusalOf(await asksSale({ ...coffee, ...cash(4_500) }))).toMatchObject(noMethod);
  const { id } = await sell({ ...coffee, payments: [{ method: 'wallet', amount: 4_500 }] });
  const manager = await signInAs(world, 'owner');
  const refund = { lines: [{ index: 0, units: 1 }], method: 'cash', reason: 'quality' };
  expect(refusalOf(await post(world, `/staff/sales/${id}/refund`, refund, manager))).toMatchObject({
    ...{ status: 400, fields: [{ path: 'method' }] },
  });
  await openShops(world, aShop(7));
});

test('a counter sale or its quote at another branch is not there, and a waiter does not sell', async () => {
  const body = { ...cart(line('turkish', 1)), branch_id: branchId('maadi') };
  expect((await post(world, '/staff/cart-quote', body, teller)).status).toBe(404);
  expect((await asksSale({ ...body, ...cash(4_500) })).status).toBe(404);
  const waiter = await signInAs(world, 'waiter');
  const refused = await post(world, '/staff/sales', { ...cart(line('turkish', 1)), ...cash(4_500) }, waiter);
  expect(refusalOf(refused)).toMatchObject({ status: 403, code: 'NOT_PERMITTED' });
});
