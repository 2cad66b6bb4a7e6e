/** Limits of an import, and rejection of files that are not shops. */
import { describe, expect, test } from 'vitest';
import { exportMenuCsv } from '../../src/shopfile/app/menu-csv.ts';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import { anItemEntry, aMinimalShopFile, type ItemEntry } from '../support/shops/shop-file.ts';
import { useMenuImport, csv } from '../support/shops/menu-import.ts';
import { faultsOfImport, faultLines } from '../support/shops/shop-import.ts';

const { fixture, open, load, faultsOf } = useMenuImport();

const refused = async (text: string): Promise<string[]> =>
  faultLines(await faultsOfImport(fixture().importText(text)));

const items = (count: number, item: (at: number) => unknown): ItemEntry[] =>
  Array.from({ length: count }, (_, at) => item(at) as ItemEntry);
const fileOf = (slug: string, count: number, item: (at: number) => unknown) =>
  aMinimalShopFile({ slug, menu: { categories: [{ name: 'قهوة' }], items: items(count, item) } });

describe('the number of items of an import', () => {
  const anItemAt = (at: number): ItemEntry => anItemEntry({ name: `صنف ${at}` });
  const given = (...counts: readonly number[]) =>
    counts.map((count, at) => ({
      name: `${at}.json`,
      text: JSON.stringify(fileOf(`limits-${at}`, count, anItemAt)),
    }));

  test('above the limit is rejected, counted over all files', async () => {
    expect(faultLines(await faultsOfImport(importShops(fixture(), given(3, 2), { maxItems: 4 })))).toEqual([
      'menu.items: has 5 items; an import reads at most 4 (IMPORT_MAX_ITEMS)',
    ]);
    await importShops(fixture(), given(3, 1), { maxItems: 4, dryRun: true });
  });

  test('above the limit in a menu CSV is rejected with the row of the first excess item', async () => {
    const slug = await open();
    const rows = ['شاي,25', 'ينسون,30', 'سحلب,60'];
    expect(await faultsOf(slug, csv('name_ar,price_egp', ...rows), { maxItems: 2 })).toEqual([
      'menu.csv:4 row 4: has 3 items; an import reads at most 2 (IMPORT_MAX_ITEMS)',
    ]);
    const many = Array.from({ length: 45 }, (_, at) => `صنف ${at},25`);
    expect(await faultsOf(slug, csv('name_ar,price_egp', ...many), { maxItems: 2 })).toEqual([
      'menu.csv:- : has more than 41 rows, which are 20 sizes of each of 2 items, all that an import reads (IMPORT_MAX_ITEMS)',
    ]);
    await load(slug, csv('name_ar,price_egp', ...rows), { maxItems: 3 });
  });

  test('of 10,001 in two sizes with channel prices is imported, combos after the items, exported and reimported', async () => {
    const combo = {
      name: 'وجبة',
      price: 1,
      slots: [{ name: 'مشروب', choices: [{ item: 'صنف 7', included_size: 'صغير' }] }],
    };
    const sizes = (at: number) =>
      ['صغير', 'كبير'].map((label, place) => ({
        label,
        price: 4500 + at + 1000 * place,
        prices: [{ channel: 'pickup' as const, price: 4400 + at + 1000 * place }],
      }));
    const file = fileOf('many-prices', 10_001, (at) => ({
      name: `صنف ${at}`,
      category: 'قهوة',
      sizes: sizes(at),
    }));
    const text = JSON.stringify({ ...file, menu: { ...file.menu, combos: [combo] } });
    const { created, orgId } = await fixture().importText(text);
    const rows = (await fixture().rows(orgId)).menu_item;
    expect(rows).toHaveLength(10_002);
    expect(rows.find(({ kind }) => kind === 'combo')?.sort).toBe(10_001);
    const exported = await exportMenuCsv(fixture(), 'many-prices');
    const { unchanged, entities } = await load('many-prices', exported, { dryRun: true });
    expect([entities, unchanged]).toEqual([[], created]);
  }, 600_000);
});

