/** What an import leaves alone, and what it tells others. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shopIdOf } from '../../src/shopfile/app/identity.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { branchScope } from '../../src/kernel/change.ts';
import { shopBySlug } from '../../src/shops/store/shop.ts';
import { aBranch, anItem, aShopFile, type ItemEntry } from '../support/build.ts';
import { openShopHouse, type ShopHouse } from '../support/shop-imports.ts';

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

describe('running state', () => {
  const stocked = (slug: string, stock?: number, until?: string): ShopFile =>
    withItems(
      slug,
      anItem({
        availability: [
          {
            branch: 'الزمالك',
            ...(stock === undefined ? {} : { stock }),
            ...(until === undefined ? {} : { sold_out_until: until }),
          },
        ],
      }),
    );
  const stockOf = async (slug: string) => {
    const [row] = (await house.rows(shopIdOf(slug))).availability;
    return [row?.stock ?? null, row?.sold_out_until ?? null];
  };
  const sellOne = (slug: string) =>
    sql`update availability set stock = stock - 1 where org_id = ${shopIdOf(slug)}`.execute(house.db.kysely);

  test('is set on what the import creates, and kept afterwards', async () => {
    const slug = newSlug();
    await house.import(stocked(slug, 5));
    await sellOne(slug);
    expect(await house.import(stocked(slug, 5))).toMatchObject({ updated: 0, stateKept: 1 });
    expect(await stockOf(slug)).toEqual([4, null]);
  });

  test('that has no end goes round too', async () => {
    const slug = newSlug();
    await house.import(stocked(slug, 5, '9999-12-31T00:00:00.000Z'));
    expect(await stockOf(slug)).toEqual([5, Infinity]);
    const file = await house.export(slug);
    expect(file.menu.items?.[0]?.availability).toEqual([
      { branch: 'الزمالك', sold_out_until: '9999-12-31T00:00:00.000Z', stock: 5 },
    ]);
    expect(await house.import(file)).toMatchObject({ updated: 0 });
  });

  test('is overwritten with --state, also by a file that says nothing of it', async () => {
    const slug = newSlug();
    await house.import(stocked(slug, 5));
    await sellOne(slug);
    await house.import(stocked(slug, 9, '2026-12-01T10:00:00Z'), { state: true });
    expect(await stockOf(slug)).toEqual([9, Date.parse('2026-12-01T10:00:00Z')]);
    await house.import(withItems(slug, anItem()), { state: true });
    expect((await house.rows(shopIdOf(slug))).availability).toEqual([]);
  });

  test('that the staff set survives a file without it', async () => {
    const slug = newSlug();
    await house.import(stocked(slug, 5));
    await house.import(withItems(slug, anItem({ price: 4600 })));
    expect(await stockOf(slug)).toEqual([5, null]);
  });

  test('is not started on an item that is there already', async () => {
    const slug = newSlug();
    await house.import(withItems(slug, anItem()));
    expect(await house.import(stocked(slug, 5))).toMatchObject({ stateKept: 1 });
    expect(await stockOf(slug)).toEqual([null, null]);
  });

  test('of a channel is set where the channel is new, and kept where it is not', async () => {
    const slug = newSlug();
    const withMode = (...names: readonly ('pickup' | 'umbrella')[]): ShopFile =>
      aShopFile({
        slug,
        branches: [
          aBranch({
            channels: Object.fromEntries(names.map((name) => [name, { state: { mode: 'closed' } }])),
          }),
        ],
      });
    await house.import(aShopFile({ slug }));
    const { orgId } = await house.import(withMode('pickup', 'umbrella'));
    const modes = async () =>
      Object.fromEntries(
        (await house.rows(orgId)).branch_channel.map(({ channel, mode }) => [channel, mode]),
      );
    expect(await modes()).toEqual({ pickup: 'auto', umbrella: 'closed' });
    await house.import(withMode('pickup', 'umbrella'), { state: true });
    expect(await modes()).toEqual({ pickup: 'closed', umbrella: 'closed' });
  });

  test('counted down while the import runs is not counted up again', async () => {
    const slug = newSlug();
    await house.import(stocked(slug, 500));
    const selling = (async () => {
      for (let sold = 0; sold < 40; sold += 1) await sellOne(slug);
    })();
    const importing = (async () => {
      for (let price = 0; price < 4; price += 1) {
        const file = stocked(slug, 500);
        await house.import({
          ...file,
          menu: {
            ...file.menu,
            items: (file.menu.items ?? []).map((item) => ({
              ...item,
              price,
              availability: [{ branch: 'الزمالك', on: price % 2 === 0, stock: 500 }],
            })),
          },
        });
      }
    })();
    await Promise.all([selling, importing]);
    expect(await stockOf(slug)).toEqual([460, null]);
  });
});

describe('the change log', () => {
  test('tells of everything that is new, of the shop and each branch in their own scope', async () => {
    const slug = newSlug();
    const { orgId } = await house.import(
      aShopFile({ slug, branches: [aBranch({ tables: [{ label: 'T1', seats: { max: 2 } }] })] }),
    );
    const branchId = (await house.rows(orgId)).branch[0]?.id ?? '';
    const { changes } = await house.changes(orgId);
    expect(changes.map(({ scope, type, op }) => `${scope} ${type} ${op}`).sort()).toEqual(
      [
        'shop category upsert',
        'shop menu_item upsert',
        'shop shop upsert',
        `${branchScope(branchId)} branch_settings upsert`,
        `${branchScope(branchId)} table upsert`,
      ].sort(),
    );
  });

  const after = async (first: ShopFile, second: ShopFile) => {
    const { orgId } = await house.import(first);
    const { seq } = await house.changes(orgId);
    await house.import(second);
    const { changes } = await house.changes(orgId, seq);
    return changes.map(({ scope, type, op }) => `${scope.replace(/:.*/, '')} ${type} ${op}`);
  };

  test('tells of a changed detail as a change of the thing it belongs to', async () => {
    const slug = newSlug();
    const optionals = [{ name: 'شوت', price: 500 }];
    expect(
      await after(
        withItems(slug, anItem({ optionals })),
        withItems(slug, anItem({ optionals: [{ name: 'شوت', price: 600 }] })),
      ),
    ).toEqual(['shop menu_item upsert']);
    expect(await after(withItems(slug, anItem({ optionals })), withItems(slug, anItem()))).toEqual([
      'shop menu_item upsert',
    ]);
    expect(
      await after(
        aShopFile({ slug }),
        aShopFile({ slug, branches: [aBranch({ online_hours: [{ open: '07:00', close: '01:00' }] })] }),
      ),
    ).toEqual(['shop shop upsert', 'branch branch_settings upsert']);
  });

  test('tells of what is archived as deleted, and of a shop that is switched off', async () => {
    const slug = newSlug();
    expect(await after(withItems(slug, anItem()), withItems(slug))).toEqual(['shop menu_item delete']);
    expect(await after(withItems(slug), { ...withItems(slug), active: false })).toEqual(['shop shop upsert']);
    expect(await shopBySlug(house.db.kysely, slug)).toBeNull();
  });
});
