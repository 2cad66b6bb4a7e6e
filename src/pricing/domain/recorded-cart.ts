/** The cart of a sale that a device made without the server, at the prices that it charged (Decisions 13). */
import type { Uuid } from '../../kernel/ids.ts';
import { HIGHEST_TOTAL } from '../../kernel/money.ts';
import type { Named } from '../../kernel/names.ts';
import type { ReviewReason } from '../../platform/domain/review.ts';
import { readLine } from './cart/read-line.ts';
import { unitsTaken } from './cart/stock.ts';
import type { CartLine, Chosen, PricedLine } from './cart/types.ts';
import type { PriceBook } from './pricebook.ts';
import { recordedComboLine } from './recorded/combo-line.ts';
import { recordedPlainLine } from './recorded/plain-line.ts';
import { RecordedReasons } from './recorded/reasons.ts';
import { soldItem } from './recorded/sold-things.ts';
import type { KnownPrices, RecordedItemInput, RecordedPricing } from './recorded/types.ts';

export type { KnownPrice, KnownPrices, RecordedItemInput } from './recorded/types.ts';

/** Of a line that names no item; no item has it. */
const NO_ITEM: Uuid = '00000000-0000-0000-0000-000000000000';

/** The lines without their prices, as a guest would ask for them. */
export const askedLines = (items: readonly RecordedItemInput[]): readonly CartLine[] =>
  items.map((item) => readLine({ ...item, menu_item_id: item.menu_item_id ?? NO_ITEM }));

const unlistedOf = ({ menuItemId, optionalFieldIds }: Chosen, { items }: PriceBook): readonly Uuid[] => {
  const item = items.get(menuItemId);
  const optionals = item?.kind === 'item' ? item.optionals : [];
  return [
    ...(item === undefined ? [menuItemId] : []),
    ...optionalFieldIds.filter((id) => !optionals.some((field) => field.id === id)),
  ];
};

/** Items, optionals and slots that the lines name and the book has not; it has every add-on of the shop. */
export const unlistedIn = (asked: readonly CartLine[], book: PriceBook): readonly Uuid[] =>
  asked.flatMap((line) => {
    const item = book.items.get(line.menuItemId);
    const slots = item?.kind === 'combo' ? item.slots : [];
    const picks = line.combo?.picks ?? [];
    return [
      ...[line, ...picks].flatMap((chosen) => unlistedOf(chosen, book)),
      ...picks.map(({ slotId }) => slotId).filter((id) => !slots.some((slot) => slot.id === id)),
    ];
  });

const priceLine = (line: CartLine, index: number, input: RecordedItemInput, pricing: RecordedPricing) => {
  const item = soldItem(line.menuItemId, pricing);
  return item.kind === 'combo' || (line.combo?.picks.length ?? 0) > 0
    ? recordedComboLine(line, index, item, input, pricing)
    : recordedPlainLine(line, index, item, input, pricing);
};

export interface RecordedCart {
  readonly lines: readonly PricedLine[];
  readonly asked: readonly CartLine[];
  /** Why a person should look at the sale. */
  readonly reasons: readonly ReviewReason[];
}

/**
 * The lines priced before deals. Nothing is a fault, since the guest has paid: sold-out and archived things, missing
 * choices and unknown sizes are recorded as they are. `archived`: names of what the shop has and the book has not.
 */
export const recordedCart = (
  book: PriceBook,
  items: readonly RecordedItemInput[],
  archived: ReadonlyMap<Uuid, Named>,
  known: KnownPrices,
): RecordedCart => {
  const reasons = new RecordedReasons();
  const pricing = { book, archived, known, reasons };
  const asked = askedLines(items);
  const lines = items.flatMap((input, index) => {
    const line = asked[index];
    return line === undefined ? [] : [priceLine(line, index, input, pricing)];
  });
  return { lines, asked, reasons: reasons.all };
};

/**
 * Whether an amount or a count of units does not fit int32, so that the sale cannot be recorded. A sum beyond 2^53 is
 * inexact, but no addend is negative, so it stays above the limit.
 */
export const isBeyondInt32 = ({ lines, asked }: Pick<RecordedCart, 'lines' | 'asked'>): boolean =>
  lines.reduce((sum, { lineTotal }) => sum + lineTotal, 0) > HIGHEST_TOTAL ||
  lines.some(({ combo }) => combo !== null && combo.savingUnit > HIGHEST_TOTAL) ||
  [...unitsTaken(asked).values()].some((units) => units > HIGHEST_TOTAL);
