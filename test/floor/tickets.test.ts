/** Tickets of the floor (Decisions 4, Ticket; 12, Tickets). */
import { sql } from 'kysely';
import { makeCard } from '../../src/loyalty/app/card.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { aGuest } from '../support/people/guests.ts';
import { aStaffedShop, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { aTicket, coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { done, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, shopId, tableId, thingId } from '../support/shops/cafe.ts';

let world: World;
let waiter: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
let teller: ReturnType<typeof ticketsBy>;

type Deal = NonNullable<ShopFile['menu']['deals']>[number];
const TWO_FOR_80: Deal = {
  ...{
    key: 'pair',
    name: { ar: 'اتنين بـ ٨٠', en: 'Two for 80' },
    kind: 'n_for_price',
    qty: 2,
    price: 8_000,
  },
  pool: [{ category: 'coffee' }],
};
const MENU: ShopFile['menu'] = {
  categories: [
    { key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' } },
    { key: 'food', name: { ar: 'أكل', en: 'Food' } },
  ],
  items: [
    { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'coffee', price: 4_500 },
    {
      ...{ key: 'cake', name: { ar: 'كيك', en: 'Cake' }, category: 'food', price: 3_333 },
      availability: [{ branch: 'zamalek', stock: 5 }],
    },
  ],
  combos: [
    {
      ...{ key: 'breakfast', name: { ar: 'فطار', en: 'Breakfast' }, category: 'food', price: 7_000 },
      slots: [{ key: 'cup', name: { ar: 'كوب', en: 'Cup' }, min: 1, max: 1, choices: [{ item: 'turkish' }] }],
    },
  ],
  discounts: [
    { key: 'friends', name: { ar: 'أصحاب', en: 'Friends' }, percent: 12.5, on: [{ channel: 'till' }] },
    { key: 'other', name: { ar: 'آخر', en: 'Other' }, percent: 50, on: [{ channel: 'pickup' }] },
  ],
};
const withDeals = { menu: { ...MENU, deals: [TWO_FOR_80] } };

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aStaffedShop(undefined, { menu: MENU }), aStaffedShop('kashk'));
  await setCredentials(world);
  await setCredentials(world, 'kashk');
  waiter = await signInAs(world, 'waiter');
  floor = ticketsBy(world, waiter);
  teller = ticketsBy(world, await signInAs(world, 'teller'));
});
afterAll(() => world.close());

const cakes = (quantity: number) => [{ menu_item_id: thingId('item', 'cake'), quantity }];
const liveOf = ({ items }: Ticket) => items.filter(({ voided }) => !voided);
const firstOf = (ticket: Ticket): Ticket['items'][number] => {
  const [item] = liveOf(ticket);
  if (item === undefined) throw new Error('the ticket has a live line');
  return item;
};
const stockOfCakes = async (): Promise<number> => {
  const { rows } = await sql<{ stock: number }>`
    select stock from availability where subject_id = ${thingId('item', 'cake')} and stock is not null
  `.execute(world.db.kysely);
  return rows[0]?.stock ?? -1;
};
const totalOf = (ticket: Ticket): number => ticket.bill?.total ?? 0;

