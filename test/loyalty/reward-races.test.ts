/** Many clients at once on one balance (Decisions 11). */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockWait } from '../support/database/lock-wait.ts';
import { anOrder, place, placed, type Order, type OrderInput } from '../support/people/guests.ts';
import {
  aMember,
  aProgramme,
  balanceOf,
  entriesOfSales,
  type MemberGuest,
} from '../support/people/reward-members.ts';
import { aStaffedShop, change, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops, thingId, shopId } from '../support/shops/cafe.ts';

let world: World;
let owner: SignedIn;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme() }));
  await setCredentials(world);
  owner = await signInAs(world, 'owner');
});
afterAll(() => world.close());

const withReward = (member: MemberGuest): OrderInput =>
  anOrder({
    ...{ customer_phone: member.typed, member_token: member.memberToken, device_token: member.deviceToken },
    rewards: [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }],
  });

const storedOrders = async (member: MemberGuest): Promise<number> => {
  const { rows } = await sql<{ orders: number }>`
    select count(*)::int as orders from delivery_order where customer_phone = ${member.phone}`.execute(
    world.db.kysely,
  );
  return rows[0]?.orders ?? 0;
};

const sumOfEntries = async (member: MemberGuest): Promise<number> => {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(amount), 0)::int as sum from loyalty_entry
    where card_id = ${member.cardId} and mode = 'points'`.execute(world.db.kysely);
  return rows[0]?.sum ?? 0;
};

test('of twenty clients on one reward one gets it, the others REWARD_UNAVAILABLE and no order', async () => {
  const member = await aMember(world, 19);
  const replies = await Promise.all(Array.from({ length: 20 }, () => place(world, withReward(member))));
  const won = replies.filter(({ status }) => status === 201);
  const lost = replies.filter(({ status }) => status !== 201);
  expect(won).toHaveLength(1);
  for (const { status, body } of lost) {
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'REWARD_UNAVAILABLE', vars: { balance: 9, cost: 10 } });
  }
  expect(await storedOrders(member)).toBe(1);
  expect(await balanceOf(world, member.cardId)).toBe(9);
  expect(await entriesOfSales(world, member.cardId)).toEqual([
    { kind: 'redeem', source: 'redemption', amount: -10 },
  ]);
});

test('an order that waits for its customer does not hold the card', async () => {
  const member = await aMember(world, 10);
  const { order } = await world.db.tx(async (tx) => {
    await sql`select from customer where org_id = ${shopId()} and phone = ${member.phone} for update`.execute(
      tx,
    );
    const order = place(world, withReward(member));
    await lockWait(world);
    await sql`select from loyalty_card where org_id = ${shopId()} and id = ${member.cardId} for update nowait`.execute(
      tx,
    );
    return { order };
  });
  expect((await order).status).toBe(201);
});

test('twenty repetitions of one order with a reward under one key redeem it once', async () => {
  const member = await aMember(world, 10);
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => place(world, withReward(member), { 'idempotency-key': 'one reward' })),
  );
  expect(new Set(replies.map(({ body }) => (body as Order).id)).size).toBe(1);
  expect(await balanceOf(world, member.cardId)).toBe(0);
});

test('cancellations and orders with rewards at once leave the sum of the entries as the balance', async () => {
  const member = await aMember(world, 30);
  const first = await placed(world, withReward(member));
  await Promise.all([
    ...Array.from({ length: 6 }, () => place(world, withReward(member))),
    ...Array.from({ length: 6 }, () =>
      change(world, owner, first.id, 'cancel', { reason: 'too_busy', from: 'received' }),
    ),
  ]);
  const entries = await entriesOfSales(world, member.cardId);
  expect(entries.filter(({ kind }) => kind === 'reversal')).toHaveLength(1);
  const balance = await balanceOf(world, member.cardId);
  expect(balance).toBe(await sumOfEntries(member));
  expect(balance).toBe(30 - 10 * ((await storedOrders(member)) - 1));
});

test('of deliveries and cancellations at once the card gets the points or the reward back', async () => {
  const member = await aMember(world, 10);
  const { id } = await placed(world, {
    ...withReward(member),
    items: [{ menu_item_id: thingId('item', 'turkish'), quantity: 2 }],
  });
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0
        ? change(world, owner, id, 'finalize', { payment_method: 'cash', from: 'received' })
        : change(world, owner, id, 'cancel', { reason: 'too_busy', from: 'received' }),
    ),
  );
  expect([45, 10]).toContain(await balanceOf(world, member.cardId));
  expect(await entriesOfSales(world, member.cardId)).toHaveLength(2);
});

test('orders with rewards while their card is combined spend each point once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [older, newer] = [await aMember(world, 10), await aMember(world, 10)];
    const [combined, ...orders] = await Promise.all([
      post(world, `/public/order-now/${newer.memberToken}/combine`, {
        ...{ device_token: newer.deviceToken, new_phone: older.typed },
        new_phone_device_token: older.deviceToken,
      }),
      ...Array.from({ length: 6 }, (_, n) => place(world, withReward(n % 2 === 0 ? newer : older))),
    ]);
    expect(combined.status).toBe(200);
    // A token of the other card may have been looked up before the combination, and its phone compared after it.
    expect(orders.filter(({ status }) => ![201, 401, 409].includes(status))).toEqual([]);
    const placedOrders = orders.filter(({ status }) => status === 201).length;
    const sums = [await sumOfEntries(older), await sumOfEntries(newer)];
    const balances = [await balanceOf(world, older.cardId), await balanceOf(world, newer.cardId)];
    expect(balances).toEqual(sums);
    expect(balances).toEqual([20 - 10 * placedOrders, 0]);
  }
});
