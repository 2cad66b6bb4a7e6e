/** What goes in comes out, and goes in again without changing anything. */
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shopIdOf } from '../../src/shopfile/app/identity.ts';
import { sql } from 'kysely';
import { asOwner } from '../support/postgres.ts';
import { anyShopFile, aRichShopFile, aShopFile } from '../support/build.ts';
import { openShopHouse, type ShopHouse } from '../support/shop-imports.ts';

let house: ShopHouse;
let other: ShopHouse;
beforeAll(async () => {
  [house, other] = [await openShopHouse(), await openShopHouse()];
  other.at('2031-05-05T05:05:05Z');
});
afterAll(async () => {
  await house.close();
  await other.close();
});

/** Takes a shop out of a database, which nothing in the product does. */
const wipe = async ({ db, database }: ShopHouse, orgId: string): Promise<void> => {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'org_id'
  `.execute(db.kysely);
  const deletes = tables.rows.map(({ name }) => `delete from "${name}" where org_id = '${orgId}'`);
  await asOwner(database, ['set local session_replication_role = replica', ...deletes].join('; '));
};

/** Imports into one database, exports, and sees that both databases agree on it from there on. */
const goRound = async (text: string, slug: string): Promise<void> => {
  const first = await house.importText(text);
  const before = await house.changes(first.orgId);
  const rows = await house.rows(first.orgId);
  house.at('2026-11-20T19:00:00Z');

  const again = await house.importText(text);
  expect(again).toMatchObject({ created: 0, updated: 0, archived: 0, things: [] });

  const file = JSON.stringify(await house.export(slug));
  const back = await house.importText(file);
  expect(back).toMatchObject({ created: 0, updated: 0, archived: 0, unchanged: first.created, stateKept: 0 });
  expect(await house.rows(first.orgId)).toEqual(rows);
  expect((await house.changes(first.orgId)).seq).toBe(before.seq);

  await other.importText(file);
  expect(JSON.stringify(await other.export(slug))).toBe(file);
};

describe('a shop', () => {
  test('with every field comes back byte for byte, from another database too', async () => {
    await goRound(JSON.stringify(aRichShopFile()), 'rich-beans');
  });

  test('of the smallest kind comes back byte for byte', async () => {
    await goRound(JSON.stringify(aShopFile()), 'bon-test');
  });

  test.each(readdirSync('shops').filter((name) => name.endsWith('.json') && name !== 'demo-activity.json'))(
    'of the demo comes back byte for byte: %s',
    async (name) => {
      await goRound(readFileSync(`shops/${name}`, 'utf8'), name.replace('.json', ''));
    },
  );

  test('of whatever kind comes back byte for byte', async () => {
    const orgId = shopIdOf('any-shop');
    await fc.assert(
      fc.asyncProperty(anyShopFile(), async (file) => {
        await wipe(house, orgId);
        await wipe(other, orgId);
        await goRound(JSON.stringify(file), 'any-shop');
      }),
      // What fails here is told at once: trying smaller shops would take longer than a test may.
      { numRuns: 15, endOnFailure: true },
    );
  });

  test('can be changed into whatever other shop, and what is left out is archived', async () => {
    const orgId = shopIdOf('any-shop');
    await fc.assert(
      fc.asyncProperty(anyShopFile(), anyShopFile(), async (one, two) => {
        await wipe(house, orgId);
        await wipe(other, orgId);
        // Running state belongs to what an import creates; overwritten, both roads lead to the same shop.
        await house.import(one);
        await house.import(two, { state: true });
        await other.import(two);
        const [changed, made] = [await house.export('any-shop'), await other.export('any-shop')];
        const undated = (text: string): string => text.replaceAll(/"(created|updated)_at":"[^"]*"/g, '');
        expect(undated(JSON.stringify(changed))).toBe(undated(JSON.stringify(made)));
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});

describe('an export', () => {
  test('says in a readable way what it refers to, and gives every id', async () => {
    const file = await house.export('rich-beans');
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

  test('names a thing by its id where its name would not say enough', async () => {
    const namesakes = aShopFile({
      slug: 'namesakes',
      menu: {
        categories: [
          { key: 'hot', name: 'قهوة' },
          { key: 'cold', name: 'قهوة' },
        ],
        items: [{ name: 'لاتيه', category: 'cold', price: 1 }],
      },
    });
    const { orgId } = await house.import(namesakes);
    const file = await house.export('namesakes');
    const cold = (await house.rows(orgId)).category.find(({ sort }) => sort === 1);
    expect(file.menu.items?.[0]?.category).toBe(cold?.id);
    await house.import(file);
  });

  test('of a shop nobody has is refused in words', async () => {
    await expect(house.export('nobody-s')).rejects.toThrow(
      'There is no shop with the address name ‘nobody-s’.',
    );
  });
});
