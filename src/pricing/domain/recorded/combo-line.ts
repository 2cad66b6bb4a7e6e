import { sizesNamed } from '../cart/unit-options.ts';
import { splitMoney, type Piastres } from '../../../kernel/money.ts';
import { choiceAt } from '../../../menu/domain/combo.ts';
import { cheapestOf, itemPriceAt, sizesAt } from '../../../menu/domain/item.ts';
import type { ComboSlot, MenuItem, PlainItem } from '../../../menu/domain/menubook.ts';
import { priceAt } from '../../../menu/domain/price.ts';
import { bySlot } from '../cart/combo.ts';
import type { CartLine, ComboPick, PricedCombo, PricedLine, PricedPart } from '../cart/types.ts';
import type { UnitOptions } from '../cart/unit-options.ts';
import { wasEverOn } from './known-prices.ts';
import { nameOfSize } from './plain-line.ts';
import { asPlain, soldItem, soldSlot } from './sold-things.ts';
import type { RecordedItemInput, RecordedPickInput, RecordedPricing } from './types.ts';
import { recordedOptions } from './unit-options.ts';

/** Priced for one unit of the combo. */
interface RecordedPick {
  readonly slot: ComboSlot;
  readonly item: PlainItem;
  readonly quantity: number;
  readonly notes: string | null;
  readonly sizeLabel: string | null;
  /** The price of one unit outside the combo, in its size. */
  readonly singlePrice: Piastres;
  /** The weight of the pick where the price of the combo is split. */
  readonly basePrice: Piastres;
  /** Null: not recorded. */
  readonly share: Piastres | null;
  readonly surcharge: Piastres;
  readonly making: UnitOptions;
}

/** As in a cart of a guest; a choice that the slot does not offer costs nothing more. */
const pricesOf = (
  pick: ComboPick,
  slot: ComboSlot,
  item: PlainItem,
  { book: { point } }: RecordedPricing,
) => {
  const choice = slot.choices.find(({ itemId }) => itemId === pick.menuItemId);
  const offered = choice === undefined ? null : choiceAt(choice, item, point);
  const sizes = offered?.sizes ?? sizesAt(item, point).map((size) => ({ ...size, extra: 0 }));
  const basePrice = offered?.basePrice ?? itemPriceAt(item, point) ?? 0;
  const named = nameOfSize(pick.sizeLabel);
  const label = named ?? offered?.includedSizeLabel ?? cheapestOf(sizes)?.label ?? '';
  const [first, ...others] = sizesNamed(label, sizes);
  const size = others.length === 0 ? first : undefined;
  return {
    ...{ basePrice, sizeLabel: size?.label ?? named, singlePrice: size?.price ?? basePrice },
    surcharge: pick.quantity * ((choice?.surcharge ?? 0) + (size?.extra ?? 0)),
  };
};

const recordedPick = (
  pick: ComboPick,
  combo: MenuItem,
  input: RecordedPickInput | undefined,
  pricing: RecordedPricing,
): RecordedPick => {
  const item = asPlain(soldItem(pick.menuItemId, pricing));
  const slot = soldSlot(pick.slotId, combo, pricing);
  const present = pricesOf(pick, slot, item, pricing);
  const surcharge = input?.surcharge ?? present.surcharge;
  // Of a combo that is gone, the surcharges are gone too.
  if (combo.kind === 'combo' && surcharge !== present.surcharge)
    pricing.reasons.add('price_never_on', { item: item.name, recorded: surcharge });
  return {
    ...{ ...present, slot, item, quantity: pick.quantity, notes: pick.notes },
    ...{ share: input?.share ?? null, surcharge },
    making: recordedOptions(pick, input?.addons, item, pricing),
  };
};

const sum = (amounts: readonly Piastres[]): Piastres => amounts.reduce((all, amount) => all + amount, 0);

/** The shares of one combo: as recorded if every pick has one, else the price of the combo, split (Decisions 7.2). */
const sharesOf = (
  picks: readonly RecordedPick[],
  combo: MenuItem,
  input: RecordedItemInput,
  pricing: RecordedPricing,
): { readonly price: Piastres; readonly shares: readonly Piastres[] } => {
  const recorded = picks.flatMap(({ share }) => share ?? []);
  const isRecorded = picks.length > 0 && recorded.length === picks.length;
  const present = combo.kind === 'combo' ? priceAt(combo.prices, pricing.book.point) : null;
  const price = isRecorded ? sum(recorded) : (present ?? input.unit_price ?? 0);
  if (price !== (present ?? 0) && !wasEverOn(price, combo, [''], pricing))
    pricing.reasons.add('price_never_on', { item: combo.name, recorded: price });
  const weights = picks.map(({ basePrice, quantity }) => basePrice * quantity);
  return { price, shares: isRecorded ? recorded : splitMoney(price, weights) };
};

const partOf = (pick: RecordedPick, share: Piastres, lineQuantity: number): PricedPart => {
  const { slot, item, sizeLabel, notes, singlePrice: unitPrice } = pick;
  const { addons, optionals, unitSum } = pick.making;
  const quantity = pick.quantity * lineQuantity;
  const comboShare = share * lineQuantity;
  const comboSurcharge = pick.surcharge * lineQuantity;
  return {
    ...{ slot, item, sizeLabel, quantity, unitPrice, comboShare, comboSurcharge },
    ...{ lineTotal: comboShare + comboSurcharge, addonsTotal: unitSum * quantity, addons, optionals, notes },
  };
};

const comboOf = (
  picks: readonly RecordedPick[],
  { price, shares }: ReturnType<typeof sharesOf>,
  lineQuantity: number,
): PricedCombo => {
  const unitTotal = price + sum(picks.map(({ surcharge }) => surcharge));
  const apart = sum(picks.map(({ singlePrice, quantity }) => singlePrice * quantity));
  const parts = picks.map((pick, place) => partOf(pick, shares[place] ?? 0, lineQuantity));
  return { price, unitTotal, savingUnit: apart - unitTotal, parts };
};

/**
 * (Combo price + surcharges + size extras + add-ons of its parts) × quantity (Decisions 7.2), at the prices that the
 * device charged. Options of the line itself, which a guest could not choose, count too.
 */
export const recordedComboLine = (
  line: CartLine,
  index: number,
  item: MenuItem,
  input: RecordedItemInput,
  pricing: RecordedPricing,
): PricedLine => {
  const { quantity, notes } = line;
  const picks = (line.combo?.picks ?? [])
    .map((pick, place) => recordedPick(pick, item, input.combo?.picks[place], pricing))
    .toSorted(bySlot);
  const combo = comboOf(picks, sharesOf(picks, item, input, pricing), quantity);
  const { addons, optionals, unitSum } = recordedOptions(line, input.addons, asPlain(item), pricing);
  const addonsTotal = sum(picks.map(({ making, quantity: units }) => making.unitSum * units)) + unitSum;
  return {
    ...{ index, quantity, item, sizeLabel: null, unitPrice: 0, addonsTotal, addons, optionals, notes },
    ...{ lineTotal: (combo.unitTotal + addonsTotal) * quantity, combo, dealUnits: null },
  };
};
