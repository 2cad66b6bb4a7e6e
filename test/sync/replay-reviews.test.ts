/** Sales of devices that a person looks at (Decisions 13): they are in the books as they happened, with a reason. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import type { SaleEventData } from '../../src/sales/contract/events.ts';
import { newId } from '../support/database/ids.ts';
import { storedAvailability } from '../support/database/stored-rows.ts';
import { aMember, aProgramme, balanceOf, entriesOfSales } from '../support/people/reward-members.ts';
import {
  aMember as aColleague,
  aStaffedShop,
  pairedTill,
  personId,
  setCredentials,
  signInAs,
  type Person,
  type SignedIn,
} from '../support/people/staff.ts';
import { signedVoucher } from '../support/people/vouchers.ts';
import { withoutTills } from '../support/people/tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';
import {
  eventsOf,
  outcomesOf,
  paid,
  recordedCoffees,
  replayed,
  type DeviceEvent,
} from '../support/sync/device-events.ts';
import { expectListed, expectReview } from '../support/sync/reviews.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Item = NonNullable<ShopFile['menu']['items']>[number];
const anItem = (key: string, price: number, more: Partial<Item> = {}): Item => ({
  ...{ key, name: { ar: `صنف ${key}`, en: key }, category: 'coffee', price, ...more },
});
const TURKISH = anItem('turkish', 4_500);
const CAKE = anItem('cake', 3_000, { availability: [{ branch: 'zamalek', stock: 1 }] });
const LATTE = anItem('latte', 6_000);

/** Five drinks of the staff a day, one cake left; `nadia` is a teller. */
const aCafe = (items = [TURKISH, CAKE, LATTE], isNadiaHere = true): ShopFile => {
  const shop = aStaffedShop(undefined, {
    loyalty: aProgramme(),
    menu: { categories: [{ key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' } }], items },
  });
  const nadia = isNadiaHere ? [aColleague('nadia', 'teller', { branches: ['zamalek'] })] : [];
  return {
    ...shop,
    branches: shop.branches.map((branch) => ({ ...branch, staff_drinks_per_day: 5 })),
    staff: [...(shop.staff ?? []), ...nadia],
  };
};

let world: World;
let owner: SignedIn;
let device: SignedIn;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aCafe());
  await setCredentials(world);
});
afterAll(() => world.close());
/** Every test has a day of its own. */
beforeEach(async () => {
  world.now += DAY;
  await openShops(world, aCafe());
  await withoutTills(world, 'manager');
  owner = await signInAs(world, 'owner');
  ({ device } = await pairedTill(world));
});

type SaleData = SaleEventData['sale'];

/** One coffee, paid by card. */
const aSale = (more: Partial<SaleData> = {}, by: Person = 'manager', at = world.now - HOUR): DeviceEvent => {
  const { total = 4_500 } = more;
  const data = { sale_id: newId(), items: recordedCoffees(1), total, payments: paid(total, 'card') };
  return eventsOf(world, by, at)('sale', { ...data, ...more }, at);
};
const reviewed = (event: DeviceEvent, code: string, vars: object = {}) =>
  expectReview(world, { device, owner, event }, code, vars);
const sent = async (...events: readonly DeviceEvent[]) => outcomesOf(await replayed(world, device, events));
const saleOf = async ({ data }: Pick<DeviceEvent, 'data'>) => {
  const { sale_id: id } = data as SaleData;
  return done('getSale', await world.get(`/staff/sales/${id}`, { ...owner }));
};
const reportOf = async (id: string) =>
  done('getTillReport', await world.get(`/staff/tills/${id}/report`, { ...owner }));
const sold = (key: string, quantity: number, unit_price: number) => [
  { menu_item_id: thingId('item', key), quantity, unit_price },
];

/** A till of the manager that was opened an hour and a half ago. */
const aTill = async (): Promise<string> => {
  const id = newId();
  const at = world.now - 1.5 * HOUR;
  await sent(eventsOf(world, 'manager', at)('till_open', { till_id: id, opening_float: 0 }, at));
  return id;
};

describe('a price', () => {
  test('that was never on stands', async () => {
    const sale = aSale({ items: sold('latte', 1, 5_999), total: 5_999 });
    await reviewed(sale, 'price_never_on', { item: 'صنف latte', recorded: 5_999 });
    expect(await saleOf(sale)).toMatchObject({ subtotal: 5_999, total: 5_999, recorded_difference: 0 });
  });

  test('that was on before the menu changed is right', async () => {
    await openShops(world, aCafe([TURKISH, CAKE, { ...LATTE, price: 7_500 }]));
    const sale = aSale({ items: sold('latte', 2, 6_000), total: 12_000 });
    expect(await sent(sale)).toEqual(['applied']);
    expect(await saleOf(sale)).toMatchObject({ subtotal: 12_000, total: 12_000 });
  });
});

