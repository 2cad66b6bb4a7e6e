import type { Kysely } from 'kysely';
import type { AvailabilityEntry } from '../domain/availability.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type {
  Addon,
  ChannelDiscount,
  Combo,
  ComboSlot,
  Deal,
  DealPoolEntry,
  DealTerms,
  MenuBook,
  MenuItem,
  ModifierGroup,
  PlainItem,
} from '../domain/menubook.ts';
import { poolEntry } from '../domain/pool.ts';
import type { PriceEntry } from '../domain/price.ts';
import type { SaleWindow } from '../../kernel/sale-windows.ts';
import {
  selectMenu,
  type AvailabilityRow,
  type DealRow,
  type DiscountRow,
  type ItemRow,
  type MenuRows,
  type PoolRow,
} from './menu-rows.ts';
import type { Database } from '../../platform/store/schema.ts';
import { instantOf } from '../../platform/store/types.ts';

/** Empty for unknown ids. */
const listsBy = <T>(rows: readonly T[], idOf: (row: T) => Uuid): ((id: Uuid) => readonly T[]) => {
  const byId = groupBy(rows, idOf);
  return (id) => byId.get(id) ?? [];
};

/** Rows of other tables, by subject. */
interface SubjectDetails {
  readonly prices: (subjectId: Uuid) => readonly PriceEntry[];
  readonly availability: (subjectId: Uuid) => readonly AvailabilityEntry[];
  readonly windows: (subjectId: Uuid) => readonly SaleWindow[];
}

const entryOf = (row: AvailabilityRow): AvailabilityEntry => ({
  branchId: row.branchId,
  channel: row.channel,
  isOn: row.isOn,
  soldOutUntil: row.soldOutUntil === null ? null : instantOf(row.soldOutUntil),
  stock: row.stock,
});

const detailsIn = (rows: MenuRows): SubjectDetails => {
  const availability = listsBy(rows.availability, (row) => row.subjectId);
  return {
    prices: listsBy(rows.prices, (row) => row.subjectId),
    availability: (subjectId) => availability(subjectId).map(entryOf),
    windows: listsBy(rows.windows, (row) => row.subjectId),
  };
};

const itemFieldsOf = (row: ItemRow, details: SubjectDetails) => ({
  id: row.id,
  sort: row.sort,
  name: row.name,
  nameTranslations: row.nameTranslations,
  categoryId: row.categoryId,
  description: row.description,
  descriptionTranslations: row.descriptionTranslations,
  imageUrl: row.imageUrl,
  pictureId: row.pictureId,
  isLive: row.isLive,
  prices: details.prices(row.id),
  availability: details.availability(row.id),
  windows: details.windows(row.id),
});

/** No rows means no restriction, unless the item takes no add-ons. */
const allowedOf = ({ takesAddons }: ItemRow, listed: readonly Uuid[]): readonly Uuid[] | null =>
  listed.length === 0 && takesAddons ? null : listed;

const groupsOf = (rows: MenuRows): readonly ModifierGroup[] => {
  const options = listsBy(rows.options, (row) => row.groupId);
  return rows.groups.map((row) => ({ ...row, addonIds: options(row.id).map(({ addonId }) => addonId) }));
};

const plainItems = (rows: MenuRows, details: SubjectDetails): ((row: ItemRow) => PlainItem) => {
  const sizes = listsBy(rows.sizes, (row) => row.itemId);
  const optionals = listsBy(rows.optionals, (row) => row.itemId);
  const allowed = listsBy(rows.allowed, (row) => row.itemId);
  const itemGroups = listsBy(rows.itemGroups, (row) => row.itemId);
  const groups = new Map(groupsOf(rows).map((group) => [group.id, group]));
  return (row) => ({
    ...itemFieldsOf(row, details),
    kind: 'item',
    sizes: sizes(row.id),
    optionals: optionals(row.id).map((field) => ({ ...field, prices: details.prices(field.id) })),
    allowedAddonIds: allowedOf(
      row,
      allowed(row.id).map(({ addonId }) => addonId),
    ),
    // Archived groups are missing from `groups`.
    groups: itemGroups(row.id).flatMap(({ groupId }) => groups.get(groupId) ?? []),
    defaults: { milk_type: row.milkId, coffee_type: row.coffeeId },
    meal:
      row.mealComboId === null || row.mealSlotId === null
        ? null
        : { comboId: row.mealComboId, slotId: row.mealSlotId },
  });
};

