/** Rewards in quotes and orders over HTTP (Decisions 11). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aStaffedShop, changed, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { derivedId } from '../../src/shopfile/app/entity-ids.ts';
import { aMenu, openShops, shopId, thingId } from '../support/shops/cafe.ts';
import { anOrder, placed, refused, refusedAndNothing, type OrderInput } from '../support/people/guests.ts';
import {
  aMember,
  aProgramme,
  balanceOf,
  entriesOfSales,
  quotedWith,
  refusedQuote,
  type MemberGuest,
} from '../support/people/reward-members.ts';

const MENU: ShopFile['menu'] = {
  categories: [...(aMenu().categories ?? []), { key: 'cakes', name: { ar: 'كيك', en: 'Cakes' } }],
  items: [
    ...(aMenu().items ?? []),
    { key: 'cake', name: { ar: 'كيكة', en: 'Cake' }, category: 'cakes', price: 6000 },
  ],
  combos: [
    {
      ...{ key: 'meal', name: { ar: 'وجبة', en: 'Meal' }, category: 'coffee', price: 9000 },
      slots: [{ key: 'drink', name: { ar: 'مشروب', en: 'Drink' }, choices: [{ item: 'turkish' }] }],
    },
  ],
};

const COFFEE = thingId('item', 'turkish');
const CAKE = thingId('item', 'cake');
const FREE_COFFEE = thingId('reward', 'coffee');
const ANYTHING = thingId('reward', 'any');

let world: World;
let staff: SignedIn;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop(undefined, { menu: MENU, loyalty: aProgramme() }));
  await setCredentials(world);
  staff = await signInAs(world, 'owner');
});
afterAll(() => world.close());

const coffees = (quantity: number) => ({ menu_item_id: COFFEE, quantity });
const reward = (reward_id: string, line_index = 0, units = 1) => ({ reward_id, line_index, units });

const orderOfMember = (member: MemberGuest, more: Partial<OrderInput> = {}): OrderInput =>
  anOrder({
    ...{ customer_phone: member.typed, member_token: member.memberToken, device_token: member.deviceToken },
    ...more,
  });

/** The slot of the meal. */
const slotId = (): string => {
  const meal = thingId('combo', 'meal');
  return derivedId(shopId(), 'slot', meal, { key: 'drink' });
};

