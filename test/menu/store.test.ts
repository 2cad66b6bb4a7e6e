/** Menu statements against PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MenuBook } from '../../src/menu/domain/menubook.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import { loadMenuBook } from '../../src/menu/store/menu.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { insert, insertShop, type Row } from '../support/database/rows.ts';

/** Deterministic ids. */
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const ORG = id(1);
const OTHER_ORG = id(2);
const HERE = id(11);
const THERE = id(12);
const HOT = id(21);
const [LATTE, TEA, OLD, MEAL] = [id(31), id(32), id(33), id(34)];
const [WHOLE, OAT, GONE] = [id(41), id(42), id(43)];
const [MILKS, ARCHIVED_GROUP] = [id(51), id(52)];
const SLOT = id(61);
const [THREE_FOR, BUY_GET] = [id(71), id(72)];
const [TENTH, FIFTY] = [id(81), id(82)];
const HONEY = id(91);
const ARCHIVED = { archived_at: '2026-01-02T00:00:00Z' };

let database: TestDatabase;
let db: Db<Database>;
let book: MenuBook;

const add = (table: string, ...rows: readonly Row[]): Promise<void> =>
  insert(db.kysely, table, ...rows.map((row) => ({ org_id: ORG, ...row })));

const addItems = async (): Promise<void> => {
  await add(
    'category',
    {
      id: HOT,
      name: 'ساخن',
      name_translations: { en: 'Hot' },
      image_url: 'https://x.example/hot.jpg',
      sort: 2,
    },
    { id: id(22), name: 'بارد', name_translations: {}, image_url: null, sort: 1 },
  );
  await add('category', { id: id(23), name: 'قديم', sort: 0, ...ARCHIVED });
  await add('addon', { id: OAT, name: 'شوفان', type: 'milk_type', sort: 2 });
  await add('addon', {
    id: WHOLE,
    name: 'كامل',
    name_translations: { en: 'Whole' },
    type: 'milk_type',
    sort: 1,
  });
  await add('addon', { id: GONE, name: 'صويا', type: 'milk_type', sort: 3, ...ARCHIVED });
  await add('menu_item', {
    id: LATTE,
    category_id: HOT,
    name: 'لاتيه',
    name_translations: { en: 'Latte' },
    description: 'بالحليب',
    description_translations: { en: 'With milk' },
    image_url: 'https://x.example/latte.jpg',
    sort: 1,
    default_milk_addon_id: WHOLE,
    meal_combo_id: MEAL,
    meal_slot_id: SLOT,
  });
  await add('menu_item', { id: TEA, name: 'شاي', sort: 1, is_active: false });
  await add(
    'menu_item',
    { id: OLD, name: 'قديم', sort: 3, ...ARCHIVED },
    { id: id(35), name: 'x', sort: 4, ...ARCHIVED },
  );
  await add(
    'item_size',
    { item_id: LATTE, label: 'كبير', label_translations: { en: 'Large' }, sort: 2 },
    { item_id: LATTE, label: 'صغير', label_translations: {}, sort: 1 },
  );
  await add('optional_field', { id: HONEY, item_id: TEA, name: 'عسل', size_label: null, sort: 1 });
  await add('optional_field', {
    id: id(92),
    item_id: TEA,
    name: 'x',
    size_label: null,
    sort: 0,
    ...ARCHIVED,
  });
  await add(
    'item_allowed_addon',
    { item_id: TEA, addon_id: OAT, sort: 2 },
    { item_id: TEA, addon_id: WHOLE, sort: 1 },
  );
  await add('modifier_group', {
    id: MILKS,
    name: 'اللبن',
    name_translations: { en: 'Milk' },
    selection_type: 'single',
    min_selections: 1,
    max_selections: 1,
    is_required: true,
    addon_type: 'milk_type',
  });
  await add('modifier_group', { id: ARCHIVED_GROUP, name: 'x', selection_type: 'multi', ...ARCHIVED });
  await add(
    'modifier_option',
    { group_id: MILKS, addon_id: OAT, sort: 1 },
    { group_id: MILKS, addon_id: WHOLE, sort: 2 },
  );
  await add(
    'item_modifier_group',
    { item_id: LATTE, group_id: ARCHIVED_GROUP, sort: 1 },
    { item_id: LATTE, group_id: MILKS, sort: 2 },
  );
};

