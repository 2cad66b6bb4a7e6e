/** Tickets of devices that meet what others did meanwhile (Decisions 13): money and lines are in the books, once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TicketEventData } from '../../src/floor/contract/events.ts';
import { newId } from '../support/database/ids.ts';
import { aMember, aProgramme, balanceOf, entriesOfSales } from '../support/people/reward-members.ts';
import {
  aStaffedShop,
  pairedTill,
  setCredentials,
  signInAs,
  type Person,
  type SignedIn,
} from '../support/people/staff.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { withoutTills } from '../support/people/tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, tableId, thingId } from '../support/shops/cafe.ts';
import {
  eventsOf,
  outcomesOf,
  paid,
  recordedLine,
  replayed,
  type DeviceEvent,
} from '../support/sync/device-events.ts';
import { expectReview, reviewsBy } from '../support/sync/reviews.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

const COFFEE = 4_500;
/** With 12 % of service. */
const AT_TABLE = 5_040;

let world: World;
let owner: SignedIn;
let device: SignedIn;
let other: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  const shop = aStaffedShop(undefined, { loyalty: aProgramme() });
  const branches = shop.branches.map((branch) => ({ ...branch, service_charge: { rate: 0.12 } }));
  await openShops(world, { ...shop, branches });
  await setCredentials(world);
});
afterAll(() => world.close());
/** Every test has a day of its own. */
beforeEach(async () => {
  world.now += DAY;
  for (const person of ['manager', 'teller'] as const) await withoutTills(world, person);
  owner = await signInAs(world, 'owner');
  floor = ticketsBy(world, owner);
  [device, other] = [(await pairedTill(world)).device, (await pairedTill(world)).device];
});

type Settle = Partial<TicketEventData['ticket_settle']>;

/** A ticket of a device, and what is done to it, in the order in which it is written. */
const aTicket = (by: Person = 'manager', id = newId()) => {
  const event = eventsOf(world, by, world.now - HOUR);
  return {
    ...{ id, event },
    open: (more: Partial<TicketEventData['ticket_open']> = {}) =>
      event('ticket_open', { ticket_id: id, ...more }),
    round: (quantity = 1, line = newId()) =>
      event('round', { ticket_id: id, round_id: newId(), items: [recordedLine(quantity, line)] }),
    voidLine: (line: string) => event('line_void', { ticket_id: id, item_id: line, reason: 'mistake' }),
    settle: (total: number, more: Settle = {}) =>
      event('ticket_settle', {
        ...{ ticket_id: id, sale_id: newId(), total, payments: paid(total, 'card') },
        ...more,
      }),
  };
};

const send = async (...events: readonly DeviceEvent[]) => outcomesOf(await replayed(world, device, events));
const sendWell = async (...events: readonly DeviceEvent[]): Promise<void> =>
  expect(await send(...events)).toEqual(events.map(() => 'applied'));
const reviewed = (event: DeviceEvent, code: string, vars: object = {}, by = device) =>
  expectReview(world, { device: by, owner, event }, code, vars);
const codesOf = async ({ id }: DeviceEvent) =>
  (await reviewsBy(world, owner)).find((one) => one.id === id)?.reasons.map(({ code }) => code);
const saleIdOf = ({ data }: DeviceEvent): string => (data as { sale_id: string }).sale_id;
const saleOf = async (event: DeviceEvent) =>
  done('getSale', await world.get(`/staff/sales/${saleIdOf(event)}`, { ...owner }));
const reportOf = async (id: string) =>
  done('getTillReport', await world.get(`/staff/tills/${id}/report`, { ...owner }));

const aTill = async (by: Person = 'manager', on = device): Promise<string> => {
  const id = newId();
  const at = world.now - 2 * HOUR;
  const open = eventsOf(world, by, at)('till_open', { till_id: id, opening_float: 0 }, at);
  expect(outcomesOf(await replayed(world, on, [open]))).toEqual(['applied']);
  return id;
};

