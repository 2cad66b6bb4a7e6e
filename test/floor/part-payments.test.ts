/** Tickets that are shared evenly and paid in parts (Decisions 12, Settle). */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { equalParts } from '../../src/floor/domain/ticket.ts';
import { newId } from '../support/database/ids.ts';
import { aStaffedShop, aStaffedWorld, signInAs, type SignedIn } from '../support/people/staff.ts';
import { coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { anOpenTill, withoutTills } from '../support/people/tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { aMenu, branchId, openShops, thingId } from '../support/shops/cafe.ts';

let world: World;
let teller: SignedIn;
let owner: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
let tillId: string;

beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  [teller, owner] = [await signInAs(world, 'teller'), await signInAs(world, 'owner')];
  floor = ticketsBy(world, teller);
});
afterAll(() => world.close());
beforeEach(async () => {
  tillId = await anOpenTill(world, 'teller');
  await withoutTills(world, 'owner');
});

const asksPart = (
  ticket: Pick<Ticket, 'id' | 'revision'>,
  body: object,
  who = teller,
  headers: Record<string, string> = {},
) =>
  post(
    world,
    `/staff/tickets/${ticket.id}/payments`,
    { revision: ticket.revision, method: 'cash', ...body },
    {
      ...who,
      ...headers,
    },
  );
const pay = async (...asked: Parameters<typeof asksPart>): Promise<Ticket> =>
  done('payTicketPart', await asksPart(...asked));
const asksSettle = (ticket: Ticket, payments: object[], who = teller) =>
  post(world, `/staff/tickets/${ticket.id}/settle`, { revision: ticket.revision, payments }, who);
const reportOf = async (id: string) =>
  done('getTillReport', await world.get(`/staff/tills/${id}/report`, owner)).figures;
const split = async (ticket: Ticket, parts: number): Promise<Ticket> =>
  done('splitTicket', await floor.ask(ticket.id, 'splitTicket', { revision: ticket.revision, parts }));

describe('a bill that is shared evenly', () => {
  test('is in parts that add up to it, none a piastre more than another but the first ones', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000_000), fc.integer({ min: 1, max: 50 }), (total, parts) => {
        const all = equalParts(total, parts);
        expect(all.reduce((sum, part) => sum + part, 0)).toBe(total);
        expect(all).toEqual(all.toSorted((a, b) => b - a));
        expect((all[0] ?? 0) - (all.at(-1) ?? 0)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('has no new ticket, and so no table for one', async () => {
    const ticket = await floor.open();
    const body = { revision: 1, parts: 2, table_id: null };
    expect(refusalOf(await floor.ask(ticket.id, 'splitTicket', body))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'table_id' }] },
    });
  });

  test('says its parts, which follow the bill, until it is not shared any more', async () => {
    const ticket = await floor.open({ items: coffees(3) });
    const shared = await split(ticket, 4);
    expect(shared).toMatchObject({ id: ticket.id, parts: [3_375, 3_375, 3_375, 3_375], due: 13_500 });
    const more = await floor.fire(shared, coffees(1));
    expect(more.parts).toEqual([4_500, 4_500, 4_500, 4_500]);
    expect((await split(more, 1)).parts).toBeNull();
    const both = { revision: 1, parts: 2, items: [{ item_id: newId() }] };
    for (const body of [both, { revision: 1 }])
      expect(refusalOf(await floor.ask(ticket.id, 'splitTicket', body))).toMatchObject({ status: 400 });
  });

  test('is paid part by part, and settled with the last', async () => {
    const ticket = await split(await floor.open({ items: coffees(3) }), 3);
    const [first = 0, second = 0, third = 0] = ticket.parts ?? [];
    const once = await pay(ticket, { amount: first, tendered: first + 1_000, tip: 500 });
    expect(once).toMatchObject({
      ...{ paid: first, due: second + third },
      payments: [{ method: 'cash', amount: first, tip: 500, change: 500, till_id: tillId }],
    });
    world.now += 1_000;
    const twice = await pay(once, { amount: second, method: 'card' });
    const settled = done('settleTicket', await asksSettle(twice, [{ method: 'card', amount: third }]));
    expect(settled).toMatchObject({ status: 'settled', due: 0 });
    const sale = done('getSale', await world.get(`/staff/sales/${ticket.id}`, teller));
    expect(sale.payments.map(({ method, amount, tip }) => [method, amount, tip])).toEqual([
      ['cash', first, 500],
      ['card', second, 0],
      ['card', third, 0],
    ]);
  });
});

