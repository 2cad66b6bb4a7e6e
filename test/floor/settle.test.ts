/** Tickets that are paid (Decisions 12, Settle). */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { newId } from '../support/database/ids.ts';
import { aMember, aProgramme, entriesOfSales } from '../support/people/reward-members.ts';
import {
  aStaffedShop,
  setCredentials,
  signInAs,
  type SignedIn,
  type StaffBody,
} from '../support/people/staff.ts';
import { coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { anOpenTill, withoutTills } from '../support/people/tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import type { Reply } from '../support/server/http-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops, tableId, thingId } from '../support/shops/cafe.ts';

type Settle = Partial<StaffBody<'settleTicket'>>;

let world: World;
let teller: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
let tillId: string;

const MENU: ShopFile['menu'] = {
  categories: [{ key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' } }],
  items: [
    { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'coffee', price: 4_500 },
  ],
  deals: [
    {
      ...{
        key: 'pair',
        name: { ar: 'اتنين بـ ٨٠', en: 'Two for 80' },
        kind: 'n_for_price',
        qty: 2,
        price: 8_000,
      },
      pool: [{ category: 'coffee' }],
    },
  ],
  discounts: [
    { key: 'friends', name: { ar: 'أصحاب', en: 'Friends' }, percent: 12.5, on: [{ channel: 'till' }] },
  ],
};
const taxed = (more: object = {}) =>
  aStaffedShop().branches.map((branch) => ({
    ...branch,
    ...{ tax: { rate: 0.14, inclusive: false }, service_charge: { rate: 0.12, taxable: true }, ...more },
  }));
const aTaxedShop = (more: object = {}) =>
  aStaffedShop(undefined, { menu: MENU, loyalty: aProgramme(), branches: taxed(more) });

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aTaxedShop());
  await setCredentials(world);
  teller = await signInAs(world, 'teller');
  floor = ticketsBy(world, teller);
});
afterAll(() => world.close());
beforeEach(async () => {
  tillId = await anOpenTill(world, 'teller');
});

const asksSettle = (
  ticket: Ticket,
  more: Settle = {},
  headers: Record<string, string> = {},
): Promise<Reply> =>
  post(
    world,
    `/staff/tickets/${ticket.id}/settle`,
    { revision: ticket.revision, payments: [{ method: 'cash', amount: ticket.bill?.total ?? 0 }], ...more },
    { ...teller, ...headers },
  );
const settle = async (ticket: Ticket, more: Settle = {}): Promise<Ticket> =>
  done('settleTicket', await asksSettle(ticket, more));
