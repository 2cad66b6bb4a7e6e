/** Whether a recorded price was ever on (Decisions 13). */
import type { Uuid } from '../../../kernel/ids.ts';
import type { Piastres } from '../../../kernel/money.ts';
import type { Addon, PlainItem } from '../../../menu/domain/menubook.ts';
import type { KnownPrice, RecordedPricing } from './types.ts';

interface Priced {
  readonly id: Uuid;
  readonly prices: readonly KnownPrice[];
}

/** Present prices on any channel, and those of before an import changed them. */
const amountsEver = (
  { id, prices }: Priced,
  sizeLabels: readonly string[],
  { known }: RecordedPricing,
): ReadonlySet<Piastres> =>
  new Set(
    [...prices, ...(known.get(id) ?? [])]
      .filter(({ sizeLabel }) => sizeLabels.includes(sizeLabel))
      .map(({ amount }) => amount),
  );

const isKnown = (id: Uuid, { book, archived }: RecordedPricing): boolean =>
  book.items.has(id) || book.addons.has(id) || archived.has(id);

/** `sizeLabels`: those that the price may be of. True for an unknown thing, which is in review by itself. */
export const wasEverOn = (
  recorded: Piastres,
  subject: Priced,
  sizeLabels: readonly string[],
  pricing: RecordedPricing,
): boolean => !isKnown(subject.id, pricing) || amountsEver(subject, sizeLabels, pricing).has(recorded);

const NO_SIZE = [''] as const;

/** A swap was charged the difference of two prices: of the add-on and of the default of the item (Decisions 7.1). */
export const wasEverCharged = (
  recorded: Piastres,
  addon: Addon,
  item: PlainItem,
  pricing: RecordedPricing,
): boolean => {
  if (addon.type === 'extra') return wasEverOn(recorded, addon, NO_SIZE, pricing);
  const standard = pricing.book.addons.get(item.defaults[addon.type] ?? '');
  const standards = standard === undefined ? [0] : [...amountsEver(standard, NO_SIZE, pricing)];
  return [...amountsEver(addon, NO_SIZE, pricing)].some((price) =>
    standards.some((included) => recorded === Math.max(0, price - included)),
  );
};
