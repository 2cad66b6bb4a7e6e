/** Effects of an import: atomic, idempotent, limited to the file. */
import { asOwner } from '../support/database/test-database.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shopIdOf } from '../../src/shopfile/app/entity-ids.ts';
import { importShops, planFirstImport, readShopFiles } from '../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { aBranchEntry, aMinimalShopFile, anItemEntry, type ItemEntry } from '../support/shops/shop-file.ts';
import { aFullShopFile } from '../support/shops/full-shop-file.ts';
import {
  faultsOfImport,
  openImportFixture,
  faultLines,
  type ImportFixture,
} from '../support/shops/shop-import.ts';

let fixture: ImportFixture;
let shops = 0;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

const newSlug = (): string => `shop-${(shops += 1)}`;
const coffee = { name: { ar: 'قهوة', en: 'Coffee' } };
const withItems = (slug: string, ...items: readonly ItemEntry[]): ShopFile =>
  aMinimalShopFile({ slug, menu: { categories: [coffee], items: [...items] } });
const asText = (...files: readonly ShopFile[]) =>
  files.map((file) => ({ name: `${file.slug}.json`, text: JSON.stringify(file) }));

describe('an import is atomic', () => {
  test('a fault in the second of two files leaves the first unwritten', async () => {
    const [one, two] = [newSlug(), newSlug()];
    const broken = withItems(two, anItemEntry({ category: 'شاي' }));
    const faults = await faultsOfImport(importShops(fixture, asText(withItems(one, anItemEntry()), broken)));
    expect(faults.map(({ file }) => file)).toEqual([`${two}.json`]);
    expect((await fixture.rows(shopIdOf(one))).shop).toEqual([]);
  });

  test('a database error during the import rolls everything back', async () => {
    const [one, two] = [newSlug(), newSlug()];
    const orgId = shopIdOf(two);
    await asOwner(fixture.database, `alter table menu_item add constraint trap check (org_id <> '${orgId}')`);
    await expect(
      importShops(fixture, asText(withItems(one, anItemEntry()), withItems(two, anItemEntry()))),
    ).rejects.toThrow('trap');
    await asOwner(fixture.database, 'alter table menu_item drop constraint trap');
    expect((await fixture.rows(shopIdOf(one))).shop).toEqual([]);
    expect((await fixture.changes(shopIdOf(one))).changes).toEqual([]);
    const located = await fixture.db.kysely
      .selectFrom('locator')
      .select('id')
      .where('org_id', '=', orgId)
      .execute();
    expect(located).toEqual([]);
  });

  test('without a database the report of a first import is what that import then reports', async () => {
    const given = [
      { name: 'full.json', text: JSON.stringify({ ...aFullShopFile(), slug: newSlug(), staff: [] }) },
    ];
    const first = await planFirstImport(await readShopFiles(fixture, given));
    expect(first).toEqual(await importShops(fixture, given));
  });

  test('a dry run reports the changes without writing', async () => {
    const slug = newSlug();
    const report = await fixture.import(withItems(slug, anItemEntry()), { dryRun: true });
    expect(report).toMatchObject({ slug, created: 4, updated: 0, archived: 0, unchanged: 0 });
    expect((await fixture.rows(report.orgId)).shop).toEqual([]);
    await fixture.import(withItems(slug, anItemEntry()));
    const next = await fixture.import(withItems(slug, anItemEntry({ price: 5000 })), { dryRun: true });
    expect(next.entities).toEqual([
      {
        op: 'updated',
        kind: 'item',
        id: expect.any(String) as string,
        name: 'قهوة تركي',
        aspects: ['price'],
      },
    ]);
    expect((await fixture.rows(report.orgId)).price.map(({ amount }) => amount)).toEqual([4500]);
  });

  test('several files are imported together, with a report each and progress lines', async () => {
    const [one, two] = [newSlug(), newSlug()];
    const lines: string[] = [];
    const files = asText(withItems(one, anItemEntry()), withItems(two));
    const reports = await importShops(fixture, files, { onProgress: (line) => lines.push(line) });
    expect(reports.map(({ slug, file, created }) => [slug, file, created])).toEqual([
      [one, `${one}.json`, 4],
      [two, `${two}.json`, 3],
    ]);
    expect(lines[0]).toBe(`reading ${one}.json (1 of 2)`);
    expect(lines.at(-1)).toMatch(/^writing: (\d+) of \1 rows$/);
  });
});

