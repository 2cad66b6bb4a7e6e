/** What an import does to a shop: all of it or nothing, and no more than the file says. */
import { asOwner } from '../support/postgres.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shopIdOf } from '../../src/shopfile/app/identity.ts';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { aBranch, anItem, aRichShopFile, aShopFile, type ItemEntry } from '../support/build.ts';
import { faultsOfImport, openShopHouse, told, type ShopHouse } from '../support/shop-imports.ts';

let house: ShopHouse;
let shops = 0;
beforeAll(async () => {
  house = await openShopHouse();
});
afterAll(() => house.close());

/** An address name that no other test here uses. */
const newSlug = (): string => `shop-${(shops += 1)}`;
const coffee = { name: { ar: 'قهوة', en: 'Coffee' } };
const withItems = (slug: string, ...items: readonly ItemEntry[]): ShopFile =>
  aShopFile({ slug, menu: { categories: [coffee], items: [...items] } });
const asText = (...files: readonly ShopFile[]) =>
  files.map((file) => ({ name: `${file.slug}.json`, text: JSON.stringify(file) }));

describe('all or nothing', () => {
  test('a fault in the second of two files changes nothing of the first', async () => {
    const [one, two] = [newSlug(), newSlug()];
    const broken = withItems(two, anItem({ category: 'شاي' }));
    const faults = await faultsOfImport(importShops(house, asText(withItems(one, anItem()), broken)));
    expect(faults.map(({ file }) => file)).toEqual([`${two}.json`]);
    expect((await house.rows(shopIdOf(one))).shop).toEqual([]);
  });

  test('a fault of the database in the middle takes back what was written before it', async () => {
    const [one, two] = [newSlug(), newSlug()];
    const orgId = shopIdOf(two);
    await asOwner(house.database, `alter table menu_item add constraint trap check (org_id <> '${orgId}')`);
    await expect(
      importShops(house, asText(withItems(one, anItem()), withItems(two, anItem()))),
    ).rejects.toThrow('trap');
    await asOwner(house.database, 'alter table menu_item drop constraint trap');
    expect((await house.rows(shopIdOf(one))).shop).toEqual([]);
    expect((await house.changes(shopIdOf(one))).changes).toEqual([]);
    const located = await house.db.kysely
      .selectFrom('locator')
      .select('id')
      .where('org_id', '=', orgId)
      .execute();
    expect(located).toEqual([]);
  });

  test('a dry run tells what would change, and changes nothing', async () => {
    const slug = newSlug();
    const report = await house.import(withItems(slug, anItem()), { dryRun: true });
    expect(report).toMatchObject({ slug, created: 4, updated: 0, archived: 0, unchanged: 0 });
    expect((await house.rows(report.orgId)).shop).toEqual([]);
    await house.import(withItems(slug, anItem()));
    const next = await house.import(withItems(slug, anItem({ price: 5000 })), { dryRun: true });
    expect(next.things).toEqual([
      {
        op: 'updated',
        kind: 'item',
        id: expect.any(String) as string,
        name: 'قهوة تركي',
        aspects: ['price'],
      },
    ]);
    expect((await house.rows(report.orgId)).price.map(({ amount }) => amount)).toEqual([4500]);
  });

  test('several files go in together, each with its report, and how far they are is told', async () => {
    const [one, two] = [newSlug(), newSlug()];
    const lines: string[] = [];
    const files = asText(withItems(one, anItem()), withItems(two));
    const reports = await importShops(house, files, { onProgress: (line) => lines.push(line) });
    expect(reports.map(({ slug, file, created }) => [slug, file, created])).toEqual([
      [one, `${one}.json`, 4],
      [two, `${two}.json`, 3],
    ]);
    expect(lines[0]).toBe(`reading ${one}.json (1 of 2)`);
    expect(lines.at(-1)).toMatch(/^writing: (\d+) of \1 rows$/);
  });
});

