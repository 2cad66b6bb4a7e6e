/** Lines of a ticket: priced when their round is fired, then divided by units without a new price (Decisions 12). */
import {
  optionNames,
  timesName,
  type FrozenLine,
  type FrozenPart,
  type StockTaken,
} from '../../pricing/domain/frozen-cart.ts';

/** Of a sum over `from` equal units, the part of `to` of them. */
const scaled = (sum: number, to: number, from: number): number => (sum / from) * to;

const scaledPart = (part: FrozenPart, to: number, from: number): FrozenPart => ({
  ...part,
  quantity: scaled(part.quantity, to, from),
  combo_share: scaled(part.combo_share, to, from),
  combo_surcharge: scaled(part.combo_surcharge, to, from),
  line_total: scaled(part.line_total, to, from),
  addons_total: scaled(part.addons_total, to, from),
});

/** The line with fewer units, before deals: units of a line are equal, so its sums divide exactly. */
export const ofUnits = (line: FrozenLine, units: number): FrozenLine => ({
  ...line,
  quantity: units,
  line_total: scaled(line.line_total, units, line.quantity),
  combo:
    line.combo === null
      ? null
      : { ...line.combo, parts: line.combo.parts.map((part) => scaledPart(part, units, line.quantity)) },
});

/** Counted stock of the units. */
export const stockOfUnits = (
  stock: readonly StockTaken[],
  units: number,
  quantity: number,
): readonly StockTaken[] => stock.map(({ id, units: all }) => ({ id, units: scaled(all, units, quantity) }));

/** What the line is made with, in words of the shop: add-ons, optionals, picks of a combo with theirs. */
export const modifiersOf = (line: FrozenLine): readonly string[] => [
  ...optionNames(line),
  ...(line.combo?.parts ?? []).map((part) => {
    const unitQuantity = part.quantity / line.quantity;
    const options = optionNames(part);
    const size = part.size_label === null ? '' : ` ${part.size_label}`;
    return `${timesName(part.name, unitQuantity)}${size}${options.length === 0 ? '' : ` (${options.join(', ')})`}`;
  }),
];