describe('importing again', () => {
  test('changes no row, no timestamp and no change log', async () => {
    const file = aFullShopFile({ id: undefined as never, slug: 'again-beans', former_slugs: [] });
    const text = JSON.stringify(file).replaceAll('c0ffee00-0000', 'c0ffee11-0000');
    const { orgId } = await fixture.importText(text);
    const before = [await fixture.rows(orgId), await fixture.changes(orgId)];
    fixture.at('2026-12-24T00:00:00Z');
    const report = await fixture.importText(text);
    expect(report).toMatchObject({ created: 0, updated: 0, archived: 0, entities: [] });
    expect([await fixture.rows(orgId), await fixture.changes(orgId)]).toEqual(before);
  });

  test('updates `updated_at` of a deal only if the deal changes', async () => {
    const slug = newSlug();
    const deal = {
      name: 'تلاتة',
      kind: 'n_for_price',
      qty: 3,
      price: 9000,
      pool: [{ category: 'قهوة' }],
    } as const;
    const withDeal = (price: number, itemPrice: number): ShopFile => {
      const file = withItems(slug, anItemEntry({ price: itemPrice }));
      return { ...file, menu: { ...file.menu, deals: [{ ...deal, price, pool: [...deal.pool] }] } };
    };
    fixture.at('2026-11-20T10:00:00Z');
    const { orgId } = await fixture.import(withDeal(9000, 4500));
    const times = async () => {
      const [row] = (await fixture.rows(orgId)).deal;
      return [row?.created_at, row?.updated_at].map((time) =>
        new Date(time ?? 0).toISOString().slice(11, 13),
      );
    };
    fixture.at('2026-11-20T11:00:00Z');
    await fixture.import(withDeal(9000, 4700));
    expect(await times()).toEqual(['10', '10']);
    fixture.at('2026-11-20T12:00:00Z');
    await fixture.import(withDeal(9500, 4700));
    expect(await times()).toEqual(['10', '12']);
    fixture.at('2026-11-20T13:00:00Z');
    const pools = withDeal(9500, 4700);
    await fixture.import({
      ...pools,
      menu: { ...pools.menu, deals: [{ ...deal, price: 9500, pool: [{ item: 'قهوة تركي' }] }] },
    });
    expect(await times()).toEqual(['10', '13']);
  });

  test('of one shop concurrently is serialized', async () => {
    const slug = newSlug();
    const prices = [4100, 4200, 4300, 4400];
    const reports = await Promise.all(
      prices.map((price) => fixture.import(withItems(slug, anItemEntry({ price })))),
    );
    expect(reports.filter(({ created }) => created === 4)).toHaveLength(1);
    const orgId = shopIdOf(slug);
    const rows = await fixture.rows(orgId);
    expect(rows.price).toHaveLength(1);
    expect(prices).toContain(rows.price[0]?.amount);
    const { changes } = await fixture.changes(orgId);
    // Shop, branch, category, item; then the item's price, three times.
    expect(changes.length).toBe(4 + 3);
  });
});

