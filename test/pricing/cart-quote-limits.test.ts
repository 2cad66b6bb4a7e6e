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

test('100 combos with the longest notes on each line and pick are priced', async () => {
  const picks = [
    pick('drink', 'latte', { notes, size_label: 'كبير', addons: [{ addon_item_id: addon('oat') }] }),
    pick('sweet', 'cake', { notes }),
    pick('sweet', 'cake', { notes }),
  ];
  const cart = hundred(meal(picks, { quantity: 999, notes }));
  expect(Buffer.byteLength(JSON.stringify(cart))).toBeGreaterThan(450_000);
  for (const address of [atBranch(), atTable()]) expect((await post(world, address, cart)).status).toBe(200);
});

test('100 lines with the longest notes are priced, also when written as JSON escapes', async () => {
  const text = JSON.stringify(hundred(line('turkish', { notes }))).replaceAll('ن', '\\u0646');
  expect(text.length).toBeGreaterThan(300_000);
  expect((await post(world, atBranch(), text)).status).toBe(200);
});

test('a body one byte over the limit is refused with 413 and the limit named', async () => {
  const text = JSON.stringify({ items: [line('turkish')] });
  for (const address of [atBranch(), atTable()]) {
    expect((await post(world, address, text.padEnd(CART_BODY_LIMIT))).status).toBe(200);
    for (const [language, message] of [
      ['en', 'The body is too large: at most 512 KiB.'],
      ['ar', 'محتوى الطلب أكبر من المسموح: 512 KiB على الأكثر.'],
    ] as const) {
      const over = await post(world, address, text.padEnd(CART_BODY_LIMIT + 1), {
        'accept-language': language,
      });
      expect([over.status, over.body]).toEqual([413, { error: message }]);
    }
  }
});

test('a refusal lists at most 1000 faults, keeps those with a code and counts those left out', async () => {
  const unknownAddon = { addon_item_id: tableId('t1') };
  const items = [
    ...Array.from({ length: 20 }, () =>
      line('turkish', { addons: Array.from({ length: 60 }, () => unknownAddon) }),
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

test('every malformed field of 100 lines is named', async () => {
  const items = Array.from({ length: 100 }, () => ({ quantity: 0, menu_item_id: 'x', notes: 5 }));
  const { fields } = await cartRefusal(world, { items });
  expect(fields).toHaveLength(300);
});

test('a malformed body of 12,000 values gets its first fault and the limit of the check', async () => {
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
