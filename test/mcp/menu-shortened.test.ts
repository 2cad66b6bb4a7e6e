/** get_menu of a menu over the limit (Decisions 14). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShopMenu } from '../../src/menu/contract/tools.ts';
import { MAX_CHARACTERS } from '../../src/doors/mcp/shorten.ts';
import type { ItemEntry, MenuFile } from '../support/shops/shop-file.ts';
import { aBranch, aShopFile, branchId, openShops, SLUG } from '../support/shops/cafe.ts';
import { getMenu, type MenuAnswer } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const PAGE = `https://ahwa.example/${SLUG}`;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const open = ({ menu }: { readonly menu: MenuFile }): Promise<void> =>
  openShops(world, aShopFile({ branches: [aBranch({ tax: { rate: 0.14, inclusive: true } })], menu }));
const menuOf = (): Promise<MenuAnswer> => getMenu(world);

const WHOLE = `${PAGE}/menu or, as JSON, https://ahwa.example/public/branches/${branchId()}/menu`;
const items = (amount: number, of: (at: number) => Partial<ItemEntry>): ItemEntry[] =>
  Array.from({ length: amount }, (_, at) => ({
    key: `item-${at}`,
    name: { ar: `صنف ${at}`, en: `Item ${at}` },
    price: 1000 + at,
    ...of(at),
  }));
const within = ({ text, menu }: MenuAnswer): void => {
  expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(JSON.stringify(menu).length).toBeLessThanOrEqual(MAX_CHARACTERS);
};
const itemsOf = ({ menu }: MenuAnswer): ShopMenu['categories'][number]['items'] =>
  menu.categories.flatMap((category) => category.items);
/** The text has the names, prices and sizes of the object. */
const agrees = (menu: MenuAnswer): void => {
  expect(menu.lines.filter((line) => line.startsWith('- '))).toEqual(
    itemsOf(menu).map(
      ({ name, name_translations: names, price_egp }) =>
        `- ${name}${names?.['en'] === undefined ? '' : ` (${names['en']})`}: ${price_egp.toFixed(2)} EGP`,
    ),
  );
};

test('a menu over the limit first loses its descriptions', async () => {
  await open({
    menu: { items: items(100, () => ({ description: 'وصف '.repeat(100).trim() })) },
  });
  const answer = await menuOf();
  within(answer);
  agrees(answer);
  expect(itemsOf(answer)).toHaveLength(100);
  expect(answer.menu.truncated).toBe(true);
  expect(answer.menu.left_out).toBe(`Left out, to stay short: every description. The whole menu: ${WHOLE}`);
  expect(answer.lines[1]).toBe(answer.menu.left_out);
  expect(answer.lines[0]).toContain('100 items listed here');
});

test('a longer menu loses translations of sizes, then of names, and states which', async () => {
  const sizes = ['صغير', 'وسط', 'كبير'].map((ar, at) => ({
    label: { ar, en: `Size ${at}` },
    price: 900 + at,
  }));
  const sized = Array.from({ length: 200 }, (_, at) => ({
    key: `item-${at}`,
    name: { ar: `صنف ${at}`, en: `Item ${at}` },
    sizes,
  }));
  await open({ menu: { items: sized } });
  const lean = await menuOf();
  within(lean);
  expect(itemsOf(lean)).toHaveLength(200);
  expect(itemsOf(lean)[0]).toEqual({
    name: 'صنف 0',
    name_translations: { en: 'Item 0' },
    price_egp: 9,
    sizes: [
      { label: 'صغير', price_egp: 9 },
      { label: 'وسط', price_egp: 9.01 },
      { label: 'كبير', price_egp: 9.02 },
    ],
  });
  expect(lean.menu.left_out).toBe(
    `Left out, to stay short: the sizes in other languages. The whole menu: ${WHOLE}`,
  );
  await open({ menu: { items: items(700, () => ({})) } });
  const named = await menuOf();
  within(named);
  agrees(named);
  expect(itemsOf(named)).toHaveLength(700);
  expect(named.menu.left_out).toBe(
    `Left out, to stay short: the items' names in other languages. The whole menu: ${WHOLE}`,
  );
});

test('names in Arabic and English are kept longer than those in other languages', async () => {
  const name = (at: number) => ({
    ar: `صنف ${at}`,
    en: `Item ${at}`,
    ru: `Блюдо ${at}`,
    de: `Gericht ${at}`,
  });
  await open({ menu: { items: items(450, (at) => ({ name: name(at) })) } });
  const answer = await menuOf();
  within(answer);
  agrees(answer);
  expect(itemsOf(answer)[7]).toEqual({
    name: 'صنف 7',
    name_translations: { en: 'Item 7' },
    price_egp: 10.07,
  });
  expect(answer.menu.left_out).toBe(
    `Left out, to stay short: the items' names in languages other than Arabic and English. The whole menu: ${WHOLE}`,
  );
  await open({ menu: { items: items(700, (at) => ({ name: name(at) })) } });
  expect((await menuOf()).menu.left_out).toBe(
    `Left out, to stay short: the items' names in other languages. The whole menu: ${WHOLE}`,
  );
});

