/** What the metrics count of orders and of the outbox. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { outboxSize } from '../../src/messaging/app/outbox-size.ts';
import { openOrders } from '../../src/orders/app/open-orders.ts';
import { at } from '../../src/platform/store/types.ts';
import { addToOutbox } from '../../src/messaging/store/outbox.ts';
import { aMessage, emptyOutbox } from '../support/background/outbox.ts';
import { newId } from '../support/database/ids.ts';
import { anOrder, orderOn, placed } from '../support/people/guests.ts';
import { aStaffedWorld, change, changed, signInAs, type SignedIn } from '../support/people/staff.ts';
import type { World } from '../support/server/world.ts';

let world: World;
let owner: SignedIn;
beforeAll(async () => {
  world = await aStaffedWorld();
  owner = await signInAs(world, 'owner');
});
afterAll(() => world.close());

/** By `channel status`, without zeros. */
const counts = (): Readonly<Record<string, number>> =>
  Object.fromEntries(
    world.app.orderCounts
      .all()
      .filter(({ count }) => count > 0)
      .map(({ channel, status, count }) => [`${channel} ${status}`, count]),
  );

test('an order counts once per status that it reaches, by its channel; what is refused does not count', async () => {
  const { id } = await placed(world, anOrder());
  await placed(world, orderOn('umbrella'));
  expect(counts()).toEqual({ 'pickup received': 1, 'umbrella received': 1 });
  await changed(world, owner, id, 'move', { to: 'confirmed', from: 'received' });
  await changed(world, owner, id, 'prep-time', { extra_prep_minutes: 5, from: 'confirmed' });
  // Already there: nothing changes.
  await changed(world, owner, id, 'move', { to: 'confirmed', from: 'confirmed' });
  expect((await change(world, owner, id, 'move', { to: 'ready', from: 'received' })).status).toBe(409);
  expect(await openOrders(world.app)).toEqual({
    ...{ received: 1, confirmed: 1, preparing: 0, ready: 0, out_for_delivery: 0 },
  });
  await changed(world, owner, id, 'finalize', { payment_method: 'cash', from: 'confirmed' });
  expect(counts()).toEqual({
    ...{ 'pickup received': 1, 'umbrella received': 1 },
    ...{ 'pickup confirmed': 1, 'pickup delivered': 1 },
  });
  expect(await openOrders(world.app)).toMatchObject({ received: 1, confirmed: 0 });
});

test('a delivery that is undone counts as reopened, not as the step that it leads to', async () => {
  const before = counts();
  const { id } = await placed(world, orderOn('umbrella'));
  await changed(world, owner, id, 'finalize', { payment_method: 'card', from: 'received' });
  await changed(world, owner, id, 'reopen', { from: 'delivered' });
  await changed(world, owner, id, 'finalize', { payment_method: 'cash', from: 'confirmed' });
  expect(counts()).toEqual({
    ...before,
    ...{ 'umbrella received': (before['umbrella received'] ?? 0) + 1 },
    ...{ 'umbrella delivered': 2, 'umbrella reopened': 1 },
  });
});

test('rows of the outbox are counted by state: waiting and parked, not those that were sent', async () => {
  await emptyOutbox(world.db);
  onTestFinished(() => emptyOutbox(world.db));
  const rows = [aMessage(newId()), aMessage(newId()), aMessage(newId())];
  await world.db.tx((tx) => addToOutbox(tx, rows, world.now));
  const [parked, sent] = rows;
  for (const [row, status] of [
    [parked, 'parked'],
    [sent, 'sent'],
  ] as const)
    await world.db.kysely
      .updateTable('outbox')
      .set({ status, done_at: at(world.now) })
      .where('id', '=', row?.id ?? '')
      .execute();
  expect(await outboxSize(world.app)).toEqual({ waiting: 1, parked: 1 });
});
