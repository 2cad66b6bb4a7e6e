/** Events of devices that are odd in themselves (Decisions 13): moments, ids, lines and permissions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { aStaffedWorld, changed, pairedTill, signInAs, type SignedIn } from '../support/people/staff.ts';
import { aTicket, ticketsBy } from '../support/people/tickets.ts';
import { done, post } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId, thingId } from '../support/shops/cafe.ts';
import {
  eventsOf,
  outcomesOf,
  paid,
  recordedCoffees,
  recordedLine,
  replayed,
} from '../support/sync/device-events.ts';
import { pull } from '../support/sync/replica.ts';
import { reviewsBy } from '../support/sync/reviews.ts';

const HOUR = 60 * 60_000;
const COFFEE = 4_500;

let world: World;
let owner: SignedIn;
let device: SignedIn;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  owner = await signInAs(world, 'owner');
  ({ device } = await pairedTill(world));
});
afterAll(() => world.close());

const sent = async (...events: readonly unknown[]) => outcomesOf(await replayed(world, device, events));
const saleOf = async (id: string) => done('getSale', await world.get(`/staff/sales/${id}`, owner));
const event = (...[kind, data]: Parameters<ReturnType<typeof eventsOf>>) =>
  eventsOf(world, 'manager', world.now - HOUR)(kind, data);

const coffees = (units: number) => ({
  ...{ sale_id: newId(), items: recordedCoffees(units), total: units * COFFEE },
  payments: paid(units * COFFEE, 'card'),
});
const refundOf = (sale_id: string, amount: number, refund_id = newId()) =>
  event('refund', {
    ...{ refund_id, sale_id, lines: [{ index: 0, units: 1 }], method: 'card', amount, reason: 'quality' },
  });

test('a sale of the first year of a clock that was never set is in the books, in review', async () => {
  const data = coffees(1);
  const sale = { ...event('sale', data), at: '0001-01-01T00:00:00+14:00' };
  expect(await sent(sale)).toEqual(['review: long_ago']);
  expect(await saleOf(data.sale_id)).toMatchObject({ total: COFFEE });
});

test('an event that names one id for its sale and its till is put aside after a day, and holds up no other', async () => {
  const [start, id] = [world.now, newId()];
  const odd = event('refund', {
    ...{
      refund_id: newId(),
      sale_id: id,
      till_id: id,
      all: true,
      method: 'card',
      amount: 0,
      reason: 'quality',
    },
  });
  expect(await sent(odd)).toEqual(['waiting']);
  world.now = start + 25 * HOUR;
  owner = await signInAs(world, 'owner');
  expect(await sent(event('sale', coffees(1)))).toEqual(['applied']);
  expect((await reviewsBy(world, owner)).find((one) => one.id === odd.id)).toMatchObject({
    ...{ outcome: 'review', reasons: [{ code: 'parent_missing' }] },
  });
});

test('another refund under the id of one is in review, and gives nothing; the same one counts once', async () => {
  const [data, id] = [coffees(2), newId()];
  await sent(event('sale', data), refundOf(data.sale_id, COFFEE, id));
  expect(await sent(refundOf(data.sale_id, COFFEE, id))).toEqual(['already']);
  expect(await sent(refundOf(data.sale_id, COFFEE - 1, id))).toEqual(['review: id_taken']);
  expect(await saleOf(data.sale_id)).toMatchObject({ refunded: COFFEE });
});

test('what a device gave beyond the share of its units is missing from what the rest gives back', async () => {
  const data = coffees(2);
  expect(await sent(event('sale', data), refundOf(data.sale_id, 8_000))).toEqual([
    ...['applied', 'review: refund_differs'],
  ]);
  const rest = { all: true, method: 'card', reason: 'quality' };
  const refunded = done('refundSale', await post(world, `/staff/sales/${data.sale_id}/refund`, rest, owner));
  expect(refunded).toMatchObject({ refunded: 2 * COFFEE, refunds: [{ amount: 8_000 }, { amount: 1_000 }] });
});

test('a round counts once under another event; another round under its id, or with a line of another, is in review', async () => {
  const [ticket_id, round_id, line] = [newId(), newId(), recordedLine(1)];
  await sent(event('ticket_open', { ticket_id }), event('round', { ticket_id, round_id, items: [line] }));
  const round = (id: string, ...items: readonly (typeof line)[]) =>
    event('round', { ticket_id, round_id: id, items: [...items] });
  expect(await sent(round(round_id, line))).toEqual(['already']);
  expect(await sent(round(round_id, recordedLine(1)))).toEqual(['review: id_taken']);
  expect(await sent(round(newId(), line))).toEqual(['review: id_taken']);
  const [refused] = await replayed(world, device, [round(newId(), recordedLine(1), line, line)]);
  expect(refused).toMatchObject({
    ...{ outcome: 'refused', code: 'INVALID_INPUT' },
    vars: { fields: [{ path: 'data.items[2].item_id' }] },
  });
});

test('a till that is opened again counts once; with another float under its id it is in review', async () => {
  const till_id = newId();
  const opened = (opening_float: number) => event('till_open', { till_id, opening_float });
  expect(await sent(opened(20_000))).not.toEqual(['review: id_taken']);
  expect(await sent(opened(20_000), opened(50_000))).toEqual(['already', 'review: id_taken']);
});

test('a round that comes after the later void of its ticket is in the audit log, and devices hear of it', async () => {
  const ticket_id = newId();
  const by = eventsOf(world, 'manager', world.now - HOUR);
  const open = by('ticket_open', { ticket_id });
  const round = by('round', { ticket_id, round_id: newId(), items: [recordedLine(2)] });
  await sent(open, by('ticket_void', { ticket_id, reason: 'mistake' }));
  const how = { branchId: branchId(), device };
  const { next: since } = await pull(world, how);
  expect(await sent(round)).toEqual(['applied']);
  const last = (await auditOf(world, ticket_id)).at(-1);
  expect(last?.detail).toMatchObject({ step: 'round', round: 1, lines: 1 });
  expect((await pull(world, how, { since })).changes).toContainEqual(
    expect.objectContaining({ type: 'open_ticket', id: ticket_id, op: 'delete' }),
  );
});

test('a sale of something that has no id is in the books, in review', async () => {
  const data = { ...coffees(1), items: [{ quantity: 1, unit_price: COFFEE }] };
  expect(await sent(event('sale', data))).toEqual(['review: item_unknown']);
  expect(await saleOf(data.sale_id)).toMatchObject({ total: COFFEE });
});

test('a drink of the staff by who may record none, and a discount by who may give none, are in review', async () => {
  const by = eventsOf(world, 'waiter', world.now - HOUR);
  const drink = {
    ...{ sale_id: newId(), total: 0, payments: [] },
    items: [{ ...recordedCoffees(1)[0], quantity: 1, staff_drink: { id: newId(), note: '' } }],
  };
  const permissionsIn = async (one: { readonly id: string }) =>
    (await reviewsBy(world, owner))
      .find(({ id }) => id === one.id)
      ?.reasons.flatMap(({ code, vars }) => (code === 'not_permitted' ? [vars['permission']] : []));
  const drunk = by('sale', drink);
  const [ticket_id, round_id] = [newId(), newId()];
  const settle = by('ticket_settle', {
    ...{ ticket_id, sale_id: newId(), total: COFFEE, payments: paid(COFFEE, 'card'), discount_id: newId() },
  });
  await sent(
    drunk,
    by('ticket_open', { ticket_id }),
    by('round', { ticket_id, round_id, items: [recordedLine(1)] }),
  );
  await sent(settle);
  expect(await permissionsIn(drunk)).toContain('orders.staff_drink.record');
  expect(await permissionsIn(settle)).toContain('tickets.discount');
});

test('a review that was closed while its event waited is open again when that is in the books', async () => {
  const [till_id, data] = [newId(), coffees(1)];
  const sale = event('sale', { ...data, till_id });
  expect(await sent(sale)).toEqual(['waiting']);
  done(
    'closeReview',
    await post(world, `/staff/reviews/${sale.id}/close`, { note: 'rung up by hand' }, owner),
  );
  await sent(event('till_open', { till_id, opening_float: 0 }));
  expect(await saleOf(data.sale_id)).toMatchObject({ total: COFFEE, till_id });
  expect((await reviewsBy(world, owner)).find(({ id }) => id === sale.id)).toMatchObject({
    ...{ status: 'open', reasons: [{ code: 'closed_while_waiting' }] },
  });
});

test('an id that something else has makes nothing, and what has it goes on', async () => {
  const open = done('openTicket', await post(world, '/staff/tickets', aTicket(), owner));
  const made = coffees(1);
  await sent(event('sale', made));
  const opened = newId();
  await sent(event('ticket_open', { ticket_id: opened }));
  expect(await sent(event('sale', { ...coffees(1), sale_id: open.id }))).toEqual(['review: id_taken']);
  const money = { total: COFFEE, payments: paid(COFFEE, 'card') };
  const under = { ticket_id: opened, sale_id: open.id, ...money };
  expect(await sent(event('ticket_settle', under))).toEqual(['review: id_taken']);
  expect(await sent(event('ticket_open', { ticket_id: made.sale_id }))).toEqual(['review: id_taken']);
  expect(await ticketsBy(world, owner).settle(open)).toMatchObject({ status: 'settled' });
  const own = { ticket_id: opened, sale_id: opened, total: 0, payments: [] };
  expect(await sent(event('ticket_settle', own))).toEqual(['applied']);
});

test('an online order is delivered at the server: a sale or a ticket of its id is in review', async () => {
  const items = [{ menu_item_id: thingId('item', 'turkish'), quantity: 1 }];
  const { id } = await placed(world, anOrder({ branch_id: branchId(), items }));
  expect(await sent(event('sale', { ...coffees(1), sale_id: id }))).toEqual(['review: id_taken']);
  expect(await sent(event('ticket_open', { ticket_id: id }))).toEqual(['review: id_taken']);
  await changed(world, owner, id, 'finalize', { payment_method: 'cash', from: 'received' });
  expect(await saleOf(id)).toMatchObject({ source: 'online' });
});

test.each<[string, (data: ReturnType<typeof coffees>) => object]>([
  ['other payments', (data) => ({ payments: paid(data.total, 'cash') })],
  ['another till', () => ({ till_id: null })],
  ['other prices', ({ items }) => ({ items: items.map((item) => ({ ...item, unit_price: COFFEE + 1 })) })],
])('a sale with %s under a known id is another one', async (_, more) => {
  const data = coffees(2);
  await sent(event('sale', data));
  expect(await sent(event('sale', data))).toEqual(['already']);
  expect(await sent(event('sale', { ...data, ...more(data) }))).toEqual(['review: id_taken']);
});

test('a round with other quantities under a known id is another one', async () => {
  const [ticket_id, round_id, line] = [newId(), newId(), recordedLine(1)];
  await sent(event('ticket_open', { ticket_id }), event('round', { ticket_id, round_id, items: [line] }));
  const more = { ticket_id, round_id, items: [{ ...line, quantity: 7 }] };
  expect(await sent(event('round', more))).toEqual(['review: id_taken']);
});
