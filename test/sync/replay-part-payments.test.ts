/** Bills that were paid in parts and change by what devices recorded meanwhile (Decisions 13): a person looks at them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import {
  aStaffedShop,
  pairedTill,
  setCredentials,
  signInAs,
  type SignedIn,
} from '../support/people/staff.ts';
import { coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { done, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aMenu, openShops, thingId } from '../support/shops/cafe.ts';
import {
  eventsOf,
  outcomesOf,
  paid as paidBy,
  recordedLine,
  replayed,
  type DeviceEvent,
} from '../support/sync/device-events.ts';
import { expectReview } from '../support/sync/reviews.ts';

const HOUR = 60 * 60_000;

let world: World;
let owner: SignedIn;
let device: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  const discounts = ['friends', 'regulars'].map((key) => ({
    ...{ key, name: { ar: key, en: key }, amount: 1_000 },
    on: [{ channel: 'till' as const }],
  }));
  const three = { key: 'three', name: { ar: '٣ بـ ١١٠', en: 'Three for 110' }, qty: 3, price: 11_000 };
  const menu = {
    ...aMenu(),
    discounts,
    deals: [{ ...three, kind: 'n_for_price' as const, pool: [{ category: 'coffee' }] }],
  };
  await openShops(world, aStaffedShop(undefined, { menu }));
  await setCredentials(world);
  owner = await signInAs(world, 'owner');
  floor = ticketsBy(world, owner);
});
afterAll(() => world.close());
beforeEach(async () => {
  ({ device } = await pairedTill(world));
});

const reviewed = (event: DeviceEvent, vars: object, code = 'paid_beyond') =>
  expectReview(world, { device, owner, event }, code, vars);
const pay = async ({ id, revision }: Ticket, amount: number): Promise<Ticket> => {
  const body = { revision, method: 'card', amount };
  return done('payTicketPart', await post(world, `/staff/tickets/${id}/payments`, body, { ...owner }));
};

/** A table's two bills of a coffee each, 10.00 off both together; of one, 39.00 are paid. */
const twoBills = async () => {
  const opened = await floor.open({ items: [...coffees(1), ...coffees(1)] });
  const whole = await floor.change(opened, { discount_id: thingId('discount', 'friends') });
  const line = whole.items[0]?.id ?? '';
  const own = await floor.split(whole, [{ item_id: whole.items[1]?.id ?? '' }]);
  return { whole, line, paid: await pay(own, 3_900) };
};

test('a line of another bill of the table is void: the discount of both is on the one that was paid', async () => {
  const { line, paid } = await twoBills();
  expect(paid).toMatchObject({ due: 100, bill: { total: 4_000 } });
  const event = eventsOf(world, 'manager', world.now - HOUR);
  await reviewed(event('line_void', { item_id: line, ticket_id: paid.id, reason: 'mistake' }), {
    ...{ ticket_id: paid.id, paid: 3_900, total: 3_500 },
  });
});

test('another bill of the table is void', async () => {
  const { whole, paid } = await twoBills();
  const event = eventsOf(world, 'manager', world.now - HOUR);
  await reviewed(event('ticket_void', { ticket_id: whole.id, reason: 'mistake' }), {
    ...{ ticket_id: paid.id, paid: 3_900, total: 3_500 },
  });
  expect(await floor.get(paid.id)).toMatchObject({ status: 'open', paid: 3_900 });
});

test('a round on one bill brings a deal of which the other has its share', async () => {
  const { whole, paid } = await twoBills();
  const event = eventsOf(world, 'manager', world.now - HOUR);
  const round = { ticket_id: whole.id, round_id: newId(), items: [recordedLine(1, newId())] };
  await reviewed(event('round', round), { ticket_id: paid.id, paid: 3_900, total: 3_334 });
});