describe('an item', () => {
  test('that is archived is sold under its name', async () => {
    await openShops(world, aCafe([TURKISH, CAKE]));
    const sale = aSale({ items: sold('latte', 1, 6_000), total: 6_000 });
    await reviewed(sale, 'item_archived', { item: 'صنف latte' });
    expect(await saleOf(sale)).toMatchObject({
      ...{ total: 6_000, cart: { lines: [{ name: 'صنف latte', line_total: 6_000 }] } },
    });
  });

  test('that was never there is sold all the same', async () => {
    const items = [{ menu_item_id: newId(), quantity: 2, unit_price: 1_000 }];
    const sale = aSale({ items, total: 2_000 });
    await reviewed(sale, 'item_unknown');
    expect(await saleOf(sale)).toMatchObject({ subtotal: 2_000, total: 2_000 });
  });
});

const stockOf = async () => (await storedAvailability(world, branchId(), thingId('item', 'cake')))?.stock;

test.each([
  ['mistake', 1],
  ['quality', 0],
] as const)('a round that comes after its ticket was void for %s leaves %i cakes', async (reason, left) => {
  const event = eventsOf(world, 'manager', world.now - HOUR);
  const ticket = { ticket_id: newId() };
  const cake = { item_id: newId(), menu_item_id: thingId('item', 'cake'), quantity: 1, unit_price: 3_000 };
  const open = event('ticket_open', ticket);
  const round = event('round', { ...ticket, round_id: newId(), items: [cake] });
  expect(await sent(open, event('ticket_void', { ...ticket, reason }))).toEqual(['applied', 'applied']);
  expect(await stockOf()).toBe(1);
  expect(await sent(round)).toEqual(['applied']);
  expect(await stockOf()).toBe(left);
});

describe('stock below zero', () => {
  const isOnMenu = async () => {
    const menu = await world.read('getBranchMenu', `/public/branches/${branchId()}/menu?channel=pickup`);
    return menu.items.some(({ id }) => id === thingId('item', 'cake'));
  };
  const sellLive = () => {
    const items = [{ menu_item_id: thingId('item', 'cake'), quantity: 1 }];
    return post(
      world,
      '/staff/sales',
      { branch_id: branchId(), items, payments: paid(3_000, 'card') },
      owner,
    );
  };
  const threeCakes = async () => {
    const sale = aSale({ items: sold('cake', 3, 3_000), total: 9_000 });
    await reviewed(sale, 'stock_below_zero', { item: 'صنف cake', units: 2 });
    await world.hearOfChanges();
    return sale;
  };

  test('is kept, guests see none left, and a live sale takes none', async () => {
    expect(await isOnMenu()).toBe(true);
    const sale = await threeCakes();
    expect(await saleOf(sale)).toMatchObject({ total: 9_000 });
    expect([await stockOf(), await isOnMenu()]).toEqual([-2, false]);
    expect(refusalOf(await sellLive())).toMatchObject({ code: 'ITEM_UNAVAILABLE', vars: { available: 0 } });
    expect(await stockOf()).toBe(-2);
  });

  test('ends with a new count', async () => {
    await threeCakes();
    await openShops(world, aCafe());
    expect([await stockOf(), await isOnMenu()]).toEqual([1, true]);
    expect((await sellLive()).status).toBe(201);
  });

  test('ends with units that come back, when more do than are missing', async () => {
    const sale = await threeCakes();
    const { sale_id } = sale.data as SaleData;
    const refund = (units: number) => {
      const lines = [{ index: 0, units }];
      const money = { lines, method: 'card', amount: 3_000 * units, reason: 'mistake' } as const;
      return eventsOf(world, 'manager')('refund', { refund_id: newId(), sale_id, ...money }, world.now);
    };
    expect(await sent(refund(2))).toEqual(['applied']);
    await world.hearOfChanges();
    expect([await stockOf(), await isOnMenu()]).toEqual([0, false]);
    expect(await sent(refund(1))).toEqual(['applied']);
    await world.hearOfChanges();
    expect([await stockOf(), await isOnMenu()]).toEqual([1, true]);
  });
});