describe('a table', () => {
  test('that two devices gave has both tickets with service, and is free when both are paid', async () => {
    const table = tableId('t1');
    const [first, second] = [aTicket(), aTicket('teller')];
    await sendWell(first.open({ table_id: table }), first.round());
    await reviewed(second.open({ table_id: table }), 'table_taken', {
      ...{ table_id: table, ticket_id: first.id },
    });
    await sendWell(second.round());
    for (const { id } of [first, second])
      expect(await floor.get(id)).toMatchObject({ table_id: table, bill: { total: AT_TABLE } });
    const settled = [first.settle(AT_TABLE), second.settle(AT_TABLE)] as const;
    for (const settle of settled) {
      expect(refusalOf(await floor.asksOpen(aLiveTicket(table))).code).toBe('TABLE_TAKEN');
      await sendWell(settle);
      expect(await saleOf(settle)).toMatchObject({ total: AT_TABLE, service_charge_amount: 540 });
    }
    expect((await floor.asksOpen(aLiveTicket(table))).status).toBe(201);
  });

  test('of another branch is left out', async () => {
    const ticket = aTicket();
    const table = newId();
    await reviewed(ticket.open({ table_id: table }), 'table_unknown', { table_id: table });
    expect(await floor.get(ticket.id)).toMatchObject({ status: 'open', table_id: null });
  });
});

describe('a round', () => {
  test('that was fired after the bill was paid has a bill of its own', async () => {
    const ticket = aTicket();
    const settle = (await aPaidTicket(ticket)).settle;
    const listed = await reviewed(ticket.round(2), 'ticket_ended', {
      ...{ ticket_id: ticket.id, status: 'settled' },
    });
    expect(listed.result_id).not.toBeNull();
    expect(await floor.get(String(listed.result_id))).toMatchObject({
      ...{ status: 'open', items: [{ line: { quantity: 2, line_total: 9_000 } }] },
    });
    expect(await saleOf(settle)).toMatchObject({ total: COFFEE, recorded_difference: 0 });
  });

  test('that comes after its bill was paid is put on it; the card counts once, when it adds up', async () => {
    const member = await aMember(world);
    const ticket = aTicket();
    const [open, first, line] = [ticket.open(), ticket.round(), newId()];
    const late = ticket.round(1, line);
    const settle = ticket.settle(2 * COFFEE, { member_id: member.cardId });
    await sendWell(open, first);
    await reviewed(settle, 'total_differs', { recorded: 2 * COFFEE, expected: COFFEE });
    expect(await saleOf(settle)).toMatchObject({
      ...{ total: 2 * COFFEE, recorded_difference: COFFEE, member_id: null },
    });
    expect(await balanceOf(world, member.cardId)).toBe(0);
    await sendWell(late);
    expect(await codesOf(settle)).toBeUndefined();
    expect((await replayed(world, device, [settle]))[0]).toMatchObject({
      ...{ outcome: 'already', vars: { outcome: 'applied' } },
    });
    const whole = {
      ...{ subtotal: 9_000, total: 2 * COFFEE, recorded_difference: 0 },
      member_id: member.cardId,
    };
    expect(await saleOf(settle)).toMatchObject(whole);
    expect(await entriesOfSales(world, member.cardId)).toMatchObject([{ kind: 'earn' }]);
    const points = await balanceOf(world, member.cardId);
    // A void and another round of before: it differs, and adds up again.
    await send(late, settle);
    const event = eventsOf(world, 'manager', world.now - HOUR);
    const gone = event(
      'line_void',
      { ticket_id: ticket.id, item_id: line, reason: 'mistake' },
      Date.parse(late.at),
    );
    await sendWell(gone);
    expect(await codesOf(settle)).toEqual(['total_differs']);
    const again = { ticket_id: ticket.id, round_id: newId(), items: [recordedLine(1)] };
    await sendWell(event('round', again, Date.parse(late.at)));
    expect(await codesOf(settle)).toBeUndefined();
    expect(await saleOf(settle)).toMatchObject(whole);
    expect(await balanceOf(world, member.cardId)).toBe(points);
  });
});

