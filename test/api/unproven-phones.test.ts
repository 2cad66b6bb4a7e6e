/** Messages to phones that anybody may have typed, where a branch asks for no code. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOutboxWorker, type OutboxWorker } from '../../src/app/outbox.ts';
import { sendersOf } from '../../src/app/senders.ts';
import { UNPROVEN } from '../../src/domain/outbox.ts';
import { aBranch, aMenu, aShopFile, branchId, openShops, thingId } from '../support/cafe.ts';
import { aGuest, anOrder, placed, proveOn, type Guest, type OrderInput } from '../support/guests.ts';
import { emptyOutbox, handTimers } from '../support/outbox.ts';
import { makeWorld, type World } from '../support/world.ts';

const START = Date.parse('2026-11-20T18:00:00Z');
let world: World;
let worker: OutboxWorker;

beforeAll(async () => {
  world = await makeWorld();
  const branches = [aBranch({ otp_required: false })];
  await openShops(
    world,
    aShopFile({ branches, menu: aMenu() }),
    aShopFile({ slug: 'other', branches, menu: aMenu() }),
  );
  const nothing = () => undefined;
  const poster = { post: () => Promise.reject(new Error('this shop has no webhooks')) };
  worker = createOutboxWorker({
    ...{ ...world.app, timers: handTimers().timers, senders: sendersOf(world.app, poster) },
    log: { info: nothing, warn: nothing },
  });
});
beforeEach(async () => {
  await emptyOutbox(world.db);
  world.phones.messages.length = 0;
  world.now = START;
});
afterAll(async () => {
  await worker.stop();
  await world.close();
});

/** An order, which is told of once. */
const orders = async ({ typed }: Guest, more: Partial<OrderInput> = {}): Promise<string> => {
  const { id } = await placed(world, anOrder({ customer_phone: typed, ...more }));
  await worker.drain();
  return id;
};
const toldTo = ({ phone }: Guest): number =>
  world.phones.messages.filter((message) => message.phone === phone).length;
const manyOrders = async (guest: Guest): Promise<void> => {
  for (let n = 0; n < UNPROVEN.messages; n += 1) await orders(guest);
  expect(toldTo(guest)).toBe(UNPROVEN.messages);
};

test('twenty messages a day go to a phone that nobody proved; what is more is dropped, and says why', async () => {
  const guest = aGuest();
  await manyOrders(guest);
  const id = await orders(guest);
  expect(toldTo(guest)).toBe(UNPROVEN.messages);
  const { status, last_error: reason } = await world.db.kysely
    .selectFrom('outbox')
    .select(['status', 'last_error'])
    .where('subject_id', '=', id)
    .executeTakeFirstOrThrow();
  expect({ status, reason }).toEqual({
    status: 'dropped',
    reason: 'nobody proved the phone, and it got 20 messages of the shop within a day',
  });
});

test('other phones are told, other shops tell, and a day later there is room again', async () => {
  const guest = aGuest();
  await manyOrders(guest);
  const another = aGuest();
  await orders(another);
  expect(toldTo(another)).toBe(1);
  await orders(guest, {
    branch_id: branchId(undefined, 'other'),
    items: [{ menu_item_id: thingId('item', 'turkish', 'other'), quantity: 1 }],
  });
  expect(toldTo(guest)).toBe(UNPROVEN.messages + 1);
  world.now += UNPROVEN.withinMs;
  await orders(guest);
  expect(toldTo(guest)).toBe(UNPROVEN.messages + 2);
});

test('who orders from a device on which the phone is proven is told of everything', async () => {
  const guest = aGuest();
  await manyOrders(guest);
  await orders(guest, { device_token: await proveOn(world, guest) });
  expect(toldTo(guest)).toBe(UNPROVEN.messages + 1);
});
