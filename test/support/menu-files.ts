/** Shops of one test file, and menus from spreadsheets that go into them. */
import { afterAll, beforeAll } from 'vitest';
import { importMenuCsv, type MenuCsvOptions } from '../../src/shopfile/app/menu-csv.ts';
import type { ImportReport } from '../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { aShopFile, type ItemEntry } from './build.ts';
import { faultsOfImport, openShopHouse, type ShopHouse } from './shop-imports.ts';

export interface MenuHouse {
  readonly house: () => ShopHouse;
  /** A new shop with one coffee, or with this file; gives its address name. */
  readonly open: (overrides?: Partial<ShopFile>) => Promise<string>;
  readonly load: (slug: string, text: string, options?: MenuCsvOptions) => Promise<ImportReport>;
  readonly itemsOf: (slug: string) => Promise<ItemEntry[]>;
  readonly named: (slug: string, arabic: string) => Promise<ItemEntry | undefined>;
  readonly faultsOf: (slug: string, text: string, options?: MenuCsvOptions) => Promise<string[]>;
}

export const csv = (...rows: readonly string[]): string => rows.map((row) => `${row}\r\n`).join('');

export const aMenuHouse = (): MenuHouse => {
  let house: ShopHouse | null = null;
  let shops = 0;
  beforeAll(async () => {
    house = await openShopHouse();
  });
  afterAll(() => house?.close());
  const opened = (): ShopHouse => {
    if (house === null) throw new Error('the house is not open yet');
    return house;
  };
  const load: MenuHouse['load'] = (slug, text, options = {}) =>
    importMenuCsv(opened(), slug, { name: 'menu.csv', text }, options);
  const itemsOf: MenuHouse['itemsOf'] = async (slug) => (await opened().export(slug)).menu.items ?? [];
  return {
    house: opened,
    open: async (overrides = {}) => {
      const slug = `shop-${(shops += 1)}`;
      await opened().import(aShopFile({ slug, ...overrides }));
      return slug;
    },
    load,
    itemsOf,
    named: async (slug, arabic) =>
      (await itemsOf(slug)).find(({ name }) => typeof name === 'object' && name['ar'] === arabic),
    faultsOf: async (slug, text, options) =>
      (await faultsOfImport(load(slug, text, options))).map(
        ({ file, line, path, problem }) => `${file}:${line ?? '-'} ${path}: ${problem}`,
      ),
  };
};
