/** Refunds that devices tell of (Decisions 13): the money that went back is in the books, whatever is left of the sale. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SaleEventData } from '../../src/sales/contract/events.ts';
import { newId } from '../support/database/ids.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { changed, pairedTill, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { withoutTills } from '../support/people/tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, thingId } from '../support/shops/cafe.ts';
import { aKitchenShop, meals } from '../support/shops/kitchen-shop.ts';
import {
  eventsOf,
  outcomesOf,
  paid,
  recordedCoffees,
  recordedLine,
  replayed,
  type DeviceEvent,
} from '../support/sync/device-events.ts';
import { expectReview, reviewsBy } from '../support/sync/reviews.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const MEAL = 14_000;

let world: World;
let owner: SignedIn;
let device: SignedIn;
let till: string;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aKitchenShop({ tax: { rate: 0.14, inclusive: true } }));
  await setCredentials(world);
});
afterAll(() => world.close());
/** Every test has a day of its own. */
beforeEach(async () => {
  world.now += DAY;
  await withoutTills(world, 'manager');
  owner = await signInAs(world, 'owner');
  ({ device } = await pairedTill(world));
  till = await aTill();
});

const send = async (...events: readonly DeviceEvent[]) => outcomesOf(await replayed(world, device, events));
const sendWell = async (...events: readonly DeviceEvent[]): Promise<void> =>
  expect(await send(...events)).toEqual(events.map(() => 'applied'));
const reviewed = (event: DeviceEvent, code: string, vars: object = {}) =>
  expectReview(world, { device, owner, event }, code, vars);
const codesOf = async ({ id }: DeviceEvent) =>
  (await reviewsBy(world, owner)).find((one) => one.id === id)?.reasons.map(({ code }) => code);
const saleOf = async (id: string) => done('getSale', await world.get(`/staff/sales/${id}`, { ...owner }));
const report = async () =>
  done('getTillReport', await world.get(`/staff/tills/${till}/report`, { ...owner }));

const aTill = async (): Promise<string> => {
  const id = newId();
  const at = world.now - 2 * HOUR;
  await sendWell(eventsOf(world, 'manager', at)('till_open', { till_id: id, opening_float: 0 }, at));
  return id;
};

/** Two coffees. */
const aSoldPair = async (): Promise<string> => {
  const id = newId();
  const data = { sale_id: id, items: recordedCoffees(2), total: 9_000, payments: paid(9_000) };
  await sendWell(eventsOf(world, 'manager', world.now - HOUR)('sale', { ...data, till_id: till }));
  return id;
};

/** Two combos and two coffees, sold by the owner. */
const soldMeals = async (): Promise<string> => {
  const items = [meals(2), { menu_item_id: thingId('item', 'turkish'), quantity: 2 }];
  const payments = [{ method: 'card', amount: 2 * MEAL + 9_000 }];
  const body = { branch_id: branchId(), items, payments };
  return done('sellOverCounter', await post(world, '/staff/sales', body, { ...owner })).id;
};

const refund = (sale: string, amount: number, more: Partial<SaleEventData['refund']>): DeviceEvent =>
  eventsOf(
    world,
    'manager',
    world.now - HOUR / 2,
  )('refund', {
    ...{ refund_id: newId(), sale_id: sale, method: 'cash', reason: 'quality', amount, till_id: till },
    ...more,
  });
const taxOf = (refunds: readonly { readonly tax_amount: number }[]): number =>
  refunds.reduce((sum, { tax_amount: tax }) => sum + tax, 0);
const lines = (...wanted: readonly (readonly [index: number, units: number])[]) => ({
  lines: wanted.map(([index, units]) => ({ index, units })),
});

