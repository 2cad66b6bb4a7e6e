/** Menu CSV imports: additions, changes, and faults by row. */
import { describe, expect, test } from 'vitest';
import { menuCsvTemplate } from '../../src/shopfile/app/menu-csv.ts';
import { UnknownShop } from '../../src/shops/app/org-by-slug.ts';
import { aMinimalShopFile, anItemEntry } from '../support/shops/shop-file.ts';
import { aFullShopFile } from '../support/shops/full-shop-file.ts';
import { useMenuImport, csv } from '../support/shops/menu-import.ts';
import { faultsOfImport } from '../support/shops/shop-import.ts';

const { fixture, open, load, itemsOf, named, faultsOf } = useMenuImport();

describe('the template', () => {
  test('can be imported twice into an empty shop', async () => {
    const slug = await open({ menu: {} });
    expect(await load(slug, menuCsvTemplate())).toMatchObject({ created: 6, updated: 0, archived: 0 });
    expect(await load(slug, menuCsvTemplate())).toMatchObject({
      created: 0,
      updated: 0,
      archived: 0,
      entities: [],
    });
    const [turkish, latte, lemon, mango] = await itemsOf(slug);
    expect(turkish).toMatchObject({
      name: { ar: 'قهوة تركي', en: 'Turkish coffee' },
      category: 'قهوة',
      description: { ar: 'بن محوج على الرمل', en: 'Spiced, made on sand' },
      sizes: [
        { label: { ar: 'سنجل', en: 'Single' }, price: 4500 },
        { label: { ar: 'دوبل', en: 'Double' }, price: 6000 },
      ],
    });
    expect(latte).toMatchObject({
      price: 8550,
      prices: [
        { channel: 'pickup', price: 8000 },
        { channel: 'outside', price: 9500 },
      ],
    });
    expect([lemon?.active, mango?.active, mango?.price]).toEqual([undefined, false, 7000]);
  });
});