test('a line that was void before stays void', async () => {
  const [ticket, line] = [aTicket(), newId()];
  await sendWell(ticket.open(), ticket.round(2, line), ticket.voidLine(line));
  await reviewed(ticket.voidLine(line), 'line_voided', { item_id: line });
  expect(await floor.get(ticket.id)).toMatchObject({
    items: [{ void_reason: 'mistake' }],
    bill: { total: 0 },
  });
});

describe('a bill', () => {
  test('that two devices settled has both payments, the second beyond its total, and each till has its cash', async () => {
    const [mine, theirs] = [await aTill(), await aTill('teller', other)];
    const ticket = aTicket();
    const again = aTicket('teller', ticket.id);
    const first = ticket.settle(COFFEE, { payments: paid(COFFEE), till_id: mine });
    const second = again.settle(COFFEE, { payments: paid(COFFEE), till_id: theirs });
    await sendWell(ticket.open(), ticket.round());
    await sendWell(first);
    const sale = { sale_id: saleIdOf(first), amount: COFFEE };
    const listed = await reviewed(second, 'settled_twice', sale, other);
    expect(listed.result_id).toBe(saleIdOf(first));
    expect(await saleOf(first)).toMatchObject({
      total: COFFEE,
      payments: [
        { method: 'cash', amount: COFFEE, beyond: 0, till_id: mine },
        { method: 'cash', amount: COFFEE, beyond: COFFEE, till_id: theirs },
      ],
    });
    const figures = [(await reportOf(mine)).figures, (await reportOf(theirs)).figures];
    expect(figures.map((one) => one?.methods[0])).toMatchObject([
      { method: 'cash', expected: COFFEE },
      { method: 'cash', expected: COFFEE },
    ]);
    const sum = (of: (one: NonNullable<(typeof figures)[number]>) => number) =>
      figures.reduce((all, one) => all + (one === null ? 0 : of(one)), 0);
    expect(sum(({ methods }) => methods.reduce((all, { sales }) => all + sales, 0))).toBe(
      sum(({ total, beyond }) => total + beyond),
    );
  });

  test('that was voided meanwhile was paid all the same', async () => {
    const till = await aTill();
    const live = await floor.open();
    await floor.void(live);
    const settle = aTicket('manager', live.id).settle(9_000, { payments: paid(9_000), till_id: till });
    await reviewed(settle, 'ticket_ended', { ticket_id: live.id, status: 'voided' });
    expect(await saleOf(settle)).toMatchObject({ subtotal: 0, total: 9_000, recorded_difference: 9_000 });
    expect((await reportOf(till)).figures).toMatchObject({
      ...{ subtotal: 0, recorded_difference: 9_000, total: 9_000 },
      methods: [{ method: 'cash', sales: 9_000, expected: 9_000 }, { method: 'card' }],
    });
  });

  test('that was voided meanwhile, and that two devices settled, is one sale with both payments', async () => {
    const [mine, theirs] = [await aTill(), await aTill('teller', other)];
    const live = await floor.open();
    await floor.void(live);
    const first = aTicket('manager', live.id).settle(9_000, { payments: paid(9_000), till_id: mine });
    await reviewed(first, 'ticket_ended', { ticket_id: live.id, status: 'voided' });
    const second = aTicket('teller', live.id).settle(9_000, { payments: paid(9_000), till_id: theirs });
    await reviewed(second, 'settled_twice', { sale_id: saleIdOf(first), amount: 9_000 }, other);
    expect(await send(first)).toEqual(['already']);
    expect(await saleOf(first)).toMatchObject({
      ...{
        total: 9_000,
        payments: [
          { amount: 9_000, beyond: 0 },
          { amount: 9_000, beyond: 9_000 },
        ],
      },
    });
  });

  test('that two devices settled, and whose second payment goes back, leaves the sale as it is', async () => {
    const theirs = await aTill('teller', other);
    const ticket = aTicket();
    const { settle: first } = await aPaidTicket(ticket);
    const second = aTicket('teller', ticket.id).settle(COFFEE, { payments: paid(COFFEE), till_id: theirs });
    await reviewed(second, 'settled_twice', {}, other);
    const money = { method: 'cash', reason: 'mistake', amount: COFFEE, till_id: theirs } as const;
    const back = eventsOf(world, 'teller')('refund', {
      ...{ refund_id: newId(), sale_id: saleIdOf(second), all: true, ...money },
    });
    await reviewed(back, 'refund_of_other', { amount: COFFEE }, other);
    expect(await saleOf(first)).toMatchObject({ total: COFFEE, refunded: 0, refunds: [] });
    const [cash] = (await reportOf(theirs)).figures?.methods ?? [];
    expect(cash).toMatchObject({ method: 'cash', sales: COFFEE, expected: 0 });
  });
});

