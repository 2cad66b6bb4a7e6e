/** Derived and explicit ids, renames, and slugs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import { derivedId, shopIdOf, uuid5 } from '../../src/shopfile/app/entity-ids.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { slugsOf } from '../../src/shopfile/store/shopfile.ts';
import { aBranchEntry, anItemEntry, aMinimalShopFile, type ItemEntry } from '../support/shops/shop-file.ts';
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
const itemsOf = async (slug: string) => (await fixture.rows(shopIdOf(slug))).menu_item;
const ownId = (last: string): string => `dddddddd-0000-4000-8000-${last.padStart(12, '0')}`;

describe('derived ids', () => {
  test('are UUIDs of version 5 (RFC 9562)', () => {
    expect(uuid5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
  });

  test('derive from the shop, the kind, the parent, and the key or else the name', async () => {
    const slug = newSlug();
    const optionals = [{ name: 'شوت', price: 0 }];
    await fixture.import(
      withItems(slug, anItemEntry(), { key: 'latte', name: 'لاتيه', price: 1, optionals }),
    );
    const shop = shopIdOf(slug);
    const latte = derivedId(shop, 'item', shop, { key: 'latte' });
    expect((await itemsOf(slug)).map(({ id }) => id).sort()).toEqual(
      [latte, derivedId(shop, 'item', shop, { name: 'قهوة تركي' })].sort(),
    );
    const { optional_field: parts } = await fixture.rows(shop);
    expect(parts[0]?.id).toBe(derivedId(shop, 'optional', latte, { name: 'شوت' }));
  });

  test('are the same on every machine', () => {
    const shop = shopIdOf('beit-el-bunn');
    expect(shop).toBe('8070e362-6e33-59f6-a1c8-8da3cbbf15ff');
    expect(derivedId(shop, 'branch', shop, { key: 'zamalek' })).toBe(
      derivedId(shop, 'branch', shop, { key: 'zamalek' }),
    );
  });

  test('do not depend on the Unicode normalization of a name', async () => {
    const slug = newSlug();
    await fixture.import(withItems(slug, { name: 'caf\u00e9', price: 1 }));
    expect(await fixture.import(withItems(slug, { name: 'cafe\u0301', price: 1 }))).toMatchObject({
      created: 0,
      updated: 1,
    });
  });
});

describe('explicit ids', () => {
  test('are stored in lower case', async () => {
    const slug = newSlug();
    await fixture.import(withItems(slug, anItemEntry({ id: ownId('A1').toUpperCase() })));
    expect((await itemsOf(slug))[0]?.id).toBe(ownId('a1'));
  });

  test('of another shop are rejected', async () => {
    const [one, two] = [newSlug(), newSlug()];
    await fixture.import(withItems(one, anItemEntry({ id: ownId('1') })));
    expect(
      faultLines(await faultsOfImport(fixture.import(withItems(two, anItemEntry({ id: ownId('1') }))))),
    ).toEqual(['menu.items[0].id: has an id that belongs to another shop']);
    expect(
      faultLines(
        await faultsOfImport(fixture.import({ ...aMinimalShopFile({ slug: two }), id: ownId('1') })),
      ),
    ).toEqual(['id: is taken: it is that of something else (item)']);
    expect(
      faultLines(await faultsOfImport(fixture.import(withItems(two, anItemEntry({ id: shopIdOf(one) }))))),
    ).toEqual(['menu.items[0].id: has an id that belongs to another shop']);
  });

  test('of another kind are rejected, archived ones too', async () => {
    const slug = newSlug();
    await fixture.import(withItems(slug, anItemEntry({ id: ownId('2') })));
    await fixture.import(withItems(slug));
    const file = aMinimalShopFile({
      slug,
      branches: [aBranchEntry(), aBranchEntry({ id: ownId('2'), name: 'فرع', code: 'F' })],
    });
    expect(faultLines(await faultsOfImport(fixture.import(file)))).toEqual([
      'branches[1].id: has an id that is taken by something else of the shop (item)',
    ]);
  });

  test('of a table are rejected at another branch', async () => {
    const slug = newSlug();
    const table = { id: ownId('3'), label: 'T1', seats: { max: 2 } };
    const other = aBranchEntry({ name: 'المعادي', code: 'MAD' });
    await fixture.import(aMinimalShopFile({ slug, branches: [aBranchEntry({ tables: [table] }), other] }));
    const moved = aMinimalShopFile({ slug, branches: [aBranchEntry(), { ...other, tables: [table] }] });
    expect(faultLines(await faultsOfImport(fixture.import(moved)))).toEqual([
      'branches[1].tables[0].id: is the id of a table of another branch; leave the id out',
    ]);
  });

  test('in two files of one import are rejected', async () => {
    const [one, two] = [newSlug(), newSlug()];
    const files = [one, two].map((slug) => ({
      name: `${slug}.json`,
      text: JSON.stringify(withItems(slug, anItemEntry({ id: ownId('4') }))),
    }));
    expect(faultLines(await faultsOfImport(importShops(fixture, files)))).toEqual([
      `menu.items[0].id: is in ${one}.json too, which was given with this file`,
    ]);
    const twice = [0, 1].map((at) => ({ name: `${at}.json`, text: JSON.stringify(withItems(one)) }));
    expect(faultLines(await faultsOfImport(importShops(fixture, twice)))).toEqual([
      'slug: is in 0.json too, which was given with this file',
      'id: is in 0.json too, which was given with this file',
    ]);
  });

  test('claimed by concurrent imports go to one of them', async () => {
    const slugs = [newSlug(), newSlug(), newSlug()];
    const outcomes = await Promise.allSettled(
      slugs.map((slug) => fixture.import(withItems(slug, anItemEntry({ id: ownId('5') })))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({
          faults: [{ problem: 'has an id that belongs to another shop' }],
        });
  });
});

describe('a new name', () => {
  const fault = (kind: string, old: string) =>
    new RegExp(
      `^would be a new ${kind}, and ‘${old}’ would be archived: if it is the same ${kind} under a new name, give it`,
    );
  const problems = async (first: ShopFile, second: ShopFile) => {
    await fixture.import(first);
    return (await faultsOfImport(fixture.import(second))).map(({ path, problem }) => ({ path, problem }));
  };

  test('in one language is reported with the id that keeps the entity', async () => {
    const slug = newSlug();
    const renamed = withItems(slug, anItemEntry({ name: { ar: 'قهوة تركية', en: 'Turkish coffee' } }));
    const [found, ...others] = await problems(withItems(slug, anItemEntry()), renamed);
    expect(others).toEqual([]);
    expect(found?.path).toBe('menu.items[0]');
    expect(found?.problem).toMatch(fault('item', 'قهوة تركي'));
    const [old] = await itemsOf(slug);
    expect(found?.problem).toContain(`\`"id": "${old?.id}"\``);

    await fixture.import(
      withItems(slug, anItemEntry({ id: old?.id ?? '', name: { ar: 'قهوة تركية', en: 'Turkish coffee' } })),
    );
    expect((await itemsOf(slug)).map(({ id, name }) => [id, name])).toEqual([[old?.id, 'قهوة تركية']]);
  });

  test('is reported when position and content stay the same', async () => {
    const slug = newSlug();
    const [found] = await problems(
      withItems(slug, { name: 'لبن صويا', price: 900 }),
      withItems(slug, { name: 'حليب صويا', price: 900 }),
    );
    expect(found?.problem).toMatch(fault('item', 'لبن صويا'));
    await fixture.import(withItems(slug, { name: 'حليب جوز الهند', price: 1200 }));
  });

  test('of another entity in the same position is accepted with the id from the message', async () => {
    const slug = newSlug();
    const other = { name: 'حليب صويا', price: 900 };
    const [found] = await problems(withItems(slug, { name: 'لبن صويا', price: 900 }), withItems(slug, other));
    const id = /another one, `"id": "([0-9a-f-]+)"`/.exec(found?.problem ?? '')?.[1] ?? '';
    expect(await fixture.import(withItems(slug, { ...other, id }))).toMatchObject({
      created: 1,
      archived: 1,
    });
    expect(await fixture.import(withItems(slug, other))).toMatchObject({
      created: 0,
      archived: 0,
      updated: 0,
    });
  });

  test('is detected by code for a branch, by branch and seats for a table, by parent for a part', async () => {
    const slug = newSlug();
    const branch = aBranchEntry({ tables: [{ label: 'T1', section: 'بلكونة', seats: { max: 3 } }] });
    const first = aMinimalShopFile({ slug, branches: [branch] });
    const [byCode, ...none] = await problems(
      first,
      aMinimalShopFile({ slug, branches: [{ ...branch, name: 'الجزيرة' }] }),
    );
    expect([byCode?.path, none]).toEqual(['branches[0]', []]);
    expect(byCode?.problem).toMatch(fault('branch', 'الزمالك'));
    const relabelled = { ...branch, tables: [{ label: 'B1', section: 'بلكونة', seats: { max: 3 } }] };
    const [table] = await problems(first, aMinimalShopFile({ slug, branches: [relabelled] }));
    expect(table).toMatchObject({ path: 'branches[0].tables[0]' });
    await fixture.import(
      aMinimalShopFile({ slug, branches: [{ ...branch, tables: [{ label: 'B1', seats: { max: 8 } }] }] }),
    );

    const other = newSlug();
    const option = (name: Record<string, string>): ShopFile =>
      withItems(other, anItemEntry({ optionals: [{ name, price: 500 }] }));
    const [part] = await problems(option({ ar: 'شوت', en: 'Shot' }), option({ ar: 'شوط', en: 'Shot' }));
    expect(part).toMatchObject({ path: 'menu.items[0].optionals[0]' });
  });

  test('is detected despite a new key', async () => {
    const slug = newSlug();
    const [found] = await problems(
      withItems(slug, anItemEntry()),
      withItems(slug, anItemEntry({ key: 'turkish' })),
    );
    expect(found?.problem).toMatch(fault('item', 'قهوة تركي'));
  });

  test('of an entity with a key changes only the name', async () => {
    const slug = newSlug();
    await fixture.import(withItems(slug, anItemEntry({ key: 'turkish' })));
    const report = await fixture.import(withItems(slug, anItemEntry({ key: 'turkish', name: 'قهوة' })));
    expect(report.entities.map(({ op, aspects }) => [op, aspects])).toEqual([['updated', ['name']]]);
  });
});

describe('slugs', () => {
  test('of a renamed shop all resolve to it, without other changes', async () => {
    const [old, renamed] = [newSlug(), newSlug()];
    const { orgId } = await fixture.import(aMinimalShopFile({ slug: old }));
    const report = await fixture.import({ ...aMinimalShopFile({ slug: renamed }), id: orgId });
    // The ids of parts derive from the shop's id, not its slug.
    expect(report.entities.map(({ op, kind, aspects }) => [op, kind, aspects])).toEqual([
      ['updated', 'shop', ['slug']],
    ]);
    expect((await slugsOf(fixture.db.kysely, orgId)).sort()).toEqual([old, renamed].sort());
    expect(await fixture.export(old)).toMatchObject({ id: orgId, slug: renamed, former_slugs: [old] });
    await fixture.import({ ...aMinimalShopFile({ slug: old }), id: orgId });
    expect((await fixture.export(renamed)).slug).toBe(old);
  });

  test('of another shop are rejected, former ones too, with the id of that shop', async () => {
    const [old, renamed, third] = [newSlug(), newSlug(), newSlug()];
    const { orgId } = await fixture.import(aMinimalShopFile({ slug: old }));
    await fixture.import({ ...aMinimalShopFile({ slug: renamed }), id: orgId });
    const hint = `leads to another shop; if it is this one, give the file \`"id": "${orgId}"\``;
    expect(faultLines(await faultsOfImport(fixture.import(aMinimalShopFile({ slug: renamed }))))).toEqual([
      `slug: ${hint}`,
    ]);
    // Also if the ids of the file would cause many more faults.
    const full = await fixture.export(renamed);
    const copy = Object.fromEntries(
      Object.entries(full).filter(([field]) => field !== 'id' && field !== 'former_slugs'),
    );
    expect(faultLines(await faultsOfImport(fixture.importText(JSON.stringify(copy))))).toEqual([
      `slug: ${hint}`,
    ]);
    // Also if the file has the id of a third shop with other entities.
    const { orgId: other } = await fixture.import(aMinimalShopFile({ slug: newSlug() }));
    const mixed = { ...withItems(renamed, anItemEntry({ name: 'قهوة مظبوط' })), id: other };
    expect(faultLines(await faultsOfImport(fixture.import(mixed)))).toEqual([`slug: ${hint}`]);
    const stolen = aMinimalShopFile({ slug: third, former_slugs: [old] });
    expect(faultLines(await faultsOfImport(fixture.import(stolen)))).toEqual([`former_slugs[0]: ${hint}`]);
  });

  test('listed as former slugs resolve to the shop, and stay when a later file leaves them out', async () => {
    const [slug, old] = [newSlug(), newSlug()];
    const { orgId } = await fixture.import(aMinimalShopFile({ slug, former_slugs: [old] }));
    await fixture.import(aMinimalShopFile({ slug }));
    expect((await slugsOf(fixture.db.kysely, orgId)).sort()).toEqual([slug, old].sort());
    const later = newSlug();
    await fixture.import(aMinimalShopFile({ slug, former_slugs: [later] }));
    expect(await fixture.export(later)).toMatchObject({ slug });
  });
});
