/** Carts whose deals take long: a thread searches them, and nobody else waits for it. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ReplyOf } from '../../src/platform/contract/endpoint.ts';
import { Meter } from '../../src/platform/app/meter.ts';
import type { SearchThreads } from '../../src/ports.ts';
import { bestDeals } from '../../src/pricing/domain/deals/best.ts';
import type { SearchInput, SearchName } from '../../src/pricing/domain/searches.ts';
import { aDeal } from '../../src/menu/domain/menu.test-support.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import { createSearchThreads } from '../../src/adapters/search-threads.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops } from '../support/shops/cafe.ts';
import { aQuotingMenu, aQuotingShop, atBranch, item, type Line } from '../support/shops/quoting-shop.ts';

type Quote = ReplyOf<EndpointOf<'quoteCart'>>;

const DRINKS = Array.from({ length: 24 }, (_, n) => ({ key: `drink-${n}`, price: 2_000 + 700 * (n % 17) }));
/** The last four are for more units than any cart here has. */
const DEALS = [
  ...[2, 3, 4, 5].flatMap((qty, n) => [
    {
      name: `even ${qty}`,
      qty,
      price: 3_000 * qty,
      drinks: DRINKS.filter((_, place) => place % 2 === n % 2),
    },
    { name: `first ${qty}`, qty, price: 2_500 * qty, drinks: DRINKS.slice(n, n + 14) },
  ]),
  ...[0, 1, 2, 3].map((n) => ({ name: `999, ${n}`, qty: 999, price: 1, drinks: DRINKS })),
];

const shop = () => {
  const menu = aQuotingMenu();
  const { categories = [], items = [] } = menu;
  const { key: category = '' } = categories[0] ?? {};
  const drinks = DRINKS.map(({ key, price }) => ({ key, name: key, category, price }));
  const deals = DEALS.map(({ drinks: pool, ...deal }) => ({
    ...{ ...deal, kind: 'n_for_price' as const, pool: pool.map(({ key }) => ({ item: key })) },
  }));
  return aQuotingShop({ menu: { ...menu, items: [...items, ...drinks], deals } });
};

/** Searches that the test holds back; each takes 30 ms. */
let held: Promise<void> | null = null;
const real = createSearchThreads(new URL('../../dist/search-thread.js', import.meta.url));
let searches: string[] = [];
let inputs: SearchInput<SearchName>[] = [];

const threads: SearchThreads = {
  size: 1,
  run: async (name, input) => {
    searches.push(name);
    inputs.push(input);
    await held;
    const { result } = await real.run(name, input);
    return { result, ms: 30 };
  },
  close: () => real.close(),
};

let world: World;
beforeAll(async () => {
  world = await makeWorld({ searchThreads: threads, limitScale: 0, trustedProxies: ['127.0.0.1'] });
  await openShops(world, shop());
});
afterAll(() => world.close());

const LONG: readonly Line[] = DRINKS.map(({ key }, n) => ({ menu_item_id: item(key), quantity: 30 + n }));
/** Its deals are found at once, its hints are not. */
const MIDDLING: readonly Line[] = LONG.slice(0, 12).map((line) => ({ ...line, quantity: 1 }));
const SHORT: readonly Line[] = LONG.slice(0, 2).map((line) => ({ ...line, quantity: 2 }));

const from = (client: number) => ({ 'x-forwarded-for': `198.51.100.${client}` });
const asked = (items: readonly Line[], client = 1, more: object = {}) =>
  post(world, atBranch(), { items, ...more }, from(client));
const quoted = async (...[items, client, more]: Parameters<typeof asked>): Promise<Quote> => {
  const { status, body } = await asked(items, client, more);
  expect(status).toBe(200);
  return body as Quote;
};

/** Holds back all searches until the returned function is called. */
const holdSearches = (): (() => void) => {
  let free = (): void => undefined;
  held = new Promise((go) => {
    free = () => {
      held = null;
      go();
    };
  });
  onTestFinished(free);
  return free;
};

const cartOf = (lines: readonly Line[]) => {
  const units = lines.map((line, index) => {
    const place = DRINKS.findIndex(({ key }) => item(key) === line.menu_item_id);
    return {
      ...{ line: index, itemId: line.menu_item_id ?? '', categoryId: null, sizeLabel: '', sizeOrder: 0 },
      ...{ price: DRINKS[place]?.price ?? 0, quantity: line.quantity },
    };
  });
  const deals = DEALS.map(({ name, qty, price, drinks }, sort) =>
    aDeal(name, {
      ...{ sort, qty, terms: { kind: 'n_for_price', price } },
      pool: drinks.map(({ key }) => ({ categoryId: null, menuItemId: item(key), sizeLabel: null })),
    }),
  );
  return { units, deals };
};

/** What the engine itself finds for these lines. */
const foundFor = (lines: readonly Line[]) => {
  const { units, deals } = cartOf(lines);
  const { saving, bound, optimal } = bestDeals(units, deals);
  return { deal_discount: saving, bound, optimal };
};

test('a long cart is searched in a thread, a short one at once; both have the best deals', async () => {
  searches = [];
  expect(await quoted(SHORT)).toMatchObject(foundFor(SHORT));
  expect(searches).toEqual([]);
  expect(await quoted(LONG)).toMatchObject(foundFor(LONG));
  expect(searches).toEqual(['deals']);
});

test('hints of a long cart are the quotes that include them', async () => {
  searches = [];
  const cart = await quoted(MIDDLING, 1, { hints: true });
  expect(searches).toContain('hints');
  expect(cart.hints?.length).toBeGreaterThan(0);
  for (const { menu_item_id: id, saving } of cart.hints ?? []) {
    const more = await quoted([...MIDDLING, { menu_item_id: id, quantity: 1 }]);
    expect(more.deal_discount).toBe(cart.deal_discount + saving);
  }
});

