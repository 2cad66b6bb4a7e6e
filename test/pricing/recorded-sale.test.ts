/** Sales that devices made without the server: prices of the moment of the sale, and what of them was ever on. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRecordedSales, type RecordedSale } from '../../src/pricing/app/recorded-sale.ts';
import type { RecordedItemInput } from '../../src/pricing/domain/recorded-cart.ts';
import { importMenuCsv } from '../../src/shopfile/app/menu-csv.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import { asOwner } from '../support/database/test-database.ts';
import { newId } from '../support/database/ids.ts';
import { branchId, shopId, SLUG } from '../support/shops/cafe.ts';
import {
  addon,
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  combo,
  item,
  optional,
  slot,
} from '../support/shops/quoting-shop.ts';
import { openImportFixture, type ImportFixture } from '../support/shops/shop-import.ts';

/** Friday, 20:00 in Cairo. */
const EVENING = Date.parse('2026-11-20T18:00:00Z');
const HOUR = 60 * 60 * 1_000;
let shops: ImportFixture;
let sales = createRecordedSales();

beforeAll(async () => {
  shops = await openImportFixture();
});
beforeEach(async () => {
  sales = createRecordedSales();
  await asOwner(shops.database, 'delete from known_price');
  await openShop(aQuotingShop());
});
afterAll(() => shops.close());

const openShop = (file: ShopFile) => shops.import(file, { state: true });

type Item = Parameters<ReturnType<typeof createRecordedSales>['saleAt']>[1]['items'][number];

const soldAt = (at: number, ...items: readonly Item[]): Promise<RecordedSale> =>
  shops.db.tx((tx) => sales.saleAt(tx, { orgId: shopId(), branchId: branchId(), at, items }));
const sold = (...items: readonly Item[]) => soldAt(EVENING - HOUR, ...items);

const recorded = (key: string, more: Partial<RecordedItemInput> = {}): RecordedItemInput => ({
  menu_item_id: item(key),
  quantity: 1,
  ...more,
});

/** The menu with changes to one of its items. */
const menuWith = (key: string, change: object): ShopFile['menu'] => {
  const menu = aQuotingMenu();
  return { ...menu, items: (menu.items ?? []).map((one) => (one.key === key ? { ...one, ...change } : one)) };
};

const reasonsOf = async (...items: readonly Item[]) => (await sold(...items)).cart.reasons;

// ── The moment ──────────────────────────────────────────────────────────────────────────────────

type Deal = NonNullable<ShopFile['menu']['deals']>[number];

/** Any two Turkish coffees for 70.00. */
const pairs = (windows: NonNullable<Deal['windows']>): ShopFile['menu'] => ({
  ...aQuotingMenu(),
  deals: [
    {
      ...{ key: 'pairs', name: 'اتنين', kind: 'n_for_price', qty: 2, price: 7000, windows },
      pool: [{ item: 'turkish' }],
    },
  ],
});

