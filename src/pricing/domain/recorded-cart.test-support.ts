/** Carts that a menu sells, and how a device that knows its prices records them. */
import fc from 'fast-check';
import type { CartLine, ComboPick, PricedLine, PricedPart } from './cart.ts';
import { aLine, aMeal, aPick, cartOf, linesOf } from './cart.test-support.ts';
import type { PriceBook } from './pricebook.ts';
import type { RecordedItemInput } from './recorded-cart.ts';

type RecordedPick = NonNullable<RecordedItemInput['combo']>['picks'][number];
type RecordedAddons = NonNullable<RecordedItemInput['addons']>;

// ── Carts ───────────────────────────────────────────────────────────────────────────────────────

/** Numbers that choose from whatever a menu offers. */
export const choices = fc.array(
  fc.record({
    entry: fc.nat(),
    size: fc.nat(),
    isSizeNamed: fc.boolean(),
    addons: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 3 })), { maxLength: 3 }),
    optional: fc.option(fc.nat()),
    picks: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
    quantity: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 12 },
);
type Choice = typeof choices extends fc.Arbitrary<(infer T)[]> ? T : never;

const nth = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];

const optionsFrom = (book: PriceBook, itemId: string, choice: Choice): Partial<CartLine> => {
  const entry = book.entries.get(itemId);
  if (entry?.kind !== 'item') return {};
  const offered = [
    ...(entry.addonCharges?.keys() ?? []),
    ...entry.groups.flatMap(({ options }) => options.map(({ addon }) => addon.id)),
  ];
  const optional = choice.optional === null ? undefined : nth(entry.optionals, choice.optional);
  return {
    sizeLabel: choice.isSizeNamed ? (nth(entry.sizes, choice.size)?.label ?? '') : null,
    optionalFieldIds: optional === undefined ? [] : [optional.field.id],
    addons: choice.addons.flatMap(([index, quantity]) => {
      const addonItemId = nth(offered, index);
      return addonItemId === undefined ? [] : [{ addonItemId, quantity }];
    }),
  };
};

const lineFrom = (book: PriceBook, choice: Choice): CartLine | null => {
  const entry = nth(book.menu.entries, choice.entry);
  if (entry === undefined) return null;
  const { quantity } = choice;
  if (entry.kind === 'item')
    return aLine(entry.item.id, { quantity, ...optionsFrom(book, entry.item.id, choice) });
  const picks = entry.slots.toReversed().flatMap(({ slot, choices: from }, index): ComboPick[] => {
    const picked = nth(
      from.filter(({ available }) => available),
      choice.picks[index] ?? 0,
    );
    if (picked === undefined) return [];
    return [
      aPick(slot.id, picked.item.id, { quantity: slot.max, ...optionsFrom(book, picked.item.id, choice) }),
    ];
  });
  return aMeal(entry.item.id, picks, { quantity });
};

/** Lines that each have a price. */
export const soldLines = (book: PriceBook, from: readonly Choice[]): readonly CartLine[] =>
  from
    .map((choice) => lineFrom(book, choice))
    .filter((line) => line !== null)
    .filter((line) => 'lines' in cartOf(book, [line]));

// ── Records ─────────────────────────────────────────────────────────────────────────────────────

/** Whether the n-th price is recorded. */
type Records = () => boolean;

const addonsOf = (
  { addons }: Pick<CartLine, 'addons'>,
  priced: Pick<PricedLine, 'addons'>,
  records: Records,
): RecordedAddons =>
  addons.map(({ addonItemId, quantity }) => {
    const unitPrice = priced.addons.find(({ addon }) => addon.id === addonItemId)?.unitPrice;
    return { addon_item_id: addonItemId, quantity, ...(records() ? { unit_price: unitPrice } : {}) };
  });

const wordsOf = ({ sizeLabel, notes, optionalFieldIds }: ComboPick | CartLine) => ({
  ...{ size_label: sizeLabel, notes, optional_field_ids: optionalFieldIds },
});

const picksOf = (line: CartLine, { combo, quantity }: PricedLine, records: Records): RecordedPick[] => {
  const left = [...(combo?.parts ?? [])];
  return (line.combo?.picks ?? []).map((pick): RecordedPick => {
    const at = left.findIndex(({ slot, item }) => slot.id === pick.slotId && item.id === pick.menuItemId);
    const [part] = left.splice(at, 1) as [PricedPart];
    return {
      ...{ slot_id: pick.slotId, menu_item_id: pick.menuItemId, quantity: pick.quantity, ...wordsOf(pick) },
      addons: addonsOf(pick, part, records),
      ...(records() ? { share: part.comboShare / quantity } : {}),
      ...(records() ? { surcharge: part.comboSurcharge / quantity } : {}),
    };
  });
};

/** As a device records the lines, with those prices that `records` picks. */
export const recordsOf = (
  book: PriceBook,
  lines: readonly CartLine[],
  records: Records = () => true,
): readonly RecordedItemInput[] => {
  const priced = linesOf(cartOf(book, lines));
  return lines.flatMap((line, index): RecordedItemInput[] => {
    const sold = priced[index];
    if (sold === undefined) return [];
    return [
      {
        ...{ menu_item_id: line.menuItemId, quantity: line.quantity, ...wordsOf(line) },
        addons: addonsOf(line, sold, records),
        combo: line.combo && { picks: picksOf(line, sold, records) },
        ...(records() ? { unit_price: sold.unitPrice } : {}),
      },
    ];
  });
};