test('hints of a hundred lines and a dozen deals begin in a thread, though the deals are found at once', async () => {
  searches = [];
  const lines = Array.from({ length: 100 }, (): Line => ({ menu_item_id: item('drink-0'), quantity: 1 }));
  await quoted(lines, 1, { hints: true });
  expect(searches).toEqual(['hints']);
});

test('of its deals a search for hints is sent what it reads', async () => {
  inputs = [];
  await quoted(MIDDLING, 1, { hints: true });
  const sent = inputs.flatMap((input) => ('deals' in input ? input.deals : []));
  expect(sent).not.toEqual([]);
  const read = ['id', 'maxPerOrder', 'pool', 'qty', 'rewardPool', 'sort', 'terms'];
  expect(sent.map((deal) => Object.keys(deal).sort())).toEqual(sent.map(() => read));
});

test('twenty clients with long carts and short ones at once: each has the deals of its own cart', async () => {
  const carts = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? SHORT : LONG.slice(n % 5)));
  const all = await Promise.all(carts.map((lines, client) => quoted(lines, client)));
  expect(all).toMatchObject(carts.map(foundFor));
});

test('while 64 long carts wait, others are told to come again, and short ones are quoted', async () => {
  const free = holdSearches();
  const waiting = Array.from({ length: 64 }, (_, client) => asked(LONG, client));
  await expect.poll(() => world.app.dealSearches.open).toBe(64);
  const refused = await asked(LONG, 99);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(await quoted(SHORT, 99)).toMatchObject(foundFor(SHORT));
  free();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
  expect(world.app.dealSearches.open).toBe(0);
});

test('one client has at most six long carts once half of the places are taken', async () => {
  const free = holdSearches();
  const greedy = Array.from({ length: 40 }, () => asked(LONG, 1));
  await expect.poll(() => world.app.dealSearches.open).toBe(32);
  const other = asked(LONG, 2);
  await expect.poll(() => world.app.dealSearches.open).toBe(33);
  free();
  expect((await Promise.all(greedy)).filter(({ status }) => status === 429)).toHaveLength(8);
  expect((await other).status).toBe(200);
});

test('a long cart costs its client the time of its thread', async () => {
  const costOf = async (lines: readonly Line[]): Promise<number> => {
    const meter = new Meter(() => 0);
    await world.app.dealSearches.bestDeals(cartOf(lines), { client: 'anyone', meter });
    return meter.ms;
  };
  expect([await costOf(SHORT), await costOf(LONG)]).toEqual([0, 30]);
});

/** Twenty pairs that share no deal with the long cart. */
const PAIRS = Array.from({ length: 20 }, (_, n) => ({
  ...{ line: 100 + n, itemId: `pair-${n}`, categoryId: null, sizeLabel: '', sizeOrder: 0 },
  ...{ price: 5_000, quantity: 2 },
}));
const PAIR_DEALS = PAIRS.map(({ itemId }) =>
  aDeal(itemId, {
    ...{ qty: 2, terms: { kind: 'n_for_price', price: 8_000 } },
    pool: [{ categoryId: null, menuItemId: itemId, sizeLabel: null }],
  }),
);

test('what shares no deal with a long cart is found at once, and has its deals', async () => {
  searches = [];
  const long = cartOf(LONG);
  const cart = { units: [...long.units, ...PAIRS], deals: [...long.deals, ...PAIR_DEALS] };
  const found = await world.app.dealSearches.bestDeals(cart, { client: 'anyone', meter: new Meter(() => 0) });
  expect(searches).toEqual(['deals']);
  expect(found).toEqual(bestDeals(cart.units, cart.deals));
  expect(found.saving).toBe(bestDeals(long.units, long.deals).saving + 20 * 2_000);
});

test('a cart of two long searches waits for a thread once', async () => {
  const long = cartOf(LONG);
  const named = (name: string): ReturnType<typeof cartOf> => ({
    units: long.units.map((unit) => ({ ...unit, itemId: `${name} ${unit.itemId}` })),
    deals: long.deals.map((deal) => ({
      ...{ ...deal, id: `${name} ${deal.id}` },
      pool: deal.pool.map(({ menuItemId }) => ({
        ...{ categoryId: null, menuItemId: `${name} ${menuItemId}`, sizeLabel: null },
      })),
    })),
  });
  const [left, right] = [named('left'), named('right')];
  const both = { units: [...left.units, ...right.units], deals: [...left.deals, ...right.deals] };
  const free = holdSearches();
  inputs = [];
  const ended: string[] = [];
  const search = async (cart: ReturnType<typeof cartOf>, client: string) => {
    const found = await world.app.dealSearches.bestDeals(cart, { client, meter: new Meter(() => 0) });
    ended.push(client);
    return found;
  };
  const found = [search(both, 'first'), search(long, 'second')];
  await expect.poll(() => world.app.dealSearches.open).toBe(2);
  free();
  expect(await Promise.all(found)).toEqual([both, long].map(({ units, deals }) => bestDeals(units, deals)));
  expect([inputs.length, ended]).toEqual([3, ['first', 'second']]);
});

test('hints that need a thread are left out where none is free; the quote is answered', async () => {
  const free = holdSearches();
  const waiting = Array.from({ length: 64 }, (_, client) => asked(LONG, client));
  await expect.poll(() => world.app.dealSearches.open).toBe(64);
  expect(await quoted(MIDDLING, 99, { hints: true })).toMatchObject({ ...foundFor(MIDDLING), hints: [] });
  free();
  await Promise.all(waiting);
});