describe('the book of a past sale', () => {
  test('has the deals of the moment of the sale, not of now', async () => {
    await openShop(aQuotingShop({ menu: pairs([{ from: '10:00', to: '12:00' }]) }));
    const dealsAt = async (at: string) =>
      (await soldAt(Date.parse(at), recorded('turkish'))).book.menu.deals.length;
    expect(await dealsAt('2026-11-20T09:59:59Z')).toBe(1);
    expect(await dealsAt('2026-11-20T10:00:00Z')).toBe(0);
    // Events of several devices do not come in order.
    expect(await dealsAt('2026-11-20T08:00:00Z')).toBe(1);
    expect(await dealsAt('2026-11-20T07:59:59Z')).toBe(0);
    expect(await dealsAt('2026-11-20T09:00:00Z')).toBe(1);
  });

  test('is that of the sale 10 seconds before on the same menu', async () => {
    const first = await soldAt(EVENING - HOUR, recorded('cake'));
    const second = await soldAt(EVENING - HOUR + 10_000, recorded('turkish'));
    expect(second.book).toBe(first.book);
    await openShop(aQuotingShop({ menu: menuWith('cake', { price: 6500 }) }));
    const third = await soldAt(EVENING - HOUR + 20_000, recorded('cake'));
    expect(third.cart.lines).toMatchObject([{ unitPrice: 6500 }]);
  });

  test('sells at the prices of tills, with service and tax of the branch', async () => {
    const { terms, cart } = await sold(recorded('latte', { size_label: 'كبير' }));
    expect(cart.lines).toMatchObject([{ unitPrice: 7000 }]);
    expect(terms).toMatchObject({ serviceRate: 120_000, taxRate: 140_000, taxInclusive: true, fee: 0 });
  });

  test('has the present tax of the branch after a change of it', async () => {
    const branch = aQuotingBranch({ tax: { rate: 0.1, inclusive: false } });
    await sold(recorded('cake'));
    await openShop(aQuotingShop({ branches: [branch] }));
    expect((await sold(recorded('cake'))).terms).toMatchObject({ taxRate: 100_000, taxInclusive: false });
  });

  test('has deals also for what is sold out now, and tells the stock that is left', async () => {
    const soldOut = { availability: [{ branch: 'zamalek', stock: 0 }] };
    const { items } = menuWith('turkish', soldOut);
    await openShop(aQuotingShop({ menu: { ...pairs([]), items: items ?? [] } }));
    const { book, cart, stock } = await sold(recorded('turkish', { quantity: 2 }));
    expect(cart.lines).toMatchObject([{ dealUnits: { quantity: 2, price: 4500 } }]);
    expect(book.menu.deals).toHaveLength(1);
    expect(stock).toEqual(new Map([[item('turkish'), 0]]));
    expect(cart.reasons).toEqual([]);
  });

  test.each([
    ['a branch that is switched off', 'update branch set is_active = false'],
    ['an archived branch', "update branch set archived_at = '2026-11-20T17:00:00Z'"],
    ['a shop that is switched off', 'update shop set is_active = false'],
  ])('is there for %s', async (_, statement) => {
    await asOwner(shops.database, statement);
    const { branch, cart } = await sold(recorded('cake'));
    expect(branch.id).toBe(branchId());
    expect(cart.lines).toMatchObject([{ lineTotal: 6000 }]);
    await asOwner(shops.database, 'update branch set is_active = true, archived_at = null');
    await asOwner(shops.database, 'update shop set is_active = true');
  });

  test('is none for a branch of another shop', async () => {
    const stranger = { orgId: newId(), branchId: branchId(), at: EVENING, items: [recorded('cake')] };
    await sold(recorded('cake'));
    const refused = shops.db.tx((tx) => sales.saleAt(tx, stranger));
    await expect(refused).rejects.toThrow(Refusal);
    await expect(refused).rejects.toMatchObject({ refusal: 'NOT_FOUND' });
  });
});

// ── Prices ──────────────────────────────────────────────────────────────────────────────────────

