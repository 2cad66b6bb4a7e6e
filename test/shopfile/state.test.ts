/** Running state during imports, and the change log. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shopIdOf } from '../../src/shopfile/app/entity-ids.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { branchScope } from '../../src/kernel/change.ts';
import { shopBySlug } from '../../src/shops/store/shop.ts';
import { aBranchEntry, anItemEntry, aMinimalShopFile, type ItemEntry } from '../support/shops/shop-file.ts';
import { openImportFixture, type ImportFixture } from '../support/shops/shop-import.ts';

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

describe('running state', () => {
  const stocked = (slug: string, stock?: number, until?: string): ShopFile =>
    withItems(
      slug,
      anItemEntry({
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
    const [row] = (await fixture.rows(shopIdOf(slug))).availability;
    return [row?.stock ?? null, row?.sold_out_until ?? null];
  };
  const sellOne = (slug: string) =>
    sql`update availability set stock = stock - 1 where org_id = ${shopIdOf(slug)}`.execute(
      fixture.db.kysely,
    );

  test('is set on entities that the import creates, and retained afterwards', async () => {
    const slug = newSlug();
    await fixture.import(stocked(slug, 5));
    await sellOne(slug);
    expect(await fixture.import(stocked(slug, 5))).toMatchObject({ updated: 0, ignoredStates: 1 });
    expect(await stockOf(slug)).toEqual([4, null]);
  });

  test('without an end survives export and import', async () => {
    const slug = newSlug();
    await fixture.import(stocked(slug, 5, '9999-12-31T00:00:00.000Z'));
    expect(await stockOf(slug)).toEqual([5, Infinity]);
    const file = await fixture.export(slug);
    expect(file.menu.items?.[0]?.availability).toEqual([
      { branch: 'الزمالك', sold_out_until: '9999-12-31T00:00:00.000Z', stock: 5 },
    ]);
    expect(await fixture.import(file)).toMatchObject({ updated: 0 });
  });

  test('is overwritten with --state, also by a file without running state', async () => {
    const slug = newSlug();
    await fixture.import(stocked(slug, 5));
    await sellOne(slug);
    await fixture.import(stocked(slug, 9, '2026-12-01T10:00:00Z'), { state: true });
    expect(await stockOf(slug)).toEqual([9, Date.parse('2026-12-01T10:00:00Z')]);
    await fixture.import(withItems(slug, anItemEntry()), { state: true });
    expect((await fixture.rows(shopIdOf(slug))).availability).toEqual([]);
  });

  test('is kept by an import of a file without it', async () => {
    const slug = newSlug();
    await fixture.import(stocked(slug, 5));
    await fixture.import(withItems(slug, anItemEntry({ price: 4600 })));
    expect(await stockOf(slug)).toEqual([5, null]);
  });

  test('is not set on an existing item', async () => {
    const slug = newSlug();
    await fixture.import(withItems(slug, anItemEntry()));
    expect(await fixture.import(stocked(slug, 5))).toMatchObject({ ignoredStates: 1 });
    expect(await stockOf(slug)).toEqual([null, null]);
  });

  test('of a channel is set for a new channel and retained for an existing one', async () => {
    const slug = newSlug();
    const withMode = (...names: readonly ('pickup' | 'umbrella')[]): ShopFile =>
      aMinimalShopFile({
        slug,
        branches: [
          aBranchEntry({
            channels: Object.fromEntries(names.map((name) => [name, { state: { mode: 'closed' } }])),
          }),
        ],
      });
    await fixture.import(aMinimalShopFile({ slug }));
    const { orgId } = await fixture.import(withMode('pickup', 'umbrella'));
    const modes = async () =>
      Object.fromEntries(
        (await fixture.rows(orgId)).branch_channel.map(({ channel, mode }) => [channel, mode]),
      );
    expect(await modes()).toEqual({ pickup: 'auto', umbrella: 'closed' });
    await fixture.import(withMode('pickup', 'umbrella'), { state: true });
    expect(await modes()).toEqual({ pickup: 'closed', umbrella: 'closed' });
  });

  test('keeps concurrent stock changes during an import', async () => {
    const slug = newSlug();
    await fixture.import(stocked(slug, 500));
    const selling = (async () => {
      for (let sold = 0; sold < 40; sold += 1) await sellOne(slug);
    })();
    const importing = (async () => {
      for (let price = 0; price < 4; price += 1) {
        const file = stocked(slug, 500);
        await fixture.import({
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
  test('records every new entity in the scope of its shop or branch', async () => {
    const slug = newSlug();
    const { orgId } = await fixture.import(
      aMinimalShopFile({ slug, branches: [aBranchEntry({ tables: [{ label: 'T1', seats: { max: 2 } }] })] }),
    );
    const branchId = (await fixture.rows(orgId)).branch[0]?.id ?? '';
    const { changes } = await fixture.changes(orgId);
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
    const { orgId } = await fixture.import(first);
    const { seq } = await fixture.changes(orgId);
    await fixture.import(second);
    const { changes } = await fixture.changes(orgId, seq);
    return changes.map(({ scope, type, op }) => `${scope.replace(/:.*/, '')} ${type} ${op}`);
  };

  test('records a changed detail as a change of its parent', async () => {
    const slug = newSlug();
    const optionals = [{ name: 'شوت', price: 500 }];
    expect(
      await after(
        withItems(slug, anItemEntry({ optionals })),
        withItems(slug, anItemEntry({ optionals: [{ name: 'شوت', price: 600 }] })),
      ),
    ).toEqual(['shop menu_item upsert']);
    expect(await after(withItems(slug, anItemEntry({ optionals })), withItems(slug, anItemEntry()))).toEqual([
      'shop menu_item upsert',
    ]);
    expect(
      await after(
        aMinimalShopFile({ slug }),
        aMinimalShopFile({
          slug,
          branches: [aBranchEntry({ online_hours: [{ open: '07:00', close: '01:00' }] })],
        }),
      ),
    ).toEqual(['shop shop upsert', 'branch branch_settings upsert']);
  });

  test('records archived entities as deleted, and the deactivation of a shop', async () => {
    const slug = newSlug();
    expect(await after(withItems(slug, anItemEntry()), withItems(slug))).toEqual(['shop menu_item delete']);
    expect(await after(withItems(slug), { ...withItems(slug), active: false })).toEqual(['shop shop upsert']);
    expect(await shopBySlug(fixture.db.kysely, slug)).toBeNull();
  });
});