describe('a ticket', () => {
  test('is opened with a round at the prices of now, and listed', async () => {
    const ticket = await floor.open({ guest_count: 2, customer_name: '  منى ' });
    expect(ticket).toMatchObject({
      ...{ status: 'open', revision: 1, opened_by_name: 'waiter', opened_via: 'staff', subtotal: 9_000 },
      ...{ guest_count: 2, customer_name: 'منى', table_id: null, ready: false, order_id: null },
    });
    expect(ticket.ticket_ref).toMatch(/^T-\d{4}$/);
    expect(ticket.items).toMatchObject([
      { round_number: 1, line_total: 9_000, voided: false, line: { quantity: 2, unit_price: 4_500 } },
    ]);
    const listed = await world.get(`/staff/tickets?branch_id=${branchId()}`, waiter);
    expect(done('listTickets', listed).find(({ id }) => id === ticket.id)).toEqual(ticket);
    const bill = await world.get(`/staff/tickets/${ticket.id}/bill`, waiter);
    expect(done('getTicketBill', bill)).toEqual(ticket.bill);
  });

  test('keeps the price of a round when the menu becomes dearer', async () => {
    const ticket = await floor.open();
    const dearer = (MENU.items ?? []).map((item) =>
      item.key === 'turkish' ? { ...item, price: 5_000 } : item,
    );
    await openShops(world, aStaffedShop(undefined, { menu: { ...MENU, items: dearer } }));
    const after = await floor.fire(ticket);
    await openShops(world, aStaffedShop(undefined, { menu: MENU }));
    expect(after.items.map(({ line }) => line.unit_price)).toEqual([4_500, 5_000]);
    expect(after.subtotal).toBe(14_000);
  });

  test('fires twenty rounds of many people at once, each once', async () => {
    const ticket = await floor.open();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => floor.ask(ticket.id, 'fireTicketRound', { items: coffees(1) })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    const after = await floor.get(ticket.id);
    expect(after.items.map(({ round_number: round }) => round)).toEqual(
      Array.from({ length: 21 }, (_, n) => n + 1),
    );
    expect(after).toMatchObject({ revision: 21, subtotal: 22 * 4_500 });
  });

  test('fires one round under one key, however often it is sent', async () => {
    const ticket = await floor.open();
    const key = { 'idempotency-key': newId() };
    const send = (body: object) => floor.ask(ticket.id, 'fireTicketRound', body, key);
    const replies = await Promise.all(Array.from({ length: 20 }, () => send({ items: coffees(1) })));
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 19 }, () => 200),
      201,
    ]);
    // A colleague at the same device learns what became of it.
    const colleague = await teller.ask(ticket.id, 'fireTicketRound', { items: coffees(1) }, key);
    expect(colleague.status).toBe(200);
    expect((await floor.get(ticket.id)).items).toHaveLength(2);
    expect(refusalOf(await send({ items: coffees(2) })).code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('is opened once under one key', async () => {
    const key = { 'idempotency-key': newId() };
    const body = aTicket({ table_id: tableId('t4') });
    const replies = await Promise.all(Array.from({ length: 20 }, () => floor.asksOpen(body, key)));
    const tickets = replies.map((reply) => done('openTicket', reply));
    expect(new Set(tickets.map(({ id }) => id)).size).toBe(1);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    await teller.void(tickets[0] ?? (await floor.open()));
  });

  test('of another shop or branch is not there, and no table or branch of another is taken', async () => {
    const ticket = await floor.open();
    const ramy = ticketsBy(world, await signInAs(world, 'ramy'));
    const stranger = ticketsBy(world, await signInAs(world, 'owner', 'kashk'));
    for (const [who, slug] of [[ramy], [stranger, 'kashk']] as const)
      expect(
        refusalOf(await who.ask(ticket.id, 'fireTicketRound', { items: coffees(1, slug) })),
      ).toMatchObject({ status: 404, error: 'Not found.' });
    const elsewhere = await floor.asksOpen(aTicket({ table_id: tableId('t1', 'zamalek', 'kashk') }));
    expect(refusalOf(elsewhere)).toMatchObject({ status: 400, fields: [{ path: 'table_id' }] });
    expect(refusalOf(await floor.asksOpen(aTicket({ branch_id: branchId('maadi') }))).status).toBe(404);
  });

  test('that is settled or void is listed by its status alone, page by page', async () => {
    const list = async (status: string, more = ''): Promise<readonly Ticket[]> => {
      const address = `/staff/tickets?branch_id=${branchId()}&status=${status}${more}`;
      return done('listTickets', await world.get(address, waiter));
    };
    const ended: Record<string, readonly string[]> = { settled: [], voided: [] };
    for (const status of ['settled', 'voided', 'settled', 'voided']) {
      world.now += 1_000;
      const ticket = await floor.open();
      await (status === 'settled' ? teller.settle(ticket) : teller.void(ticket));
      ended[status] = [ticket.id, ...(ended[status] ?? [])];
    }
    for (const [status, [last = '', before = '']] of Object.entries(ended)) {
      const all = await list(status);
      expect(new Set(all.map((ticket) => ticket.status))).toEqual(new Set([status]));
      expect(all.slice(0, 2).map(({ id }) => id)).toEqual([last, before]);
      expect(await list(status, '&limit=1')).toEqual(all.slice(0, 1));
      expect(await list(status, `&limit=1&after=${last}`)).toEqual(all.slice(1, 2));
    }
  });

  test('takes no staff drink, and nothing that is sold out', async () => {
    const drink = { ...coffees(1)[0], staff_drink: { id: newId(), note: 'سالي' } };
    const refused = refusalOf(await floor.asksOpen({ ...aTicket(), items: [drink] }));
    expect(refused).toMatchObject({ status: 400, fields: [{ path: 'items[0].staff_drink' }] });
    const before = await stockOfCakes();
    expect(refusalOf(await floor.asksOpen(aTicket({ items: cakes(before + 1) }))).code).toBe(
      'ITEM_UNAVAILABLE',
    );
    expect(await stockOfCakes()).toBe(before);
  });
});

