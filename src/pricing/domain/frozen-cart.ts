/**
 * The priced cart stored with an order, a ticket or a sale (Decisions 3, cart): everything a receipt needs, and no costs
 * of the shop.
 */
import { unitsTaken } from './cart/stock.ts';
import type {
  CartLine as AskedLine,
  PricedCombo,
  PricedLine,
  PricedOptions,
  PricedPart,
} from './cart/types.ts';
import type { AppliedDeal } from './deals/types.ts';
import { multiLine } from '../../kernel/free-text.ts';
import { compareIds, type Uuid } from '../../kernel/ids.ts';
import type { MenuItem } from '../../menu/domain/menubook.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Translations } from '../../kernel/names.ts';
import type { GrantedReward } from './rewards.ts';
import type { RewardUse } from '../../loyalty/domain/reward.ts';
import type { Quote, QuotedLine } from './quote.ts';

export interface FrozenAddon {
  readonly addon_item_id: Uuid;
  readonly name: string;
  readonly name_translations: Translations;
  /** Per unit of the line, or of the part. */
  readonly quantity: number;
  /** For a swap, the difference. */
  readonly unit_price: Piastres;
}

export interface FrozenOptional {
  readonly optional_field_id: Uuid;
  readonly name: string;
  readonly name_translations: Translations;
  readonly price: Piastres;
}

interface FrozenMaking {
  readonly addons: readonly FrozenAddon[];
  readonly optionals: readonly FrozenOptional[];
  readonly notes: string | null;
}

/** One pick of a combo; quantity and sums are for the whole line. */
export interface FrozenPart extends FrozenMaking {
  readonly slot_id: Uuid;
  readonly slot_name: string;
  readonly slot_name_translations: Translations;
  readonly menu_item_id: Uuid;
  readonly name: string;
  readonly name_translations: Translations;
  readonly size_label: string | null;
  readonly size_translations: Translations;
  readonly quantity: number;
  /** Price outside the combo. */
  readonly unit_price: Piastres;
  readonly combo_share: Piastres;
  readonly combo_surcharge: Piastres;
  /** Share and surcharge, without add-ons. */
  readonly line_total: Piastres;
  readonly addons_total: Piastres;
}

/** Per unit of the line. */
export interface FrozenCombo {
  readonly price: Piastres;
  /** With surcharges and size extras, without add-ons. */
  readonly unit_total: Piastres;
  readonly saving_unit: Piastres;
  readonly parts: readonly FrozenPart[];
}

export interface FrozenLine extends FrozenMaking {
  readonly menu_item_id: Uuid;
  readonly name: string;
  readonly name_translations: Translations;
  readonly size_label: string | null;
  readonly size_translations: Translations;
  readonly quantity: number;
  /** Size price; 0 for a combo. */
  readonly unit_price: Piastres;
  /** Per unit, with optionals. */
  readonly addons_total: Piastres;
  /** Already subtracted from `line_total`. */
  readonly deal_discount: Piastres;
  /** Units that rewards paid for; absent from orders of before there were rewards. */
  readonly reward_units?: number;
  /** What these units would have cost; not in `line_total`. */
  readonly reward_discount?: Piastres;
  /** A drink of the staff: what it would have cost, not in `line_total`. Absent from all other lines. */
  readonly staff_drink_discount?: Piastres;
  /** After deals. */
  readonly line_total: Piastres;
  readonly combo: FrozenCombo | null;
}

/** Of one unit that a reward may pay for: not of a combo, whose price is in `combo`. */
export const unitPrice = ({ unit_price: price, addons_total: addons }: FrozenLine): Piastres =>
  price + addons;

export interface FrozenDeal {
  readonly deal_rule_id: Uuid;
  readonly name: string;
  readonly name_translations: Translations;
  readonly times: number;
  readonly discount: Piastres;
  readonly lines: readonly {
    readonly line_index: number;
    readonly units: number;
    readonly discount: Piastres;
  }[];
}

export interface FrozenReward extends RewardUse {
  readonly line_index: number;
  readonly discount: Piastres;
}

export interface FrozenCart {
  readonly lines: readonly FrozenLine[];
  readonly deals: readonly FrozenDeal[];
  /** Absent from orders of before there were rewards. */
  readonly rewards?: readonly FrozenReward[];
}

const sizeOf = (item: MenuItem, label: string | null) => ({
  size_label: label,
  size_translations:
    (item.kind === 'item' ? item.sizes.find((size) => size.label === label)?.labelTranslations : null) ?? {},
});

const makingOf = ({
  addons,
  optionals,
  notes,
}: PricedOptions & { readonly notes: string | null }): FrozenMaking => ({
  addons: addons.map(({ addon, quantity, unitPrice }) => ({
    addon_item_id: addon.id,
    name: addon.name,
    name_translations: addon.nameTranslations,
    quantity,
    unit_price: unitPrice,
  })),
  optionals: optionals.map(({ field, price }) => ({
    optional_field_id: field.id,
    name: field.name,
    name_translations: field.nameTranslations,
    price,
  })),
  notes: multiLine(notes),
});

const partOf = (part: PricedPart): FrozenPart => ({
  slot_id: part.slot.id,
  slot_name: part.slot.name,
  slot_name_translations: part.slot.nameTranslations,
  menu_item_id: part.item.id,
  name: part.item.name,
  name_translations: part.item.nameTranslations,
  ...sizeOf(part.item, part.sizeLabel),
  quantity: part.quantity,
  unit_price: part.unitPrice,
  combo_share: part.comboShare,
  combo_surcharge: part.comboSurcharge,
  line_total: part.lineTotal,
  addons_total: part.addonsTotal,
  ...makingOf(part),
});

