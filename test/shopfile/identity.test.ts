/** Ids that are derived, ids that are given, and names that change. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import { derivedId, shopIdOf, uuid5 } from '../../src/shopfile/app/identity.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { slugsOf } from '../../src/shopfile/store/shopfile.ts';
import { aBranch, anItem, aShopFile, type ItemEntry } from '../support/build.ts';
import { faultsOfImport, openShopHouse, told, type ShopHouse } from '../support/shop-imports.ts';

let house: ShopHouse;
let shops = 0;
beforeAll(async () => {
  house = await openShopHouse();
});
afterAll(() => house.close());

const newSlug = (): string => `shop-${(shops += 1)}`;
const coffee = { name: { ar: 'قهوة', en: 'Coffee' } };
const withItems = (slug: string, ...items: readonly ItemEntry[]): ShopFile =>
  aShopFile({ slug, menu: { categories: [coffee], items: [...items] } });
const itemsOf = async (slug: string) => (await house.rows(shopIdOf(slug))).menu_item;
const ownId = (last: string): string => `dddddddd-0000-4000-8000-${last.padStart(12, '0')}`;

describe('derived ids', () => {
  test('are UUIDs of version 5, as RFC 9562 has it', () => {
    expect(uuid5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
  });

  test('come from the shop, the kind, what it is part of, and the key or else the name', async () => {
    const slug = newSlug();
    const optionals = [{ name: 'شوت', price: 0 }];
    await house.import(withItems(slug, anItem(), { key: 'latte', name: 'لاتيه', price: 1, optionals }));
    const shop = shopIdOf(slug);
    const latte = derivedId(shop, 'item', shop, { key: 'latte' });
    expect((await itemsOf(slug)).map(({ id }) => id).sort()).toEqual(
      [latte, derivedId(shop, 'item', shop, { name: 'قهوة تركي' })].sort(),
    );
    const { optional_field: parts } = await house.rows(shop);
    expect(parts[0]?.id).toBe(derivedId(shop, 'optional', latte, { name: 'شوت' }));
  });

  test('are the same on every machine, so that links and QR codes last', () => {
    const shop = shopIdOf('beit-el-bunn');
    expect(shop).toBe('8070e362-6e33-59f6-a1c8-8da3cbbf15ff');
    expect(derivedId(shop, 'branch', shop, { key: 'zamalek' })).toBe(
      derivedId(shop, 'branch', shop, { key: 'zamalek' }),
    );
  });

  test('do not depend on how the letters of a name are put together', async () => {
    const slug = newSlug();
    await house.import(withItems(slug, { name: 'caf\u00e9', price: 1 }));
    expect(await house.import(withItems(slug, { name: 'cafe\u0301', price: 1 }))).toMatchObject({
      created: 0,
      updated: 1,
    });
  });
});

describe('given ids', () => {
  test('are kept, in small letters', async () => {
    const slug = newSlug();
    await house.import(withItems(slug, anItem({ id: ownId('A1').toUpperCase() })));
    expect((await itemsOf(slug))[0]?.id).toBe(ownId('a1'));
  });

  test('of another shop are refused', async () => {
    const [one, two] = [newSlug(), newSlug()];
    await house.import(withItems(one, anItem({ id: ownId('1') })));
    expect(told(await faultsOfImport(house.import(withItems(two, anItem({ id: ownId('1') })))))).toEqual([
      'menu.items[0].id: has an id that belongs to another shop',
    ]);
    expect(told(await faultsOfImport(house.import({ ...aShopFile({ slug: two }), id: ownId('1') })))).toEqual(
      ['id: is taken: it is that of something else (item)'],
    );
    expect(told(await faultsOfImport(house.import(withItems(two, anItem({ id: shopIdOf(one) })))))).toEqual([
      'menu.items[0].id: has an id that belongs to another shop',
    ]);
  });

  test('of another kind are refused, archived ones too', async () => {
    const slug = newSlug();
    await house.import(withItems(slug, anItem({ id: ownId('2') })));
    await house.import(withItems(slug));
    const file = aShopFile({
      slug,
      branches: [aBranch(), aBranch({ id: ownId('2'), name: 'فرع', code: 'F' })],
    });
    expect(told(await faultsOfImport(house.import(file)))).toEqual([
      'branches[1].id: has an id that is taken by something else of the shop (item)',
    ]);
  });

  test('of a table are refused at another branch: its QR code stands on that branch’s table', async () => {
    const slug = newSlug();
    const table = { id: ownId('3'), label: 'T1', seats: { max: 2 } };
    const other = aBranch({ name: 'المعادي', code: 'MAD' });
    await house.import(aShopFile({ slug, branches: [aBranch({ tables: [table] }), other] }));
    const moved = aShopFile({ slug, branches: [aBranch(), { ...other, tables: [table] }] });
    expect(told(await faultsOfImport(house.import(moved)))).toEqual([
      'branches[1].tables[0].id: is the id of a table of another branch; leave the id out',
    ]);
  });

  test('in two files given together are refused', async () => {
    const [one, two] = [newSlug(), newSlug()];
    const files = [one, two].map((slug) => ({
      name: `${slug}.json`,
      text: JSON.stringify(withItems(slug, anItem({ id: ownId('4') }))),
    }));
    expect(told(await faultsOfImport(importShops(house, files)))).toEqual([
      `menu.items[0].id: is in ${one}.json too, which was given with this file`,
    ]);
    const twice = [0, 1].map((at) => ({ name: `${at}.json`, text: JSON.stringify(withItems(one)) }));
    expect(told(await faultsOfImport(importShops(house, twice)))).toEqual([
      'slug: is in 0.json too, which was given with this file',
      'id: is in 0.json too, which was given with this file',
    ]);
  });

  test('taken by two imports at once go to one of them', async () => {
    const slugs = [newSlug(), newSlug(), newSlug()];
    const outcomes = await Promise.allSettled(
      slugs.map((slug) => house.import(withItems(slug, anItem({ id: ownId('5') })))),
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
    await house.import(first);
    return (await faultsOfImport(house.import(second))).map(({ path, problem }) => ({ path, problem }));
  };

  test('in one language is reported before anything happens, with the id that keeps the thing', async () => {
    const slug = newSlug();
    const renamed = withItems(slug, anItem({ name: { ar: 'قهوة تركية', en: 'Turkish coffee' } }));
    const [found, ...others] = await problems(withItems(slug, anItem()), renamed);
    expect(others).toEqual([]);
    expect(found?.path).toBe('menu.items[0]');
    expect(found?.problem).toMatch(fault('item', 'قهوة تركي'));
    const [old] = await itemsOf(slug);
    expect(found?.problem).toContain(`\`"id": "${old?.id}"\``);

    await house.import(
      withItems(slug, anItem({ id: old?.id ?? '', name: { ar: 'قهوة تركية', en: 'Turkish coffee' } })),
    );
    expect((await itemsOf(slug)).map(({ id, name }) => [id, name])).toEqual([[old?.id, 'قهوة تركية']]);
  });

  test('is reported also where only place and everything else stayed the same', async () => {
    const slug = newSlug();
    const [found] = await problems(
      withItems(slug, { name: 'لبن صويا', price: 900 }),
      withItems(slug, { name: 'حليب صويا', price: 900 }),
    );
    expect(found?.problem).toMatch(fault('item', 'لبن صويا'));
    await house.import(withItems(slug, { name: 'حليب جوز الهند', price: 1200 }));
  });

  test('of another thing in the same place goes in with the id that the refusal names', async () => {
    const slug = newSlug();
    const other = { name: 'حليب صويا', price: 900 };
    const [found] = await problems(withItems(slug, { name: 'لبن صويا', price: 900 }), withItems(slug, other));
    const id = /another one, `"id": "([0-9a-f-]+)"`/.exec(found?.problem ?? '')?.[1] ?? '';
    expect(await house.import(withItems(slug, { ...other, id }))).toMatchObject({ created: 1, archived: 1 });
    expect(await house.import(withItems(slug, other))).toMatchObject({ created: 0, archived: 0, updated: 0 });
  });

  test('of a branch is known by its code, of a table by its branch and seats, of a part by its whole', async () => {
    const slug = newSlug();
    const branch = aBranch({ tables: [{ label: 'T1', section: 'بلكونة', seats: { max: 3 } }] });
    const first = aShopFile({ slug, branches: [branch] });
    const [byCode, ...none] = await problems(
      first,
      aShopFile({ slug, branches: [{ ...branch, name: 'الجزيرة' }] }),
    );
    expect([byCode?.path, none]).toEqual(['branches[0]', []]);
    expect(byCode?.problem).toMatch(fault('branch', 'الزمالك'));
    const relabelled = { ...branch, tables: [{ label: 'B1', section: 'بلكونة', seats: { max: 3 } }] };
    const [table] = await problems(first, aShopFile({ slug, branches: [relabelled] }));
    expect(table).toMatchObject({ path: 'branches[0].tables[0]' });
    await house.import(
      aShopFile({ slug, branches: [{ ...branch, tables: [{ label: 'B1', seats: { max: 8 } }] }] }),
    );

    const other = newSlug();
    const option = (name: Record<string, string>): ShopFile =>
      withItems(other, anItem({ optionals: [{ name, price: 500 }] }));
    const [part] = await problems(option({ ar: 'شوت', en: 'Shot' }), option({ ar: 'شوط', en: 'Shot' }));
    expect(part).toMatchObject({ path: 'menu.items[0].optionals[0]' });
  });

  test('does not hide behind a key that the thing did not have', async () => {
    const slug = newSlug();
    const [found] = await problems(withItems(slug, anItem()), withItems(slug, anItem({ key: 'turkish' })));
    expect(found?.problem).toMatch(fault('item', 'قهوة تركي'));
  });

  test('of a thing with a key changes nothing but the name', async () => {
    const slug = newSlug();
    await house.import(withItems(slug, anItem({ key: 'turkish' })));
    const report = await house.import(withItems(slug, anItem({ key: 'turkish', name: 'قهوة' })));
    expect(report.things.map(({ op, aspects }) => [op, aspects])).toEqual([['updated', ['name']]]);
  });
});

describe('address names', () => {
  test('of a renamed shop all lead to it, and it keeps everything', async () => {
    const [old, renamed] = [newSlug(), newSlug()];
    const { orgId } = await house.import(aShopFile({ slug: old }));
    const report = await house.import({ ...aShopFile({ slug: renamed }), id: orgId });
    // What its parts' ids are derived from is the shop's id, which stays.
    expect(report.things.map(({ op, kind, aspects }) => [op, kind, aspects])).toEqual([
      ['updated', 'shop', ['slug']],
    ]);
    expect((await slugsOf(house.db.kysely, orgId)).sort()).toEqual([old, renamed].sort());
    expect(await house.export(old)).toMatchObject({ id: orgId, slug: renamed, former_slugs: [old] });
    await house.import({ ...aShopFile({ slug: old }), id: orgId });
    expect((await house.export(renamed)).slug).toBe(old);
  });

  test('of another shop are refused, former ones too, with the id that would mean that shop', async () => {
    const [old, renamed, third] = [newSlug(), newSlug(), newSlug()];
    const { orgId } = await house.import(aShopFile({ slug: old }));
    await house.import({ ...aShopFile({ slug: renamed }), id: orgId });
    const hint = `leads to another shop; if it is this one, give the file \`"id": "${orgId}"\``;
    expect(told(await faultsOfImport(house.import(aShopFile({ slug: renamed }))))).toEqual([`slug: ${hint}`]);
    // Also where the file's own ids and the shop that once had this name would give much more to say.
    const full = await house.export(renamed);
    const copy = Object.fromEntries(
      Object.entries(full).filter(([field]) => field !== 'id' && field !== 'former_slugs'),
    );
    expect(told(await faultsOfImport(house.importText(JSON.stringify(copy))))).toEqual([`slug: ${hint}`]);
    // … or where the file gives the id of a third shop, whose things are all called otherwise.
    const { orgId: other } = await house.import(aShopFile({ slug: newSlug() }));
    const mixed = { ...withItems(renamed, anItem({ name: 'قهوة مظبوط' })), id: other };
    expect(told(await faultsOfImport(house.import(mixed)))).toEqual([`slug: ${hint}`]);
    const stolen = aShopFile({ slug: third, former_slugs: [old] });
    expect(told(await faultsOfImport(house.import(stolen)))).toEqual([`former_slugs[0]: ${hint}`]);
  });

  test('given as former ones lead to the shop from the start, and are never lost', async () => {
    const [slug, old] = [newSlug(), newSlug()];
    const { orgId } = await house.import(aShopFile({ slug, former_slugs: [old] }));
    await house.import(aShopFile({ slug }));
    expect((await slugsOf(house.db.kysely, orgId)).sort()).toEqual([slug, old].sort());
    const later = newSlug();
    await house.import(aShopFile({ slug, former_slugs: [later] }));
    expect(await house.export(later)).toMatchObject({ slug });
  });
});
