/** A menu CSV changes only the fields and items that it contains. */
import { describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { anItemEntry, type ItemEntry } from '../support/shops/shop-file.ts';
import { useMenuImport, csv } from '../support/shops/menu-import.ts';

const { open, load, itemsOf, named, faultsOf } = useMenuImport();

const coffee = { name: { ar: 'قهوة', en: 'Coffee' } };
const iced = { name: { ar: 'مثلجات', en: 'Iced' } };

/** Two sizes, each with a pickup price. */
const latte: ItemEntry = {
  name: { ar: 'لاتيه', en: 'Latte' },
  category: 'قهوة',
  description: { ar: 'بالحليب' },
  sizes: [
    { label: { ar: 'وسط', en: 'Medium' }, price: 8000, prices: [{ channel: 'pickup', price: 7500 }] },
    { label: { ar: 'كبير', en: 'Large' }, price: 9500, prices: [{ channel: 'pickup', price: 9000 }] },
  ],
};
const menuOf = (...items: readonly ItemEntry[]): Partial<ShopFile> => ({
  menu: { categories: [coffee, iced], items: [...items] },
});

describe('a file without a size column', () => {
  const withLatte = () => open(menuOf(latte, anItemEntry()));

  test('preserves the sizes and channel prices of items', async () => {
    const slug = await withLatte();
    await load(slug, csv('name_ar,description_ar', 'لاتيه,بالحليب الطازج'));
    expect(await named(slug, 'لاتيه')).toMatchObject({
      description: { ar: 'بالحليب الطازج' },
      sizes: latte.sizes,
    });
    await load(slug, csv('name_ar,price_egp', 'لاتيه,', 'قهوة تركي,50'));
    expect((await named(slug, 'لاتيه'))?.sizes).toEqual(latte.sizes);
  });

  test('is rejected if it prices an item of several sizes, with the names of the sizes', async () => {
    const slug = await withLatte();
    expect(await faultsOf(slug, csv('name_ar,price_egp', 'لاتيه,85'))).toEqual([
      'menu.csv:2 row 2, size_ar: is missing: the item has the sizes ‘وسط’, ‘كبير’. Name the size, or leave the price ' +
        'blank; --remove-missing-sizes sells it without sizes at this price',
    ]);
    expect((await named(slug, 'لاتيه'))?.sizes).toEqual(latte.sizes);
  });

  test('sets the price of the only size, and preserves its other fields', async () => {
    const only = { ...latte, sizes: latte.sizes?.slice(0, 1) ?? [] };
    const slug = await open(menuOf(only));
    await load(slug, csv('name_ar,price_egp', 'لاتيه,85'));
    expect((await named(slug, 'لاتيه'))?.sizes).toEqual([
      { label: { ar: 'وسط', en: 'Medium' }, price: 8500, prices: [{ channel: 'pickup', price: 7500 }] },
    ]);
  });
});

describe('a file with one size of several', () => {
  test('changes that size, preserves the other sizes and their order, and adds a note', async () => {
    const slug = await open(menuOf(latte));
    const report = await load(slug, csv('name_ar,size_ar,price_egp', 'لاتيه,كبير,99', 'لاتيه,عملاق,120'));
    const { sizes } = (await named(slug, 'لاتيه')) ?? {};
    expect(sizes?.map(({ label, price, prices }) => [label, price, prices?.[0]?.price])).toEqual([
      [{ ar: 'وسط', en: 'Medium' }, 8000, 7500],
      [{ ar: 'كبير', en: 'Large' }, 9900, 9000],
      [{ ar: 'عملاق' }, 12_000, undefined],
    ]);
    expect(report.notes).toContain(
      'row 2: ‘لاتيه’ keeps ‘وسط’, which the file does not name; --remove-missing-sizes takes them out',
    );
  });

  test('removes the other sizes only with --remove-missing-sizes, and names them in the dry run', async () => {
    const slug = await open(menuOf(latte));
    const file = csv('name_ar,size_ar,price_egp', 'لاتيه,كبير,99');
    const dry = await load(slug, file, { removeMissingSizes: true, dryRun: true });
    expect(dry.notes).toContain('row 2: ‘لاتيه’ loses ‘وسط’, which the file does not name');
    expect((await named(slug, 'لاتيه'))?.sizes).toEqual(latte.sizes);
    await load(slug, file, { removeMissingSizes: true });
    expect((await named(slug, 'لاتيه'))?.sizes?.map(({ price }) => price)).toEqual([9900]);
  });

  test('adds sizes to an item only if no other price is lost', async () => {
    const plain: ItemEntry = {
      ...anItemEntry(),
      prices: [{ channel: 'pickup', price: 4000 }],
    };
    const slug = await open(menuOf(plain));
    const file = csv('name_ar,size_ar,price_egp', 'قهوة تركي,سنجل,45', 'قهوة تركي,دوبل,60');
    expect(await faultsOf(slug, file)).toEqual([
      'menu.csv:2 row 2, size_ar: would give sizes to an item without, and its other prices would be lost ' +
        '(pickup 40.00): --remove-missing-sizes lets them go',
    ]);
    expect((await named(slug, 'قهوة تركي'))?.prices).toEqual(plain.prices);
    await load(slug, file, { removeMissingSizes: true });
    expect((await named(slug, 'قهوة تركي'))?.sizes?.map(({ price }) => price)).toEqual([4500, 6000]);
  });
});

test('a size with a new name is added beside the old one, with a note about a rename', async () => {
  const slug = await open(menuOf(latte));
  const [{ id = '' } = {}] = await itemsOf(slug);
  const file = csv('id,name_ar,size_ar,price_egp', `${id},لاتيه,وسط,80`, `${id},لاتيه,عملاق,95`);
  expect((await load(slug, file, { dryRun: true })).notes).toEqual([
    'row 2: ‘لاتيه’ sells both ‘كبير’ and ‘عملاق’, which looks like a rename; --remove-missing-sizes takes the first out',
  ]);
  expect((await load(slug, file, { dryRun: true, removeMissingSizes: true })).notes).toEqual([
    'row 2: ‘لاتيه’ loses ‘كبير’, which the file does not name',
  ]);
});

describe('a file without a price column', () => {
  test('keeps the prices', async () => {
    const priced = { ...anItemEntry(), prices: [{ channel: 'outside' as const, price: 5000 }] };
    const slug = await open(menuOf(priced, latte));
    await load(slug, csv('name_ar,name_en,active', 'قهوة تركي,Turkish,no', 'لاتيه,Latte,no'));
    const [turkish, other] = await itemsOf(slug);
    expect(turkish).toMatchObject({
      name: { en: 'Turkish' },
      active: false,
      price: 4500,
      prices: priced.prices,
    });
    expect(other).toMatchObject({ active: false, sizes: latte.sizes });
  });

  test('needs a price for a new item', async () => {
    const slug = await open();
    expect(await faultsOf(slug, csv('name_ar', 'شاي'))).toEqual(['menu.csv:2 row 2, price_egp: is missing']);
  });

  test('can have a pickup price only, and preserves the other prices', async () => {
    const slug = await open(menuOf({ ...anItemEntry(), prices: [{ channel: 'outside', price: 5000 }] }));
    await load(slug, csv('name_ar,price_pickup_egp', 'قهوة تركي,40'));
    expect(await named(slug, 'قهوة تركي')).toMatchObject({
      price: 4500,
      prices: [
        { channel: 'pickup', price: 4000 },
        { channel: 'outside', price: 5000 },
      ],
    });
  });

  test('can match items by id without names', async () => {
    const slug = await open();
    const [one] = await itemsOf(slug);
    await load(slug, csv('id,price_egp', `${one?.id ?? ''},50`));
    expect(await itemsOf(slug)).toEqual([{ ...one, price: 5000 }]);
  });
});

describe('an item is matched', () => {
  const twice = menuOf(
    { ...latte, key: 'hot' },
    { ...anItemEntry(), name: { ar: 'لاتيه', en: 'Latte' }, category: 'مثلجات', key: 'cold', price: 9000 },
  );
  const pricesIn = async (slug: string) =>
    (await itemsOf(slug)).map(({ category, price, sizes }) => [
      category,
      price ?? sizes?.map((size) => size.price),
    ]);

  test('by its category and name, if the name alone is ambiguous', async () => {
    const slug = await open(twice);
    await load(slug, csv('category,name_ar,price_egp', 'Iced,لاتيه,100'));
    expect(await pricesIn(slug)).toEqual([
      ['قهوة', [8000, 9500]],
      ['مثلجات', 10_000],
    ]);
    expect(await faultsOf(slug, csv('name_ar,price_egp', 'لاتيه,100'))).toEqual([
      'menu.csv:2 row 2, name_ar: could be any of 2 items (in ‘قهوة’, ‘مثلجات’): give its id or its category',
    ]);
  });

  test('per category when several items have one name; a third category gets one new item', async () => {
    const slug = await open(twice);
    const file = csv(
      'category,name_ar,size_ar,price_egp',
      'قهوة,لاتيه,وسط,81',
      'مثلجات,لاتيه,,91',
      'فرابيه,لاتيه,,95',
    );
    expect(await load(slug, file)).toMatchObject({ created: 2, updated: 2 });
    expect(await load(slug, file)).toMatchObject({ created: 0, updated: 0, entities: [] });
    expect(await pricesIn(slug)).toEqual([
      ['قهوة', [8100, 9500]],
      ['مثلجات', 9100],
      ['فرابيه', 9500],
    ]);
  });

  test('by its name alone if the name is unique, with a note in the report', async () => {
    const slug = await open(menuOf(latte, anItemEntry()));
    const report = await load(slug, csv('category,name_ar,price_egp', 'مثلجات,قهوة تركي,50'));
    expect(report.notes[0]).toMatch(/^found by name alone: row 2 ‘قهوة تركي’; /);
    expect(await named(slug, 'قهوة تركي')).toMatchObject({ category: 'مثلجات', price: 5000 });
    const byCategory = await load(slug, csv('category,name_ar,price_egp', 'مثلجات,قهوة تركي,50'));
    expect(byCategory.notes).toEqual(['1 item is not in the file, and stays as it is']);
  });

  test('regardless of case, spaces and marks, and keeps the stored spelling', async () => {
    const slug = await open({
      main_language: 'en',
      menu: { items: [{ name: { en: 'Café Latte' }, price: 8000 }] },
    });
    await load(slug, csv('name_en,price_egp', '  CAFE\u0301  latte ,85'));
    expect((await itemsOf(slug)).map(({ name, price }) => [name, price])).toEqual([
      [{ en: 'Café Latte' }, 8500],
    ]);
  });

  test('never with a combo or an add-on: their names are rejected, unless the row has a new id', async () => {
    const slug = await open({
      menu: {
        categories: [coffee],
        items: [anItemEntry()],
        addons: [{ name: { ar: 'لبن', en: 'Milk' }, type: 'milk_type', price: 500 }],
        combos: [
          { name: { ar: 'وجبة' }, price: 9000, slots: [{ name: 'مشروب', choices: [{ item: 'قهوة تركي' }] }] },
        ],
      },
    });
    const after = 'which a menu file does not change';
    expect(await faultsOf(slug, csv('name_ar,price_egp', 'وجبة,95', 'لبن,10', 'قهوة تركي,50'))).toEqual([
      `menu.csv:2 row 2, name_ar: is the name of a combo, ${after} (‘وجبة’); an item of that name is made by giving it an id of its own`,
      `menu.csv:3 row 3, name_ar: is the name of an add-on, ${after} (‘لبن’); an item of that name is made by giving it an id of its own`,
    ]);
    const id = '0b6a4f55-6f5c-4c8e-9a34-3b1f5a0f9f01';
    await load(slug, csv('id,name_ar,price_egp', `${id},لبن,10`));
    expect(await named(slug, 'لبن')).toMatchObject({ id, price: 1000 });
  });
});

describe('unknown columns', () => {
  test('are rejected with the nearest known column, or ignored with --ignore-columns', async () => {
    const slug = await open();
    const file = csv('name_ar,prise_egp,price_egp,supplier', 'قهوة تركي,9,50,x');
    expect(await faultsOf(slug, file)).toEqual([
      expect.stringContaining('row 1, prise_egp: is not a column of a menu — did you mean ‘price_egp’?'),
      expect.stringContaining('row 1, supplier: is not a column of a menu;'),
    ]);
    const report = await load(slug, file, { ignoreColumns: true });
    expect(report.notes[0]).toBe('ignored columns: ‘prise_egp’, ‘supplier’');
    expect((await named(slug, 'قهوة تركي'))?.price).toBe(5000);
  });
});

describe('a decimal comma', () => {
  test('in quotation marks is read exactly; a decimal comma that splits a cell is rejected', async () => {
    const slug = await open();
    await load(slug, csv('name_ar,price_egp', 'قهوة تركي,"12,50"'));
    expect((await named(slug, 'قهوة تركي'))?.price).toBe(1250);
    const cut = csv('name_ar,price_egp,price_pickup_egp', 'قهوة تركي,45,', 'شاي,12,50,');
    expect(await faultsOf(slug, cut)).toEqual([
      'menu.csv:3 row 3: has a cell too many, and ‘12’ and ‘50’ stand side by side: if that is one amount, write 12.50, or put it in quotation marks',
    ]);
  });
});