describe('a file that is no shop', () => {
  test.each<[string, () => string, RegExp]>([
    ['of nothing but depth', () => '['.repeat(30_000_000), /: this is nested too deeply$/],
    [
      'of a million fields',
      () => `{${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
      /^k1000: this object has more than 1000 fields$/,
    ],
    [
      'of three million values',
      () => `[${'1,'.repeat(3_000_000)}1]`,
      /: the file holds more than 2,000,000 values, which no shop has$/,
    ],
    ['of zeros', () => '\u0000'.repeat(30_000_000), /^: is not in UTF-8: save the file as UTF-8$/],
    ['without an end', () => `{"name":"${'x'.repeat(30_000_000)}`, /no closing quotation mark$/],
  ])(
    '%s is rejected with a message',
    async (_, text, sentence) => {
      expect(await refused(text())).toEqual([expect.stringMatching(sentence)]);
    },
    120_000,
  );

  test('with one text of 60 MB is rejected for its length, in a message without the text', async () => {
    const text = JSON.stringify(aMinimalShopFile({ slug: 'long-text', name: 'x'.repeat(60_000_000) }));
    expect(await refused(text)).toEqual(['name: must have at most 120 characters']);
    const field = `{"format":1,"${'y'.repeat(60_000_000)}":1}`;
    expect((await refused(field)).map((line) => line.slice(-35))).toContain(
      ': is not a field that is known here',
    );
  }, 120_000);

  test('without row ends is rejected as a menu CSV', async () => {
    const slug = await open();
    expect(await faultsOf(slug, ','.repeat(30_000_000))).toEqual([
      'menu.csv:1 : is no table: this line has more than 65,536 characters',
    ]);
    expect(await faultsOf(slug, `name_ar,price_egp\n"${'x\n'.repeat(1_000_000)}`)).toEqual([
      'menu.csv:2 row 2: cannot be read from here on: a quotation mark is opened or closed in the wrong place',
    ]);
    expect(await faultsOf(slug, '\n'.repeat(30_000_000))).toEqual([
      expect.stringMatching(/has more than 400,001 rows/),
    ]);
  }, 120_000);
});

describe('a large file with faults', () => {
  test('gets the first fault of each entry, and one fault outside the lists', async () => {
    const wrong = (at: number) => ({
      name: `صنف ${at}`,
      price: at === 2 ? 45.5 : 4500,
      colour: 'x',
      prices: Array.from({ length: 20 }, () => ({ channel: 'pickup', price: 1 })),
    });
    const file = fileOf('large-faults', 4000, wrong);
    const text = JSON.stringify({ ...file, tagline: 'x' });
    const found = await refused(text);
    expect(found.slice(0, 3)).toEqual([
      'tagline: is not a field that is known here',
      'menu.items[0].colour: is not a field that is known here',
      'menu.items[1].colour: is not a field that is known here',
    ]);
    expect(found).toHaveLength(1000);
  }, 120_000);

  test('that satisfies the schema gets semantic checks', async () => {
    const item = (at: number) => ({
      name: `صنف ${at}`,
      price: 4500,
      category: at < 500 ? 'شاي' : 'قهوة',
      prices: [{ branch: 'ZML', price: 1 }],
      description: { ar: 'وصف', en: 'text' },
      availability: Array.from({ length: 8 }, (_, place) => ({
        ...(place < 4 ? { channel: ['pickup', 'outside', 'in_mall', 'umbrella'][place] } : { branch: 'ZML' }),
        on: false,
      })).slice(0, 5),
    });
    const file = fileOf('large-meaning', 15_000, item);
    const found = await refused(JSON.stringify({ ...file, branches: [{ name: 'ZML', code: 'ZML' }] }));
    expect(found).toHaveLength(500);
    expect(found[0]).toBe('menu.items[0].category: names no category of this file: ‘شاي’');
  }, 300_000);
});