describe('money', () => {
  test('of another total than the lines come to stands, and its till adds up', async () => {
    const till = await aTill();
    const sale = aSale({ total: 4_000, payments: paid(4_000), till_id: till });
    await reviewed(sale, 'total_differs', { recorded: 4_000, expected: 4_500 });
    expect(await saleOf(sale)).toMatchObject({ subtotal: 4_500, total: 4_000, recorded_difference: -500 });
    expect((await reportOf(till)).figures).toMatchObject({
      ...{ sales_count: 1, subtotal: 4_500, recorded_difference: -500, total: 4_000, beyond: 0 },
      methods: [{ method: 'cash', sales: 4_000, expected: 4_000 }, { method: 'card' }],
    });
  });

  test.each<[string, SaleData['payments'], number, number]>([
    ['too much', [{ method: 'cash', amount: 5_000 }], 5_000, 500],
    ['too little', [{ method: 'cash', amount: 4_000 }], 4_000, -500],
    ['nothing', [], 0, -4_500],
  ])('%s is in the till as it was paid', async (_, payments, got, beyond) => {
    const till = await aTill();
    const sale = aSale({ payments, till_id: till });
    await reviewed(sale, 'payments_differ', { total: 4_500, got });
    expect(await saleOf(sale)).toMatchObject({
      ...{ total: 4_500, recorded_difference: 0, payments: [{ method: 'cash', amount: got, beyond }] },
    });
    expect((await reportOf(till)).figures).toMatchObject({
      ...{
        total: 4_500,
        beyond,
        methods: [{ method: 'cash', sales: got, expected: got }, { method: 'card' }],
      },
    });
  });

  test('in cash by a person who had no open till is in none, and a person looks at it', async () => {
    const sale = aSale({ payments: paid(4_500) });
    await reviewed(sale, 'till_none');
    expect(await saleOf(sale)).toMatchObject({ total: 4_500, till_id: null });
    expect(await sent(aSale({ payments: paid(4_500, 'card') }))).toEqual(['applied']);
  });

  test('by a method that the shop does not take is kept under its name', async () => {
    const till = await aTill();
    const sale = aSale({ payments: paid(4_500, 'cheque'), till_id: till });
    await reviewed(sale, 'method_unknown', { method: 'cheque' });
    expect((await saleOf(sale)).payments).toMatchObject([{ method: 'cheque', amount: 4_500 }]);
    expect((await reportOf(till)).figures?.methods.at(-1)).toMatchObject({ method: 'cheque', sales: 4_500 });
  });

  test('of a till that was closed is beside its figures, which stay as they were, and in the day', async () => {
    const till = await aTill();
    await sent(aSale({ payments: paid(4_500), till_id: till }));
    const close = { till_id: till, counted: { cash: 4_500 } };
    await sent(eventsOf(world, 'manager')('till_close', close, world.now - 10 * MINUTE));
    const { late: none, ...before } = await reportOf(till);
    expect(none).toEqual([]);
    const sale = aSale({ total: 9_000, items: recordedCoffees(2), payments: paid(9_000), till_id: till });
    await reviewed(sale, 'till_closed', { till_id: till });
    const { late, ...after } = await reportOf(till);
    expect(JSON.stringify(after)).toBe(JSON.stringify(before));
    const { id, sale_ref, business_date: date } = await saleOf(sale);
    expect(late).toMatchObject([
      { type: 'sale', id, sale_ref, amount: 9_000, payments: [{ method: 'cash', amount: 9_000, tip: 0 }] },
    ]);
    const day = `branch_id=${branchId()}&from=${date}&to=${date}`;
    const { total } = done('reportDays', await world.get(`/staff/reports/day?${day}`, { ...owner }));
    expect(total).toMatchObject({ sales_count: 2, total: 13_500 });
  });
});

describe('a drink of the staff', () => {
  const drinks = (quantity: number, id = newId()) => ({
    items: recordedCoffees(quantity).map((item) => ({ ...item, staff_drink: { id, note: 'سالي' } })),
    ...{ total: 0, payments: [] },
  });

  test('beyond the allowance was drunk', async () => {
    expect(await sent(aSale(drinks(4)))).toEqual(['applied']);
    const sale = aSale(drinks(3));
    await reviewed(sale, 'drink_allowance', { allowed: 5, taken: 7 });
    expect(await saleOf(sale)).toMatchObject({ total: 0, staff_drinks: 3, staff_drink_discount: 13_500 });
  });

  test('that another sale has is on both, and counts once', async () => {
    const id = newId();
    const [first, second] = [aSale(drinks(1, id)), aSale(drinks(1, id))];
    expect(await sent(first)).toEqual(['applied']);
    await reviewed(second, 'drink_recorded');
    expect([await saleOf(first), await saleOf(second)]).toMatchObject([
      { staff_drinks: 1 },
      { staff_drinks: 1 },
    ]);
    expect(await sent(aSale(drinks(4)))).toEqual(['applied']);
  });
});

