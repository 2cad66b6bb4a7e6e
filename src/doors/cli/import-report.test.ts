import { beforeAll, describe, expect, test } from 'vitest';
import { anItemEntry, type ItemEntry } from '../../../test/support/shops/shop-file.ts';
import { useMenuImport, csv } from '../../../test/support/shops/menu-import.ts';
import type { ShopFile } from '../../shopfile/contract/shopfile.ts';
import { describeReport } from './import-report.ts';

const { fixture, open, load } = useMenuImport();

const file = (slug: string, items: ItemEntry[]): ShopFile => ({
  format: 1,
  slug,
  name: 'بن',
  branches: [{ name: 'الزمالك', code: 'ZML' }],
  menu: { categories: [{ name: 'قهوة' }, { name: 'حلو' }], items },
});
const latte = {
  name: 'لاتيه',
  category: 'قهوة',
  sizes: [
    { label: 'وسط', price: 8000 },
    { label: 'كبير', price: 9505, prices: [{ channel: 'pickup' as const, branch: 'الزمالك', price: 9000 }] },
  ],
};
const cake = { name: 'كيكة', category: 'حلو', price: 4000 };
const tea = { name: 'شاي', category: 'قهوة', price: 2500 };

describe('the report of a dry run', () => {
  const SLUG = 'dry-run';
  const dryRun = async (items: ItemEntry[]): Promise<string[]> =>
    describeReport(await fixture().import(file(SLUG, items), { dryRun: true }), true).split('\n');
  beforeAll(() => fixture().import(file(SLUG, [latte, cake, tea])));

  test('lists old and new prices and sizes by category', async () => {
    const changed = {
      ...latte,
      sizes: [
        { label: 'وسط', price: 8500 },
        { label: 'عملاق', price: 12_000 },
      ],
    };
    const added = { name: 'بسبوسة', category: 'حلو', sizes: [{ label: 'قطعة', price: 3000 }] };
    expect(await dryRun([changed, { ...cake, price: 4050, active: false }, tea, added])).toEqual([
      'dry-run: 1 new, 2 changed, 0 archived, 5 as before (nothing was written)',
      '  حلو',
      '    created item بسبوسة: قطعة 30.00',
      '    updated item كيكة: active, price',
      '      40.00 → 40.50',
      '  قهوة',
      '    updated item لاتيه: price, sizes',
      '      وسط 80.00 → 85.00',
      '      عملاق none → 120.00',
      '      كبير 95.05 → none',
      '      كبير pickup at الزمالك 90.00 → none',
    ]);
  });

  test('shows the old and the new name of a renamed item', async () => {
    const { menu } = await fixture().export(SLUG);
    const id = menu.items?.find(({ name }) => JSON.stringify(name).includes('شاي'))?.id ?? '';
    const report = await load(SLUG, csv('id,name_ar,price_egp', `${id},شاي كشري,25`), { dryRun: true });
    expect(describeReport(report, true)).toContain('    updated item شاي → شاي كشري: name');
  });

  test('reports a mere change of order in one line', async () => {
    const turned = { ...latte, sizes: [...latte.sizes].reverse() };
    expect((await dryRun([tea, cake, turned])).slice(1)).toEqual([
      '  only their places in the lists change: item 2',
    ]);
    expect((await dryRun([tea, cake, { ...turned, active: false }])).slice(1)).toEqual([
      '  قهوة',
      '    updated item لاتيه: active',
      '  only their places in the lists change: item 1',
    ]);
  });

  test('states that nothing changes when the file equals the shop', async () => {
    expect(await dryRun([latte, cake, tea])).toEqual([
      'dry-run: 0 new, 0 changed, 0 archived, 7 as before (nothing was written)',
      '  nothing changes',
    ]);
  });
});

test('a menu file’s report names rows matched by name and counts unlisted items', async () => {
  const slug = await open({
    menu: { categories: [{ name: 'قهوة' }], items: [anItemEntry(), { name: 'ينسون', price: 2000 }] },
  });
  const report = await load(slug, csv('name_ar,price_egp', 'قهوة تركي,50'), { dryRun: true });
  expect(describeReport(report, true).split('\n').slice(1)).toEqual([
    '  قهوة',
    '    updated item قهوة تركي: price',
    '      45.00 → 50.00',
    '  found by name alone: row 2 ‘قهوة تركي’; with an id or a category there can be no mistake',
    '  1 item is not in the file, and stays as it is',
  ]);
});
