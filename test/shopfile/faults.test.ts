/** Every mistake a file can hold, and the words it gets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { aRichShopFile, aShopFile } from '../support/build.ts';
import { faultsOfImport, openShopHouse, told, type ShopHouse } from '../support/shop-imports.ts';

let house: ShopHouse;
beforeAll(async () => {
  house = await openShopHouse();
});
afterAll(() => house.close());

const faultsOfText = (text: string) => faultsOfImport(house.importText(text));

describe('a text that is no JSON', () => {
  test.each([
    ['an empty file', '', 1, 1, /a value is expected here, not the end of the file/],
    [
      'a comma too many',
      '{\n  "format": 1,\n}',
      3,
      1,
      /field name in quotation marks is expected here, not ‘}’/,
    ],
    ['a comma too few', '{"format": 1 "slug": "x"}', 1, 14, /‘,’ or ‘}’ is expected here, not ‘"’/],
    ['a quotation mark that is never closed', '{"slug": "bon', 1, 10, /no closing quotation mark/],
    ['a line break inside a text', '{"slug": "b\nc"}', 1, 12, /line break or control character/],
    ['something after the end', '{} []', 1, 4, /the end of the file is expected here/],
    ['a field written twice', '{"format": 1,\n "format": 1}', 2, 2, /is written twice/],
    ['a number beyond all numbers', '{"format": 1e999}', 1, 12, /too large/],
    ['a bad escape', '{"slug": "\\q"}', 1, 11, /\\q means nothing in JSON/],
    ['columns counted in characters', '{"قهوة☕": tru}', 1, 11, /a value is expected here, not ‘t’/],
  ])('%s is shown with its line and column', async (_, text, line, column, problem) => {
    const [fault, ...others] = await faultsOfText(text);
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ file: 'shop.json', line, column });
    expect(fault?.problem).toMatch(problem);
  });

  test('ten thousand brackets are refused, not a fault of ours', async () => {
    expect((await faultsOfText('['.repeat(10_000)))[0]?.problem).toMatch(/nested too deeply/);
  });

  test('a byte order mark is passed over', async () => {
    await house.importText(`\uFEFF${JSON.stringify(aShopFile())}`);
  });
});

describe('all of it at once', () => {
  test('every fault of every file is told, form and meaning alike, and none that only follows from another', async () => {
    const file = aRichShopFile();
    const first = JSON.parse(JSON.stringify(file)) as {
      menu: {
        items: Record<string, unknown>[];
        deals: Record<string, unknown>[];
        categories: Record<string, unknown>[];
      };
    };
    Reflect.set(first.menu.items[1] ?? {}, 'price', -5);
    Reflect.set(first.menu.items[2] ?? {}, 'prices', [{ branch: 'nowhere', price: 1 }]);
    Reflect.set(first.menu.deals[0] ?? {}, 'kind', 'three_for_two');
    Reflect.set(first.menu.deals[1] ?? {}, 'qty', undefined);
    // What refers to the category is not reported: it may well be this one.
    Reflect.set(first.menu.categories[2] ?? {}, 'name', 5);
    const second = { ...aShopFile({ slug: 'second-shop' }), active: 'yes' };
    const faults = await faultsOfImport(
      importShops(house, [
        { name: 'first.json', text: JSON.stringify(first) },
        { name: 'broken.json', text: '{' },
        { name: 'second.json', text: JSON.stringify(second, null, 2) },
      ]),
    );
    expect(faults.map(({ file: name, path }) => `${name} ${path}`).sort()).toEqual([
      'broken.json ',
      'first.json menu.categories[2].name',
      'first.json menu.deals[0].kind',
      'first.json menu.deals[1].qty',
      'first.json menu.items[1].price',
      'first.json menu.items[2].prices[0].branch',
      'second.json active',
    ]);
    const line =
      JSON.stringify(second, null, 2)
        .split('\n')
        .findIndex((one) => one.includes('"active"')) + 1;
    expect(faults.find(({ file: name }) => name === 'second.json')).toMatchObject({ line, column: 13 });
  });

  test('each is a line that names file, line, column, place and problem', async () => {
    const file: ShopFile = aShopFile();
    const text = JSON.stringify({ ...file, menu: { items: [{ name: 'شاي', price: -1 }] } }, null, 2);
    const outcome = await house.importText(text).catch((fault: unknown) => fault);
    const line = text.split('\n').findIndex((one) => one.includes('"price"')) + 1;
    expect(outcome).toMatchObject({
      message: `shop.json:${line}:18 menu.items[0].price must be a whole number from 0 to 100000000`,
    });
  });

  test('a file that is no object at all gets one fault', async () => {
    for (const text of ['[]', '7', 'null', '"shop"']) {
      const faults = await faultsOfText(text);
      expect(told(faults)).toEqual([': must be an object']);
    }
  });
});
