/** Orders from the QR codes of tables (Decisions 12, Table QR). */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { newId } from '../support/database/ids.ts';
import { kitchenBy } from '../support/people/kitchen.ts';
import { aStaffedShop, personId, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import {
  aFreeTable,
  asksTableOrder,
  orderedAt,
  tableView,
  type GuestTicket,
} from '../support/people/table-guests.ts';
import { aTicket, coffees, ticketsBy } from '../support/people/tickets.ts';
import { anOpenTill } from '../support/people/tills.ts';
import { openBoard, receive } from '../support/server/board-client.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, tableId, thingId } from '../support/shops/cafe.ts';
import type { BranchEntry } from '../support/shops/shop-file.ts';

const HOUR = 60 * 60_000;

let world: World;
let owner: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
let kitchen: ReturnType<typeof kitchenBy>;

const MENU: ShopFile['menu'] = {
  categories: [{ key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' } }],
  items: [
    { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'coffee', price: 4_500 },
    {
      ...{ key: 'cake', name: { ar: 'كيك', en: 'Cake' }, category: 'coffee', price: 3_000 },
      availability: [{ branch: 'zamalek', stock: 5 }],
    },
  ],
  deals: [
    {
      ...{ key: 'dozen', name: { ar: 'الدستة', en: 'A dozen' }, kind: 'n_for_price', qty: 12, price: 30_000 },
      ...{ pool: [{ category: 'coffee' }], sell: { qr: true, pos: false } },
    },
  ],
};
/** `zamalek` with other settings; it accepts table orders at once unless told. */
const aShop = (more: Partial<BranchEntry> = {}): ShopFile => ({
  ...aStaffedShop(undefined, { menu: MENU }),
  branches: aStaffedShop().branches.map((branch) =>
    branch.key === 'zamalek'
      ? { ...branch, confirm_table_orders: false, service_charge: { rate: 0.12 }, ...more }
      : branch,
  ),
});
const confirming = { confirm_table_orders: true };

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aShop(), aStaffedShop('kashk'));
  await setCredentials(world);
});
afterAll(() => world.close());
/** Two hours later: no table has sent rounds within the last one. */
beforeEach(async () => {
  world.now += 2 * HOUR;
  owner = await signInAs(world, 'owner');
  floor = ticketsBy(world, owner);
  kitchen = kitchenBy(world, owner);
  await openShops(world, aShop());
});

const cakes = (quantity: number) => [{ menu_item_id: thingId('item', 'cake'), quantity }];
const decide = (ticket: Pick<GuestTicket, 'id'>, round: number, what: 'accept' | 'reject') =>
  world.send('POST', `/staff/tickets/${ticket.id}/rounds/${round}/${what}`, { ...owner });
const accept = async (ticket: Pick<GuestTicket, 'id'>, round: number) =>
  done('acceptTicketRound', await decide(ticket, round, 'accept'));