test('a menu of 2,000 items keeps the first that fit and counts the others', async () => {
  const categories = ['قهوة', 'عصير', 'حلو', 'أكل'].map((ar, at) => ({ key: `c-${at}`, name: { ar } }));
  await open({
    menu: { categories, items: items(2000, (at) => ({ category: `c-${Math.floor(at / 500)}` })) },
  });
  const answer = await menuOf();
  within(answer);
  agrees(answer);
  const kept = itemsOf(answer);
  expect(kept.map(({ price_egp }) => price_egp)).toEqual(kept.map((_, at) => (1000 + at) / 100));
  // One more item would not have fitted.
  const next = JSON.stringify(kept.at(-1)).length + 1;
  expect(JSON.stringify(answer.menu).length).toBeGreaterThan(MAX_CHARACTERS - next - 20);
  expect(kept.length).toBeGreaterThan(1000);
  expect(answer.menu.truncated).toBe(true);
  expect(answer.menu.left_out).toBe(
    `Left out, to stay short: ${2000 - kept.length} of 2000 items (حلو ${1500 - kept.length} of 500, أكل 500 of 500); the items' names in other languages. The whole menu: ${WHOLE}`,
  );
  expect(answer.lines.slice(0, 2)).toEqual([
    `بيت البن (Beit El Bunn), branch الزمالك (Zamalek): ${kept.length} items listed here. Prices are eaten-in; 14 % tax is included.`,
    answer.menu.left_out,
  ]);
});

test('an item with 20 sizes in 61 languages keeps all its sizes', async () => {
  const codes = Array.from({ length: 60 }, (_, at) => `z${String.fromCharCode(97 + (at % 26))}-x${100 + at}`);
  const label = (at: number) => ({
    ar: `${at}"`.padEnd(60, '"'),
    ...Object.fromEntries(codes.map((code) => [code, `${code} ${at}`.padEnd(60, '"')])),
  });
  const sizes = Array.from({ length: 20 }, (_, at) => ({ label: label(at), price: at }));
  await open({
    menu: {
      items: [
        { key: 'many', name: 'مقاسات', sizes },
        { key: 'croissant', name: { ar: 'كرواسون' }, price: 0 },
      ],
    },
  });
  const answer = await menuOf();
  within(answer);
  expect(itemsOf(answer)[0]?.sizes).toHaveLength(20);
});

test('a menu of 5,000 items with the longest names stays within the limit', async () => {
  const long = (letter: string, at: number): string => `${at}`.padStart(4, '0').padEnd(120, letter);
  const names = (at: number) => ({ ar: long('ق', at), en: long('q', at) });
  const categories = Array.from({ length: 100 }, (_, at) => ({ key: `c-${at}`, name: names(at) }));
  await open({
    menu: {
      categories,
      items: items(5000, (at) => ({
        name: names(at),
        category: `c-${Math.floor(at / 50)}`,
        description: 'و'.repeat(300),
      })),
    },
  });
  const answer = await menuOf();
  within(answer);
  agrees(answer);
  const kept = itemsOf(answer).length;
  expect(kept).toBeGreaterThan(100);
  expect(answer.menu.left_out).toContain(`${5000 - kept} of 5000 items`);
  expect(answer.menu.left_out).toMatch(
    / and \d+ more categories\); every description; the items' names in other languages\. /,
  );
  expect(answer.menu.left_out?.length).toBeLessThan(1000);
});

test('a menu that exactly fits is complete, one more item shortens it', async () => {
  const shortest = async (amount: number): Promise<MenuAnswer> => {
    await open({ menu: { items: items(amount, () => ({ name: { ar: 'ق' }, price: 500 })) } });
    const answer = await menuOf();
    within(answer);
    return answer;
  };
  const { menu } = await shortest(1440);
  const entry = JSON.stringify({ name: 'ق', price_egp: 5 }).length + 1;
  const most = 1440 + Math.floor((MAX_CHARACTERS - JSON.stringify(menu).length) / entry);
  for (const amount of [1440, 1460, most]) {
    const answer = await shortest(amount);
    expect([itemsOf(answer).length, answer.menu.truncated]).toEqual([amount, undefined]);
  }
  const beyond = await shortest(most + 1);
  expect(beyond.menu.truncated).toBe(true);
  expect(beyond.menu.left_out).toContain(` of ${most + 1} items`);
});