describe('a refund', () => {
  test('of another amount than its units were sold for stands', async () => {
    const sale = await aSoldPair();
    const back = refund(sale, 4_000, { lines: [{ index: 0, units: 1 }] });
    await reviewed(back, 'refund_differs', { recorded: 4_000, expected: 4_500 });
    expect(await saleOf(sale)).toMatchObject({ refunded: 4_000, refunds: [{ amount: 4_000 }] });
    expect((await report()).figures?.methods[0]).toMatchObject({ refunds: 4_000, expected: 5_000 });
  });

  test('of a sale whose order was reopened meanwhile is cash that was paid out', async () => {
    const { id } = await placed(world, anOrder());
    const teller = await signInAs(world, 'manager');
    const { total } = await changed(world, teller, id, 'finalize', { payment_method: 'cash', revision: 1 });
    await changed(world, owner, id, 'reopen', { revision: 2 });
    await reviewed(refund(id, total, { all: true }), 'refund_of_other', { amount: total });
    const { cash_movements: movements } = await report();
    expect(movements).toMatchObject([{ kind: 'pay_out', amount: total }]);
  });

  test('of more than is left is cash that was paid out', async () => {
    const sale = await aSoldPair();
    await sendWell(refund(sale, 9_000, { all: true }));
    await reviewed(refund(sale, 9_000, { all: true }), 'refund_beyond', {
      ...{ amount: 9_000, left: 0 },
    });
    expect(await saleOf(sale)).toMatchObject({ total: 9_000, refunded: 9_000 });
    const { cash_movements: moved, figures } = await report();
    expect(moved).toMatchObject([{ kind: 'pay_out', amount: 9_000 }]);
    expect(figures?.methods[0]).toMatchObject({ sales: 9_000, refunds: 9_000, expected: -9_000 });
  });

  test('of too much gives the sale back, and the rest is paid out', async () => {
    const sale = await aSoldPair();
    const back = refund(sale, 10_000, { all: true });
    await reviewed(back, 'refund_beyond', { amount: 10_000, left: 9_000 });
    expect(await codesOf(back)).toEqual(['refund_beyond', 'refund_differs']);
    expect(await saleOf(sale)).toMatchObject({ refunded: 9_000 });
    expect((await report()).cash_movements).toMatchObject([{ kind: 'pay_out', amount: 1_000 }]);
  });

  test('of more than is left, told under another event, counts once', async () => {
    const sale = await aSoldPair();
    await sendWell(refund(sale, 9_000, { all: true }));
    const again = refund(sale, 9_000, { all: true });
    expect(await send(again)).toEqual(['review: refund_beyond']);
    expect(await send({ ...again, id: newId() })).toEqual(['already']);
    await reviewed({ ...again, id: newId(), data: { ...again.data, amount: 8_000 } }, 'id_taken');
    expect((await report()).cash_movements).toHaveLength(1);
  });

  test('of units that others gave back meanwhile takes those that are left, and the rest is paid out', async () => {
    const sale = await aSoldPair();
    await sendWell(refund(sale, 4_500, lines([0, 1])));
    const back = refund(sale, 9_000, lines([0, 2]));
    await reviewed(back, 'refund_beyond', { amount: 9_000, left: 4_500 });
    expect(await codesOf(back)).toEqual(['refund_beyond']);
    expect(await saleOf(sale)).toMatchObject({ refunded: 9_000 });
    expect((await report()).cash_movements).toMatchObject([{ kind: 'pay_out', amount: 4_500 }]);
  });

  test('of one of two combos, which go back only together, is taken off what the sale has left', async () => {
    const sale = await soldMeals();
    await reviewed(refund(sale, MEAL, lines([0, 1])), 'refund_units', { amount: MEAL });
    expect(await saleOf(sale)).toMatchObject({ refunded: MEAL, refunds: [{ amount: MEAL, lines: [] }] });
    const rest = refund(sale, 2 * MEAL + 9_000, { all: true });
    await reviewed(rest, 'refund_beyond', { amount: 2 * MEAL + 9_000, left: MEAL + 9_000 });
    const after = await saleOf(sale);
    expect(after).toMatchObject({ refunded: after.total });
    expect(taxOf(after.refunds)).toBe(after.tax_amount);
    const { cash_movements: moved, figures } = await report();
    expect(moved).toMatchObject([{ kind: 'pay_out', amount: MEAL }]);
    expect(figures?.methods.find(({ method }) => method === 'cash')).toMatchObject({
      ...{ refunds: after.total, expected: -after.total - MEAL },
    });
  });

  test('of lines of which some can go back takes those, for all the money', async () => {
    const sale = await soldMeals();
    await reviewed(refund(sale, MEAL + 9_000, lines([0, 1], [1, 2])), 'refund_units', { amount: MEAL });
    expect(await saleOf(sale)).toMatchObject({
      refunds: [{ amount: MEAL + 9_000, lines: [{ index: 1, units: 2, amount: 9_000 }] }],
    });
    const rest = refund(sale, MEAL, lines([0, 2]));
    expect(await send(rest)).toEqual(['review: refund_differs']);
    const after = await saleOf(sale);
    expect(after).toMatchObject({ refunded: 2 * MEAL + 9_000 });
    expect(taxOf(after.refunds)).toBe(after.tax_amount);
  });

  test('in odd parts without units gives back the tax of the sale, and no more', async () => {
    const sale = await soldMeals();
    for (const amount of [7_001, 3_333, 12_345]) await send(refund(sale, amount, lines([7, 1])));
    await send(refund(sale, 2 * MEAL + 9_000, { all: true }));
    const after = await saleOf(sale);
    expect(after.refunds.map(({ tax_amount: tax }) => tax)).toEqual([860, 409, 1_516, 1_759]);
    expect(taxOf(after.refunds)).toBe(after.tax_amount);
  });

  test('of a line that has not come yet leaves the line on its bill when it comes', async () => {
    const event = eventsOf(world, 'manager', world.now - HOUR);
    const [ticket, sale] = [newId(), newId()];
    const round = () =>
      event('round', { ticket_id: ticket, round_id: newId(), items: [recordedLine(1, newId())] });
    const open = event('ticket_open', { ticket_id: ticket });
    const [first, late] = [round(), round()];
    const bill = { ticket_id: ticket, sale_id: sale, total: 9_000, payments: paid(9_000), till_id: till };
    const settle = event('ticket_settle', bill);
    await sendWell(open, first);
    expect(await send(settle)).toEqual(['review: total_differs']);
    await reviewed(refund(sale, 4_500, lines([1, 1])), 'refund_units', { amount: 4_500 });
    await sendWell(late);
    expect(await saleOf(sale)).toMatchObject({ refunded: 4_500, recorded_difference: 0, total: 9_000 });
  });

  test('by a method that the shop does not have is in review', async () => {
    const sale = await aSoldPair();
    await reviewed(refund(sale, 9_000, { all: true, method: 'bitcoin' }), 'method_unknown', {
      method: 'bitcoin',
    });
    expect(await saleOf(sale)).toMatchObject({ refunded: 9_000 });
  });

  test('of a sale without lines, as of a voided bill that was paid, is all of it, by staff as by a device', async () => {
    const floor = ticketsBy(world, owner);
    const soldVoid = async () => {
      const live = await floor.open({ items: coffees(2) });
      await floor.void(live);
      const money = { total: 9_000, payments: paid(9_000), till_id: till };
      const settle = { ticket_id: live.id, sale_id: newId(), ...money };
      expect(await send(eventsOf(world, 'manager', world.now - HOUR)('ticket_settle', settle))).toEqual([
        'review: ticket_ended',
      ]);
      const { order_id: id } = await floor.get(live.id);
      expect(id).toBe(settle.sale_id);
      return settle.sale_id;
    };
    const [byStaff, byDevice] = [await soldVoid(), await soldVoid()];
    const back = { all: true, method: 'card', reason: 'mistake' };
    const ask = () => post(world, `/staff/sales/${byStaff}/refund`, back, { ...owner });
    expect(done('refundSale', await ask())).toMatchObject({ refunded: 9_000, refunds: [{ lines: [] }] });
    expect(refusalOf(await ask()).code).toBe('ALREADY_REFUNDED');
    await sendWell(refund(byDevice, 9_000, { all: true }));
    expect(await saleOf(byDevice)).toMatchObject({ refunded: 9_000 });
  });
});
