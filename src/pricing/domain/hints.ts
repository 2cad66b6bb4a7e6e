/**
 * The cheapest single additions that unlock a deal or lower the total, with the figures of the quote that includes them
 * (Decisions 7.8).
 */
import { additionsIn, unitName, type Addition, type Additions } from './additions.ts';
import { billOf } from './bill.ts';
import type { PricedLine } from './cart.ts';
import { MAX_LINES, MAX_LINE_QUANTITY } from './cart/limits.ts';
import { unitsTaken } from './cart/stock.ts';
import { compiledDeals } from './deals/compiled-deals.ts';
import { searchBestSaving, WORK_LIMIT } from './deals/best.ts';
import { mostAddedBy } from './deals/one-more-unit.ts';
import type { DealUnits } from './deals/types.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Deal } from '../../menu/domain/menubook.ts';
import { HIGHEST_TOTAL, type Piastres } from '../../kernel/money.ts';
import { YieldBudget } from '../../kernel/yield-budget.ts';
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

const MAX_HINTS = 3;
/** Additions that are searched. */
const MAX_SEARCHED = 40;

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
  const isFull = lines.length >= MAX_LINES;
  return ({ line: { item, sizeLabel, lineTotal }, lineIndex }) => {
    if (isFull && lineIndex === null && !raised.has(unitName(item.id, sizeLabel))) return false;
    if (quoted.itemsTotal + lineTotal > HIGHEST_TOTAL) return false;
    return (taken.get(item.id) ?? 0) < (stock.get(item.id) ?? Infinity);
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

// ── Effect of an addition ─────────────────────────────────────────────────────────────────────────────

/** The bill with the unit, and how the total before the fee changes. */
const billWith = (
  { book, terms }: QuoteInput,
  quoted: Quote,
  { line }: Candidate,
  saving: Piastres,
): { readonly total: Piastres; readonly totalChange: Piastres } => {
  const afterDeals = Math.max(0, quoted.totalAfterDeals + line.lineTotal - saving);
  const { total, beforeFee } = billOf(afterDeals, book.menu.discount?.cut ?? null, terms);
  return { total, totalChange: beforeFee.total - quoted.bill.beforeFee.total };
};

/** Null when `saving` is not positive, or the total exceeds the highest one. */
const hintOf = (input: QuoteInput, quoted: Quote, candidate: Candidate, saving: Piastres): Hint | null => {
  const { line, lineIndex } = candidate;
  if (saving <= 0) return null;
  const { total, totalChange } = billWith(input, quoted, candidate, saving);
  return total > HIGHEST_TOTAL ? null : { line, lineIndex, saving, totalChange };
};

/** A candidate, its place in order of price, and the least change of the total that it can cause. */
interface Promising {
  readonly candidate: Candidate;
  readonly order: number;
  readonly least: Piastres;
}

interface OrderedHint extends Hint {
  readonly order: number;
}

/** Those that may unlock a deal, by the least change of the total. */
const promising = (
  input: QuoteInput,
  quoted: Quote,
  units: readonly DealUnits[],
  possible: readonly Omit<Promising, 'least'>[],
): readonly Promising[] => {
  const mostAdded = mostAddedBy(units, compiledDeals(input.book.menu.deals));
  return possible
    .flatMap(({ candidate, order }): Promising[] => {
      const most = mostAdded(candidate.units);
      if (most === 0) return [];
      return [{ candidate, order, least: billWith(input, quoted, candidate, most).totalChange }];
    })
    .sort((a, b) => a.least - b.least || a.order - b.order);
};

// ── The hints ───────────────────────────────────────────────────────────────────────────────────

/** Elementary operations of any search, and of each deal in it. */
const WORK_TO_BEGIN = 5_000;
const WORK_PER_DEAL = 300;
/** Elementary operations to check whether an addition can be ordered. */
const WORK_TO_CHECK = 10;

/** At most the setup of a search. */
const workToBegin = (units: readonly DealUnits[], deals: readonly Deal[]): number =>
  WORK_TO_BEGIN + (WORK_PER_DEAL + units.length) * deals.length;

/**
 * At most three hints, ascending by change of the total. All searches share `workLimit` elementary operations, those
 * that can lower the total most first; a hint that is not proven optimal within it is left out.
 */
export function* hintSteps(
  input: QuoteInput,
  quoted: Quote,
  workLimit = WORK_LIMIT,
): Generator<void, readonly Hint[]> {
  const { book } = input;
  const { deals } = book.menu;
  if (!quoted.deals.optimal || deals.length === 0) return [];
  const additions = yield* additionsIn(book);
  const pace = new YieldBudget();
  const hasRoom = roomIn(input, quoted);
  const units = quoted.lines.flatMap(({ dealUnits }) => dealUnits ?? []);
  const toBegin = workToBegin(units, deals);
  let [left, tried] = [workLimit, 0];
  let hints: readonly OrderedHint[] = [];
  const possible = candidatesFor(quoted, additions).flatMap(({ all }, order) => {
    const candidate = all.find(hasRoom);
    return candidate === undefined ? [] : [{ candidate, order }];
  });
  if (pace.isSpentAfter(WORK_TO_CHECK * possible.length)) yield;
  for (const { candidate, order, least } of promising(input, quoted, units, possible)) {
    // No later candidate changes the total by less.
    if (tried === MAX_SEARCHED || left <= toBegin || least > (hints[MAX_HINTS - 1]?.totalChange ?? Infinity))
      break;
    const added = { ...candidate.units, line: quoted.lines.length };
    const { saving, work } = yield* searchBestSaving([...units, added], deals, left - toBegin, book.memo);
    left -= toBegin + work;
    tried += 1;
    const hint = saving === null ? null : hintOf(input, quoted, candidate, saving - quoted.deals.saving);
    if (hint !== null)
      hints = [...hints, { ...hint, order }]
        .sort((a, b) => a.totalChange - b.totalChange || a.order - b.order)
        .slice(0, MAX_HINTS);
    if (pace.isSpentAfter(toBegin + work)) yield;
  }
  return hints;
}