describe('a menu CSV', () => {
  test('adds and updates items, and leaves others unchanged', async () => {
    const slug = await open();
    const report = await load(slug, csv('name_ar,price_egp', 'قهوة تركي,50', 'شاي,25'));
    expect(report.entities.map(({ op, kind, name, aspects }) => [op, kind, name, aspects])).toEqual([
      ['created', 'item', 'شاي', []],
      ['updated', 'item', 'قهوة تركي', ['price']],
    ]);
    const coffee = await named(slug, 'قهوة تركي');
    expect(coffee).toMatchObject({ name: { en: 'Turkish coffee' }, category: 'قهوة', price: 5000 });
    await load(slug, csv('name_ar,price_egp', 'شاي,30'));
    expect((await itemsOf(slug)).map(({ price }) => price)).toEqual([5000, 3000]);
  });

  test('in a dry run writes no row', async () => {
    const slug = await open();
    const report = await load(slug, csv('name_ar,price_egp', 'شاي,25'), { dryRun: true });
    expect(report).toMatchObject({ created: 1, file: 'menu.csv', slug });
    expect(await itemsOf(slug)).toHaveLength(1);
  });

  test('clears a field with a blank cell, and keeps it without its column', async () => {
    const slug = await open();
    await load(
      slug,
      csv('name_ar,name_en,description_ar,price_egp', 'قهوة تركي,Turkish coffee,على الرمل,45'),
    );
    await load(slug, csv('name_ar,price_egp', 'قهوة تركي,45'));
    expect(await named(slug, 'قهوة تركي')).toMatchObject({ description: { ar: 'على الرمل' } });
    await load(slug, csv('name_ar,name_en,description_ar,price_egp', 'قهوة تركي,,,45'));
    const coffee = await named(slug, 'قهوة تركي');
    expect([coffee?.name, coffee?.description]).toEqual([{ ar: 'قهوة تركي' }, undefined]);
  });

  test('preserves fields of an item that have no column', async () => {
    const slug = 'rich-menu';
    const rich = aFullShopFile();
    const text = JSON.stringify({ ...rich, slug, former_slugs: [] }).replaceAll(
      'c0ffee00-0000',
      'c0ffee22-0000',
    );
    await fixture().importText(text);
    const before = await named(slug, 'لاتيه');
    await load(slug, csv('name_ar,size_ar,price_egp', 'لاتيه,صغير,71', 'لاتيه,كبير,91'));
    const after = await named(slug, 'لاتيه');
    const [small, large] = after?.sizes ?? [];
    expect([small?.price, large?.price]).toEqual([7100, 9100]);
    const without = (item: Awaited<ReturnType<typeof named>>) => ({
      ...item,
      sizes: item?.sizes?.map(({ label, prices }) => ({ label, prices })),
    });
    expect(without(after)).toEqual(without(before));
  });

  test('adds and removes the sizes of an item', async () => {
    const slug = await open();
    await load(
      slug,
      csv('name_ar,size_ar,size_en,price_egp', 'قهوة تركي,سنجل,Single,45', 'قهوة تركي,دوبل,Double,60'),
    );
    expect(await named(slug, 'قهوة تركي')).toMatchObject({ sizes: [{ price: 4500 }, { price: 6000 }] });
    await load(slug, csv('name_ar,price_egp', 'قهوة تركي,47'), { removeMissingSizes: true });
    const coffee = await named(slug, 'قهوة تركي');
    expect([coffee?.sizes, coffee?.price]).toEqual([undefined, 4700]);
  });

  test('matches an item by id, so that its name can change', async () => {
    const slug = await open();
    const [before] = await itemsOf(slug);
    await load(slug, csv('id,name_ar,price_egp', `${before?.id ?? ''},قهوة,45`));
    expect(await named(slug, 'قهوة')).toMatchObject({ id: before?.id });
  });

  test.each(['قهوة,', ','])(
    'with a new name and the English name of another item is rejected (category ‘%s’)',
    async (category) => {
      const slug = await open();
      const file = csv('category,name_ar,name_en,price_egp', `${category}قهوة فرنساوي,Turkish coffee,80`);
      expect(await faultsOf(slug, file)).toEqual([
        'menu.csv:2 row 2, name_en: is the English name of ‘قهوة تركي’: give its id to rename it, or another English name',
      ]);
      expect(await named(slug, 'قهوة تركي')).toMatchObject({ price: 4500 });
    },
  );

  test('with an unknown id adds an item, unless the name exists', async () => {
    const slug = await open();
    const other = '0d000000-0000-4000-8000-00000000beef';
    const fileOf = (name: string) => csv('id,category,name_ar,price_egp', `${other},قهوة,${name},7`);
    expect(await faultsOf(slug, fileOf('قهوة تركي'))).toEqual([
      'menu.csv:2 row 2, id: is the id of nothing here, and there is ‘قهوة تركي’: leave the id out to change it, or give another name to make one',
    ]);
    expect(await faultsOf(slug, csv('id,name_ar,price_egp', `${other},قهوة تركي,7`))).toHaveLength(1);
    await load(slug, fileOf('لاتيه'));
    expect(await named(slug, 'لاتيه')).toMatchObject({ id: other, price: 700 });
  });

  test('with a new name beside the row of the item with the same English name adds an item', async () => {
    const slug = await open();
    const rows = ['قهوة,قهوة تركي,Turkish coffee,45', 'قهوة,قهوة فرنساوي,Turkish coffee,80'];
    await load(slug, csv('category,name_ar,name_en,price_egp', ...rows));
    expect((await itemsOf(slug)).map(({ price }) => price)).toEqual([4500, 8000]);
  });

  test('adds an item under the former name of another', async () => {
    const slug = await open();
    const [before] = await itemsOf(slug);
    const renamed = csv('id,name_ar,price_egp', `${before?.id ?? ''},قهوة مظبوط,45`);
    await load(slug, renamed);
    await load(slug, csv('category,name_ar,price_egp', 'قهوة,قهوة تركي,50'));
    expect((await itemsOf(slug)).map(({ price }) => price)).toEqual([4500, 5000]);
    await load(slug, renamed.replace('45', '47'));
    expect((await itemsOf(slug)).map(({ price }) => price)).toEqual([4700, 5000]);
  });

  test('notes that a category keeps its English name', async () => {
    const slug = await open();
    const { notes } = await load(
      slug,
      csv(
        'category,category_en,name_ar,price_egp',
        'قهوة,Hot drinks,قهوة تركي,45',
        'قهوة,Hot drinks,لاتيه,80',
      ),
    );
    expect(notes).toEqual([
      'the category ‘قهوة’ keeps its English name ‘Coffee’: a menu file renames no category',
    ]);
  });

  test('matches categories by either name, and creates missing ones', async () => {
    const slug = await open();
    await load(
      slug,
      csv(
        'category,category_en,name_ar,price_egp',
        'Coffee,,لاتيه,80',
        'عصائر,Juices,مانجو,70',
        'عصائر,Juices,ليمون,55',
      ),
    );
    const { menu } = await fixture().export(slug);
    expect(menu.categories?.map(({ name }) => name)).toEqual([
      { ar: 'قهوة', en: 'Coffee' },
      { ar: 'عصائر', en: 'Juices' },
    ]);
    expect(menu.items?.map(({ category }) => category)).toEqual(['قهوة', 'قهوة', 'عصائر', 'عصائر']);
  });

  test('of an English shop is matched by English names', async () => {
    const slug = await open({
      main_language: 'en',
      menu: { items: [anItemEntry({ category: 'Coffee' })], categories: [{ name: { en: 'Coffee' } }] },
    });
    await load(slug, csv('category,name_en,price_egp', 'Coffee,Turkish coffee,50', 'Coffee,Latte,80'));
    expect((await itemsOf(slug)).map(({ price }) => price)).toEqual([5000, 8000]);
  });

  test.each([
    ['with a byte order mark and Windows line ends', '\uFEFFname_ar,price_egp\r\nشاي,25\r\n'],
    ['with Unix line ends and none at the end', 'name_ar,price_egp\nشاي,25'],
    [
      'with semicolons, as Excel writes where the comma is the decimal point',
      'name_ar;price_egp\r\nشاي;25,00\r\n',
    ],
    ['with tabs', 'name_ar\tprice_egp\r\nشاي\t25\r\n'],
    ['with a line that names the delimiter', 'sep=;\r\nname_ar;price_egp\r\nشاي;25\r\n'],
    [
      'with quoted cells, blank rows and blank columns',
      '"name_ar","price_egp","",""\r\n\r\n"شاي","25","",""\r\n,,,\r\n',
    ],
    ['with Arabic column names and figures', 'الاسم,السعر\r\nشاي,٢٥٫٠٠\r\n'],
    [
      'with direction marks around everything',
      '\u200fالاسم\u200f,السعر\r\n\u200fشاي\u200f,\u200f25\u200f\r\n',
    ],
  ])('%s is read', async (_, text) => {
    const slug = await open({ menu: {} });
    await load(slug, text);
    expect((await itemsOf(slug)).map(({ name, price }) => [name, price])).toEqual([[{ ar: 'شاي' }, 2500]]);
  });
});

