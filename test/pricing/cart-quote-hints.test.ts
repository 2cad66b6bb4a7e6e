/** `hints: true` of a cart quote: each hint equals the quote that includes it. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ReplyOf } from '../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import type { DealEntry } from '../support/shops/shop-file.ts';
import { openShops, thingId } from '../support/shops/cafe.ts';
import {
  aQuotingMenu,
  aQuotingShop,
  addon,
  atBranch,
  atTable,
  item,
  line,
  type Line,
} from '../support/shops/quoting-shop.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { makeDemo } from '../support/shops/demo.ts';

type Quote = ReplyOf<EndpointOf<'quoteCart'>>;

let world: World;
beforeAll(async () => {
  world = await makeWorld({ now: '2026-11-20T18:00:00Z' });
});
afterAll(() => world.close());

const open = (...deals: DealEntry[]): Promise<void> =>
  openShops(world, aQuotingShop({ menu: aQuotingMenu({ deals }) }));
const quoted = async (items: Line[], more: object = {}, address = atBranch(), at = world): Promise<Quote> => {
  const { status, body } = await post(at, address, { items, ...more });
  expect([status, body]).toMatchObject([200, {}]);
  return body as Quote;
};

const PAIRS: DealEntry = {
  name: { ar: 'اتنين', en: 'Two' },
  kind: 'n_for_price',
  qty: 2,
  price: 6000,
  pool: [{ item: 'turkish' }],
};
const CAKE_WITH_LATTE: DealEntry = {
  name: { ar: 'كيك هدية', en: 'A cake on us' },
  kind: 'buy_get',
  qty: 1,
  get_qty: 1,
  get_percent: 100,
  pool: [{ item: 'latte' }],
  reward_pool: [{ item: 'cake' }],
};

test('hints are absent unless requested', async () => {
  await open(PAIRS);
  expect(await quoted([line('turkish')])).not.toHaveProperty('hints');
  expect(await quoted([line('turkish')], { hints: false })).not.toHaveProperty('hints');
});

test('a hint for a second coffee at 45.00 has a saving of 30.00 and a total change of 15.00', async () => {
  await open(PAIRS);
  expect((await quoted([line('turkish')], { hints: true })).hints).toEqual([
    {
      menu_item_id: item('turkish'),
      size_label: null,
      name: 'قهوة تركي',
      name_translations: { en: 'Turkish coffee' },
      line_index: null,
      price: 4500,
      saving: 3000,
      total_change: 1500,
    },
  ]);
});

test('each hint equals the quote with its unit added; the smallest change of the total comes first', async () => {
  await open(PAIRS, CAKE_WITH_LATTE);
  for (const [address, cart] of [
    [atBranch(), [line('cake'), line('turkish')]],
    [atTable(), [line('cake'), line('turkish', { quantity: 3 })]],
  ] as const) {
    const now = await quoted([...cart], { hints: true }, address);
    const hints = now.hints ?? [];
    expect(hints.length).toBeGreaterThan(1);
    expect(hints.length).toBeLessThanOrEqual(3);
    for (const { menu_item_id, size_label, price, saving, total_change } of hints) {
      const added = { menu_item_id, size_label, quantity: 1 };
      const then = await quoted([...cart, added], {}, address);
      expect([then.items_total - now.items_total, then.deal_discount - now.deal_discount]).toEqual([
        price,
        saving,
      ]);
      expect(then.total - now.total).toBe(total_change);
      expect(saving).toBeGreaterThan(0);
    }
    expect(hints.map(({ total_change }) => total_change)).toEqual(
      hints.map(({ total_change }) => total_change).sort((a, b) => a - b),
    );
  }
});

test('there are no hints where one more unit unlocks no deal', async () => {
  await open(PAIRS);
  expect((await quoted([line('turkish', { quantity: 2 })], { hints: true })).hints).toEqual([]);
  await open();
  expect((await quoted([line('turkish')], { hints: true })).hints).toEqual([]);
});

test('an item that requires an add-on is suggested only as one more of a line, with what the guest chose', async () => {
  // A sandwich requires a sauce.
  await open({ ...PAIRS, pool: [{ item: 'sandwich' }, { item: 'turkish' }] });
  const { hints = [] } = await quoted([line('turkish')], { hints: true });
  expect(hints.map(({ menu_item_id: id }) => id)).toEqual([item('turkish')]);

  const chosen = line('sandwich', { addons: [{ addon_item_id: addon('tahini') }] });
  const cart = [line('cake'), chosen];
  const now = await quoted(cart, { hints: true });
  const hint = now.hints?.find(({ menu_item_id: id }) => id === item('sandwich'));
  expect(hint?.line_index).toBe(1);
  const then = await quoted([line('cake'), { ...chosen, quantity: 2 }]);
  expect([then.items_total - now.items_total, then.deal_discount - now.deal_discount]).toEqual([
    hint?.price,
    hint?.saving,
  ]);
  expect(then.total - now.total).toBe(hint?.total_change);
});

test('a cart of 100 lines gets hints only for one more unit of its own lines', async () => {
  await open(PAIRS, CAKE_WITH_LATTE);
  const cakes = Array.from({ length: 99 }, () => line('cake'));
  const full = [...cakes, line('turkish')];
  const { hints = [], ...now } = await quoted(full, { hints: true });
  expect(hints.map(({ menu_item_id: id }) => id)).toEqual([item('turkish')]);
  const then = await quoted([...cakes, line('turkish', { quantity: 2 })]);
  expect(then.total - now.total).toBe(hints[0]?.total_change);
  expect((await quoted(full.slice(1), { hints: true })).hints?.map(({ menu_item_id: id }) => id)).toContain(
    item('latte'),
  );
});

test('two single Turkish coffees of the demo are hinted at a third with their sugar, which saves 15.00', async () => {
  const { world: demo } = await makeDemo();
  onTestFinished(() => demo.close());
  const coffees = (quantity: number) => [
    {
      ...{ menu_item_id: thingId('item', 'turkish'), size_label: 'Single', quantity },
      addons: [{ addon_item_id: thingId('addon', 'sugar-mazbout') }],
    },
  ];
  const { hints = [], ...two } = await quoted(coffees(2), { hints: true }, atBranch(), demo);
  expect(hints).toMatchObject([
    { menu_item_id: thingId('item', 'turkish'), size_label: 'سنجل', line_index: 0, saving: 1500 },
  ]);
  const three = await quoted(coffees(3), {}, atBranch(), demo);
  expect(three.total - two.total).toBe(hints[0]?.total_change);
});
