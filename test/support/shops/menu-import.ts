/** Shops of one test file, and menu spreadsheets imported into them. */
import { afterAll, beforeAll } from 'vitest';
import { importMenuCsv, type MenuCsvOptions } from '../../../src/shopfile/app/menu-csv.ts';
import type { ImportReport } from '../../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import { aMinimalShopFile, type ItemEntry } from './shop-file.ts';
import { faultsOfImport, openImportFixture, type ImportFixture } from './shop-import.ts';

export interface MenuImportFixture {
  readonly fixture: () => ImportFixture;
  /** Imports a new shop; returns its slug. */
  readonly open: (overrides?: Partial<ShopFile>) => Promise<string>;
  readonly load: (slug: string, text: string, options?: MenuCsvOptions) => Promise<ImportReport>;
  readonly itemsOf: (slug: string) => Promise<ItemEntry[]>;
  readonly named: (slug: string, arabic: string) => Promise<ItemEntry | undefined>;
  readonly faultsOf: (slug: string, text: string, options?: MenuCsvOptions) => Promise<string[]>;
}

export const csv = (...rows: readonly string[]): string => rows.map((row) => `${row}\r\n`).join('');

export const useMenuImport = (): MenuImportFixture => {
  let fixture: ImportFixture | null = null;
  let shops = 0;
  beforeAll(async () => {
    fixture = await openImportFixture();
  });
  afterAll(() => fixture?.close());
  const opened = (): ImportFixture => {
    if (fixture === null) throw new Error('the fixture is not open yet');
    return fixture;
  };
  const load: MenuImportFixture['load'] = (slug, text, options = {}) =>
    importMenuCsv(opened(), slug, { name: 'menu.csv', text }, options);
  const itemsOf: MenuImportFixture['itemsOf'] = async (slug) =>
    (await opened().export(slug)).menu.items ?? [];
  return {
    fixture: opened,
    open: async (overrides = {}) => {
      const slug = `shop-${(shops += 1)}`;
      await opened().import(aMinimalShopFile({ slug, ...overrides }));
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