describe('a ticket that was merged with another one while its device was offline', () => {
  /** A coffee of the device, on the bill of three that others ordered. */
  const aMergedTicket = async () => {
    const ticket = aTicket();
    await sendWell(ticket.open(), ticket.round());
    const other = await floor.open({ items: coffees(3) });
    await floor.merge(other, ticket.id);
    return { ticket, other };
  };

  test('and is settled by it: the money is a part-payment, and the other guests still owe theirs', async () => {
    const till = await aTill();
    const { ticket, other } = await aMergedTicket();
    const settle = ticket.settle(COFFEE, { payments: paid(COFFEE), till_id: till });
    const merged = { ticket_id: other.id, amount: COFFEE };
    await reviewed(settle, 'bill_merged', merged);
    const open = await floor.get(other.id);
    expect(open).toMatchObject({ status: 'open', bill: { total: 4 * COFFEE }, due: 3 * COFFEE });
    expect(open.payments).toMatchObject([{ method: 'cash', amount: COFFEE }]);
    const settled = await floor.settle(open);
    const sale = done('getSale', await world.get(`/staff/sales/${settled.id}`, { ...owner }));
    expect(sale).toMatchObject({ total: 4 * COFFEE, recorded_difference: 0 });
    expect(sale.payments).toMatchObject([
      { method: 'cash', amount: COFFEE, till_id: till, late: false },
      { method: 'card', amount: 3 * COFFEE },
    ]);
    expect(await send(settle)).toEqual(['already']);
    expect(await send({ ...settle, id: newId() })).toEqual(['already']);
  });

  test('and whose till was closed meanwhile: the closed till has it beside its figures', async () => {
    const till = await aTill();
    const { ticket, other } = await aMergedTicket();
    const close = { till_id: till, counted: { cash: 0 } };
    await sendWell(eventsOf(world, 'manager', world.now)('till_close', close));
    const settle = ticket.settle(COFFEE, { payments: paid(COFFEE), till_id: till });
    expect(await send(settle)).toEqual(['review: bill_merged']);
    expect(await codesOf(settle)).toEqual(['bill_merged', 'till_closed']);
    const beside = { type: 'payment', id: other.id, amount: COFFEE, method: 'cash' };
    expect((await reportOf(till)).late).toMatchObject([{ ...beside, sale_ref: null }]);
    const settled = await floor.settle(await floor.get(other.id));
    expect(settled).toMatchObject({ status: 'settled' });
    const { figures, late } = await reportOf(till);
    expect(figures).toMatchObject({ total: 0, part_payments: 0 });
    expect(late).toMatchObject([beside]);
  });

  test('and gave a part of it back: the cash left its till, and a person looks at it', async () => {
    const till = await aTill();
    const { ticket } = await aMergedTicket();
    const settle = ticket.settle(COFFEE, { payments: paid(COFFEE), till_id: till });
    await send(settle);
    const money = { method: 'cash', reason: 'quality', amount: 2_000, till_id: till } as const;
    const back = eventsOf(world, 'manager')('refund', {
      ...{ refund_id: newId(), sale_id: saleIdOf(settle), all: true, ...money },
    });
    await reviewed(back, 'refund_of_other', { amount: 2_000 });
    expect(await send({ ...back, id: newId() })).toEqual(['already']);
    const { cash_movements: moved, figures } = await reportOf(till);
    expect(moved).toMatchObject([{ kind: 'pay_out', amount: 2_000, reason: 'Refund' }]);
    expect(figures?.methods[0]).toMatchObject({ method: 'cash', expected: COFFEE - 2_000 });
  });

  test('and gave its money back after the bill was settled: the lines of the others stay sold', async () => {
    const till = await aTill();
    const { ticket, other } = await aMergedTicket();
    const settle = ticket.settle(COFFEE, { payments: paid(COFFEE), till_id: till });
    await send(settle);
    const sale = await floor.settle(await floor.get(other.id));
    const money = { method: 'cash', reason: 'quality', amount: COFFEE, till_id: till } as const;
    const back = eventsOf(world, 'manager')('refund', {
      ...{ refund_id: newId(), sale_id: saleIdOf(settle), all: true, ...money },
    });
    await reviewed(back, 'refund_of_other', { amount: COFFEE });
    const booked = done('getSale', await world.get(`/staff/sales/${sale.id}`, { ...owner }));
    expect(booked).toMatchObject({ total: 4 * COFFEE, refunded: 0, refunds: [] });
    expect((await reportOf(till)).figures?.methods[0]).toMatchObject({ method: 'cash', expected: 0 });
  });

  test('and gave a reward or a discount: neither is on the bill of the others', async () => {
    const { ticket, other } = await aMergedTicket();
    const rewards = [{ reward_id: thingId('reward', 'coffee'), item_id: newId(), units: 1 }];
    const settle = ticket.settle(0, { payments: [], rewards });
    await reviewed(settle, 'bill_merged', { ticket_id: other.id, amount: 0 });
    expect(await codesOf(settle)).toEqual(['bill_merged', 'cuts_left_out']);
    expect(await floor.get(other.id)).toMatchObject({ due: 4 * COFFEE });
  });

  test('and is voided by it: the bill of the others stays', async () => {
    const { ticket, other } = await aMergedTicket();
    const ends = ticket.event('ticket_void', { ticket_id: ticket.id, reason: 'mistake' });
    await reviewed(ends, 'ticket_ended', { ticket_id: ticket.id, status: 'voided' });
    expect(await floor.get(other.id)).toMatchObject({ status: 'open', due: 4 * COFFEE });
  });

  test('and that paid more than is left when a line is void: a person looks at it', async () => {
    const { ticket, other } = await aMergedTicket();
    await send(ticket.settle(3 * COFFEE));
    const theirs = (await floor.get(other.id)).items.find(({ line }) => line.quantity === 3)?.id ?? '';
    await reviewed(ticket.voidLine(theirs), 'paid_beyond', { paid: 3 * COFFEE, total: COFFEE });
    expect(await floor.get(other.id)).toMatchObject({ bill: { total: COFFEE }, paid: 3 * COFFEE, due: 0 });
  });

  test('and that paid more than the whole: it is given back before the bill is settled', async () => {
    const { ticket, other } = await aMergedTicket();
    await reviewed(ticket.settle(5 * COFFEE), 'bill_merged', { ticket_id: other.id, amount: 5 * COFFEE });
    const open = await floor.get(other.id);
    const ask = (what: string, more: object = {}) =>
      post(world, `/staff/tickets/${other.id}/${what}`, { revision: open.revision, ...more }, { ...owner });
    expect(refusalOf(await ask('settle', { payments: [] })).code).toBe('PAID_IN_PARTS');
    done('undoTicketPayment', await ask(`payments/${open.payments[0]?.id}/undo`));
    expect(await floor.settle(await floor.get(other.id))).toMatchObject({ status: 'settled' });
  });
});

/** A bill of one coffee. */
const aPaidTicket = async (ticket: ReturnType<typeof aTicket>) => {
  const [open, round, settle] = [ticket.open(), ticket.round(), ticket.settle(COFFEE)];
  await sendWell(open, round, settle);
  return { settle };
};

const aLiveTicket = (table: string) => ({
  ...{ branch_id: branchId(), table_id: table },
  items: [{ menu_item_id: thingId('item', 'turkish'), quantity: 1 }],
});