describe('an order at a table', () => {
  test('opens a bill with service, which the table shows live, and is fired', async () => {
    const table = await aFreeTable(world);
    expect(await tableView(world, table)).toMatchObject({ table_id: table, accepting: true, bill: null });
    const ticket = await orderedAt(world, table, { items: coffees(2), customer_name: 'منى' });
    expect(ticket).toMatchObject({
      ...{ status: 'open', table_id: table, opened_by: table, opened_via: 'qr', subtotal: 9_000 },
      ...{ bill: { total: 10_080, service_charge_amount: 1_080 }, due: 10_080, ready: false },
      items: [{ accepted: true, voided: false, line_total: 9_000 }],
    });
    for (const hidden of ['customer_name', 'notes', 'opened_by_name', 'discount_id', 'member_id'])
      expect(ticket).not.toHaveProperty(hidden);
    expect((await kitchen.of(ticket.id)).map(({ name }) => name)).toEqual(['منى']);
    expect((await tableView(world, table)).bill).toMatchObject({
      ...{ ticket_id: ticket.id, subtotal: 9_000, total: 10_080, ready: false },
      rounds: [{ number: 1, state: 'fired', lines: [{ quantity: 2, line_total: 9_000 }] }],
    });
    for (const { id } of await kitchen.of(ticket.id)) await kitchen.bump(id);
    const ready = await tableView(world, table);
    expect(ready.bill).toMatchObject({ ready: true, rounds: [{ state: 'ready' }] });
    await floor.void(await floor.get(ticket.id));
    expect((await tableView(world, table)).bill).toBeNull();
  });

  test('adds a round to the live bill of the table, also to one that a waiter opened', async () => {
    const table = await aFreeTable(world);
    const opened = await floor.open({ table_id: table, notes: 'سر' });
    const joined = await orderedAt(world, table, { notes: 'من غير سكر' });
    expect(joined).toMatchObject({ id: opened.id, opened_via: 'staff', opened_by: table });
    expect(JSON.stringify(joined)).not.toContain('سر');
    expect(joined.items.map(({ round_number: round }) => round)).toEqual([1, 2]);
    const fired = (await kitchen.of(opened.id)).map(({ notes }) => notes);
    expect(fired.toSorted()).toEqual(['سر', 'من غير سكر'].toSorted());
    const settled = await post(
      world,
      `/staff/tickets/${opened.id}/settle`,
      { revision: 2, payments: [{ method: 'card', amount: joined.bill?.total }] },
      owner,
    );
    expect(settled.status).toBe(200);
    expect((await orderedAt(world, table)).id).not.toBe(opened.id);
  });

  test('is priced for the bill that it joins: the deals of phones count on what a guest opened', async () => {
    const [theirs, ours] = [await aFreeTable(world), await aFreeTable(world)];
    const dozen = { items: coffees(12) };
    expect((await orderedAt(world, theirs, dozen)).bill).toMatchObject({ deal_discount: 24_000 });
    const opened = await floor.open({ table_id: ours });
    expect((await orderedAt(world, ours, dozen)).id).toBe(opened.id);
    expect((await floor.get(opened.id)).bill).toMatchObject({ deal_discount: 0 });
  });

  test('is priced so too where waiters open the bills at the same moment', async () => {
    const tables = await Promise.all(Array.from({ length: 30 }, () => aFreeTable(world)));
    const [sent] = await Promise.all([
      Promise.all(tables.map((table) => asksTableOrder(world, table, { items: coffees(12) }))),
      Promise.all(
        tables.map((table) => floor.asksOpen({ branch_id: branchId(), table_id: table, items: coffees(1) })),
      ),
    ]);
    for (const reply of sent) {
      const { opened_via: via, bill } = done('orderAtTable', reply);
      expect(bill?.deal_discount).toBe(via === 'qr' ? 24_000 : 0);
    }
  });

  test('of twenty phones at ten free tables at once is one bill a table', async () => {
    const tables = await Promise.all(Array.from({ length: 10 }, () => aFreeTable(world)));
    const replies = await Promise.all([...tables, ...tables].map((table) => asksTableOrder(world, table)));
    const tickets = replies.map((reply) => done('orderAtTable', reply));
    expect(new Set(tickets.map(({ id }) => id)).size).toBe(10);
    for (const table of tables) expect((await tableView(world, table)).bill?.rounds).toHaveLength(2);
  });

  test('under one key is taken once, also by twenty taps at once', async () => {
    const [table, key] = [await aFreeTable(world), { 'idempotency-key': newId() }];
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => asksTableOrder(world, table, {}, key)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await tableView(world, table)).bill?.rounds).toHaveLength(1);
    const other = await asksTableOrder(world, table, { items: coffees(3) }, key);
    expect(refusalOf(other)).toMatchObject({ status: 422 });
  });

  test('sells no unit twice', async () => {
    const tables = await Promise.all(Array.from({ length: 8 }, () => aFreeTable(world)));
    const replies = await Promise.all(
      tables.map((table) => asksTableOrder(world, table, { items: cakes(1) })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const reply of replies.filter(({ status }) => status !== 201))
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'ITEM_UNAVAILABLE' });
  });

  test('is the 11th of a table within an hour: 429 with the wait, and other tables go on', async () => {
    const table = await aFreeTable(world);
    for (let n = 0; n < 10; n++) await orderedAt(world, table);
    world.now += 20 * 60_000;
    const reply = await asksTableOrder(world, table);
    expect(refusalOf(reply)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(reply.headers['retry-after']).toBe(String(40 * 60));
    expect((await tableView(world, table)).bill?.rounds).toHaveLength(10);
    await orderedAt(world, await aFreeTable(world));
    world.now += 40 * 60_000;
    await orderedAt(world, table);
  });

  test('is refused where the branch takes none, is closed, or has no open till and needs one', async () => {
    const off = { status: 409, code: 'TABLE_ORDERS_OFF' };
    const table = tableId('t3');
    for (const more of [
      { accepts_table_orders: false },
      { online_hours: [{ open: '03:00', close: '03:30' }] },
      { online_needs_open_till: true },
    ]) {
      await openShops(world, aShop(more));
      expect(refusalOf(await asksTableOrder(world, table))).toMatchObject(off);
      expect(await tableView(world, table)).toMatchObject({ accepting: false });
    }
    await anOpenTill(world, 'teller');
    await world.hearOfChanges();
    await openShops(world, aShop({ online_needs_open_till: true }));
    await orderedAt(world, table);
  });

  test('is refused for drinks of the staff, an unknown table, an empty cart and a phone that is none', async () => {
    const table = await aFreeTable(world);
    const drink = coffees(1).map((line) => ({ ...line, staff_drink: { id: newId(), note: '' } }));
    expect(refusalOf(await asksTableOrder(world, table, { items: drink }))).toMatchObject({ status: 403 });
    expect((await asksTableOrder(world, newId())).status).toBe(404);
    expect((await asksTableOrder(world, table, { items: [] })).status).toBe(400);
    const phone = await asksTableOrder(world, table, { customer_phone: '12' });
    expect(refusalOf(phone)).toMatchObject({ status: 400, fields: [{ path: 'customer_phone' }] });
    const theirs = await asksTableOrder(world, tableId('t1', 'zamalek', 'kashk'));
    expect(refusalOf(theirs)).toMatchObject({ status: 404, error: 'This shop has no such item.' });
  });

  test('is refused where a deal would bring a bill of the table below what was paid of it in parts', async () => {
    const pair = {
      ...{ key: 'pair', name: { ar: 'اتنين بـ ٨٠', en: 'Two for 80' }, kind: 'n_for_price' as const },
      ...{ qty: 2, price: 8_000, pool: [{ category: 'coffee' }] },
    };
    await openShops(world, { ...aShop(), menu: { ...MENU, deals: [pair] } });
    const [table, till] = [await aFreeTable(world), await anOpenTill(world, 'owner')];
    const ticket = await floor.open({ table_id: table, items: [...cakes(1), ...coffees(1)] });
    world.now += 1_000;
    const part = await floor.split(ticket, [{ item_id: ticket.items[1]?.id ?? '', units: 1 }]);
    const paying = { revision: part.revision, method: 'cash', amount: part.due };
    const paid = await post(world, `/staff/tickets/${part.id}/payments`, paying, owner);
    expect(done('payTicketPart', paid)).toMatchObject({ due: 0, payments: [{ till_id: till }] });
    const refused = refusalOf(await asksTableOrder(world, table));
    expect(refused).toMatchObject({ status: 409, code: 'PAID_IN_PARTS' });
    expect((await floor.get(ticket.id)).items).toHaveLength(1);
  });

  test('is told to the staff of the branch', async () => {
    const table = await aFreeTable(world);
    const board = await openBoard(world.port, `/staff/events?branch_id=${aTicket().branch_id}`, { ...owner });
    const ticket = await orderedAt(world, table);
    const told = (await receive(board, 3)).map(({ data }) => [data.type, data.id]);
    expect(told).toContainEqual(['ticket', ticket.id]);
    expect(told).toContainEqual(['table', table]);
    board.close();
  });
});

