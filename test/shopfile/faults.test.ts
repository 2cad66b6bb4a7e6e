/** Faults of a file, their positions and messages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { aMinimalShopFile } from '../support/shops/shop-file.ts';
import { aFullShopFile } from '../support/shops/full-shop-file.ts';
import {
  faultsOfImport,
  openImportFixture,
  faultLines,
  type ImportFixture,
} from '../support/shops/shop-import.ts';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

const faultsOfText = (text: string) => faultsOfImport(fixture.importText(text));

describe('invalid JSON', () => {
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

  test('ten thousand brackets are rejected without a stack overflow', async () => {
    expect((await faultsOfText('['.repeat(10_000)))[0]?.problem).toMatch(/nested too deeply/);
  });

  test('a byte order mark is skipped', async () => {
    await fixture.importText(`\uFEFF${JSON.stringify(aMinimalShopFile())}`);
  });
});

describe('all faults together', () => {
  test('every schema and semantic fault of every file is reported, and no consequential fault', async () => {
    const file = aFullShopFile();
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
    // References to a category are not reported, because they may mean this one.
    Reflect.set(first.menu.categories[2] ?? {}, 'name', 5);
    const second = { ...aMinimalShopFile({ slug: 'second-shop' }), active: 'yes' };
    const faults = await faultsOfImport(
      importShops(fixture, [
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

  test('each line has file, line, column, path and problem', async () => {
    const file: ShopFile = aMinimalShopFile();
    const text = JSON.stringify({ ...file, menu: { items: [{ name: 'شاي', price: -1 }] } }, null, 2);
    const outcome = await fixture.importText(text).catch((fault: unknown) => fault);
    const line = text.split('\n').findIndex((one) => one.includes('"price"')) + 1;
    expect(outcome).toMatchObject({
      message: `shop.json:${line}:18 menu.items[0].price must be a whole number from 0 to 100000000`,
    });
  });

  test('a file that is not an object gets one fault', async () => {
    for (const text of ['[]', '7', 'null', '"shop"']) {
      const faults = await faultsOfText(text);
      expect(faultLines(faults)).toEqual([': must be an object']);
    }
  });
});