const addCombo = async (): Promise<void> => {
  await add('menu_item', { id: MEAL, kind: 'combo', name: 'فطار', sort: 0, sell_qr: false });
  await add('combo_slot', {
    id: SLOT,
    combo_id: MEAL,
    name: 'المشروب',
    sort: 1,
    min: 1,
    max: 2,
    default_item_id: LATTE,
    default_size_label: 'صغير',
  });
  await add('combo_slot', { id: id(62), combo_id: MEAL, name: 'x', sort: 0, ...ARCHIVED });
  await add(
    'combo_choice',
    { slot_id: SLOT, item_id: OLD, included_size_label: '', surcharge: 0, sort: 2 },
    { slot_id: SLOT, item_id: LATTE, included_size_label: 'صغير', surcharge: 250, sort: 1 },
  );
  await add('combo_size_extra', { slot_id: SLOT, item_id: LATTE, size_label: 'كبير', extra: 700 });
};

const addPricesAndSwitches = async (): Promise<void> => {
  const price = { subject_id: LATTE, size_label: 'صغير', branch_id: null, channel: null, amount: 4000 };
  await add(
    'price',
    price,
    { ...price, branch_id: HERE, channel: 'pickup', amount: 4500 },
    { ...price, branch_id: THERE, amount: 9999 },
    { ...price, subject_id: HONEY, size_label: '', amount: 500 },
    { ...price, subject_id: GONE, size_label: '', amount: 0 },
  );
  const row = {
    subject_id: LATTE,
    branch_id: HERE,
    channel: null,
    is_on: true,
    sold_out_until: null,
    stock: null,
  };
  await add(
    'availability',
    { ...row, sold_out_until: '2026-07-02T12:00:00.250+03:00', stock: 4 },
    { ...row, branch_id: null, channel: 'dine_in', is_on: false },
    { ...row, subject_id: OAT, sold_out_until: 'infinity' },
    { ...row, branch_id: THERE, stock: 0 },
  );
  const window = { subject_id: LATTE, branch_id: null, weekdays: 127, starts_at: null, ends_at: null };
  await add(
    'sale_window',
    { ...window, sort: 2, weekdays: 32, starts_at: 1320, ends_at: 120, valid_from: null, valid_to: null },
    { ...window, sort: 1, branch_id: HERE, valid_from: '2026-02-18', valid_to: '2026-03-19' },
    { ...window, sort: 3, branch_id: THERE, valid_from: null, valid_to: null },
  );
};

const addOffers = async (): Promise<void> => {
  const stamps = { created_at: '2026-05-01T10:00:00+03:00', updated_at: '2026-05-02T10:00:00Z' };
  const deal = { name: 'عرض', qty: 3, ...stamps };
  await add('deal', { ...deal, id: THREE_FOR, kind: 'n_for_price', price: 10_000, sort: 2 });
  await add('deal', {
    ...deal,
    id: BUY_GET,
    kind: 'buy_get',
    get_qty: 1,
    get_percent: 50,
    max_per_order: 2,
    sort: 1,
  });
  await add('deal', { ...deal, id: id(73), kind: 'n_for_price', price: 1, sort: 0, ...ARCHIVED });
  const entry = { category_id: null, menu_item_id: null, size_label: null };
  await add(
    'deal_pool',
    { ...entry, deal_id: BUY_GET, role: 'pool', sort: 2, category_id: HOT },
    { ...entry, deal_id: BUY_GET, role: 'pool', sort: 1, menu_item_id: LATTE, size_label: 'كبير' },
    { ...entry, deal_id: BUY_GET, role: 'reward', sort: 1, menu_item_id: TEA },
  );
  await add(
    'deal_branch',
    { deal_id: BUY_GET, branch_id: HERE, is_active: false },
    { deal_id: BUY_GET, branch_id: THERE, is_active: true },
  );
  await add('discount', {
    id: TENTH,
    name: 'عشرة',
    dtype: 'percentage',
    rate: 0.125,
    valid_from: '2026-01-01',
  });
  await add('discount', { id: FIFTY, name: 'خمسون', dtype: 'fixed', amount: 5000, is_active: false });
  await add(
    'channel_discount',
    { channel: 'pickup', branch_id: null, discount_id: TENTH },
    { channel: 'pickup', branch_id: HERE, discount_id: FIFTY },
    { channel: 'pickup', branch_id: THERE, discount_id: TENTH },
  );
};