describe('a round that staff must accept', () => {
  test('waits unfired and in no bill, until it is accepted at the price of when it was sent', async () => {
    await openShops(world, aShop(confirming));
    const table = await aFreeTable(world);
    const ticket = await orderedAt(world, table, { items: coffees(2) });
    expect(ticket).toMatchObject({ subtotal: 0, due: 0, items: [{ accepted: false, voided: false }] });
    expect((await tableView(world, table)).bill).toMatchObject({ total: 0, rounds: [{ state: 'waiting' }] });
    expect(await kitchen.of(ticket.id)).toEqual([]);
    const dearer = (MENU.items ?? []).map((item) =>
      item.key === 'turkish' ? { ...item, price: 9_000 } : item,
    );
    await openShops(world, { ...aShop(confirming), menu: { ...MENU, items: dearer } });
    world.now += 60_000;
    const accepted = await accept(ticket, 1);
    expect(accepted).toMatchObject({
      subtotal: 9_000,
      items: [{ accepted: true, round_fired_at: new Date(world.now).toISOString() }],
    });
    expect(await kitchen.of(ticket.id)).toHaveLength(1);
    expect(await accept(ticket, 1)).toEqual(accepted);
    expect(await kitchen.of(ticket.id)).toHaveLength(1);
    expect(refusalOf(await decide(ticket, 1, 'reject'))).toMatchObject({
      ...{ status: 409, code: 'ROUND_DECIDED', vars: { accepted: true } },
    });
    expect((await decide(ticket, 2, 'accept')).status).toBe(404);
  });

  test('that is rejected gives its stock back, and ends a bill of which nothing is left', async () => {
    await openShops(world, aShop(confirming));
    const table = await aFreeTable(world);
    const ticket = await orderedAt(world, table, { items: cakes(5) });
    const none = await asksTableOrder(world, await aFreeTable(world), { items: cakes(1) });
    expect(refusalOf(none)).toMatchObject({ code: 'ITEM_UNAVAILABLE' });
    const rejected = done('rejectTicketRound', await decide(ticket, 1, 'reject'));
    expect(rejected).toMatchObject({ status: 'voided', items: [{ voided: true, void_reason: 'rejected' }] });
    expect(done('rejectTicketRound', await decide(ticket, 1, 'reject'))).toEqual(rejected);
    expect(refusalOf(await decide(ticket, 1, 'accept'))).toMatchObject({
      ...{ status: 409, code: 'ROUND_DECIDED', vars: { accepted: false } },
    });
    expect(refusalOf(await decide(ticket, 2, 'reject'))).toMatchObject({ code: 'TICKET_ENDED' });
    expect((await tableView(world, table)).bill).toBeNull();
    await orderedAt(world, table, { items: cakes(5) });
  });

  test('brings its own words to the kitchen when it is accepted, and to the staff before', async () => {
    await openShops(world, aShop(confirming));
    const table = await aFreeTable(world);
    const ticket = await orderedAt(world, table, { notes: 'سكر زيادة' });
    const second = await orderedAt(world, table, { notes: 'من غير مكسرات' });
    await orderedAt(world, table);
    expect(JSON.stringify(second)).not.toContain('سكر زيادة');
    const { items } = await floor.get(ticket.id);
    expect(items.map(({ round_notes: notes }) => notes)).toEqual(['سكر زيادة', 'من غير مكسرات', null]);
    for (const round of [1, 2, 3]) await accept(ticket, round);
    const fired = new Map((await kitchen.of(ticket.id)).map(({ round, notes }) => [round, notes]));
    expect([1, 2, 3].map((round) => fired.get(round))).toEqual(['سكر زيادة', 'من غير مكسرات', null]);
  });

  test('leaves the ticket of a waiter open when it is rejected', async () => {
    await openShops(world, aShop(confirming));
    const table = await aFreeTable(world);
    const opened = await floor.open({ table_id: table });
    await floor.asksVoid(opened, opened.items[0]?.id ?? '');
    await orderedAt(world, table);
    expect(done('rejectTicketRound', await decide(opened, 2, 'reject')).status).toBe('open');
    await floor.void(await floor.get(opened.id));
  });

  test('and its decision are in the audit log', async () => {
    await openShops(world, aShop(confirming));
    const ticket = await orderedAt(world, await aFreeTable(world));
    await accept(ticket, 1);
    const { rows } = await sql<{ action: string; by: string | null }>`
      select action, staff_id as by from audit where subject_id = ${ticket.id} order by at, action desc
    `.execute(world.db.kysely);
    expect(rows).toEqual([
      { action: 'ticket.round_ordered', by: null },
      { action: 'ticket.round_accepted', by: personId('owner') },
    ]);
  });

  test('by twenty people at once is decided on once', async () => {
    await openShops(world, aShop(confirming));
    const ticket = await orderedAt(world, await aFreeTable(world));
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => decide(ticket, 1, n % 2 === 0 ? 'accept' : 'reject')),
    );
    const statuses = replies.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    const { items } = await floor.get(ticket.id);
    expect((await kitchen.of(ticket.id)).length).toBe(items[0]?.accepted === true ? 1 : 0);
  });

  test('cannot be voided or split off, and is rejected when the ticket is settled without it', async () => {
    await openShops(world, aShop(confirming));
    const table = await aFreeTable(world);
    const opened = await floor.open({ table_id: table });
    const joined = await orderedAt(world, table);
    const waiting = joined.items[1]?.id ?? '';
    const now = await floor.get(opened.id);
    expect(refusalOf(await floor.asksVoid(now, waiting))).toMatchObject({ code: 'ROUND_WAITING' });
    const settle = { revision: now.revision, payments: [{ method: 'card', amount: now.bill?.total }] };
    const settled = done('settleTicket', await post(world, `/staff/tickets/${now.id}/settle`, settle, owner));
    expect(settled.items).toMatchObject([{ voided: false }, { voided: true, void_reason: 'rejected' }]);
    const sale = done('getSale', await world.get(`/staff/sales/${now.id}`, owner));
    expect(sale.total).toBe(now.bill?.total);
  });
});