const comboOf = ({ price, unitTotal, savingUnit, parts }: PricedCombo): FrozenCombo => ({
  price,
  unit_total: unitTotal,
  saving_unit: savingUnit,
  parts: parts.map(partOf),
});

const lineOf = (line: QuotedLine): FrozenLine => ({
  menu_item_id: line.item.id,
  name: line.item.name,
  name_translations: line.item.nameTranslations,
  ...sizeOf(line.item, line.sizeLabel),
  quantity: line.quantity,
  unit_price: line.unitPrice,
  addons_total: line.addonsTotal,
  ...makingOf(line),
  combo: line.combo === null ? null : comboOf(line.combo),
  deal_discount: line.dealDiscount,
  reward_units: line.rewardUnits,
  reward_discount: line.rewardDiscount,
  ...(line.staffDrinkDiscount === null ? {} : { staff_drink_discount: line.staffDrinkDiscount }),
  line_total: line.lineTotal - line.dealDiscount,
});

const dealOf = ({ deal, times, discount, lines }: AppliedDeal): FrozenDeal => ({
  deal_rule_id: deal.id,
  name: deal.name,
  name_translations: deal.nameTranslations,
  times,
  discount,
  lines: lines.map(({ line, units, discount: share }) => ({ line_index: line, units, discount: share })),
});

const rewardOf = ({ reward, lineIndex, units, discount, cost }: GrantedReward): FrozenReward => ({
  reward_id: reward.id,
  name: reward.name,
  name_translations: reward.nameTranslations,
  line_index: lineIndex,
  units,
  discount,
  cost,
});

/** Lines before deals and rewards. */
export const frozenLines = (lines: readonly PricedLine[]): readonly FrozenLine[] =>
  lines.map((line) =>
    lineOf({ ...line, dealDiscount: 0, rewardUnits: 0, rewardDiscount: 0, staffDrinkDiscount: null }),
  );

/** The lines sum to what the items come to after deals. */
export const frozenCart = ({ lines, deals, rewards }: Quote): FrozenCart => ({
  lines: lines.map(lineOf),
  deals: deals.applied.map(dealOf),
  rewards: rewards.map(rewardOf),
});

const NO_NOTES = { notes: null } as const;

export const withoutLineNotes = (line: FrozenLine): FrozenLine => ({
  ...{ ...line, ...NO_NOTES },
  combo: line.combo && {
    ...line.combo,
    parts: line.combo.parts.map((part) => ({ ...part, ...NO_NOTES })),
  },
});

/** Notes are the guest's words: what keeps the cart without the guest keeps none. */
export const withoutNotes = ({ lines, deals, rewards = [] }: FrozenCart): FrozenCart => ({
  lines: lines.map(withoutLineNotes),
  ...{ deals, rewards },
});

// ── Words ───────────────────────────────────────────────────────────────────────────────────────

/** `2 × Coffee`. */
export const timesName = (name: string, quantity: number): string =>
  quantity === 1 ? name : `${quantity} × ${name}`;

/** A name as it is to be read. Lines of older orders have no translations of some names. */
export type Reading = (name: string, translations: Translations | undefined) => string;

export const inMainLanguage: Reading = (name) => name;

/** Add-ons and optionals of a unit. */
export const optionNames = (
  { addons, optionals }: Pick<FrozenLine, 'addons' | 'optionals'>,
  read: Reading = inMainLanguage,
): readonly string[] => [
  ...addons.map((one) => timesName(read(one.name, one.name_translations), one.quantity)),
  ...optionals.map((one) => read(one.name, one.name_translations)),
];

// ── Stock ───────────────────────────────────────────────────────────────────────────────────────

export interface StockTaken {
  readonly id: Uuid;
  readonly units: number;
}

/**
 * Counted units of the order, with combo parts and add-ons; `stock`: units left. Sorted by id, so that all
 * transactions lock rows in one order.
 */
export const stockTaken = (
  lines: readonly AskedLine[],
  stock: ReadonlyMap<Uuid, number>,
): readonly StockTaken[] =>
  [...unitsTaken(lines)]
    .filter(([id]) => stock.has(id))
    .map(([id, units]) => ({ id, units }))
    .sort((a, b) => compareIds(a.id, b.id));

/** Units of items and add-ons in `units` of a line, in the order in which rows are locked. */
export const unitsInLine = (line: FrozenLine, units: number): readonly StockTaken[] => {
  const made: readonly (FrozenMaking & { readonly menu_item_id: Uuid; readonly quantity: number })[] =
    line.combo?.parts.map((part) => ({ ...part, quantity: (part.quantity / line.quantity) * units })) ?? [
      { ...line, quantity: units },
    ];
  return made.flatMap(({ menu_item_id: id, quantity, addons }) => [
    { id, units: quantity },
    ...addons.map(({ addon_item_id: addon, quantity: each }) => ({ id: addon, units: each * quantity })),
  ]);
};

/** Units by id, each once, sorted, so that all transactions lock rows in one order. */
export const unitsTogether = (all: readonly StockTaken[]): readonly StockTaken[] => {
  const units = new Map<Uuid, number>();
  for (const one of all) units.set(one.id, (units.get(one.id) ?? 0) + one.units);
  return [...units].map(([id, count]) => ({ id, units: count })).sort((a, b) => compareIds(a.id, b.id));
};