beforeAll(async () => {
  database = await freshDatabase();
  db = connect<Database>(database.connection, PATIENT);
  await insertShop(db.kysely, ORG, 'beit-el-bunn');
  await insertShop(db.kysely, OTHER_ORG, 'layaly');
  await add('branch', { id: HERE, name: 'الزمالك', code: 'ZM' }, { id: THERE, name: 'المعادي', code: 'MD' });
  await addItems();
  await addCombo();
  await addPricesAndSwitches();
  await addOffers();
  await insert(db.kysely, 'menu_item', { org_id: OTHER_ORG, id: id(99), name: 'x', sort: 1 });
  book = await db.snapshot((tx) => loadMenuBook(tx, ORG, HERE));
});

afterAll(async () => {
  await db.close();
  await database.release();
});

const itemOf = (itemId: string) => book.items.find((item) => item.id === itemId);

describe('the menu book lists', () => {
  test('live categories by sort', () => {
    expect(book.categories).toEqual([
      { id: id(22), sort: 1, name: 'بارد', nameTranslations: {}, imageUrl: null, pictureId: null },
      {
        id: HOT,
        sort: 2,
        name: 'ساخن',
        nameTranslations: { en: 'Hot' },
        imageUrl: 'https://x.example/hot.jpg',
        pictureId: null,
      },
    ]);
  });

  test('items and combos by sort and id, archived ones only if a combo names them', () => {
    expect(book.items.map((item) => [item.id, item.kind, item.isLive])).toEqual([
      [MEAL, 'combo', true],
      [LATTE, 'item', true],
      [TEA, 'item', false],
      [OLD, 'item', false],
    ]);
  });

  test('every add-on, including archived ones', () => {
    expect(book.addons.map((addon) => [addon.id, addon.isLive])).toEqual([
      [WHOLE, true],
      [OAT, true],
      [GONE, false],
    ]);
  });
});

describe('the menu book loads', () => {
  test('an item with sizes, groups and a meal', () => {
    expect(itemOf(LATTE)).toMatchObject({
      name: 'لاتيه',
      nameTranslations: { en: 'Latte' },
      categoryId: HOT,
      description: 'بالحليب',
      descriptionTranslations: { en: 'With milk' },
      imageUrl: 'https://x.example/latte.jpg',
      pictureId: null,
      sizes: [
        { label: 'صغير', labelTranslations: {} },
        { label: 'كبير', labelTranslations: { en: 'Large' } },
      ],
      defaults: { milk_type: WHOLE, coffee_type: null },
      meal: { comboId: MEAL, slotId: SLOT },
    });
    const item = itemOf(LATTE);
    expect(item?.kind === 'item' ? item.groups : null).toEqual([
      {
        id: MILKS,
        name: 'اللبن',
        nameTranslations: { en: 'Milk' },
        selectionType: 'single',
        minSelections: 1,
        maxSelections: 1,
        isRequired: true,
        addonType: 'milk_type',
        addonIds: [OAT, WHOLE],
      },
    ]);
  });

  test('an item with its allowlist, its optionals and their prices', () => {
    const honey = { sizeLabel: '', branchId: null, channel: null, amount: 500 };
    expect(itemOf(TEA)).toMatchObject({
      allowedAddonIds: [WHOLE, OAT],
      optionals: [{ id: HONEY, name: 'عسل', sizeLabel: null, prices: [honey] }],
      meal: null,
    });
  });

  test('a combo with its slots, choices and size extras', () => {
    expect(itemOf(MEAL)).toMatchObject({
      sell: { pos: true, qr: false, online: true, delivery: true },
      slots: [
        {
          id: SLOT,
          name: 'المشروب',
          sort: 1,
          min: 1,
          max: 2,
          defaultItemId: LATTE,
          defaultSizeLabel: 'صغير',
          choices: [
            {
              itemId: LATTE,
              includedSizeLabel: 'صغير',
              surcharge: 250,
              sizeExtras: new Map([['كبير', 700]]),
            },
            { itemId: OLD, includedSizeLabel: '', surcharge: 0, sizeExtras: new Map() },
          ],
        },
      ],
    });
  });
});