describe('a new code of a table', () => {
  test('leads to the table, the old one nowhere; its bill stays', async () => {
    const table = await aFreeTable(world);
    const ticket = await orderedAt(world, table);
    const made = async () =>
      done('newTableCode', await post(world, `/staff/tables/${table}/new-code`, {}, owner));
    const first = await made();
    expect(first.url).toMatch(new RegExp(`/t/${first.public_id}$`));
    await world.hearOfChanges();
    const dead = [`/public/tables/${table}`, `/public/tables/${table}/menu`, `/t/${table}`];
    for (const address of dead) expect((await world.get(address)).status).toBe(404);
    const cart = { items: coffees(1) };
    expect((await post(world, `/public/tables/${table}/cart-quote`, cart)).status).toBe(404);
    expect((await asksTableOrder(world, table)).status).toBe(404);
    expect(await tableView(world, first.public_id)).toMatchObject({
      ...{ table_id: first.public_id, bill: { ticket_id: ticket.id } },
    });
    expect((await post(world, `/public/tables/${first.public_id}/cart-quote`, cart)).status).toBe(200);
    expect(await orderedAt(world, first.public_id)).toMatchObject({
      ...{ id: ticket.id, table_id: first.public_id, opened_by: first.public_id },
    });
    const second = await made();
    await world.hearOfChanges();
    expect((await world.get(`/public/tables/${first.public_id}`)).status).toBe(404);
    expect((await world.get(`/t/${second.public_id}`)).status).toBe(200);
    expect(await floor.get(ticket.id)).toMatchObject({ table_id: table });
    await openShops(world, aShop());
    expect((await world.get(`/public/tables/${second.public_id}`)).status).toBe(404);
  });

  test('is given by owners and managers, at their own branches', async () => {
    const address = `/staff/tables/${tableId('t1')}/new-code`;
    const teller = await signInAs(world, 'teller');
    expect(refusalOf(await post(world, address, {}, teller))).toMatchObject({ status: 403 });
    const theirs = `/staff/tables/${tableId('t1', 'zamalek', 'kashk')}/new-code`;
    expect((await post(world, theirs, {}, owner)).status).toBe(404);
  });
});
