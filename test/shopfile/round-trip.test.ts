/** Import and export are inverse; a reimport changes nothing. */
import fc from 'fast-check';
import { picturesBeside } from '../../src/adapters/picture-folder.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shopIdOf } from '../../src/shopfile/app/entity-ids.ts';
import { sql } from 'kysely';
import { asOwner } from '../support/database/test-database.ts';
import { aMinimalShopFile } from '../support/shops/shop-file.ts';
import { anyShopFile } from '../support/shops/any-shop-file.ts';
import { aFullShopFile } from '../support/shops/full-shop-file.ts';
import { openImportFixture, type ImportFixture } from '../support/shops/shop-import.ts';

let fixture: ImportFixture;
let other: ImportFixture;
beforeAll(async () => {
  [fixture, other] = [await openImportFixture(), await openImportFixture()];
  other.at('2031-05-05T05:05:05Z');
});
afterAll(async () => {
  await fixture.close();
  await other.close();
});

/** Deletes a shop from a database. */
const wipe = async ({ db, database }: ImportFixture, orgId: string): Promise<void> => {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'org_id'
  `.execute(db.kysely);
  const deletes = tables.rows.map(({ name }) => `delete from "${name}" where org_id = '${orgId}'`);
  await asOwner(database, ['set local session_replication_role = replica', ...deletes].join('; '));
};

/** Imports into one database, and exports to the other. */
const checkRoundTrip = async (text: string, slug: string): Promise<void> => {
  const pictures = picturesBeside('shops');
  const first = await fixture.importText(text, {}, pictures);
  const before = await fixture.changes(first.orgId);
  const rows = await fixture.rows(first.orgId);
  fixture.at('2026-11-20T19:00:00Z');

  const again = await fixture.importText(text, {}, pictures);
  expect(again).toMatchObject({ created: 0, updated: 0, archived: 0, entities: [] });

  const file = JSON.stringify(await fixture.export(slug));
  const back = await fixture.importText(file, {}, pictures);
  expect(back).toMatchObject({
    created: 0,
    updated: 0,
    archived: 0,
    unchanged: first.created,
    ignoredStates: 0,
  });
  expect(await fixture.rows(first.orgId)).toEqual(rows);
  expect((await fixture.changes(first.orgId)).seq).toBe(before.seq);

  await other.importText(file, {}, pictures);
  expect(JSON.stringify(await other.export(slug))).toBe(file);
};

describe('a shop', () => {
  test('with every field round-trips byte for byte, also through another database', async () => {
    await checkRoundTrip(JSON.stringify(aFullShopFile()), 'rich-beans');
  });

  test('with only required fields round-trips byte for byte', async () => {
    await checkRoundTrip(JSON.stringify(aMinimalShopFile()), 'bon-test');
  });

  test.each(readdirSync('shops').filter((name) => name.endsWith('.json') && name !== 'demo-activity.json'))(
    'of the demo data round-trips byte for byte: %s',
    async (name) => {
      await checkRoundTrip(readFileSync(`shops/${name}`, 'utf8'), name.replace('.json', ''));
    },
  );

  test('with arbitrary fields round-trips byte for byte', async () => {
    const orgId = shopIdOf('any-shop');
    await fc.assert(
      fc.asyncProperty(anyShopFile(), async (file) => {
        await wipe(fixture, orgId);
        await wipe(other, orgId);
        await checkRoundTrip(JSON.stringify(file), 'any-shop');
      }),
      // No shrinking: it would exceed the test timeout.
      { numRuns: 15, endOnFailure: true },
    );
  });

  test('can be changed into any other shop by an import', async () => {
    const orgId = shopIdOf('any-shop');
    await fc.assert(
      fc.asyncProperty(anyShopFile(), anyShopFile(), async (one, two) => {
        await wipe(fixture, orgId);
        await wipe(other, orgId);
        // An import sets running state only on new entities, so the update must overwrite it.
        await fixture.import(one);
        await fixture.import(two, { state: true });
        await other.import(two);
        const [changed, made] = [await fixture.export('any-shop'), await other.export('any-shop')];
        const undated = (text: string): string => text.replaceAll(/"(created|updated)_at":"[^"]*"/g, '');
        expect(undated(JSON.stringify(changed))).toBe(undated(JSON.stringify(made)));
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});

describe('an export', () => {
  test('refers to entities by name, and has every id', async () => {
    const file = await fixture.export('rich-beans');
    const latte = file.menu.items?.find(({ name }) => typeof name !== 'string' && name['en'] === 'Latte');
    expect(latte).toMatchObject({
      category: 'قهوة',
      default_milk: 'حليب كامل',
      meal: { combo: 'فطار', slot: 'المشروب' },
    });
    const ids = JSON.stringify(file).match(/"id":"[0-9a-f-]{36}"/g) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    for (const list of [file.branches, file.menu.items, file.menu.deals, file.menu.combos])
      for (const { id } of list ?? []) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('refers to an entity by id if its name is ambiguous', async () => {
    const namesakes = aMinimalShopFile({
      slug: 'namesakes',
      menu: {
        categories: [
          { key: 'hot', name: 'قهوة' },
          { key: 'cold', name: 'قهوة' },
        ],
        items: [{ name: 'لاتيه', category: 'cold', price: 1 }],
      },
    });
    const { orgId } = await fixture.import(namesakes);
    const file = await fixture.export('namesakes');
    const cold = (await fixture.rows(orgId)).category.find(({ sort }) => sort === 1);
    expect(file.menu.items?.[0]?.category).toBe(cold?.id);
    await fixture.import(file);
  });

  test('of an unknown shop is rejected with a message', async () => {
    await expect(fixture.export('nobody-s')).rejects.toThrow(
      'There is no shop with the address name ‘nobody-s’.',
    );
  });
});
