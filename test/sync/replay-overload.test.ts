/** Devices that tell of long carts to a server under load (Decisions 13): they send again, and every sale is in the books. */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { isoInstant } from '../../src/kernel/time.ts';
import { aDeal } from '../../src/menu/domain/menu.test-support.ts';
import { Meter } from '../../src/platform/app/meter.ts';
import type { SearchThreads } from '../../src/ports.ts';
import { SEARCHES } from '../../src/pricing/domain/searches.ts';
import type { SaleEventData } from '../../src/sales/contract/events.ts';
import { newId } from '../support/database/ids.ts';
import { aStaffedShop, pairedTill, setCredentials, signInAs, type Till } from '../support/people/staff.ts';
import { post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, thingId } from '../support/shops/cafe.ts';
import {
  eventsOf,
  outcomesOf,
  paid,
  recordedCoffees,
  replayed,
  type DeviceEvent,
} from '../support/sync/device-events.ts';
import { reviewsBy } from '../support/sync/reviews.ts';

const HOUR = 60 * 60_000;
const DRINKS = Array.from({ length: 12 }, (_, n) => ({ key: `drink-${n}`, price: 2_000 + 700 * n }));
const DEALS = [2, 3, 4, 5].flatMap((qty, n) => [
  { key: `even-${qty}`, qty, price: 3_000 * qty, drinks: DRINKS.filter((_, place) => place % 2 === n % 2) },
  { key: `first-${qty}`, qty, price: 2_500 * qty, drinks: DRINKS.slice(n, n + 7) },
]);

let world: World;
let till: Till;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0, searchThreads: threads });
  const shop = aStaffedShop();
  const { categories = [], items = [] } = shop.menu;
  const { key: category = '' } = categories[0] ?? {};
  const drinks = DRINKS.map(({ key, price }) => ({ key, name: key, category, price }));
  const deals = DEALS.map(({ drinks: pool, ...deal }) => ({
    ...{
      ...deal,
      name: deal.key,
      kind: 'n_for_price' as const,
      pool: pool.map(({ key }) => ({ item: key })),
    },
  }));
  await openShops(world, { ...shop, menu: { ...shop.menu, items: [...items, ...drinks], deals } });
  await setCredentials(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  till = await pairedTill(world);
});

/** Its deals need a thread. */
const LONG_CART = DRINKS.map(({ key, price }, n) => ({
  ...{ menu_item_id: thingId('item', key), quantity: 30 + n, unit_price: price },
}));

/** Searches that the test holds, and how it lets them end. */
const held = new Set<() => void>();

/** Threads that hold every search for units of this item. */
const HELD = 'held';
const POOL = { categoryId: null, menuItemId: HELD, sizeLabel: null };
const threads: SearchThreads = {
  size: 64,
  run: async (name, input) => {
    if ('problem' in input && input.problem.kinds.some(({ itemId }) => itemId === HELD))
      await new Promise<void>((end) => held.add(end));
    return { result: SEARCHES[name](input), ms: 0 };
  },
  close: () => Promise.resolve(),
};

/** Takes places until the test frees them. */
const busyWith = (places: number, client: (n: number) => string): (() => Promise<void>) => {
  const units = LONG_CART.map(({ quantity, unit_price: price }, line) => ({
    ...{ line, quantity, price: price + line },
    ...{ itemId: HELD, categoryId: null, sizeLabel: `${line}`, sizeOrder: line },
  }));
  const deals = [2, 3, 4, 5, 6, 7].map((qty) =>
    aDeal(`${qty}`, { qty, terms: { kind: 'n_for_price', price: qty * 2_000 }, pool: [POOL] }),
  );
  const jobs = Array.from({ length: places }, (_, n) =>
    world.app.dealSearches.bestDeals({ units, deals }, { client: client(n), meter: new Meter(() => 0) }),
  );
  const free = async (): Promise<void> => {
    for (const end of held) end();
    held.clear();
    await Promise.all(jobs);
  };
  onTestFinished(free);
  return free;
};

type SaleData = SaleEventData['sale'];

const aSale = (items: SaleData['items'], more: Partial<SaleData> = {}): DeviceEvent => {
  const sale = { sale_id: newId(), items, total: 4_500, payments: paid(4_500, 'card') };
  return eventsOf(world, 'manager', world.now - HOUR)('sale', { ...sale, ...more });
};
const send = (...events: readonly DeviceEvent[]) =>
  post(
    world,
    '/sync/replay',
    { branch_id: branchId(), device_time: isoInstant(world.now), events },
    till.device,
  );
const sent = async (...events: readonly DeviceEvent[]) =>
  outcomesOf(await replayed(world, till.device, events));
/** Its total was never what its lines come to. */
const RECORDED = 'review: total_differs';
const isInTheBooks = async ({ data }: DeviceEvent): Promise<boolean> => {
  const { sale_id: id } = data as { readonly sale_id: string };
  return (await world.get(`/staff/sales/${id}`, await signInAs(world, 'owner'))).status === 200;
};

test('half of the places taken by guests at the address of the till hold up no sale of it', async () => {
  busyWith(32, () => '127.0.0.1');
  expect(await sent(aSale(LONG_CART))).toEqual([RECORDED]);
});

test.each([
  ['too many carts of the device', 32, 429, () => till.id],
  ['all places taken', 64, 503, (n: number) => `guest ${n}`],
])(
  '%s: it is told to send again, what came before is recorded, and then the sale is',
  async (_, places, status, by) => {
    const [short, long] = [aSale(recordedCoffees(1)), aSale(LONG_CART)];
    const free = busyWith(places, by);
    expect(refusalOf(await send(short, long)).status).toBe(status);
    expect([await isInTheBooks(short), await isInTheBooks(long)]).toEqual([true, false]);
    await free();
    expect(await sent(short, long)).toEqual(['already', RECORDED]);
    expect(await isInTheBooks(long)).toBe(true);
  },
);

test('a sale that waited for its till goes on waiting under load, and is recorded by the next request', async () => {
  const id = newId();
  const long = aSale(LONG_CART, { till_id: id });
  expect(await sent(long)).toEqual(['waiting']);
  const open = eventsOf(
    world,
    'manager',
    world.now - 2 * HOUR,
  )('till_open', { till_id: id, opening_float: 0 });
  const free = busyWith(32, () => till.id);
  expect(refusalOf(await send(open)).status).toBe(429);
  const listed = await reviewsBy(world, await signInAs(world, 'owner'));
  expect(listed.find((one) => one.id === long.id)?.outcome).toBe('waiting');
  await free();
  expect(await sent(open, long)).toEqual(['already', 'already']);
  expect(await isInTheBooks(long)).toBe(true);
});