describe('a part-payment', () => {
  test('is in the till of who took it at once, also where another person settles the ticket', async () => {
    const ticket = await floor.open({ items: coffees(2) });
    const paid = await pay(ticket, { amount: 4_000, tip: 100 });
    expect(await reportOf(tillId)).toMatchObject({
      ...{ total: 0, part_payments: 4_000 },
      methods: [{ method: 'cash', sales: 4_000, tips: 100, expected: 4_100 }, {}],
    });
    const others = await anOpenTill(world, 'owner');
    done('settleTicket', await asksSettle(paid, [{ method: 'cash', amount: 5_000 }], owner));
    expect(await reportOf(tillId)).toMatchObject({
      ...{ total: 0, part_payments: 0 },
      methods: [{ method: 'cash', sales: 4_000, expected: 4_100 }, {}],
    });
    expect(await reportOf(others)).toMatchObject({
      ...{ total: 9_000, methods: [{ method: 'cash', sales: 5_000, expected: 5_000 }, {}] },
    });
  });

  test('is counted by a till that closes while the bill stays open', async () => {
    const ticket = await floor.open({ items: coffees(2) });
    const paid = await pay(ticket, { amount: 4_000 });
    const counted = { counted: { cash: 4_000 } };
    const closed = done('closeTill', await post(world, `/staff/tills/${tillId}/close`, counted, teller));
    expect(closed.figures?.methods[0]).toMatchObject({ expected: 4_000, difference: 0 });
    expect(await floor.get(ticket.id)).toMatchObject({ status: 'open', paid: 4_000, due: 5_000 });
    expect(paid.payments).toHaveLength(1);
  });

  test('whose till was closed goes back out of the open one of who undoes it, and both tills add up', async () => {
    const ticket = await floor.open({ items: coffees(2) });
    const paid = await pay(ticket, { amount: 4_000, tip: 300 });
    const counted = { counted: { cash: 4_300 } };
    const z = done('closeTill', await post(world, `/staff/tills/${tillId}/close`, counted, teller));
    const address = `/staff/tickets/${ticket.id}/payments/${paid.payments[0]?.id}/undo`;
    const undo = () => post(world, address, { revision: paid.revision }, teller);
    expect(refusalOf(await undo())).toMatchObject({ status: 409, code: 'TILL_REQUIRED' });
    const opening = { branch_id: branchId(), opening_float: 0 };
    const { id: next } = done('openTill', await post(world, '/staff/tills', opening, teller));
    const undone = done('undoTicketPayment', await undo());
    expect(undone).toMatchObject({ paid: 0, due: 9_000, payments: [] });
    expect(refusalOf(await undo()).code).toBe('TICKET_MOVED');
    expect(await reportOf(next)).toMatchObject({
      ...{ part_payments: -4_000 },
      methods: [{ method: 'cash', sales: -4_000, tips: -300, expected: -4_300 }, {}],
    });
    expect(await reportOf(tillId)).toEqual(z.figures);
    const whole = done('settleTicket', await asksSettle(undone, [{ method: 'cash', amount: 9_000 }]));
    expect(whole).toMatchObject({ status: 'settled' });
    const sale = done('getSale', await world.get(`/staff/sales/${ticket.id}`, teller));
    expect(sale.payments).toMatchObject([{ method: 'cash', amount: 9_000 }]);
    expect(await reportOf(next)).toMatchObject({
      ...{ total: 9_000, part_payments: -4_000 },
      methods: [{ method: 'cash', sales: 5_000, expected: 4_700 }, {}],
    });
  });

  test('is never more than what is due, and the settling pays exactly the rest', async () => {
    const ticket = await pay(await floor.open({ items: coffees(2) }), { amount: 4_000 });
    expect(refusalOf(await asksPart(ticket, { amount: 5_001 }))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'amount' }] },
    });
    expect(refusalOf(await asksPart(ticket, { amount: 0 }))).toMatchObject({ status: 400 });
    for (const [body, path] of [
      [{ amount: 100, tendered: 50 }, 'tendered'],
      [{ amount: 100, method: 'sweets' }, 'method'],
    ] as const)
      expect(refusalOf(await asksPart(ticket, body))).toMatchObject({ status: 400, fields: [{ path }] });
    for (const amount of [4_999, 5_001, 9_000])
      expect(refusalOf(await asksSettle(ticket, [{ method: 'cash', amount }]))).toMatchObject({
        ...{ status: 400, code: 'PAYMENT_MISMATCH', vars: { total: 9_000, got: 4_000 + amount } },
      });
    const whole = await pay(ticket, { amount: 5_000 });
    expect(done('settleTicket', await asksSettle(whole, []))).toMatchObject({ status: 'settled' });
  });

  test('keeps the bill from coming to less, whatever is voided or split off', async () => {
    const ticket = await pay(await floor.open({ items: [...coffees(1), ...coffees(1)] }), { amount: 5_000 });
    const refused = { status: 409, code: 'PAID_IN_PARTS', vars: { paid: 5_000, total: 4_500 } };
    const line = ticket.items[0]?.id ?? '';
    expect(refusalOf(await floor.asksVoid(ticket, line))).toMatchObject(refused);
    const items = [{ item_id: line }];
    const splitting = { revision: ticket.revision, items };
    expect(refusalOf(await floor.ask(ticket.id, 'splitTicket', splitting))).toMatchObject(refused);
    const voiding = { revision: ticket.revision, reason: 'mistake' };
    expect(refusalOf(await floor.ask(ticket.id, 'voidTicket', voiding))).toMatchObject({
      ...{ code: 'PAID_IN_PARTS', vars: { paid: 5_000, total: 0 } },
    });
    expect(await floor.get(ticket.id)).toEqual(ticket);
    const undone = await post(
      world,
      `/staff/tickets/${ticket.id}/payments/${ticket.payments[0]?.id}/undo`,
      { revision: ticket.revision },
      teller,
    );
    const free = done('undoTicketPayment', undone);
    expect(free).toMatchObject({ paid: 0, payments: [], due: 9_000 });
    await floor.void(free);
  });

  test('stays all of it when others of the check order, although the rounding of the tax moves', async () => {
    const { categories = [], items = [] } = aMenu();
    const latte = { key: 'latte', name: { ar: 'لاتيه', en: 'Latte' }, category: 'coffee', price: 4_525 };
    const tax = { rate: 0.14, inclusive: false };
    const taxed = aStaffedShop().branches.map((branch) => ({ ...branch, tax }));
    const menu = { categories, items: [...items, latte] };
    await openShops(world, aStaffedShop(undefined, { menu, branches: taxed }));
    const lattes = [{ menu_item_id: thingId('item', 'latte'), quantity: 1 }];
    // 135.50 and 135.75, with 14 % of it; the part alone comes to 51.585.
    for (const [items, paid, all, how] of [
      [coffees(1), 5_159, 15_447, 'alone'],
      [lattes, 5_158, 15_476, 'alone'],
      [lattes, 5_158, 15_476, 'after the other'],
      [lattes, 5_158, 15_476, 'with a line that is void then'],
    ] as const) {
      const whole = await floor.open({ items: [...items, ...lattes] });
      world.now += 1_000;
      const part = await floor.split(whole, [{ item_id: whole.items[1]?.id ?? '' }]);
      if (how === 'after the other') await pay(await floor.get(whole.id), { amount: 5_159 });
      const other = how === 'with a line that is void then' ? await floor.fire(part, coffees(1)) : null;
      const once = await pay(other ?? part, { amount: paid });
      if (other !== null) await floor.asksVoid(once, other.items[1]?.id ?? '');
      const more = await floor.fire(whole, lattes);
      expect(await floor.get(part.id)).toMatchObject({ paid, due: 0, bill: { total: paid } });
      expect((more.bill?.total ?? 0) + paid).toBe(all);
    }
    await openShops(world, aStaffedShop());
  });

  test('is given back by who took it, or by who manages tills', async () => {
    await anOpenTill(world, 'owner');
    const [theirs, own] = [await floor.open(), await floor.open()];
    const undo = (ticket: Ticket, who: SignedIn) =>
      post(
        world,
        `/staff/tickets/${ticket.id}/payments/${ticket.payments[0]?.id}/undo`,
        { revision: ticket.revision },
        who,
      );
    const ofOwner = await pay(theirs, { amount: 1_000 }, owner);
    expect(refusalOf(await undo(ofOwner, teller))).toMatchObject({
      ...{ status: 403, code: 'NOT_PERMITTED', vars: { permission: 'tills.manage' } },
    });
    expect(await floor.get(theirs.id)).toEqual(ofOwner);
    for (const ticket of [ofOwner, await pay(own, { amount: 1_000 })])
      expect(done('undoTicketPayment', await undo(ticket, owner))).toMatchObject({ paid: 0 });
  });

  test('goes with its bill into the one with which it is merged', async () => {
    const [one, other] = [await floor.open(), await pay(await floor.open(), { amount: 4_000 })];
    const merged = await floor.merge(one, other.id);
    expect(merged).toMatchObject({ paid: 4_000, due: 14_000 });
  });

  test('of twenty clients on one revision is taken once; under one key too', async () => {
    const ticket = await floor.open({ items: coffees(2) });
    const replies = await Promise.all(Array.from({ length: 20 }, () => asksPart(ticket, { amount: 1_000 })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    const key = { 'idempotency-key': newId() };
    const now = await floor.get(ticket.id);
    const again = await Promise.all(
      Array.from({ length: 20 }, () => asksPart(now, { amount: 1_000 }, teller, key)),
    );
    expect(new Set(again.map((reply) => done('payTicketPart', reply).paid))).toEqual(new Set([2_000]));
  });
});