describe('a recorded price', () => {
  const cake = (price: number) => recorded('cake', { unit_price: price });
  const neverOn = (price: number, name = 'كيك') => [
    { code: 'price_never_on', figures: { item: name, recorded: price } },
  ];

  test('stands, and is in review if it never was on', async () => {
    const { cart } = await sold(cake(5500));
    expect(cart.lines).toMatchObject([{ unitPrice: 5500, lineTotal: 5500 }]);
    expect(cart.reasons).toEqual(neverOn(5500));
    expect(await reasonsOf(cake(6000))).toEqual([]);
  });

  test('is known after an import of the shop changed it', async () => {
    await openShop(aQuotingShop({ menu: menuWith('cake', { price: 6500 }) }));
    await openShop(aQuotingShop({ menu: menuWith('cake', { price: 7000 }) }));
    for (const price of [6000, 6500, 7000]) expect(await reasonsOf(cake(price))).toEqual([]);
    expect(await reasonsOf(cake(5500))).toEqual(neverOn(5500));
  });

  test('is known after an import of a menu as CSV changed it', async () => {
    await importMenuCsv(shops, SLUG, {
      name: 'menu.csv',
      text: 'id,price\n' + `${item('cake')},75.00\n`,
    });
    const { cart } = await sold(recorded('cake'), cake(6000));
    expect(cart.lines).toMatchObject([{ unitPrice: 7500 }, { unitPrice: 6000 }]);
    expect(cart.reasons).toEqual([]);
  });

  test('is of its size', async () => {
    const sizes = [{ label: 'صغير', price: 5500 }];
    await openShop(aQuotingShop({ menu: { ...menuWith('latte', { sizes, optionals: [] }), combos: [] } }));
    const latte = (size: string, price: number) => recorded('latte', { size_label: size, unit_price: price });
    // The large size is gone; 75.00 was its price online.
    expect(await reasonsOf(latte('كبير', 7000), latte('كبير', 7500), latte('صغير', 5000))).toEqual([]);
    expect(await reasonsOf(latte('صغير', 7000))).toEqual(neverOn(7000, 'لاتيه'));
  });

  test('of a swap is the difference of two prices that were on', async () => {
    const oat = (price: number) =>
      recorded('latte', { addons: [{ addon_item_id: addon('oat'), unit_price: price }] });
    const menu = aQuotingMenu();
    const addons = (menu.addons ?? []).map((one) => (one.key === 'whole' ? { ...one, price: 1000 } : one));
    await openShop(aQuotingShop({ menu: { ...menu, addons } }));
    expect(await reasonsOf(oat(1200), oat(1000))).toEqual([]);
    expect(await reasonsOf(oat(1100))).toEqual(neverOn(1100, 'شوفان'));
  });

  test('of a combo is what its shares come to', async () => {
    const breakfast = (share: number) => ({
      ...{ menu_item_id: combo(), quantity: 1 },
      combo: {
        picks: [
          { slot_id: slot('drink'), menu_item_id: item('turkish'), share, surcharge: 500 },
          { slot_id: slot('sweet'), menu_item_id: item('cake'), share: 5000, surcharge: 0 },
        ],
      },
    });
    expect(await reasonsOf(breakfast(4000))).toEqual([]);
    expect(await reasonsOf(breakfast(3000))).toEqual(neverOn(8000, 'فطار'));
  });

  test('that no import changed is kept once, when prices change', async () => {
    const rows = () =>
      shops.db.kysely
        .selectFrom('known_price')
        .select('amount')
        .where('subject_id', '=', item('cake'))
        .execute();
    await openShop(aQuotingShop({ menu: menuWith('latte', { name: 'لاتيه كبير' }) }));
    expect(await rows()).toEqual([]);
    await openShop(aQuotingShop({ menu: menuWith('turkish', { price: 5000 }) }));
    await openShop(aQuotingShop());
    expect(await rows()).toEqual([{ amount: 6000 }]);
  });
});

// ── Things that are gone ────────────────────────────────────────────────────────────────────────

describe('what is not on the menu any more', () => {
  test('keeps its name and the price it had', async () => {
    const menu = aQuotingMenu();
    const items = (menu.items ?? []).filter(({ key }) => key !== 'sandwich');
    await openShop(aQuotingShop({ menu: { ...menu, items } }));
    const { cart } = await sold(recorded('sandwich', { unit_price: 8000, quantity: 2 }));
    expect(cart.lines).toMatchObject([{ item: { name: 'ساندويتش' }, lineTotal: 16_000, dealUnits: null }]);
    expect(cart.reasons).toEqual([{ code: 'item_archived', figures: { item: 'ساندويتش' } }]);
  });

  test('keeps the names of the parts of a combo and of its options', async () => {
    const menu = menuWith('latte', { optionals: [] });
    await openShop(aQuotingShop({ menu: { ...menu, combos: [] } }));
    const part = { slot_id: slot('drink'), menu_item_id: item('latte'), share: 9000 };
    const picks = [{ ...part, optional_field_ids: [optional('latte', 'ice')] }];
    const { cart } = await sold({ menu_item_id: combo(), quantity: 1, combo: { picks } });
    expect(cart.lines).toMatchObject([
      {
        ...{ item: { name: 'فطار' }, lineTotal: 9000 },
        combo: {
          parts: [
            { slot: { name: 'المشروب' }, item: { name: 'لاتيه' }, optionals: [{ field: { name: 'ثلج' } }] },
          ],
        },
      },
    ]);
    expect(cart.reasons).toEqual([{ code: 'item_archived', figures: { item: 'فطار' } }]);
  });

  test('is an unknown item if nobody knows it, and counts in the money', async () => {
    const stranger = { menu_item_id: newId(), quantity: 3, unit_price: 1500 };
    const nameless = { quantity: 1, unit_price: 700 };
    const { cart } = await sold(stranger, nameless);
    const names = { name: 'صنف غير معروف', nameTranslations: { en: 'Unknown item', ar: 'صنف غير معروف' } };
    expect(cart.lines).toMatchObject([
      { item: { id: stranger.menu_item_id, ...names }, lineTotal: 4500 },
      { item: names, lineTotal: 700 },
    ]);
    expect(cart.reasons).toContainEqual({ code: 'item_unknown', figures: {} });
  });
});