const combos = (rows: MenuRows, details: SubjectDetails): ((row: ItemRow) => Combo) => {
  const slots = listsBy(rows.slots, (row) => row.comboId);
  const choices = listsBy(rows.choices, (row) => row.slotId);
  const extras = listsBy(rows.sizeExtras, (row) => row.slotId);
  const choicesOf = (slotId: Uuid): ComboSlot['choices'] =>
    choices(slotId).map((choice) => ({
      ...choice,
      sizeExtras: new Map(
        extras(slotId)
          .filter(({ itemId }) => itemId === choice.itemId)
          .map(({ sizeLabel, extra }) => [sizeLabel, extra]),
      ),
    }));
  return (row) => ({
    ...itemFieldsOf(row, details),
    kind: 'combo',
    sell: row.sell,
    slots: slots(row.id).map((slot) => ({ ...slot, choices: choicesOf(slot.id) })),
  });
};

const itemsOf = (rows: MenuRows, details: SubjectDetails): readonly MenuItem[] => {
  const plain = plainItems(rows, details);
  const combo = combos(rows, details);
  return rows.items.map((row) => (row.kind === 'item' ? plain(row) : combo(row)));
};

const addonsOf = (rows: MenuRows, details: SubjectDetails): readonly Addon[] =>
  rows.addons.map((row) => ({
    ...row,
    prices: details.prices(row.id),
    availability: details.availability(row.id),
  }));

/** The constraint `deal_figures_whole` makes the defaults unreachable. */
const termsOf = (row: DealRow): DealTerms =>
  row.kind === 'n_for_price'
    ? { kind: row.kind, price: row.price ?? 0 }
    : { kind: row.kind, getQty: row.getQty ?? 1, getPercent: row.getPercent ?? 100 };

/** The constraint `deal_pool_one_target` requires exactly one of the two. */
const poolEntryOf = ({ categoryId, menuItemId, sizeLabel }: PoolRow): DealPoolEntry[] =>
  poolEntry(categoryId, menuItemId, sizeLabel);

const dealsOf = (rows: MenuRows, details: SubjectDetails): readonly Deal[] => {
  const pools = listsBy(rows.pools, (row) => row.dealId);
  const overrides = listsBy(rows.overrides, (row) => row.dealId);
  const poolOf = (dealId: Uuid, role: PoolRow['role']): DealPoolEntry[] =>
    pools(dealId)
      .filter((row) => row.role === role)
      .flatMap(poolEntryOf);
  return rows.deals.map((row) => ({
    id: row.id,
    name: row.name,
    nameTranslations: row.nameTranslations,
    terms: termsOf(row),
    qty: row.qty,
    maxPerOrder: row.maxPerOrder,
    sort: row.sort,
    isActive: row.isActive,
    sell: row.sell,
    pool: poolOf(row.id, 'pool'),
    rewardPool: poolOf(row.id, 'reward'),
    windows: details.windows(row.id),
    branchOverrides: overrides(row.id),
    createdAt: instantOf(row.createdAt),
    updatedAt: instantOf(row.updatedAt),
  }));
};

const discountOf = ({ dtype, rate, amount, ...row }: DiscountRow): ChannelDiscount => ({
  ...row,
  cut: dtype === 'percentage' ? { dtype, rate } : { dtype, amount },
});

/**
 * All data that decides what the branch sells on any channel at any time. Run it in the snapshot that reads
 * the version. An unknown shop has an empty book.
 */
export const loadMenuBook = async (db: Kysely<Database>, orgId: Uuid, branchId: Uuid): Promise<MenuBook> => {
  const rows = await selectMenu(db, orgId, branchId);
  const details = detailsIn(rows);
  return {
    categories: rows.categories,
    items: itemsOf(rows, details),
    addons: addonsOf(rows, details),
    groups: groupsOf(rows),
    deals: dealsOf(rows, details),
    discounts: rows.discounts.map(discountOf),
  };
};

/** Also an item that is hidden or sold nowhere, until it is archived. */
export const hasItem = async (db: Kysely<Database>, orgId: Uuid, id: Uuid): Promise<boolean> => {
  const found = await db
    .selectFrom('menu_item')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
};