describe('a reward in an order', () => {
  test('is quoted, redeemed with the order, and the rest earns points on delivery', async () => {
    const member = await aMember(world, 25);
    const body = { items: [coffees(3)], member_token: member.memberToken, rewards: [reward(FREE_COFFEE)] };
    const quote = await quotedWith(world, body, member.deviceToken);
    expect(quote).toMatchObject({
      lines: [{ quantity: 3, line_total: 9000, reward_units: 1, reward_discount: 4500 }],
      ...{ items_total: 9000, total: 9000, reward_cost: 10, balance_after: 15 },
      rewards: [{ reward_id: FREE_COFFEE, line_index: 0, units: 1, discount: 4500, cost: 10 }],
      loyalty: {
        mode: 'points',
        balance: 25,
        earns: 90,
        balance_after_delivery: 105,
        points_to_next_reward: 5,
      },
    });
    const order = await placed(
      world,
      orderOfMember(member, {
        items: body.items,
        rewards: body.rewards,
        quoted_total: 9000,
        quoted_reward_cost: 10,
      }),
    );
    expect(order).toMatchObject({ total: 9000, reward_cost: 10, cart: { loyalty: { earns: 90 } } });
    expect(await balanceOf(world, member.cardId)).toBe(15);
    await changed(world, staff, order.id, 'finalize', { payment_method: 'cash', from: 'received' });
    await changed(world, staff, order.id, 'finalize', { payment_method: 'cash', from: 'received' });
    expect(await balanceOf(world, member.cardId)).toBe(105);
    expect(await entriesOfSales(world, member.cardId)).toEqual([
      { kind: 'redeem', source: 'redemption', amount: -10 },
      { kind: 'earn', source: 'sale', amount: 90 },
    ]);
  });

  test('that no longer costs what the quote said is QUOTE_CHANGED with its cost, and takes nothing', async () => {
    const member = await aMember(world, 25);
    const order = orderOfMember(member, { items: [coffees(3)], rewards: [reward(FREE_COFFEE)] });
    for (const quoted_reward_cost of [0, 9, 11, 2_147_483_647])
      expect(await refusedAndNothing(world, { ...order, quoted_reward_cost })).toMatchObject({
        ...{ status: 409, code: 'QUOTE_CHANGED', vars: { total: 9000, delivery_fee: 0, reward_cost: 10 } },
      });
    expect(await balanceOf(world, member.cardId)).toBe(25);
    for (const quoted_reward_cost of [1, 10]) {
      const plain = orderOfMember(member, { items: [coffees(3)], quoted_reward_cost });
      expect(await refusedAndNothing(world, plain)).toMatchObject({ vars: { reward_cost: 0 } });
    }
    await placed(world, { ...order, quoted_total: null, quoted_reward_cost: 10 });
    expect(await balanceOf(world, member.cardId)).toBe(15);
  });

  test.each(['received', 'confirmed'] as const)('comes back once when staff end it from %s', async (from) => {
    const member = await aMember(world, 10);
    const order = await placed(world, orderOfMember(member, { rewards: [reward(FREE_COFFEE)] }));
    expect(await balanceOf(world, member.cardId)).toBe(0);
    if (from === 'confirmed')
      await changed(world, staff, order.id, 'move', { to: 'confirmed', from: 'received' });
    for (let times = 0; times < 3; times++)
      await changed(world, staff, order.id, 'cancel', { reason: 'too_busy', from });
    expect(await balanceOf(world, member.cardId)).toBe(10);
    expect(await entriesOfSales(world, member.cardId)).toEqual([
      { kind: 'redeem', source: 'redemption', amount: -10 },
      { kind: 'reversal', source: 'void', amount: 10 },
    ]);
  });

  test('needs a device token that proves the phone, where the branch asks for no codes', async () => {
    const member = await aMember(world, 100);
    const other = await aMember(world, 100);
    const order = orderOfMember(member, { rewards: [reward(FREE_COFFEE)] });
    const without = { ...order, device_token: null };
    expect(await refusedAndNothing(world, without)).toMatchObject({
      status: 401,
      code: 'PHONE_NOT_VERIFIED',
    });
    expect(await refused(world, { ...order, device_token: other.deviceToken })).toMatchObject({
      status: 401,
    });
    const quote = await quotedWith(world, {
      items: [coffees(1)],
      member_token: member.memberToken,
      rewards: [reward(FREE_COFFEE)],
    });
    expect(quote).toMatchObject({ total: 4500, reward_cost: 0, rewards_need_proof: true, rewards: [] });
  });

  test('without a card is refused by the name of the missing field', async () => {
    const order = anOrder({ rewards: [reward(FREE_COFFEE)] });
    expect(await refused(world, order)).toMatchObject({ status: 400, fields: [{ path: 'member_token' }] });
    const quote = await quotedWith(world, { items: [coffees(1)], rewards: [reward(FREE_COFFEE)] });
    expect(quote).toMatchObject({
      total: 4500,
      rewards_need_proof: true,
      loyalty: null,
      balance_after: null,
    });
  });

  test('the tracking link tells what the order earns, and no balance', async () => {
    const member = await aMember(world, 987_654);
    const items = [coffees(2)];
    const order = await placed(world, orderOfMember(member, { items, rewards: [reward(FREE_COFFEE)] }));
    const address = `/public/delivery-orders/${order.id}/track`;
    const before = await world.get(address);
    expect(before.body).toMatchObject({
      rewards: [{ name: 'قهوة هدية', units: 1 }],
      loyalty: { mode: 'points', earns: 45, earned: null },
      items: [{ quantity: 2, reward_units: 1, line_total: 4500 }],
    });
    // An id may have these digits.
    expect(before.text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')).not.toContain('987');
    await changed(world, staff, order.id, 'finalize', { payment_method: 'cash', from: 'received' });
    expect((await world.get(address)).body).toMatchObject({ loyalty: { earns: 45, earned: 45 } });
  });

  test('without proof, a quote with a card still says what the order earns', async () => {
    const member = await aMember(world, 3);
    const quote = await quotedWith(world, { items: [coffees(1)], member_token: member.memberToken });
    expect(quote).toMatchObject({
      ...{ reward_cost: 0, balance_after: 3 },
      loyalty: {
        ...{ balance: 3, earns: 45, balance_after_delivery: 48, points_to_next_reward: 2 },
        next_reward: { name: 'قهوة هدية', name_translations: { en: 'A free coffee' }, cost: 10 },
      },
    });
    expect(quote).not.toHaveProperty('reward_hints');
    expect(quote).not.toHaveProperty('rewards_need_proof');
  });

  test('hints name where a reward saves most, for a proven card', async () => {
    const member = await aMember(world, 60);
    const items = [coffees(1), { menu_item_id: CAKE, quantity: 1 }];
    const body = { items, member_token: member.memberToken, hints: true };
    expect(await quotedWith(world, body, member.deviceToken)).toMatchObject({
      reward_hints: [
        { reward_id: ANYTHING, line_index: 1, cost: 50, saving: 6000 },
        { reward_id: FREE_COFFEE, line_index: 0, cost: 10, saving: 4500 },
      ],
    });
  });

  const MEAL = {
    ...{ menu_item_id: thingId('combo', 'meal'), quantity: 1 },
    combo: { picks: [{ slot_id: slotId(), menu_item_id: COFFEE }] },
  };
  test.each<[string, number, Pick<OrderInput, 'items' | 'rewards'>, object]>([
    [
      ...(['a reward on a combo', 100] as const),
      { items: [MEAL], rewards: [reward(ANYTHING)] },
      { status: 409, code: 'REWARD_IN_COMBO' },
    ],
    [
      ...(['a balance that is too small', 9] as const),
      { items: [coffees(1)], rewards: [reward(FREE_COFFEE)] },
      { status: 409, code: 'REWARD_UNAVAILABLE', vars: { balance: 9, cost: 10 } },
    ],
    [
      ...(['an item that the reward does not pay for', 100] as const),
      { items: [{ menu_item_id: CAKE, quantity: 1 }], rewards: [reward(FREE_COFFEE)] },
      { status: 400, fields: [{ path: 'rewards[0].line_index' }] },
    ],
    [
      ...(['a reward that is not on offer', 100] as const),
      { items: [coffees(1)], rewards: [reward(COFFEE)] },
      { status: 409, code: 'REWARD_UNAVAILABLE', vars: { reward_id: COFFEE } },
    ],
  ])('is refused by quote and order alike: %s', async (_, balance, cart, refusal) => {
    const member = await aMember(world, balance);
    const body = { ...cart, member_token: member.memberToken };
    expect(await refusedQuote(world, body, member.deviceToken)).toMatchObject(refusal);
    expect(await refusedAndNothing(world, orderOfMember(member, cart))).toMatchObject(refusal);
  });

  test('a token of no card is 404 for quote and order', async () => {
    const body = { items: [coffees(1)], member_token: `M${'x'.repeat(22)}` };
    expect(await refusedQuote(world, body)).toMatchObject({ status: 404 });
    expect(await refused(world, anOrder({ member_token: body.member_token }))).toMatchObject({ status: 404 });
  });
});
