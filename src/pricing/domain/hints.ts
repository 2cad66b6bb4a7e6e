/**
 * The cheapest single additions that unlock a deal or lower the total, with the figures of the quote that includes them
 * (Decisions 7.8).
 */
import { additionsIn, type Addition, type Additions } from './additions.ts';
import { billOf } from './bill.ts';
import type { PricedLine } from './cart.ts';
import { MAX_LINES, MAX_LINE_QUANTITY } from './cart/limits.ts';
import { unitsTaken } from './cart/stock.ts';
import { searchBestDeals, WORK_LIMIT } from './deals/best.ts';
import type { DealUnits } from './deals/types.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Deal } from '../../menu/domain/menubook.ts';
import { HIGHEST_TOTAL, type Piastres } from '../../kernel/money.ts';
import { YieldBudget } from '../../kernel/yield-budget.ts';
import type { Quote, QuotedLine, QuoteInput } from './quote.ts';

export interface Hint {
  readonly line: PricedLine;
  /** The increase of the deals' saving. */
  readonly saving: Piastres;
  /** The change of the total before the delivery fee; negative when the cart gets cheaper. */
  readonly totalChange: Piastres;
}

const MAX_HINTS = 3;
/** Additions that are searched, cheapest first. */
const MAX_SEARCHED = 40;
// ── Whether an addition can be ordered ───────────────────────────────────────────────────────────────────

const nameOf = (itemId: Uuid, sizeLabel: string | null): string => JSON.stringify([itemId, sizeLabel]);

/** Lines without options that can have one more unit. */
const canBeRaised = ({ quantity, addons, optionals, combo }: QuotedLine): boolean =>
  quantity < MAX_LINE_QUANTITY && addons.length === 0 && optionals.length === 0 && combo === null;

/** Whether the cart with one more unit stays within the limits and stock; service and tax are checked later. */
const roomIn = ({ lines, stock }: QuoteInput, quoted: Quote): ((addition: Addition) => boolean) => {
  const raised = new Set(
    quoted.lines.filter(canBeRaised).map(({ item, sizeLabel }) => nameOf(item.id, sizeLabel)),
  );
  const taken = stock.size === 0 ? new Map<Uuid, number>() : unitsTaken(lines);
  const isFull = lines.length >= MAX_LINES;
  return ({ line: { item, sizeLabel, lineTotal } }) => {
    if (isFull && !raised.has(nameOf(item.id, sizeLabel))) return false;
    if (quoted.itemsTotal + lineTotal > HIGHEST_TOTAL) return false;
    return (taken.get(item.id) ?? 0) < (stock.get(item.id) ?? Infinity);
  };
};

// ── Effect of an addition ─────────────────────────────────────────────────────────────────────────────

interface Component {
  readonly units: readonly DealUnits[];
  readonly deals: readonly Deal[];
}

/** The graph of the units of a cart and the deals in which they count. */
class DealGraph {
  readonly #dealsOf: Additions['dealsOf'];
  readonly #deals: ReadonlyMap<DealUnits, readonly Deal[]>;
  readonly #units: ReadonlyMap<Deal, readonly { readonly units: DealUnits }[]>;

  constructor(all: readonly DealUnits[], dealsOf: Additions['dealsOf']) {
    this.#dealsOf = dealsOf;
    this.#deals = new Map(all.map((units) => [units, dealsOf(units)]));
    const pairs = all.flatMap((units) => this.#dealsIn(units).map((deal) => ({ deal, units })));
    this.#units = groupBy(pairs, ({ deal }) => deal);
  }

  /** The connected component of the unit; the unit has no effect outside it. */
  componentOf(added: DealUnits): Component {
    const deals = new Set(this.#dealsOf(added));
    const connected = new Set<DealUnits>();
    // The loop also visits deals that it adds.
    for (const deal of deals)
      for (const { units } of this.#units.get(deal) ?? []) {
        if (connected.has(units)) continue;
        connected.add(units);
        for (const further of this.#dealsIn(units)) deals.add(further);
      }
    return { units: [...connected, added], deals: [...deals] };
  }

  #dealsIn(units: DealUnits): readonly Deal[] {
    return this.#deals.get(units) ?? [];
  }
}

/** The saving of these deals in a quote. */
const savingBy = ({ deals: { applied } }: Quote, deals: readonly Deal[]): Piastres => {
  const ids = new Set(deals.map(({ id }) => id));
  return applied.reduce((sum, { deal, discount }) => sum + (ids.has(deal.id) ? discount : 0), 0);
};

/** Null when `saving` is not positive, or the total exceeds the highest one. */
const hintOf = (
  { book, terms }: QuoteInput,
  quoted: Quote,
  { line }: Addition,
  saving: Piastres,
): Hint | null => {
  if (saving <= 0) return null;
  const afterDeals = quoted.totalAfterDeals + line.lineTotal - saving;
  const { total, beforeFee } = billOf(afterDeals, book.menu.discount?.cut ?? null, terms);
  if (total > HIGHEST_TOTAL) return null;
  return { line, saving, totalChange: beforeFee.total - quoted.bill.beforeFee.total };
};

// ── The hints ───────────────────────────────────────────────────────────────────────────────────

/** Elementary operations of any search, and of each deal in it. */
const WORK_TO_BEGIN = 20_000;
const WORK_PER_DEAL = 300;
/** Elementary operations to check whether an addition can be ordered. */
const WORK_TO_CHECK = 10;

/** An upper bound of the setup of a search: every unit is matched against every pool entry. */
const workToBegin = ({ units, deals }: Component): number => {
  const named = deals.reduce((sum, { pool, rewardPool }) => sum + pool.length + rewardPool.length, 0);
  return WORK_TO_BEGIN + WORK_PER_DEAL * deals.length + units.length * named;
};

/**
 * At most three hints, ascending by change of the total. All searches share `workLimit` elementary operations, cheapest
 * additions first; a hint that is not proven optimal within it is left out.
 */
export function* hintSteps(
  input: QuoteInput,
  quoted: Quote,
  workLimit = WORK_LIMIT,
): Generator<void, readonly Hint[]> {
  const hints: Hint[] = [];
  if (!quoted.deals.optimal || input.book.menu.deals.length === 0) return hints;
  const { alike, dealsOf } = yield* additionsIn(input.book);
  const pace = new YieldBudget();
  const hasRoom = roomIn(input, quoted);
  const graph = new DealGraph(
    quoted.lines.flatMap(({ dealUnits }) => dealUnits ?? []),
    dealsOf,
  );
  let left = workLimit;
  let tried = 0;
  for (const { additions } of alike) {
    if (pace.isSpentAfter(WORK_TO_CHECK * additions.length)) yield;
    const addition = additions.find(hasRoom);
    if (addition === undefined) continue;
    const component = graph.componentOf({ ...addition.units, line: quoted.lines.length });
    const toBegin = workToBegin(component);
    if (tried === MAX_SEARCHED || left <= toBegin) break;
    tried += 1;
    const found = yield* searchBestDeals(component.units, component.deals, left - toBegin);
    left -= toBegin + found.work;
    const saving = found.saving - savingBy(quoted, component.deals);
    // The quote with the addition searches the whole cart: only hints that it confirms are returned.
    const isProven = found.optimal && quoted.deals.work + found.work <= workLimit;
    const hint = isProven ? hintOf(input, quoted, addition, saving) : null;
    if (hint !== null) hints.push(hint);
    if (pace.isSpentAfter(toBegin + found.work)) yield;
  }
  return hints.sort((a, b) => a.totalChange - b.totalChange).slice(0, MAX_HINTS);
}