describe('a table', () => {
  test('has one check, however many open a ticket on it at once', async () => {
    const table = { table_id: tableId('t1') };
    const replies = await Promise.all(Array.from({ length: 20 }, () => floor.asksOpen(aTicket(table))));
    const opened = replies.filter(({ status }) => status === 201).map((reply) => done('openTicket', reply));
    expect(opened).toHaveLength(1);
    const [ticket] = opened;
    for (const reply of replies.filter(({ status }) => status !== 201))
      expect(refusalOf(reply)).toMatchObject({
        status: 409,
        code: 'TABLE_TAKEN',
        vars: { ticket_id: ticket?.id },
      });
    if (ticket === undefined) throw new Error('one is opened');
    const [first, second] = [
      await floor.change(ticket, { table_id: tableId('t2') }),
      await floor.open(table),
    ];
    const taken = await floor.asksChange(second, { table_id: tableId('t2') });
    expect(refusalOf(taken)).toMatchObject({ code: 'TABLE_TAKEN', vars: { ticket_id: first.id } });
    await teller.void(first);
    expect(await floor.change(second, { table_id: tableId('t2') })).toMatchObject({
      table_id: tableId('t2'),
    });
    await teller.void({ ...second, revision: second.revision + 1 });
  });

  test('pays service, and a ticket without one does not', async () => {
    const branches = aStaffedShop().branches.map((branch) => ({
      ...branch,
      ...{ tax: { rate: 0.14, inclusive: false }, service_charge: { rate: 0.12, taxable: true } },
    }));
    await openShops(world, aStaffedShop(undefined, { menu: MENU, branches }));
    const ticket = await floor.open({ table_id: tableId('t1') });
    expect(ticket.bill).toMatchObject({ service_charge_amount: 1_080, tax_amount: 1_411, total: 11_491 });
    await openShops(world, aStaffedShop(undefined, { menu: MENU }));
    const away = await floor.change(ticket, { table_id: null });
    expect(away.bill).toMatchObject({ service_charge_amount: 0, tax_amount: 1_260, total: 10_260 });
    await teller.void(away);
  });
});

