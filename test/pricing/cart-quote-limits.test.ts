/** The largest carts: within the limits they are priced, beyond them refused quickly. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CART_BODY_LIMIT } from '../../src/platform/contract/body-limits.ts';
import { openShops, tableId } from '../support/shops/cafe.ts';
import {
  addon,
  aQuotingMenu,
  aQuotingShop,
  atBranch,
  atTable,
  line,
  type Line,
  meal,
  pick,
  cartRefusal,
} from '../support/shops/quoting-shop.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aQuotingShop({ menu: aQuotingMenu() }));
});
afterAll(() => world.close());

const hundred = (one: Line) => ({ items: Array.from({ length: 100 }, () => one) });
const notes = 'ن'.repeat(500);

test('a hundred combos with the longest notes on each and on its picks have a price', async () => {
  const picks = [
    pick('drink', 'latte', { notes, size_label: 'كبير', addons: [{ addon_item_id: addon('oat') }] }),
    pick('sweet', 'cake', { notes }),
    pick('sweet', 'cake', { notes }),
  ];
  const cart = hundred(meal(picks, { quantity: 999, notes }));
  expect(Buffer.byteLength(JSON.stringify(cart))).toBeGreaterThan(450_000);
  for (const address of [atBranch(), atTable()]) expect((await post(world, address, cart)).status).toBe(200);
});

test('a hundred lines with the longest notes have a price however their letters are written', async () => {
  const text = JSON.stringify(hundred(line('turkish', { notes }))).replaceAll('ن', '\\u0646');
  expect(text.length).toBeGreaterThan(300_000);
  expect((await post(world, atBranch(), text)).status).toBe(200);
});

test('one byte over is refused, with the limit named', async () => {
  const text = JSON.stringify({ items: [line('turkish')] });
  for (const address of [atBranch(), atTable()]) {
    expect((await post(world, address, text.padEnd(CART_BODY_LIMIT))).status).toBe(200);
    for (const [language, said] of [
      ['en', 'The body is too large: at most 512 KiB.'],
      ['ar', 'محتوى الطلب أكبر من المسموح: 512 KiB على الأكثر.'],
    ] as const) {
      const over = await post(world, address, text.padEnd(CART_BODY_LIMIT + 1), {
        'accept-language': language,
      });
      expect([over.status, over.body]).toEqual([413, { error: said }]);
    }
  }
});

test('of thousands of faults a thousand are told, those with a code before others, and how many are left out', async () => {
  const nobodys = { addon_item_id: tableId('t1') };
  const items = [
    ...Array.from({ length: 20 }, () =>
      line('turkish', { addons: Array.from({ length: 60 }, () => nobodys) }),
    ),
    line('sandwich'),
    { menu_item_id: tableId('t1'), quantity: 1 },
  ];
  const refusal = await cartRefusal(world, { items });
  const coded = (refusal.faults ?? []).filter(({ code }) => code !== null);
  expect(coded.map(({ path }) => path)).toEqual(['items[20].addons', 'items[21].menu_item_id']);
  expect(refusal).toMatchObject({ status: 400, faults_left_out: 202 });
  expect([refusal.faults?.length, refusal.fields?.length]).toEqual([1000, 998]);
  expect(refusal.faults?.[0]?.path).toBe('items[0].addons[0].addon_item_id');
  expect(refusal).not.toHaveProperty('code');
});

test('every malformed field of a hundred lines is named', async () => {
  const items = Array.from({ length: 100 }, () => ({ quantity: 0, menu_item_id: 'x', notes: 5 }));
  const { fields } = await cartRefusal(world, { items });
  expect(fields).toHaveLength(300);
});

test('of a vast malformed body the first fault is named, and that others were not looked for', async () => {
  for (const filler of ['0', '{}', '"\\u0000"'])
    for (const text of [
      `{"items":[${Array.from({ length: 12_000 }, () => filler).join()}]}`,
      `{"items":[{"quantity":1,"addons":[${Array.from({ length: 12_000 }, () => filler).join()}]}]}`,
    ]) {
      const { status, fields } = await cartRefusal(world, text);
      expect([status, fields?.length]).toEqual([400, 2]);
      expect(fields?.[0]?.path).toMatch(/^items/);
      expect(fields?.[1]?.problem).toContain('more than 2000 values');
    }
});
