/** Drinks of the staff (Decisions 3, StaffDrinkLine; 12, Staff drink). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { aMember, aProgramme, balanceOf } from '../support/people/reward-members.ts';
import { setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { anOpenTill } from '../support/people/tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, thingId } from '../support/shops/cafe.ts';
import { aKitchenShop, SLOT } from '../support/shops/kitchen-shop.ts';

const DAY = 24 * 60 * 60_000;

let world: World;
let teller: SignedIn;
let tillId: string;

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, { ...aKitchenShop({ staff_drinks_per_day: 3 }), loyalty: aProgramme() });
  await setCredentials(world);
});
afterAll(() => world.close());
/** Every test has a day of its own. */
beforeEach(async () => {
  world.now += DAY;
  teller = await signInAs(world, 'teller');
  tillId = await anOpenTill(world, 'teller');
});

const coffee = (quantity: number, more: object = {}) => ({
  ...{ menu_item_id: thingId('item', 'turkish'), quantity, ...more },
});
const drink = (id = newId()) => ({ staff_drink: { id, note: 'سالي' } });
const asks = (items: object[], amount: number, more: object = {}, who = teller) =>
  post(
    world,
    '/staff/sales',
    { branch_id: branchId(), items, payments: amount === 0 ? [] : [{ method: 'cash', amount }], ...more },
    who,
  );
const sell = async (...asked: Parameters<typeof asks>) => done('sellOverCounter', await asks(...asked));

describe('a drink of the staff', () => {
  test('is free, and shown on the sale, its receipt and its till', async () => {
    const items = [coffee(1), coffee(2, drink())];
    const cart = { branch_id: branchId(), items };
    const quote = done('quoteCounterSale', await post(world, '/staff/cart-quote', cart, teller));
    expect(quote).toMatchObject({
      ...{ total: 4_500, lines: [{ line_total: 4_500 }, { line_total: 0, staff_drink_discount: 9_000 }] },
    });
    const sale = await sell(items, 4_500);
    expect(sale).toMatchObject({
      ...{ total: 4_500, subtotal: 13_500, deal_discount: 0, reward_discount: 0 },
      ...{ staff_drinks: 2, staff_drink_discount: 9_000 },
    });
    const receipt = done('getReceipt', await world.get(`/staff/sales/${sale.id}/receipt?lang=en`, teller));
    expect(receipt.sums).toContainEqual({ label: 'Staff drink', amount: -9_000 });
    const owner = await signInAs(world, 'owner');
    const { figures } = done('getTillReport', await world.get(`/staff/tills/${tillId}/report`, owner));
    expect(figures).toMatchObject({ staff_drinks: 2, staff_drink_discount: 9_000, total: 4_500 });
    const day = `branch_id=${branchId()}&from=${sale.business_date}&to=${sale.business_date}`;
    const report = done('reportDays', await world.get(`/staff/reports/day?${day}`, owner));
    expect(report.total).toMatchObject({ staff_drinks: 2, staff_drink_discount: 9_000, total: 4_500 });
  });

  test('beyond the allowance of the branch is refused with its figures, and nothing has changed', async () => {
    await sell([coffee(2, drink())], 0);
    const refused = refusalOf(await asks([coffee(2, drink())], 0));
    expect(refused).toMatchObject({
      ...{ status: 409, code: 'STAFF_DRINK_ALLOWANCE', vars: { allowed: 3, taken: 2 } },
    });
    await sell([coffee(1, drink())], 0);
    world.now += DAY;
    teller = await signInAs(world, 'teller');
    await sell([coffee(3, drink())], 0);
  });

  test('is one of three a day, however many tills the person sells at at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => asks([coffee(1, drink())], 0)));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 201, 201, ...Array.from({ length: 17 }, () => 409)]);
  });

  test('has one id, which counts once', async () => {
    const one = drink();
    await sell([coffee(1, one)], 0);
    expect(refusalOf(await asks([coffee(1, one)], 0))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'items[0].staff_drink.id' }] },
    });
    expect(refusalOf(await asks([coffee(1, drink(one.staff_drink.id)), coffee(1, one)], 0))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'items[1].staff_drink.id' }] },
    });
  });

  test('needs an id, a plain item and the permission', async () => {
    const nameless = await asks([coffee(1, { staff_drink: { note: 'سالي' } })], 0);
    expect(refusalOf(nameless)).toMatchObject({ status: 400, fields: [{ path: 'items[0].staff_drink.id' }] });
    const meal = {
      ...{ menu_item_id: thingId('combo', 'meal'), quantity: 1, ...drink() },
      combo: {
        picks: [
          { slot_id: SLOT('main'), menu_item_id: thingId('item', 'burger') },
          { slot_id: SLOT('cup'), menu_item_id: thingId('item', 'turkish') },
        ],
      },
    };
    expect(refusalOf(await asks([meal], 0))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'items[0].staff_drink' }] },
    });
    const waiter = await signInAs(world, 'waiter');
    expect(refusalOf(await asks([coffee(1, drink())], 0, {}, waiter))).toMatchObject({ status: 403 });
  });

  test('earns nothing, and no reward pays for it', async () => {
    const { cardId } = await aMember(world, 10);
    await sell([coffee(1, drink())], 0, { member_id: cardId });
    expect(await balanceOf(world, cardId)).toBe(10);
    const rewards = [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }];
    const both = await asks([coffee(1, drink())], 0, { member_id: cardId, rewards });
    expect(refusalOf(both)).toMatchObject({ status: 400, fields: [{ path: 'rewards[0].line_index' }] });
  });
});
