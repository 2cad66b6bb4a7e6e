/** The cheapest single additions that unlock a deal or lower the total (Decisions 7.8). */
import { additionsIn, unitName, type Addition, type Additions } from './additions.ts';
import type { PricedLine } from './cart.ts';
import { MAX_LINES, MAX_LINE_QUANTITY } from './cart/limits.ts';
import { unitsTaken } from './cart/stock.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { HIGHEST_TOTAL, type Piastres } from '../../kernel/money.ts';
import type { FoundHint, HintSearch } from './hint-search.ts';
import { hintedCart, type UnfinishedHints } from './hinted-cart.ts';
import type { Quote, QuotedLine, QuoteInput } from './quote.ts';

export interface Hint {
  /** One unit, with its options. */
  readonly line: PricedLine;
  /** The line of the cart that gets the unit, options and all; null: a unit without options. */
  readonly lineIndex: number | null;
  /** The increase of the deals' saving. */
  readonly saving: Piastres;
  /** The change of the total before the delivery fee; negative when the cart gets cheaper. */
  readonly totalChange: Piastres;
}

// ── Whether an addition can be ordered ───────────────────────────────────────────────────────────────────

/** Lines without options that can have one more unit. */
const canBeRaised = ({ quantity, addons, optionals, combo }: QuotedLine): boolean =>
  quantity < MAX_LINE_QUANTITY && addons.length === 0 && optionals.length === 0 && combo === null;

/** Whether the cart with one more unit stays within the limits and stock; service and tax are checked later. */
const roomIn = ({ lines, stock }: QuoteInput, quoted: Quote): ((candidate: Candidate) => boolean) => {
  const raised = new Set(
    quoted.lines.filter(canBeRaised).map(({ item, sizeLabel }) => unitName(item.id, sizeLabel)),
  );
  const taken = stock.size === 0 ? new Map<Uuid, number>() : unitsTaken(lines);
  /** Of a line that is raised, its add-ons too. */
  const unitsOf = ({ line, lineIndex }: Candidate): ReadonlyMap<Uuid, number> =>
    lineIndex === null
      ? new Map([[line.item.id, 1]])
      : unitsTaken(lines.slice(lineIndex, lineIndex + 1).map((one) => ({ ...one, quantity: 1 })));
  const isInStock = (candidate: Candidate): boolean =>
    [...unitsOf(candidate)].every(
      ([id, units]) => (taken.get(id) ?? 0) + units <= (stock.get(id) ?? Infinity),
    );
  const isFull = lines.length >= MAX_LINES;
  return (candidate) => {
    const { line, lineIndex } = candidate;
    const { item, sizeLabel, lineTotal } = line;
    if (isFull && lineIndex === null && !raised.has(unitName(item.id, sizeLabel))) return false;
    if (quoted.itemsTotal + lineTotal > HIGHEST_TOTAL) return false;
    return stock.size === 0 || isInStock(candidate);
  };
};

// ── What can be added ─────────────────────────────────────────────────────────────────────────────────

interface Candidate extends Addition {
  readonly lineIndex: number | null;
}

/** Candidates of one price with the same effect; the first that can be ordered stands for all. */
interface Candidates {
  readonly price: Piastres;
  readonly all: readonly Candidate[];
}

/** One more unit of a line whose item cannot be sold without a choice, with what was chosen. */
const raisedLine = (line: QuotedLine): Candidate | null => {
  const { dealUnits, unitPrice, addonsTotal, index } = line;
  if (dealUnits === null || line.quantity >= MAX_LINE_QUANTITY) return null;
  const lineTotal = unitPrice + addonsTotal;
  const one = { ...line, quantity: 1, lineTotal, dealUnits: { ...dealUnits, quantity: 1 } };
  return { line: one, units: one.dealUnits, lineIndex: index };
};

/** Cheapest first. */
const candidatesFor = ({ lines }: Quote, { alike, needsChoice }: Additions): readonly Candidates[] => {
  const plain = alike.map(({ price, additions }): Candidates => ({
    price,
    all: additions.map((addition) => ({ ...addition, lineIndex: null })),
  }));
  const chosen = lines.filter(({ dealUnits }) => dealUnits !== null && needsChoice(dealUnits));
  const raised = [...groupBy(chosen, ({ item, sizeLabel }) => unitName(item.id, sizeLabel)).values()].map(
    (alikeLines): Candidates => {
      const all = alikeLines.flatMap((line) => raisedLine(line) ?? []);
      all.sort((a, b) => a.line.lineTotal - b.line.lineTotal);
      return { price: all[0]?.line.lineTotal ?? 0, all };
    },
  );
  return [...plain, ...raised].sort((a, b) => a.price - b.price);
};

// ── The hints ───────────────────────────────────────────────────────────────────────────────────

/** Null where there are none, and where the cart itself is not proven to have the best deals. */
export const beginHints = (
  input: QuoteInput,
  quoted: Quote,
): UnfinishedHints<HintSearch, FoundHint, Hint> | null => {
  const { book } = input;
  if (!quoted.deals.optimal || book.menu.deals.length === 0) return null;
  const hasRoom = roomIn(input, quoted);
  const possible = candidatesFor(quoted, additionsIn(book)).flatMap(({ all }) => all.find(hasRoom) ?? []);
  if (possible.length === 0) return null;
  const search: HintSearch = {
    ...hintedCart(input, quoted),
    saving: quoted.deals.saving,
    candidates: possible.map(({ line, units }) => ({ price: line.lineTotal, units })),
  };
  const finish = (found: readonly FoundHint[]): readonly Hint[] =>
    found.flatMap(({ candidate, saving, totalChange }) => {
      const { line, lineIndex } = possible[candidate] ?? {};
      return line === undefined || lineIndex === undefined ? [] : [{ line, lineIndex, saving, totalChange }];
    });
  return { search, memo: book.memo, finish };
};
