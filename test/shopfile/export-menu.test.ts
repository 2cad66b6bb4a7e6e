/** Menu export as CSV: reimport without changes, and no formula injection. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportMenuCsv, UnwritableMenu } from '../../src/shopfile/app/menu-csv.ts';
import { UnknownShop } from '../../src/shops/app/org-by-slug.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { aMinimalShopFile, anItemEntry, type ItemEntry } from '../support/shops/shop-file.ts';
import { aFullShopFile } from '../support/shops/full-shop-file.ts';
import { useMenuImport, csv } from '../support/shops/menu-import.ts';

const { fixture, open, load, itemsOf, named } = useMenuImport();
const exported = (slug: string): Promise<string> => exportMenuCsv(fixture(), slug);
const rowsOf = (text: string): string[][] => parse(text.slice(1), { record_delimiter: '\r\n' });

// ── Arbitrary menus ─────────────────────────────────────────────────────────────────────────────

/** Quotes, delimiters, formula signs, invisible marks. */
const awkwardCharacters = Array.from('=+-@"\',;،|\u200f\u200e＝ قهوةلبنabC9☕é');
const lineOf = (unit: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc
    .string({ unit: fc.constantFrom(...unit), minLength: 1, maxLength })
    .map((text) => text.trim())
    .filter((text) => text.replaceAll(/[\u200b-\u200f\s]/g, '') !== '');
const line = lineOf(awkwardCharacters, 8);
const lines = lineOf([...awkwardCharacters, '\n'], 16);
const localized = (text: fc.Arbitrary<string>) =>
  fc.record({ ar: text, en: text, fr: text }, { requiredKeys: ['ar'] });
const money = fc.integer({ min: 0, max: 100_000_000 });
const prices = fc.uniqueArray(
  fc.record({ channel: fc.constantFrom('pickup', 'outside', 'in_mall', 'umbrella'), price: money }),
  { maxLength: 4, selector: ({ channel }) => channel },
);
const comparableLabel = (text: string): string => text.replaceAll(/[\u200b-\u200f]/g, '').normalize('NFC');
const priced = fc.oneof(
  fc.record({ price: money, prices }),
  fc.record({ prices: money.map((price) => [{ branch: 'ZML', price }]) }),
);
const sizes = fc.uniqueArray(
  fc.tuple(localized(line), priced).map(([label, own]) => ({ label, ...own })),
  { minLength: 1, maxLength: 3, selector: ({ label }) => comparableLabel(label.ar) },
);
const anyMenu = (slug: string): fc.Arbitrary<ShopFile> => {
  const categories = fc
    .array(localized(line), { minLength: 1, maxLength: 3 })
    .map((names) => names.map((name, at) => ({ key: `category-${at}`, name })));
  return categories.chain((known) =>
    fc
      .array(
        fc.tuple(
          fc.record(
            {
              name: localized(line),
              category: fc.constantFrom(...known.map(({ key }) => key)),
              description: localized(lines),
              active: fc.boolean(),
            },
            { requiredKeys: ['name'] },
          ),
          fc.oneof(
            priced,
            sizes.map((all) => ({ sizes: all })),
          ),
        ),
        { minLength: 1, maxLength: 8 },
      )
      .map((items) =>
        aMinimalShopFile({
          slug,
          branches: [{ name: 'ZML', code: 'ZML' }],
          menu: {
            categories: known,
            items: items.map(([of, own], at) => ({ ...of, ...own, key: `item-${at}` })),
          },
        }),
      ),
  );
};

/** Cells as read by a spreadsheet with another delimiter and without quoting. */
const splitAtAnyDelimiter = (text: string): string[] => text.slice(1).split(/[,;\t\r\n]+/);

describe('export-menu', () => {
  test('of any menu imports without a change', async () => {
    let shops = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constant(null).chain(() => anyMenu(`any-menu-${(shops += 1)}`)),
        async (file) => {
          const { orgId } = await fixture().import({ ...file, slug: `any-menu-${(shops += 1)}` });
          const [{ slug } = { slug: '' }] = (await fixture().rows(orgId)).shop;
          const before = await fixture().rows(orgId);
          const text = await exported(slug);
          expect(await load(slug, text, { dryRun: true })).toMatchObject({ created: 0, entities: [] });
          expect(await load(slug, text, { removeMissingSizes: true })).toMatchObject({
            created: 0,
            entities: [],
          });
          expect(await fixture().rows(orgId)).toEqual(before);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('of any menu has no cell that a spreadsheet reads as a formula, with any delimiter', async () => {
    await fc.assert(
      fc.asyncProperty(anyMenu('formulas'), async (file) => {
        await fixture().import(file);
        const text = await exported('formulas');
        const begin = /^[\u200b-\u200f"]*[=+\-@\t\r＝＋－＠]/;
        expect(
          rowsOf(text)
            .flat()
            .filter((cell) => begin.test(cell)),
        ).toEqual([]);
        expect(
          splitAtAnyDelimiter(text).filter((cell) => /^[\u200b-\u200f"]*[=+\-@＝＋－＠]/.test(cell)),
        ).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  test('writes ids, both languages, a row for each size, and prices in pounds', async () => {
    const slug = await open({
      menu: {
        categories: [{ name: { ar: 'قهوة', en: 'Coffee' } }],
        items: [
          anItemEntry({ description: { ar: 'سطر\nثان', en: 'a "b", c' }, active: false }),
          {
            name: { ar: '=HYPERLINK("x")' },
            sizes: [
              {
                label: { ar: 'وسط', en: 'Medium' },
                price: 8005,
                prices: [{ channel: 'umbrella', price: 0 }],
              },
              { label: 'كبير', price: 9500 },
            ],
          },
        ],
      },
    });
    const [coffee, other] = await itemsOf(slug);
    expect(rowsOf(await exported(slug))).toEqual([
      [
        'id',
        'category_ar',
        'category_en',
        'name_ar',
        'name_en',
        'description_ar',
        'description_en',
        'size_ar',
        'size_en',
        'price_egp',
        'price_pickup_egp',
        'price_outside_egp',
        'price_in_mall_egp',
        'price_umbrella_egp',
        'active',
      ],
      [
        coffee?.id,
        'قهوة',
        'Coffee',
        'قهوة تركي',
        'Turkish coffee',
        'سطر\nثان',
        'a "b", c',
        '',
        '',
        '45.00',
        '',
        '',
        '',
        '',
        'no',
      ],
      [
        other?.id,
        '',
        '',
        `'=HYPERLINK("x")`,
        '',
        '',
        '',
        'وسط',
        'Medium',
        '80.05',
        '',
        '',
        '',
        '0.00',
        'yes',
      ],
      [other?.id, '', '', `'=HYPERLINK("x")`, '', '', '', 'كبير', '', '95.00', '', '', '', '', 'yes'],
    ]);
  });

  test('imports without loss of data that has no column: add-ons, groups, branch prices, combos', async () => {
    const text = JSON.stringify({ ...aFullShopFile(), slug: 'rich-export', former_slugs: [] }).replaceAll(
      'c0ffee00-0000',
      'c0ffee33-0000',
    );
    const { orgId } = await fixture().importText(text);
    const before = await fixture().rows(orgId);
    expect(await load('rich-export', await exported('rich-export'))).toMatchObject({ entities: [] });
    expect(await fixture().rows(orgId)).toEqual(before);
  });

  test('with one edited price changes only that price', async () => {
    const slug = await open();
    const text = (await exported(slug)).replace('45.00', '47.50');
    expect((await load(slug, text)).entities.map(({ name, aspects }) => [name, aspects])).toEqual([
      ['قهوة تركي', ['price']],
    ]);
    expect((await named(slug, 'قهوة تركي'))?.price).toBe(4750);
  });

  test('of a shop in another language, or of an unknown shop, is rejected', async () => {
    await fixture().import(
      aMinimalShopFile({
        slug: 'french',
        main_language: 'fr',
        name: { fr: 'Café' },
        branches: [],
        menu: { items: [{ name: { fr: 'Thé' }, price: 1 } satisfies ItemEntry] },
      }),
    );
    await expect(exported('french')).rejects.toThrow(UnwritableMenu);
    await expect(exported('nobody-s')).rejects.toThrow(UnknownShop);
    await expect(load('french', csv('name_en,price_egp', 'Tea,1'))).rejects.toThrow(/main language is fr/);
  });
});