const saleOf = async (id: string) => done('getSale', await world.get(`/staff/sales/${id}`, teller));
const salesOf = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from sale`.execute(
    world.db.kysely,
  );
  return rows[0]?.count ?? 0;
};

describe('a ticket that is settled', () => {
  test('is one sale at its bill, in the till of who took the money', async () => {
    const ticket = await floor.open({ table_id: tableId('t1'), guest_count: 2, items: coffees(3) });
    expect(ticket.bill).toMatchObject({
      ...{
        subtotal: 13_500,
        deal_discount: 1_000,
        service_charge_amount: 1_500,
        tax_amount: 1_960,
        total: 15_960,
      },
    });
    const settled = await settle(ticket, {
      payments: [
        { method: 'card', amount: 5_960 },
        { method: 'cash', amount: 10_000, tip: 500, tendered: 20_000 },
      ],
    });
    expect(settled).toMatchObject({ status: 'settled', order_id: ticket.id, bill: ticket.bill });
    const sale = await saleOf(ticket.id);
    expect(sale).toMatchObject({
      ...{ source: 'ticket', channel: 'dine_in', till_id: tillId, staff_name: 'teller', covers: 2 },
      ...{
        subtotal: 13_500,
        deal_discount: 1_000,
        service_charge_amount: 1_500,
        tax_amount: 1_960,
        total: 15_960,
      },
      payments: [
        { method: 'card', amount: 5_960, tip: 0, tendered: null, change: null },
        { method: 'cash', amount: 10_000, tip: 500, tendered: 20_000, change: 9_500 },
      ],
      cart: {
        lines: [{ quantity: 3, deal_discount: 1_000, line_total: 12_500 }],
        deals: [{ times: 1, discount: 1_000 }],
      },
    });
    expect((await floor.get(ticket.id)).bill).toEqual(ticket.bill);
    await floor.void(await floor.open({ table_id: tableId('t1') }));
  });

  test('by twenty cashiers at once is settled once', async () => {
    const ticket = await floor.open();
    const before = await salesOf();
    const replies = await Promise.all(Array.from({ length: 20 }, () => asksSettle(ticket)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'TICKET_ENDED' });
    expect(await salesOf()).toBe(before + 1);
  });

  test('under one key is settled once, and answered so again', async () => {
    const ticket = await floor.open();
    const key = { 'idempotency-key': newId() };
    const before = await salesOf();
    const replies = await Promise.all(Array.from({ length: 20 }, () => asksSettle(ticket, {}, key)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(done('settleTicket', await asksSettle(ticket, {}, key)).status).toBe('settled');
    expect(await salesOf()).toBe(before + 1);
  });

  test('against rounds that are fired at once pays for all of them, or is refused', async () => {
    for (let run = 0; run < 5; run++) {
      const ticket = await floor.open();
      const [settled, fired] = await Promise.all([
        asksSettle(ticket),
        floor.ask(ticket.id, 'fireTicketRound', { items: coffees(1) }),
      ]);
      const after = await floor.get(ticket.id);
      expect([settled.status, fired.status]).toEqual(after.status === 'settled' ? [200, 409] : [409, 201]);
      if (after.status === 'open') await floor.void(after);
    }
  });

  test('cannot be changed, split, merged or voided', async () => {
    const ticket = await settle(await floor.open());
    const { id, revision, items } = ticket;
    const item_id = items[0]?.id ?? '';
    const other = await floor.open();
    const payment = { revision, method: 'card', amount: 100 };
    for (const reply of [
      await floor.asksChange(ticket, { table_id: tableId('t3') }),
      await floor.ask(id, 'fireTicketRound', { items: coffees(1) }),
      await floor.ask(id, 'voidTicket', { revision, reason: 'mistake' }),
      await floor.ask(id, 'splitTicket', { revision, items: [{ item_id, units: 1 }] }),
      await floor.ask(id, 'splitTicket', { revision, parts: 2 }),
      await floor.ask(id, 'mergeTickets', { revision, ticket_id: other.id }),
      await floor.ask(other.id, 'mergeTickets', { revision: other.revision, ticket_id: id }),
      await floor.asksVoid(ticket, item_id),
      await post(world, `/staff/tickets/${id}/payments`, payment, teller),
      await asksSettle(ticket),
    ])
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'TICKET_ENDED' });
    expect([await floor.get(id), await floor.get(other.id)]).toEqual([ticket, other]);
  });

  test('without a live line is void, and no sale', async () => {
    const ticket = await floor.open({ table_id: tableId('t1') });
    const empty = done('voidTicketLine', await floor.asksVoid(ticket, ticket.items[0]?.id ?? ''));
    const mismatch = refusalOf(await asksSettle(empty, { payments: [{ method: 'cash', amount: 100 }] }));
    expect(mismatch).toMatchObject({ code: 'PAYMENT_MISMATCH', vars: { total: 0, got: 100 } });
    const before = await salesOf();
    const tip = refusalOf(await asksSettle(empty, { payments: [{ method: 'cash', amount: 0, tip: 500 }] }));
    expect(tip).toMatchObject({ status: 400, fields: [{ path: 'payments' }] });
    expect(await settle(empty, { payments: [] })).toMatchObject({
      status: 'voided',
      void_reason: 'empty',
      bill: null,
    });
    expect(await salesOf()).toBe(before);
    await floor.void(await floor.open({ table_id: tableId('t1') }));
  });

  test('is not paid with more or less than its total, and then nothing has changed', async () => {
    const ticket = await floor.open();
    const { total = 0 } = ticket.bill ?? {};
    for (const amount of [total - 1, total + 1])
      expect(refusalOf(await asksSettle(ticket, { payments: [{ method: 'card', amount }] }))).toMatchObject({
        ...{ status: 400, code: 'PAYMENT_MISMATCH', vars: { total, got: amount } },
      });
    expect(await floor.get(ticket.id)).toEqual(ticket);
  });
});

test('the same rounds and voids in any order come to the same bill and the same sale', async () => {
  const orders = [
    ['3', '1', '2', '-3', '-1'],
    ['3', '-3', '1', '-1', '2'],
    ['2', '1', '3', '-1', '-3'],
  ];
  const bills: Ticket['bill'][] = [];
  for (const steps of orders) {
    let ticket = await floor.open({ table_id: tableId('t3'), items: coffees(4) });
    for (const step of steps) {
      const units = Math.abs(Number(step));
      const item = ticket.items.find(({ voided, line }) => !voided && line.quantity === units);
      // Of each round that is voided one unit is left, but of the one with one.
      ticket = step.startsWith('-')
        ? done(
            'voidTicketLine',
            await floor.asksVoid(ticket, item?.id ?? '', { units: Math.max(1, units - 1) }),
          )
        : await floor.fire(ticket, coffees(units));
    }
    const { id, bill } = await settle(ticket);
    bills.push(bill);
    const { subtotal, deal_discount, service_charge_amount, tax_amount, total } = await saleOf(id);
    expect(bill).toMatchObject({ subtotal, deal_discount, service_charge_amount, tax_amount, total });
  }
  const [first] = bills;
  // 4 + 2 + 1 coffees are left: three pairs and one.
  expect(first).toMatchObject({ subtotal: 31_500, deal_discount: 3_000 });
  for (const bill of bills) expect(bill).toEqual(first);
});

describe('a branch that asks for an open till', () => {
  test('takes cash into one alone, and everything where it says so', async () => {
    const ticket = await floor.open();
    await withoutTills(world, 'teller');
    expect(refusalOf(await asksSettle(ticket))).toMatchObject({ status: 409, code: 'TILL_REQUIRED' });
    await openShops(world, aTaxedShop({ sales_need_till: 'all' }));
    const card = { payments: [{ method: 'card', amount: ticket.bill?.total ?? 0 }] };
    expect(refusalOf(await asksSettle(ticket, card)).code).toBe('TILL_REQUIRED');
    await openShops(world, aTaxedShop({ sales_need_till: 'none' }));
    await settle(ticket);
    await openShops(world, aTaxedShop());
    expect((await saleOf(ticket.id)).till_id).toBeNull();
    const other = await floor.open();
    await settle(other, { payments: [{ method: 'card', amount: other.bill?.total ?? 0 }] });
  });
});

describe('parts of a check', () => {
  test('pay what the undivided bill came to, one after the other', async () => {
    const manager = ticketsBy(world, await signInAs(world, 'manager'));
    const opened = await floor.open({ table_id: tableId('t1'), items: [...coffees(2), ...coffees(3)] });
    const ticket = await manager.change(opened, { discount_id: thingId('discount', 'friends') });
    const whole = ticket.bill?.total ?? 0;
    const [first, second] = ticket.items;
    const one = await floor.split(ticket, [{ item_id: first?.id ?? '', units: 1 }]);
    const two = await floor.split(await floor.get(ticket.id), [{ item_id: second?.id ?? '', units: 2 }]);
    let paid = 0;
    for (const id of [two.id, ticket.id, one.id]) {
      const part = await settle(await floor.get(id));
      paid += part.bill?.total ?? 0;
    }
    expect(paid).toBe(whole);
    const sales = await Promise.all([one.id, two.id, ticket.id].map(saleOf));
    expect(sales.reduce((sum, { total }) => sum + total, 0)).toBe(whole);
    expect(sales.reduce((sum, { deal_discount: off }) => sum + off, 0)).toBe(2_000);
  });

  test('that are settled at once pay what the undivided bill came to', async () => {
    const ticket = await floor.open({ items: coffees(5) });
    const part = await floor.split(ticket, [{ item_id: ticket.items[0]?.id ?? '', units: 2 }]);
    const rest = await floor.get(ticket.id);
    const replies = await Promise.all([asksSettle(part), asksSettle(rest)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const bills = replies.map((reply) => done('settleTicket', reply).bill?.total ?? 0);
    expect(bills.reduce((sum, total) => sum + total, 0)).toBe(ticket.bill?.total);
  });
});

test('twenty guests who share a table and pay at once pay what the undivided bill came to', async () => {
  const ticket = await floor.open({ table_id: tableId('t2'), items: coffees(20) });
  const parts: Ticket[] = [];
  for (let n = 1; n < 20; n += 1) {
    const rest = await floor.get(ticket.id);
    parts.push(await floor.split(rest, [{ item_id: rest.items[0]?.id ?? '', units: 1 }]));
  }
  const all = await Promise.all([ticket, ...parts].map(({ id }) => floor.get(id)));
  const replies = await Promise.all(all.map((part) => asksSettle(part)));
  const bills = replies.map((reply) => done('settleTicket', reply).bill?.total ?? 0);
  expect(bills).toHaveLength(20);
  expect(bills.reduce((sum, total) => sum + total, 0)).toBe(ticket.bill?.total);
});

describe('a bill that is partly settled', () => {
  afterAll(() => openShops(world, aTaxedShop()));
  /** Of two coffees, with one of them paid. */
  const halfPaid = async (): Promise<Ticket> => {
    const ticket = await floor.open();
    await settle(await floor.split(ticket, [{ item_id: ticket.items[0]?.id ?? '', units: 1 }]));
    return floor.get(ticket.id);
  };

  test('is merged into no bill of other rates: what was paid under one tax is not taxed under another', async () => {
    const old = await halfPaid();
    await openShops(world, aTaxedShop({ tax: { rate: 0.05, inclusive: false } }));
    const fresh = await floor.open();
    const merging = { revision: fresh.revision, ticket_id: old.id };
    expect(refusalOf(await floor.ask(fresh.id, 'mergeTickets', merging))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'ticket_id' }] },
    });
    expect((await floor.get(old.id)).bill).toEqual(old.bill);
    // The other way round the rates of the bill that is partly paid hold for all of it.
    const merged = await floor.merge(old, fresh.id);
    expect(merged.bill).toMatchObject({ tax_rate: 0.14, subtotal: 13_500, total: 13_680 });
    await settle(merged);
  });

  test('is merged with one of its own rates', async () => {
    const [old, fresh] = [await halfPaid(), await floor.open()];
    expect(await floor.merge(fresh, old.id)).toMatchObject({ status: 'open', subtotal: 13_500 });
  });
});

describe('a member', () => {
  test('earns by what was paid, and spends a reward', async () => {
    const member = await aMember(world, 10);
    const opened = await floor.open({ items: coffees(3) });
    const ticket = await floor.change(opened, { member_id: member.cardId });
    const rewards = [
      { reward_id: thingId('reward', 'coffee'), item_id: ticket.items[0]?.id ?? '', units: 1 },
    ];
    // Two coffees are left, which are a deal: 80.00, and 14 % tax.
    const settled = await settle(ticket, { rewards, payments: [{ method: 'cash', amount: 9_120 }] });
    expect(settled.bill).toMatchObject({
      subtotal: 13_500,
      reward_discount: 4_500,
      deal_discount: 1_000,
      total: 9_120,
    });
    const sale = await saleOf(ticket.id);
    expect(sale).toMatchObject({ reward_discount: 4_500, member_id: member.cardId });
    expect((await entriesOfSales(world, member.cardId)).map(({ kind }) => kind).sort()).toEqual([
      'earn',
      'redeem',
    ]);
  });

  test('is named with rewards, and has the balance for them', async () => {
    const ticket = await floor.open();
    const rewards = [
      { reward_id: thingId('reward', 'coffee'), item_id: ticket.items[0]?.id ?? '', units: 1 },
    ];
    expect(refusalOf(await asksSettle(ticket, { rewards }))).toMatchObject({
      fields: [{ path: 'member_id' }],
    });
    const stranger = refusalOf(await asksSettle(ticket, { member_id: newId() }));
    expect(stranger).toMatchObject({ status: 400, fields: [{ path: 'member_id' }] });
    const poor = await aMember(world, 0);
    const refused = refusalOf(await asksSettle(ticket, { rewards, member_id: poor.cardId }));
    expect(refused).toMatchObject({ status: 409, code: 'REWARD_UNAVAILABLE' });
  });

  test('spends no reward that brings the bill below what was paid of it in parts', async () => {
    const member = await aMember(world, 10);
    const opened = await floor.open({ items: coffees(2) });
    const body = { revision: opened.revision, method: 'cash', amount: opened.due - 1 };
    const paid = done(
      'payTicketPart',
      await post(world, `/staff/tickets/${opened.id}/payments`, body, teller),
    );
    const [line] = paid.items;
    const rewards = [{ reward_id: thingId('reward', 'coffee'), item_id: line?.id ?? '', units: 1 }];
    const asked = { rewards, member_id: member.cardId, payments: [] };
    expect(refusalOf(await asksSettle(paid, asked))).toMatchObject({
      ...{ status: 409, code: 'PAID_IN_PARTS', vars: { paid: opened.due - 1 } },
    });
    expect(await floor.get(opened.id)).toEqual(paid);
  });
});