test('a device settles one bill with another discount: that of both is on the other alone', async () => {
  const { whole, paid } = await twoBills();
  const event = eventsOf(world, 'manager', world.now - HOUR);
  const own = { discount_id: thingId('discount', 'regulars'), total: 3_500 };
  const settle = { ticket_id: whole.id, sale_id: newId(), payments: paidBy(3_500, 'card'), ...own };
  await reviewed(event('ticket_settle', settle), { ticket_id: paid.id, paid: 3_900, total: 3_500 });
  expect(await floor.get(paid.id)).toMatchObject({ status: 'open', paid: 3_900 });
});

test('a line of a bill that a device settled turns out to be void: the other bill is as it is then', async () => {
  const { whole, line, paid } = await twoBills();
  const event = eventsOf(world, 'manager', world.now - HOUR);
  const voids = event('line_void', { item_id: line, ticket_id: whole.id, reason: 'mistake' });
  const settle = { ticket_id: whole.id, sale_id: newId(), payments: paidBy(4_000, 'card'), total: 4_000 };
  expect(outcomesOf(await replayed(world, device, [event('ticket_settle', settle)]))).toEqual(['applied']);
  await reviewed(voids, { ticket_id: paid.id, paid: 3_900, total: 3_500 });
});

test('payments that come to more than any bill are malformed, and the bills of the table stay readable', async () => {
  const { whole, paid } = await twoBills();
  const event = eventsOf(world, 'manager', world.now - HOUR);
  const payments = [...paidBy(2_147_483_647), ...paidBy(1)];
  const settle = event('ticket_settle', {
    ...{ ticket_id: whole.id, sale_id: newId(), payments, total: 4_000 },
  });
  const [result] = await replayed(world, device, [settle]);
  expect(result).toMatchObject({
    ...{ outcome: 'refused', code: 'INVALID_INPUT', vars: { fields: [{ path: 'data.payments' }] } },
  });
  expect(await floor.get(paid.id)).toMatchObject({ status: 'open', paid: 3_900 });
});

test('a bill of the table that was paid beyond before is told of once', async () => {
  const { whole, line, paid } = await twoBills();
  const event = eventsOf(world, 'manager', world.now - HOUR);
  const voids = event('line_void', { item_id: line, ticket_id: whole.id, reason: 'mistake' });
  await reviewed(voids, { ticket_id: paid.id });
  const ends = event('ticket_void', { ticket_id: whole.id, reason: 'mistake' });
  expect(outcomesOf(await replayed(world, device, [ends]))).toEqual(['applied']);
});

test('a bill that was paid in parts and merged, and that its device settles with what it has taken: nothing is missing', async () => {
  const paid = await pay(await floor.open({ items: coffees(1) }), 4_500);
  await floor.merge(await floor.open({ items: coffees(2) }), paid.id);
  const settle = { ticket_id: paid.id, sale_id: newId(), payments: [], total: 4_500 };
  const event = eventsOf(world, 'manager', world.now - HOUR)('ticket_settle', settle);
  const [result] = await replayed(world, device, [event]);
  expect(result).toMatchObject({ vars: { reasons: [{ code: 'bill_merged', vars: { amount: 0 } }] } });
});

test('a bill that was merged into one which is void, and that its device settles, is told again under another event: once', async () => {
  const merged = await floor.open({ items: coffees(1) });
  const whole = await floor.merge(await floor.open({ items: coffees(2) }), merged.id);
  await floor.void(whole);
  const rewards = [{ reward_id: newId(), item_id: newId(), units: 1 }];
  const settle = {
    ticket_id: merged.id,
    sale_id: newId(),
    payments: paidBy(4_500, 'card'),
    total: 4_500,
    rewards,
  };
  const event = eventsOf(world, 'manager', world.now - HOUR)('ticket_settle', settle);
  const [result] = await replayed(world, device, [event]);
  expect(result).toMatchObject({ vars: { reasons: [{ code: 'ticket_ended' }, { code: 'cuts_left_out' }] } });
  const again = { ...event, id: newId(), at: '2026-11-20T09:00:00Z' };
  expect(outcomesOf(await replayed(world, device, [again]))).toEqual(['already']);
});
