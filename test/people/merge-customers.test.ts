/** POST /staff/customers/{id}/merge. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertOrder } from '../support/database/orders-and-bookings.ts';
import { branchId, openShops, SLUG } from '../support/shops/cafe.ts';
import { aGuest, aMemberOf, anOrder, placed } from '../support/people/guests.ts';
import {
  aMemberWith,
  aProvenGuest,
  balancesOf,
  identityRefused,
  orderNowOf,
  pastOrdersOf,
  proofsOf,
  type CardMember,
} from '../support/people/identity.ts';
import {
  aStaffedShop,
  setCredentials,
  signInAs,
  type SignedIn,
  type StaffReply,
} from '../support/people/staff.ts';
import { cardOf } from '../support/people/members.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
let manager: SignedIn;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop(), aStaffedShop('kashk'));
  await setCredentials(world, SLUG);
  manager = await signInAs(world, 'manager');
});
afterAll(() => world.close());

const ask = (id: string, customer_id: string) =>
  post(world, `/staff/customers/${id}/merge`, { customer_id }, manager);

const mergedInto = async (id: string, other: string): Promise<StaffReply<'mergeCustomers'>> =>
  done('mergeCustomers', await ask(id, other));

const unproven = (member: CardMember) =>
  world.db.kysely
    .updateTable('customer')
    .set({ phone_proven_at: null })
    .where('id', '=', member.customerId)
    .execute();

const ownerOf = async (cardId: string): Promise<string> => {
  const { customer_id } = await world.db.kysely
    .selectFrom('loyalty_card')
    .select('customer_id')
    .where('id', '=', cardId)
    .executeTakeFirstOrThrow();
  return customer_id;
};

describe('staff who combine two customers', () => {
  test('get the older card with both balances, under the phone of the path', async () => {
    const [older, newer] = [
      await aMemberWith(world, { points: 20 }),
      await aMemberWith(world, { points: 5, visits: 1 }, 'هدى علي'),
    ];
    expect(await mergedInto(newer.customerId, older.customerId)).toEqual({
      ...{ customer_id: older.customerId, card_id: older.cardId, first_name: 'هدى' },
      ...{ phone_hint: `•••• ${newer.phone.slice(-4)}`, points: 25, visits: 1 },
    });
    expect(await balancesOf(world, newer.cardId)).toEqual({ points: 0, visits: 0 });
    expect((await orderNowOf(world, newer.token, newer.device)).full?.name).toBe('هدى علي');
  });

  test('keep a proven phone before one that was only typed', async () => {
    const [proven, typed] = [await aMemberWith(world), await aMemberWith(world)];
    await placed(world, anOrder({ customer_phone: proven.typed, device_token: proven.device }));
    await unproven(typed);
    const { phone_hint } = await mergedInto(typed.customerId, proven.customerId);
    expect(phone_hint).toBe(`•••• ${proven.phone.slice(-4)}`);
  });

  test('find the card by its code, also an older one of a phone that was only typed', async () => {
    const members = '/staff/loyalty/members';
    const typed = { branch_id: branchId(), name: 'Mona', phone: aGuest().typed };
    const { id: older } = done('joinLoyaltyMember', await post(world, members, typed, manager));
    const newer = await aMemberWith(world, { points: 5 });
    expect((await mergedInto(newer.customerId, await ownerOf(older))).card_id).toBe(older);
    const { member_code: code } = await cardOf(world, newer.token);
    const query = new URLSearchParams({ branch_id: branchId(), code: code ?? '' }).toString();
    const found = await world.get(`${members}?${query}`, { ...manager });
    expect(done('findLoyaltyMember', found)).toMatchObject({ id: older, balance: 5 });
  });

  test('of phones that were only typed keep the orders that were placed with either card', async () => {
    const [older, newer] = [await aMemberWith(world), await aMemberWith(world)];
    await unproven(older);
    await unproven(newer);
    await mergedInto(older.customerId, newer.customerId);
    // Placed at the moment of the combination.
    const id = await insertOrder(world, { row: { customer_id: older.customerId, card_id: newer.cardId } });
    expect((await pastOrdersOf(world, older.token)).map((order) => order.id)).toEqual([id]);
  });

  test('who repeat the request get the same answer', async () => {
    const [older, newer] = [await aMemberWith(world, { points: 20 }), await aMemberWith(world)];
    const first = await mergedInto(older.customerId, newer.customerId);
    expect(await mergedInto(older.customerId, newer.customerId)).toEqual(first);
    expect(await mergedInto(newer.customerId.toUpperCase(), older.customerId)).toEqual(first);
  });

  test('may combine a third card at once, which a guest may not', async () => {
    const [first, second, third] = [
      await aMemberWith(world, { points: 1 }),
      await aMemberWith(world, { points: 2 }),
      await aMemberWith(world, { points: 4 }),
    ];
    await mergedInto(second.customerId, third.customerId);
    const asked = proofsOf(first, second);
    expect(await identityRefused(world, 'combine', first.token, asked)).toMatchObject({
      code: 'IDENTITY_LOCKED_AFTER_MERGE',
    });
    // By the id of the customer who was combined already.
    expect(await mergedInto(first.customerId, third.customerId)).toMatchObject({
      ...{ customer_id: first.customerId, points: 7 },
    });
  });

  test('may combine customers without cards', async () => {
    const guests = [await aProvenGuest(world), await aProvenGuest(world)];
    const ids: string[] = [];
    for (const { typed, device } of guests) {
      const order = await placed(world, anOrder({ customer_phone: typed, device_token: device }));
      ids.push(order.customer_id ?? '');
    }
    expect(await mergedInto(ids[0] ?? '', ids[1] ?? '')).toMatchObject({
      ...{ customer_id: ids[0], card_id: null, points: 0, visits: 0 },
    });
  });

  test('of a customer with themselves is NOTHING_TO_COMBINE', async () => {
    const { customerId } = await aMemberWith(world);
    expect(refusalOf(await ask(customerId, customerId))).toMatchObject({
      ...{ status: 409, code: 'NOTHING_TO_COMBINE' },
    });
  });

  test('of another shop or unknown is 404', async () => {
    const { customerId } = await aMemberWith(world);
    for (const stranger of [await aMemberOf(world, 'kashk'), world.app.random.uuid()])
      for (const [id, other] of [
        [customerId, stranger],
        [stranger, customerId],
      ] as const)
        expect(refusalOf(await ask(id, other)).status).toBe(404);
  });

  test('at once, 20 times from both sides, combine once', async () => {
    const [older, newer] = [
      await aMemberWith(world, { points: 20 }),
      await aMemberWith(world, { points: 3 }),
    ];
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? ask(older.customerId, newer.customerId) : ask(newer.customerId, older.customerId),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(await balancesOf(world, older.cardId)).toEqual({ points: 23, visits: 0 });
    const audited = await world.db.kysely
      .selectFrom('audit')
      .select('detail')
      .where('subject_id', '=', older.customerId)
      .where('action', '=', 'customer.combined')
      .execute();
    expect(audited).toEqual([{ detail: { customer_id: newer.customerId } }]);
  });
});