describe('importing again', () => {
  test('changes nothing: no row, no moment, no line in the change log', async () => {
    const file = aRichShopFile({ id: undefined as never, slug: 'again-beans', former_slugs: [] });
    const text = JSON.stringify(file).replaceAll('c0ffee00-0000', 'c0ffee11-0000');
    const { orgId } = await house.importText(text);
    const before = [await house.rows(orgId), await house.changes(orgId)];
    house.at('2026-12-24T00:00:00Z');
    const report = await house.importText(text);
    expect(report).toMatchObject({ created: 0, updated: 0, archived: 0, things: [] });
    expect([await house.rows(orgId), await house.changes(orgId)]).toEqual(before);
  });

  test('moves the time of change of a deal only when the deal changes', async () => {
    const slug = newSlug();
    const deal = {
      name: 'تلاتة',
      kind: 'n_for_price',
      qty: 3,
      price: 9000,
      pool: [{ category: 'قهوة' }],
    } as const;
    const withDeal = (price: number, itemPrice: number): ShopFile => {
      const file = withItems(slug, anItem({ price: itemPrice }));
      return { ...file, menu: { ...file.menu, deals: [{ ...deal, price, pool: [...deal.pool] }] } };
    };
    house.at('2026-11-20T10:00:00Z');
    const { orgId } = await house.import(withDeal(9000, 4500));
    const times = async () => {
      const [row] = (await house.rows(orgId)).deal;
      return [row?.created_at, row?.updated_at].map((time) =>
        new Date(time ?? 0).toISOString().slice(11, 13),
      );
    };
    house.at('2026-11-20T11:00:00Z');
    await house.import(withDeal(9000, 4700));
    expect(await times()).toEqual(['10', '10']);
    house.at('2026-11-20T12:00:00Z');
    await house.import(withDeal(9500, 4700));
    expect(await times()).toEqual(['10', '12']);
    house.at('2026-11-20T13:00:00Z');
    const pools = withDeal(9500, 4700);
    await house.import({
      ...pools,
      menu: { ...pools.menu, deals: [{ ...deal, price: 9500, pool: [{ item: 'قهوة تركي' }] }] },
    });
    expect(await times()).toEqual(['10', '13']);
  });

  test('of one shop by two people at once ends as if one had come after the other', async () => {
    const slug = newSlug();
    const prices = [4100, 4200, 4300, 4400];
    const reports = await Promise.all(
      prices.map((price) => house.import(withItems(slug, anItem({ price })))),
    );
    expect(reports.filter(({ created }) => created === 4)).toHaveLength(1);
    const orgId = shopIdOf(slug);
    const rows = await house.rows(orgId);
    expect(rows.price).toHaveLength(1);
    expect(prices).toContain(rows.price[0]?.amount);
    const { changes } = await house.changes(orgId);
    // Shop, branch, category, item; then the item's price, three times.
    expect(changes.length).toBe(4 + 3);
  });
});