describe('the menu book has, of an item at its branch,', () => {
  test('prices of the branch and of the shop', () => {
    expect([...(itemOf(LATTE)?.prices ?? [])].sort((a, b) => a.amount - b.amount)).toEqual([
      { subjectId: LATTE, sizeLabel: 'صغير', branchId: null, channel: null, amount: 4000 },
      { subjectId: LATTE, sizeLabel: 'صغير', branchId: HERE, channel: 'pickup', amount: 4500 },
    ]);
    expect(book.addons.find((addon) => addon.id === GONE)?.prices).toMatchObject([{ amount: 0 }]);
  });

  test('switches, stock, and snoozes to the millisecond or without an end', () => {
    const entries = itemOf(LATTE)?.availability ?? [];
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual({
      branchId: HERE,
      channel: null,
      isOn: true,
      soldOutUntil: Date.parse('2026-07-02T09:00:00.250Z'),
      stock: 4,
    });
    expect(entries).toContainEqual({
      branchId: null,
      channel: 'dine_in',
      isOn: false,
      soldOutUntil: null,
      stock: null,
    });
    expect(book.addons.find((addon) => addon.id === OAT)?.availability).toMatchObject([
      { soldOutUntil: Infinity },
    ]);
  });

  test('sale windows of the branch and of the shop', () => {
    expect(itemOf(LATTE)?.windows).toMatchObject([
      { branchId: HERE, weekdays: 127, startsAt: null, validFrom: '2026-02-18', validTo: '2026-03-19' },
      { branchId: null, weekdays: 32, startsAt: 1320, endsAt: 120, validFrom: null },
    ]);
  });
});

describe('the menu book loads offers:', () => {
  test('live deals with their pools and the overrides of the branch', () => {
    expect(book.deals).toMatchObject([
      {
        id: BUY_GET,
        terms: { kind: 'buy_get', getQty: 1, getPercent: 50 },
        qty: 3,
        maxPerOrder: 2,
        sort: 1,
        pool: [
          { categoryId: null, menuItemId: LATTE, sizeLabel: 'كبير' },
          { categoryId: HOT, menuItemId: null, sizeLabel: null },
        ],
        rewardPool: [{ categoryId: null, menuItemId: TEA, sizeLabel: null }],
        branchOverrides: [{ branchId: HERE, isActive: false }],
        createdAt: Date.parse('2026-05-01T07:00:00Z'),
        updatedAt: Date.parse('2026-05-02T10:00:00Z'),
      },
      { id: THREE_FOR, terms: { kind: 'n_for_price', price: 10_000 }, pool: [], rewardPool: [] },
    ]);
  });

  test('channel discounts with their rate as exact text', () => {
    expect([...book.discounts].sort((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
      {
        id: TENTH,
        branchId: null,
        channel: 'pickup',
        isActive: true,
        validFrom: '2026-01-01',
        validTo: null,
        cut: { dtype: 'percentage', rate: '0.125000' },
      },
      { id: FIFTY, branchId: HERE, isActive: false, cut: { dtype: 'fixed', amount: 5000 } },
    ]);
  });
});

test('a shop without a menu has an empty menu book', async () => {
  expect(await loadMenuBook(db.kysely, id(3), HERE)).toEqual({
    categories: [],
    items: [],
    addons: [],
    groups: [],
    deals: [],
    discounts: [],
  });
});
