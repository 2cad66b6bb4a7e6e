/** What a till sells, made of the rows of the sync feed: the same prices as the server's, by the same rules. */
import type { Row } from '../../sync/contract/rows.ts';
import { compareIds } from '../../kernel/ids.ts';
import { parseWallTime, type Instant } from '../../kernel/time.ts';
import type { AvailabilityEntry } from '../../menu/domain/availability.ts';
import type {
  Addon,
  Category,
  Deal,
  DealPoolEntry,
  MenuBook,
  MenuItem,
  ModifierGroup,
} from '../../menu/domain/menubook.ts';
import { poolEntry } from '../../menu/domain/pool.ts';
import type { PriceEntry } from '../../menu/domain/price.ts';
import type { SaleWindow } from '../../kernel/sale-windows.ts';
import { priceBookOf, type PriceBook } from '../../pricing/domain/pricebook.ts';

type ItemRow = Row<'menu_item'>;
type DealRow = Row<'deal'>;

/** Rows of one branch, in any order. */
export interface MenuRows {
  readonly branch_settings: Pick<Row<'branch_settings'>, 'id' | 'timezone'>;
  readonly category: readonly Row<'category'>[];
  readonly addon: readonly Row<'addon'>[];
  readonly modifier_group: readonly Row<'modifier_group'>[];
  readonly menu_item: readonly ItemRow[];
  readonly deal: readonly DealRow[];
}

export const named = ({
  id,
  name,
  name_translations: nameTranslations,
}: {
  readonly id: string;
  readonly name: string;
  readonly name_translations: Readonly<Record<string, string>>;
}) => ({ id, name, nameTranslations });

/** As menus show them: by `sort`, then by id. */
const inOrder = <T extends { readonly id: string; readonly sort: number }>(
  rows: readonly T[],
): readonly T[] => [...rows].sort((a, b) => a.sort - b.sort || compareIds(a.id, b.id));

const pricesOf = (rows: ItemRow['prices']): readonly PriceEntry[] =>
  rows.map(({ size_label: label, branch_id: branchId, channel, amount }) => ({
    sizeLabel: label ?? '',
    ...{ branchId, channel, amount },
  }));

const availabilityOf = (rows: ItemRow['availability']): readonly AvailabilityEntry[] =>
  rows.map((row) => ({
    branchId: row.branch_id,
    channel: row.channel,
    isOn: row.is_on,
    soldOutUntil: row.sold_out ? (row.back_at === null ? Infinity : Date.parse(row.back_at)) : null,
    stock: row.out_of_stock ? 0 : null,
  }));

const timeOf = (text: string | null): number | null => (text === null ? null : parseWallTime(text));

const windowsOf = (rows: ItemRow['windows']): readonly SaleWindow[] =>
  rows.map((row) => ({
    branchId: row.branch_id,
    weekdays: row.weekdays,
    startsAt: timeOf(row.starts_at),
    endsAt: timeOf(row.ends_at),
    validFrom: row.valid_from,
    validTo: row.valid_to,
  }));

/** A till shows no pictures. */
const NO_PICTURE = { imageUrl: null, pictureId: null } as const;

const categoryOf = (row: Row<'category'>): Category => ({
  ...{ ...named(row), sort: row.sort, ...NO_PICTURE },
});

const addonOf = (row: Row<'addon'>): Addon => ({
  ...{ ...named(row), sort: row.sort, type: row.type, isLive: row.is_live },
  ...{ prices: pricesOf(row.prices), availability: availabilityOf(row.availability) },
});

const groupOf = (row: Row<'modifier_group'>): ModifierGroup => ({
  ...{ ...named(row), selectionType: row.selection_type, minSelections: row.min_selections },
  ...{ maxSelections: row.max_selections, isRequired: row.is_required, addonType: row.addon_type },
  addonIds: row.addon_ids,
});

const itemFields = (row: ItemRow) => ({
  ...{ ...named(row), ...NO_PICTURE, sort: row.sort, categoryId: row.category_id, isLive: row.is_live },
  ...{ description: row.description, descriptionTranslations: row.description_translations },
  prices: pricesOf(row.prices),
  availability: availabilityOf(row.availability),
  windows: windowsOf(row.windows),
});

const itemOf = (row: ItemRow, groups: ReadonlyMap<string, ModifierGroup>): MenuItem =>
  row.kind === 'combo'
    ? {
        ...{ ...itemFields(row), kind: 'combo', sell: row.sell },
        slots: row.slots.map((slot) => ({
          ...{ ...named(slot), sort: slot.sort, min: slot.min, max: slot.max },
          ...{ defaultItemId: slot.default_item_id, defaultSizeLabel: slot.default_size_label },
          choices: slot.choices.map((choice) => ({
            itemId: choice.menu_item_id,
            includedSizeLabel: choice.included_size_label,
            surcharge: choice.surcharge,
            sizeExtras: new Map(Object.entries(choice.size_extras)),
          })),
        })),
      }
    : {
        ...{ ...itemFields(row), kind: 'item' },
        sizes: row.sizes.map(({ label, label_translations: labelTranslations }) => ({
          label,
          labelTranslations,
        })),
        optionals: row.optionals.map((field) => ({
          ...{ ...named(field), sizeLabel: field.size_label, prices: pricesOf(field.prices) },
        })),
        allowedAddonIds: row.allowed_addon_ids,
        groups: row.modifier_group_ids.flatMap((id) => groups.get(id) ?? []),
        defaults: { milk_type: row.default_milk_addon_id, coffee_type: row.default_coffee_addon_id },
        meal: row.meal && { comboId: row.meal.combo_id, slotId: row.meal.slot_id },
      };

export const poolOf = (rows: DealRow['pool']): readonly DealPoolEntry[] =>
  rows.flatMap((row) => poolEntry(row.category_id, row.menu_item_id, row.size_label));

const dealOf = (row: DealRow): Deal => ({
  ...{ ...named(row), qty: row.qty, sort: row.sort, maxPerOrder: row.max_per_order ?? null },
  terms:
    row.kind === 'n_for_price'
      ? { kind: row.kind, price: row.price ?? 0 }
      : { kind: row.kind, getQty: row.get_qty ?? 1, getPercent: row.get_percent ?? 100 },
  // Already that of the branch.
  ...{ isActive: row.is_active, branchOverrides: [], sell: row.sell },
  ...{ pool: poolOf(row.pool), rewardPool: poolOf(row.reward_pool), windows: windowsOf(row.windows) },
  ...{ createdAt: Date.parse(row.created_at), updatedAt: Date.parse(row.updated_at) },
});

export const menuBookOf = (rows: MenuRows): MenuBook => {
  const groups = rows.modifier_group.map(groupOf);
  const byId = new Map(groups.map((group) => [group.id, group]));
  return {
    categories: inOrder(rows.category).map(categoryOf),
    items: inOrder(rows.menu_item).map((row) => itemOf(row, byId)),
    addons: inOrder(rows.addon).map(addonOf),
    groups,
    deals: inOrder(rows.deal).map(dealOf),
    // A till takes no discount by itself: staff give them on tickets.
    discounts: [],
  };
};

/** What the tills of the branch sell now. It holds until `validUntil`, and until a row changes. */
export const tillBook = (rows: MenuRows, now: Instant): PriceBook => {
  const { id: branchId, timezone: zone } = rows.branch_settings;
  return priceBookOf(menuBookOf(rows), { branchId, zone, channel: 'dine_in', toggle: 'pos' }, now);
};