describe('what is left out', () => {
  test('is archived, never deleted, and comes back with its id when the file has it again', async () => {
    const slug = newSlug();
    const tea = { name: { ar: 'شاي', en: 'Tea' }, price: 2500 };
    const { orgId } = await house.import(withItems(slug, anItem(), tea));
    house.at('2026-11-21T08:00:00Z');
    expect(await house.import(withItems(slug, anItem()))).toMatchObject({
      archived: 1,
      updated: 0,
      created: 0,
    });
    const gone = (await house.rows(orgId)).menu_item.find(({ name }) => name === 'شاي');
    expect(gone?.archived_at).toBe(Date.parse('2026-11-21T08:00:00Z'));
    expect((await house.rows(orgId)).price).toHaveLength(2);

    house.at('2026-11-22T08:00:00Z');
    await house.import(withItems(slug, anItem()));
    const still = (await house.rows(orgId)).menu_item.find(({ name }) => name === 'شاي');
    expect(still?.archived_at).toBe(Date.parse('2026-11-21T08:00:00Z'));

    const back = await house.import(withItems(slug, anItem(), { ...tea, price: 3000 }));
    expect(back.things).toEqual([
      { op: 'updated', kind: 'item', id: gone?.id, name: 'شاي', aspects: ['back from the archive', 'price'] },
    ]);
    const here = (await house.rows(orgId)).menu_item.find(({ name }) => name === 'شاي');
    expect(here).toMatchObject({ id: gone?.id, archived_at: null });
  });

  test('is archived with its parts; an archived branch keeps its bookings', async () => {
    const slug = newSlug();
    const tables = [{ label: 'T1', seats: { max: 2 } }];
    const second = aBranch({ name: 'المعادي', code: 'MAD', tables });
    const { orgId } = await house.import(aShopFile({ slug, branches: [aBranch(), second] }));
    const rows = await house.rows(orgId);
    const [branch, table] = [rows.branch.find(({ code }) => code === 'MAD'), rows.dining_table[0]];
    await sql`
      insert into booking (org_id, id, branch_id, service_date, party_size, starts_at, ends_at, guest_name, created_at)
      values (${orgId}, ${orgId}, ${branch?.id}, '2026-12-01', 2, '2026-12-01T18:00Z', '2026-12-01T20:00Z', 'منى', '2026-11-01T00:00Z')
    `.execute(house.db.kysely);
    await sql`
      insert into booking_table (org_id, booking_id, table_id, branch_id, during)
      values (${orgId}, ${orgId}, ${table?.id}, ${branch?.id}, tstzrange('2026-12-01T18:00Z', '2026-12-01T20:00Z'))
    `.execute(house.db.kysely);
    const report = await house.import(aShopFile({ slug }));
    expect(report.things.map(({ op, kind }) => `${op} ${kind}`)).toEqual([
      'archived branch',
      'archived table',
    ]);
    const claims = await house.db.kysely
      .selectFrom('booking_table')
      .select('table_id')
      .where('org_id', '=', orgId)
      .execute();
    expect(claims).toEqual([{ table_id: table?.id }]);
    expect((await house.export(slug)).branches.map(({ code }) => code)).toEqual(['ZML']);
  });

  test('of a list of details is simply gone', async () => {
    const slug = newSlug();
    const sizes = [
      { label: 'صغير', price: 4000 },
      { label: 'كبير', price: 6000, prices: [{ channel: 'pickup', price: 5500 }] },
    ] as const;
    const sized = (...labels: readonly { label: string; price: number }[]): ItemEntry => ({
      name: 'لاتيه',
      sizes: [...labels],
    });
    const { orgId } = await house.import(withItems(slug, sized(...sizes)));
    await house.import(withItems(slug, sized(sizes[0])));
    const rows = await house.rows(orgId);
    expect(rows.item_size.map(({ label }) => label)).toEqual(['صغير']);
    expect(rows.price.map(({ amount }) => amount)).toEqual([4000]);
  });

  test('lets another branch have its code, and branches may trade codes', async () => {
    const slug = newSlug();
    const [a, b] = [aBranch({ name: 'ا', code: 'A' }), aBranch({ name: 'ب', code: 'B' })];
    const { orgId } = await house.import(aShopFile({ slug, branches: [a, b] }));
    await house.import(
      aShopFile({
        slug,
        branches: [
          { ...a, code: 'B' },
          { ...b, code: 'A' },
        ],
      }),
    );
    const codes = async () =>
      Object.fromEntries((await house.rows(orgId)).branch.map(({ name, code }) => [name, code]));
    expect(await codes()).toEqual({ ا: 'B', ب: 'A' });
    await house.import(aShopFile({ slug, branches: [{ ...a, code: 'A' }] }));
    expect(await codes()).toEqual({ ا: 'A', ب: 'A' });
  });
});

describe('a large menu', () => {
  test('of a thousand items with their prices goes in, and again, within seconds', async () => {
    const slug = newSlug();
    const branches = Array.from({ length: 5 }, (_, at) => aBranch({ name: `فرع ${at}`, code: `B${at}` }));
    const items = Array.from({ length: 1000 }, (_, at): ItemEntry => ({
      name: { ar: `صنف ${at}`, en: `Item ${at}` },
      category: 'قهوة',
      sizes: ['صغير', 'وسط', 'كبير'].map((label, size) => ({
        label,
        price: 1000 + at + size,
        prices: [{ channel: 'outside', price: 2000 + at }],
      })),
    }));
    const file = aShopFile({ slug, branches, menu: { categories: [coffee], items } });
    const { orgId } = await house.import(file);
    const rows = await house.rows(orgId);
    expect([rows.menu_item.length, rows.item_size.length, rows.price.length]).toEqual([1000, 3000, 6000]);
    expect(await house.import(file)).toMatchObject({ things: [], unchanged: 1007 });
  });
});

describe('refused words', () => {
  test('come back as they were given, however the file is called', async () => {
    const faults = await faultsOfImport(importShops(house, [{ name: 'قهوة.json', text: '{' }]));
    expect(told(faults)).toEqual([
      ': a field name in quotation marks is expected here, not the end of the file',
    ]);
    expect(faults[0]?.file).toBe('قهوة.json');
  });
});