describe('a change', () => {
  test('names the revision that it was decided on', async () => {
    const ticket = await floor.open();
    await floor.fire(ticket);
    const stale = await floor.asksChange(ticket, { guest_count: 3 });
    expect(refusalOf(stale)).toMatchObject({
      status: 409,
      code: 'TICKET_MOVED',
      vars: { status: 'open', revision: 2 },
    });
    const ended = await teller.void(await floor.get(ticket.id));
    for (const reply of [
      await floor.asksChange(ended, { guest_count: 3 }),
      await floor.ask(ended.id, 'fireTicketRound', { items: coffees(1) }),
      await teller.ask(ended.id, 'voidTicket', { revision: ended.revision, reason: 'mistake' }),
      await floor.ask(ended.id, 'splitTicket', {
        revision: ended.revision,
        items: [{ item_id: ended.items[0]?.id, units: 1 }],
      }),
      await floor.ask(ended.id, 'mergeTickets', {
        revision: ended.revision,
        ticket_id: (await floor.open()).id,
      }),
    ])
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'TICKET_ENDED' });
  });

  test('sets the name and the notes, clears them by null, and keeps what it leaves out', async () => {
    const ticket = await floor.open({ guest_count: 2 });
    const words = { customer_name: 'هدى', notes: 'جنب الشباك' };
    const named = await floor.change(ticket, words);
    expect(named).toMatchObject({ ...words, guest_count: 2 });
    const unnamed = await floor.change(named, { customer_name: null });
    expect(unnamed).toMatchObject({ ...words, customer_name: null });
    const bare = await floor.change(unnamed, { customer_name: 'منى', notes: null });
    expect(bare).toMatchObject({ customer_name: 'منى', notes: null, guest_count: 2 });
  });

  test('of twenty at once on one revision one wins', async () => {
    const ticket = await floor.open();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => floor.asksChange(ticket, { guest_count: n + 1 })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await floor.get(ticket.id)).revision).toBe(2);
  });

  test('gives the ticket its member and one discount of the tills, which a manager allows', async () => {
    const ticket = await floor.open();
    const card = await makeCard(world.app, shopId(), { phone: aGuest().typed, name: 'هدى' });
    const member = card?.id ?? '';
    const known = await floor.change(ticket, { member_id: member });
    expect(known.member_id).toBe(member);
    const stranger = await floor.asksChange(known, { member_id: newId() });
    expect(refusalOf(stranger)).toMatchObject({ status: 400, fields: [{ path: 'member_id' }] });
    const friends = { discount_id: thingId('discount', 'friends') };
    expect(refusalOf(await floor.asksChange(known, friends))).toMatchObject({
      ...{ status: 403, code: 'NOT_PERMITTED', vars: { permission: 'tickets.discount' } },
    });
    const manager = ticketsBy(world, await signInAs(world, 'manager'));
    const cheaper = await manager.change(known, friends);
    expect(cheaper).toMatchObject({ discount_type: 'percentage', discount_value: 12.5 });
    expect(cheaper.bill).toMatchObject({ subtotal: 9_000, discount_amount: 1_125, total: 7_875 });
    const other = await manager.asksChange(cheaper, { discount_id: thingId('discount', 'other') });
    expect(refusalOf(other)).toMatchObject({ status: 400, fields: [{ path: 'discount_id' }] });
    expect((await manager.change(cheaper, { discount_id: null })).bill?.discount_amount).toBe(0);
  });
});

describe('a line', () => {
  test('that is void stays on the ticket as such, and its stock comes back by the reason', async () => {
    const before = await stockOfCakes();
    const ticket = await floor.open({ items: [...coffees(1), ...cakes(3)] });
    const cake = ticket.items[1];
    const one = done('voidTicketLine', await teller.asksVoid(ticket, cake?.id ?? '', { units: 1 }));
    expect(one.items.map(({ voided, line }) => [voided, line.quantity, line.input.quantity])).toEqual(
      expect.arrayContaining([
        [false, 1, 1],
        [false, 2, 2],
        [true, 1, 1],
      ]),
    );
    expect(one.subtotal).toBe(4_500 + 2 * 3_333);
    expect(await stockOfCakes()).toBe(before - 2);
    const cold = done('voidTicketLine', await teller.asksVoid(one, cake?.id ?? '', { reason: 'quality' }));
    expect(cold.subtotal).toBe(4_500);
    expect(await stockOfCakes()).toBe(before - 2);
    const again = refusalOf(await teller.asksVoid(cold, cake?.id ?? ''));
    expect(again).toMatchObject({ status: 409, code: 'LINE_VOIDED' });
    const splitting = { revision: cold.revision, items: [{ item_id: cake?.id }] };
    expect(refusalOf(await floor.ask(cold.id, 'splitTicket', splitting))).toMatchObject({
      ...{ status: 409, code: 'LINE_VOIDED' },
    });
    await teller.void(cold);
  });

  test('is not voided by more units than it has, without the note of `other`, or by a waiter', async () => {
    const ticket = await floor.open();
    const { id } = firstOf(ticket);
    const more = refusalOf(await teller.asksVoid(ticket, id, { units: 3 }));
    expect(more).toMatchObject({ status: 400, fields: [{ path: 'units' }] });
    const silent = refusalOf(await teller.asksVoid(ticket, id, { reason: 'other', note: ' ' }));
    expect(silent).toMatchObject({ status: 400, fields: [{ path: 'note' }] });
    expect(refusalOf(await floor.asksVoid(ticket, id)).code).toBe('NOT_PERMITTED');
    expect(refusalOf(await teller.asksVoid(ticket, newId())).status).toBe(404);
    expect((await floor.get(ticket.id)).revision).toBe(1);
  });

  test('with a combo is voided and split off as a whole', async () => {
    const breakfast = thingId('combo', 'breakfast');
    const slot = (await menuOf()).items.find(({ id }) => id === breakfast)?.combo?.slots[0]?.id ?? '';
    const picks = [{ slot_id: slot, menu_item_id: thingId('item', 'turkish') }];
    const ticket = await floor.open({
      items: [{ menu_item_id: breakfast, quantity: 2, combo: { picks } }, ...coffees(1)],
    });
    const { id } = firstOf(ticket);
    for (const reply of [
      await teller.asksVoid(ticket, id, { units: 1 }),
      await floor.ask(ticket.id, 'splitTicket', { revision: 1, items: [{ item_id: id, units: 1 }] }),
    ])
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'COMBO_WHOLE_ONLY' });
    expect(done('voidTicketLine', await teller.asksVoid(ticket, id)).subtotal).toBe(4_500);
  });
});