describe('an entity that the file leaves out', () => {
  test('is archived, and restored with its id when the file has it again', async () => {
    const slug = newSlug();
    const tea = { name: { ar: 'شاي', en: 'Tea' }, price: 2500 };
    const { orgId } = await fixture.import(withItems(slug, anItemEntry(), tea));
    fixture.at('2026-11-21T08:00:00Z');
    expect(await fixture.import(withItems(slug, anItemEntry()))).toMatchObject({
      archived: 1,
      updated: 0,
      created: 0,
    });
    const gone = (await fixture.rows(orgId)).menu_item.find(({ name }) => name === 'شاي');
    expect(gone?.archived_at).toBe(Date.parse('2026-11-21T08:00:00Z'));
    expect((await fixture.rows(orgId)).price).toHaveLength(2);

    fixture.at('2026-11-22T08:00:00Z');
    await fixture.import(withItems(slug, anItemEntry()));
    const still = (await fixture.rows(orgId)).menu_item.find(({ name }) => name === 'شاي');
    expect(still?.archived_at).toBe(Date.parse('2026-11-21T08:00:00Z'));

    const back = await fixture.import(withItems(slug, anItemEntry(), { ...tea, price: 3000 }));
    expect(back.entities).toEqual([
      { op: 'updated', kind: 'item', id: gone?.id, name: 'شاي', aspects: ['back from the archive', 'price'] },
    ]);
    const here = (await fixture.rows(orgId)).menu_item.find(({ name }) => name === 'شاي');
    expect(here).toMatchObject({ id: gone?.id, archived_at: null });
  });

  test('is archived with its parts; an archived branch keeps its bookings', async () => {
    const slug = newSlug();
    const tables = [{ label: 'T1', seats: { max: 2 } }];
    const second = aBranchEntry({ name: 'المعادي', code: 'MAD', tables });
    const { orgId } = await fixture.import(aMinimalShopFile({ slug, branches: [aBranchEntry(), second] }));
    const rows = await fixture.rows(orgId);
    const [branch, table] = [rows.branch.find(({ code }) => code === 'MAD'), rows.dining_table[0]];
    await sql`
      insert into booking (org_id, id, branch_id, service_date, party_size, starts_at, ends_at, guest_name, created_at)
      values (${orgId}, ${orgId}, ${branch?.id}, '2026-12-01', 2, '2026-12-01T18:00Z', '2026-12-01T20:00Z', 'منى', '2026-11-01T00:00Z')
    `.execute(fixture.db.kysely);
    await sql`
      insert into booking_table (org_id, booking_id, table_id, branch_id, during)
      values (${orgId}, ${orgId}, ${table?.id}, ${branch?.id}, tstzrange('2026-12-01T18:00Z', '2026-12-01T20:00Z'))
    `.execute(fixture.db.kysely);
    const report = await fixture.import(aMinimalShopFile({ slug }));
    expect(report.entities.map(({ op, kind }) => `${op} ${kind}`)).toEqual([
      'archived branch',
      'archived table',
    ]);
    const claims = await fixture.db.kysely
      .selectFrom('booking_table')
      .select('table_id')
      .where('org_id', '=', orgId)
      .execute();
    expect(claims).toEqual([{ table_id: table?.id }]);
    expect((await fixture.export(slug)).branches.map(({ code }) => code)).toEqual(['ZML']);
  });

  test('is deleted if it is a detail of another entity, such as a size', async () => {
    const slug = newSlug();
    const sizes = [
      { label: 'صغير', price: 4000 },
      { label: 'كبير', price: 6000, prices: [{ channel: 'pickup', price: 5500 }] },
    ] as const;
    const sized = (...labels: readonly { label: string; price: number }[]): ItemEntry => ({
      name: 'لاتيه',
      sizes: [...labels],
    });
    const { orgId } = await fixture.import(withItems(slug, sized(...sizes)));
    await fixture.import(withItems(slug, sized(sizes[0])));
    const rows = await fixture.rows(orgId);
    expect(rows.item_size.map(({ label }) => label)).toEqual(['صغير']);
    expect(rows.price.map(({ amount }) => amount)).toEqual([4000]);
  });

  test('frees its branch code, and branches can swap codes', async () => {
    const slug = newSlug();
    const [a, b] = [aBranchEntry({ name: 'ا', code: 'A' }), aBranchEntry({ name: 'ب', code: 'B' })];
    const { orgId } = await fixture.import(aMinimalShopFile({ slug, branches: [a, b] }));
    await fixture.import(
      aMinimalShopFile({
        slug,
        branches: [
          { ...a, code: 'B' },
          { ...b, code: 'A' },
        ],
      }),
    );
    const codes = async () =>
      Object.fromEntries((await fixture.rows(orgId)).branch.map(({ name, code }) => [name, code]));
    expect(await codes()).toEqual({ ا: 'B', ب: 'A' });
    await fixture.import(aMinimalShopFile({ slug, branches: [{ ...a, code: 'A' }] }));
    expect(await codes()).toEqual({ ا: 'A', ب: 'A' });
  });
});

describe('a large menu', () => {
  test('of 1000 items with prices is imported, and reimported without a change', async () => {
    const slug = newSlug();
    const branches = Array.from({ length: 5 }, (_, at) =>
      aBranchEntry({ name: `فرع ${at}`, code: `B${at}` }),
    );
    const items = Array.from({ length: 1000 }, (_, at): ItemEntry => ({
      name: { ar: `صنف ${at}`, en: `Item ${at}` },
      category: 'قهوة',
      sizes: ['صغير', 'وسط', 'كبير'].map((label, size) => ({
        label,
        price: 1000 + at + size,
        prices: [{ channel: 'outside', price: 2000 + at }],
      })),
    }));
    const file = aMinimalShopFile({ slug, branches, menu: { categories: [coffee], items } });
    const { orgId } = await fixture.import(file);
    const rows = await fixture.rows(orgId);
    expect([rows.menu_item.length, rows.item_size.length, rows.price.length]).toEqual([1000, 3000, 6000]);
    expect(await fixture.import(file)).toMatchObject({ entities: [], unchanged: 1007 });
  });
});

describe('messages', () => {
  test('show the file name as given', async () => {
    const faults = await faultsOfImport(importShops(fixture, [{ name: 'قهوة.json', text: '{' }]));
    expect(faultLines(faults)).toEqual([
      ': a field name in quotation marks is expected here, not the end of the file',
    ]);
    expect(faults[0]?.file).toBe('قهوة.json');
  });
});