describe('a loyalty card', () => {
  const reward = (id = thingId('reward', 'coffee')) => [{ reward_id: id, line_index: 0, units: 1 }];

  test('of another shop gets nothing', async () => {
    const sale = aSale({ member_id: newId() });
    await reviewed(sale, 'card_unknown');
    expect(await saleOf(sale)).toMatchObject({ total: 4_500, member_id: null });
  });

  test('earns, though a reward was given that there is none of', async () => {
    const member = await aMember(world, 30);
    const sale = aSale({ member_id: member.cardId, rewards: reward(newId()) });
    await reviewed(sale, 'reward_unknown');
    expect(await saleOf(sale)).toMatchObject({ total: 4_500, reward_discount: 0, member_id: member.cardId });
    expect(await entriesOfSales(world, member.cardId)).toMatchObject([{ kind: 'earn', amount: 45 }]);
  });

  test('with too few points for its reward keeps them, and the sale stands', async () => {
    const member = await aMember(world, 3);
    const voucher = await signedVoucher(world, member.cardId);
    const free = { rewards: reward(), voucher, total: 0, payments: [] };
    const sale = aSale({ member_id: member.cardId, ...free });
    await reviewed(sale, 'balance_too_small', { balance: 3, cost: 10 });
    expect(await saleOf(sale)).toMatchObject({ total: 0, reward_discount: 4_500, recorded_difference: 0 });
    expect(await balanceOf(world, member.cardId)).toBe(3);
  });
});

describe('the moment of a sale', () => {
  test('in the future is now', async () => {
    const at = world.now + 2 * HOUR;
    const sale = aSale({}, 'manager', at);
    await reviewed(sale, 'in_the_future', { at: new Date(at).toISOString() });
    expect((await saleOf(sale)).at).toBe(new Date(world.now).toISOString());
  });

  test('of last year is in the books of last year', async () => {
    const at = world.now - 365 * DAY;
    const sale = aSale({}, 'manager', at);
    await reviewed(sale, 'long_ago', { at: new Date(at).toISOString() });
    const year = String(new Date(at).getUTCFullYear());
    expect(year).not.toBe(String(new Date(world.now).getUTCFullYear()));
    expect((await saleOf(sale)).business_date.slice(0, 4)).toBe(year);
  });

  test.each<[string, number, number]>([
    ['hours ahead', 8 * HOUR, -HOUR],
    ['hours behind', -20 * HOUR, -HOUR],
  ])('of a device whose clock is %s is corrected, and so is its day', async (_, ahead, ago) => {
    // 18:00 in UTC is 20:00 in Cairo.
    const [happened, today] = [world.now + ago, new Date(world.now).toISOString().slice(0, 10)];
    const sale = aSale({}, 'manager', happened + ahead);
    expect(outcomesOf(await replayed(world, device, [sale], { ahead }))).toEqual(['applied']);
    expect(sale.at.slice(0, 10)).not.toBe(today);
    expect(await saleOf(sale)).toMatchObject({
      ...{ at: new Date(happened).toISOString(), business_date: today },
    });
  });
});

describe('a sale', () => {
  test('of somebody who left is theirs', async () => {
    await openShops(world, aCafe(undefined, false));
    const sale = { ...aSale(), by: personId('nadia') };
    await reviewed(sale, 'person_left');
    expect(await saleOf(sale)).toMatchObject({ total: 4_500, staff_name: 'nadia' });
  });

  test('of the kitchen, which does not sell, is in the books', async () => {
    const sale = aSale({}, 'kitchen');
    await reviewed(sale, 'not_permitted', { permission: 'sales.sell' });
    expect(await saleOf(sale)).toMatchObject({ total: 4_500, staff_id: personId('kitchen') });
  });

  test.each([
    ['the branch', sql`update branch set is_active = not is_active where id = ${branchId()}`],
    ['the shop', sql`update shop set is_active = not is_active where org_id = ${shopId()}`],
  ])('at a time when %s is switched off is in the books', async (_, toggled) => {
    const sale = aSale();
    await toggled.execute(world.db.kysely);
    const results = await replayed(world, device, [sale]).finally(() => toggled.execute(world.db.kysely));
    expect(outcomesOf(results)).toEqual(['review: branch_off']);
    await expectListed(world, { owner, event: sale }, 'branch_off');
    expect(await saleOf(sale)).toMatchObject({ total: 4_500 });
  });

  test('under the id of another one is in no books', async () => {
    const first = aSale();
    const { sale_id } = first.data as SaleData;
    await sent(first);
    await reviewed(aSale({ sale_id, items: recordedCoffees(2), total: 9_000 }), 'id_taken');
    expect(await saleOf(first)).toMatchObject({ total: 4_500 });
  });
});