describe('every fault', () => {
  test('has its row, its column as spelled in the file, and its line', async () => {
    const slug = await open();
    const text = csv(
      'القسم,الاسم,name_en,"description_ar",size_ar,السعر,متاح',
      'قهوة,لاتيه,Latte,"سطر\nثان",,غالي,نعم',
      'قهوة,,Nameless,,,20,',
      'قهوة,موكا,Mocha,,صغير,80,',
      'قهوة,موكا,Moka,,صغير,90,لا',
      'قهوة,شاي,Tea,,,,',
      'قهوة,سحلب,,,,30.999,يمكن',
    );
    expect(await faultsOf(slug, text)).toEqual([
      'menu.csv:2 row 2, السعر: is no price in pounds: write it as in 65 or 65.50, with at most two decimals (‘غالي’)',
      'menu.csv:4 row 3, الاسم: is missing: the item needs a name in the shop’s main language',
      'menu.csv:6 row 5, name_en: differs from row 4, which is the same item',
      'menu.csv:6 row 5, متاح: differs from row 4, which is the same item',
      'menu.csv:6 row 5, size_ar: is the same size as in row 4',
      'menu.csv:7 row 6, السعر: is missing',
      'menu.csv:8 row 7, متاح: must be yes or no, نعم or لا (‘يمكن’)',
      'menu.csv:8 row 7, السعر: is no price in pounds: write it as in 65 or 65.50, with at most two decimals (‘30.999’)',
    ]);
    expect(await itemsOf(slug)).toHaveLength(1);
  });

  test('of the columns is reported for the first row', async () => {
    const slug = await open();
    expect(await faultsOf(slug, csv('اسم غريب,القسم', 'x,y'))).toEqual([
      'menu.csv:1 row 1, اسم غريب: is not a column of a menu; docs/menu-csv.md lists every name that is accepted',
      'menu.csv:1 row 1, name_ar: is a column that a menu needs, and is not there',
    ]);
  });

  test('of indistinguishable rows of one item is reported', async () => {
    const slug = await open();
    expect(await faultsOf(slug, csv('name_ar,price_egp', 'شاي,25', 'شاي,30'))).toEqual([
      'menu.csv:2 row 2, size_ar: is missing: row 3 is the same item, so each needs a size',
      'menu.csv:3 row 3, size_ar: is missing: row 2 is the same item, so each needs a size',
    ]);
    const six = ['شاي,كبير,25', 'شاي,,30', 'قهوة,,45', 'شاي,صغير,20', 'شاي,وسط,22', 'شاي,ضخم,40'];
    expect(await faultsOf(slug, csv('name_ar,size_ar,price_egp', ...six))).toEqual([
      'menu.csv:3 row 3, size_ar: is missing: rows 2, 5, 6 and 1 more are the same item, so each needs a size',
    ]);
    expect(await faultsOf(slug, csv('name_ar,size_ar,price_egp', ...six.slice(0, 4)))).toEqual([
      'menu.csv:3 row 3, size_ar: is missing: rows 2 and 5 are the same item, so each needs a size',
    ]);
  });

  test('of an item with and without its id is reported', async () => {
    const slug = await open();
    const [coffee] = await itemsOf(slug);
    const rows = [`${coffee?.id ?? ''},قهوة تركي,45`, ',قهوة تركي,50'];
    expect(await faultsOf(slug, csv('id,name_ar,price_egp', ...rows))).toEqual([
      'menu.csv:3 row 3: is the same item as row 2: give both rows its id, or neither',
    ]);
  });

  test('of a row with a multi-line cell is reported once, at the first line', async () => {
    const slug = await open();
    const text = 'name_ar,price_egp\r\nشاي,25\r\n"قه\r\nوة",45\r\nسحلب,غالي\r\n';
    expect(await faultsOf(slug, text)).toEqual([
      'menu.csv:3 row 3, name_ar: holds the control characters U+000D, U+000A',
      expect.stringMatching(/^menu.csv:5 row 4, price_egp: is no price/),
    ]);
    await load(slug, 'name_ar,description_ar,price_egp\r\nشاي,"سطر\r\nثان",25\r\n');
    expect(await named(slug, 'شاي')).toMatchObject({ description: { ar: 'سطر\nثان' } });
  });

  test('of the merged shop is reported by row too', async () => {
    const slug = await open();
    expect(await faultsOf(slug, csv('name_ar,price_egp', `${'ش'.repeat(121)},25`))).toEqual([
      'menu.csv:2 row 2, name_ar: must have at most 120 characters',
    ]);
    const meal = {
      name: 'وجبة',
      price: 1,
      slots: [{ name: 'مشروب', choices: [{ item: 'لاتيه', included_size: 'صغير' }] }],
    };
    const withCombo = await open({
      menu: { items: [{ name: 'لاتيه', sizes: [{ label: 'صغير', price: 1 }] }], combos: [meal] },
    });
    const withoutSizes = csv('name_ar,price_egp', 'لاتيه,25');
    expect(await faultsOf(withCombo, withoutSizes, { removeMissingSizes: true })).toEqual([
      'menu.csv:- menu.combos[0].slots[0].choices[0].included_size: names a size, but the item has none: ‘صغير’',
    ]);
  });

  test('of an unreadable file is reported with its line', async () => {
    const slug = await open();
    expect(await faultsOf(slug, 'name_ar,price_egp\nشاي,"25\nقهوة,45')).toEqual([
      'menu.csv:2 row 2: cannot be read from here on: a quotation mark is opened or closed in the wrong place',
    ]);
    expect(await faultsOf(slug, 'name_ar,price_egp\nشاي,غالي\nقهوة,\nسحلب,"45\nليمون,قليل\n')).toEqual([
      expect.stringMatching(/^menu.csv:2 row 2, price_egp: is no price/),
      'menu.csv:3 row 3, price_egp: is missing',
      'menu.csv:4 row 4: cannot be read from here on: a quotation mark is opened or closed in the wrong place',
    ]);
    expect(await faultsOf(slug, '"name_ar,price_egp\nشاي,25\n')).toEqual([
      'menu.csv:1 row 1: cannot be read from here on: a quotation mark is opened or closed in the wrong place',
    ]);
    expect(await faultsOf(slug, '')).toContain('menu.csv:- row 2: holds no items');
    expect((await faultsOf(slug, 'name_ar,price_egp\nقه\ufffdوة,25\n'))[0]).toContain(
      'save the file as UTF-8',
    );
  });

  test.each([
    ['with a byte order mark', '\uFEFF'],
    ['without', ''],
  ])('of a file in UTF-16 %s is reported once', async (_, mark) => {
    const slug = await open();
    const text = Buffer.from(`${mark}${csv('الاسم,السعر', 'شاي,25', 'قهوة بالحليب,45')}`, 'utf16le');
    expect(await faultsOf(slug, text.toString('utf8'))).toEqual([
      'menu.csv:- : is not in UTF-8: save the file as UTF-8',
    ]);
    expect(await faultsOf(slug, text.swap16().toString('utf8'))).toEqual([
      'menu.csv:- : is not in UTF-8: save the file as UTF-8',
    ]);
    const shop = Buffer.from(`${mark}${JSON.stringify(aMinimalShopFile({ slug }))}`, 'utf16le');
    const faults = await faultsOfImport(fixture().importText(shop.toString('utf8')));
    expect(faults.map(({ path, problem }) => `${path}: ${problem}`)).toEqual([
      ': is not in UTF-8: save the file as UTF-8',
    ]);
  });

  test('of an unknown shop is an UnknownShop error', async () => {
    await expect(load('nobody-s', menuCsvTemplate())).rejects.toThrow(UnknownShop);
  });
});