const menuOf = async () =>
  done('getBranchMenu', await world.get(`/public/branches/${branchId()}/menu?channel=dine_in`));

describe('a ticket that is split', () => {
  test('has two bills that add up to the undivided one, also where a deal spans them', async () => {
    await openShops(world, aStaffedShop(undefined, withDeals));
    const ticket = await floor.open({ items: [...coffees(3), ...cakes(1)] });
    const whole = totalOf(ticket);
    expect(ticket.bill).toMatchObject({ subtotal: 16_833, deal_discount: 1_000 });
    const part = await floor.split(ticket, [{ item_id: firstOf(ticket).id, units: 2 }]);
    const rest = await floor.get(ticket.id);
    expect(part).toMatchObject({ split_of: ticket.id, status: 'open', subtotal: 9_000 });
    expect(rest.subtotal).toBe(7_833);
    expect(totalOf(part) + totalOf(rest)).toBe(whole);
    const together = await floor.merge(rest, part.id);
    expect(together.bill).toEqual({ ...ticket.bill });
    expect(await floor.get(part.id)).toMatchObject({
      ...{ status: 'voided', void_reason: 'merged', merged_into: ticket.id, items: [], bill: null },
    });
    await openShops(world, aStaffedShop(undefined, { menu: MENU }));
    await teller.void(together);
  });

  test('shares its discount, and stays at its table', async () => {
    const manager = ticketsBy(world, await signInAs(world, 'manager'));
    const opened = await floor.open({ table_id: tableId('t1'), items: [...coffees(1), ...cakes(1)] });
    const ticket = await manager.change(opened, { discount_id: thingId('discount', 'friends') });
    const part = await floor.split(ticket, [{ item_id: firstOf(ticket).id }]);
    const rest = await floor.get(ticket.id);
    expect(part.table_id).toBe(tableId('t1'));
    expect(totalOf(part) + totalOf(rest)).toBe(totalOf(ticket));
    await teller.void(rest);
    expect(refusalOf(await floor.asksOpen(aTicket({ table_id: tableId('t1') }))).code).toBe('TABLE_TAKEN');
    await teller.void(part);
    await teller.void(await floor.open({ table_id: tableId('t1') }));
  });

  test('keeps a line', async () => {
    const ticket = await floor.open();
    const { id } = firstOf(ticket);
    const split = (items: object[]) => floor.ask(ticket.id, 'splitTicket', { revision: 1, items });
    expect(refusalOf(await split([{ item_id: id }]))).toMatchObject({
      status: 400,
      fields: [{ path: 'items' }],
    });
    const one = { item_id: id, units: 1 };
    const twice = refusalOf(await split([one, one]));
    expect(twice).toMatchObject({ status: 400, fields: [{ path: 'items[1].item_id' }] });
    const many = refusalOf(await split([{ item_id: id, units: 9 }]));
    expect(many).toMatchObject({ status: 400, fields: [{ path: 'items' }] });
    const unknown = refusalOf(await split([{ item_id: newId() }]));
    expect(unknown).toMatchObject({ status: 400, fields: [{ path: 'items[0].item_id' }] });
  });

  test('by twenty at once is split once', async () => {
    const ticket = await floor.open();
    const items = [{ item_id: firstOf(ticket).id, units: 1 }];
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => floor.ask(ticket.id, 'splitTicket', { revision: 1, items })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await floor.get(ticket.id)).subtotal).toBe(4_500);
  });
});
