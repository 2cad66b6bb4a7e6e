/**
 * What one unit more would do: the cheapest single additions that unlock a deal or lower the total, each exactly as the
 * quote with it would say (Decisions 7.8).
 */
import { additionsIn, type Addition, type Additions } from './additions.ts';
import { billOf } from './bill.ts';
import type { PricedLine } from './cart.ts';
import { MOST_LINES, MOST_OF_A_LINE } from './cart/limits.ts';
import { unitsTaken } from './cart/stock.ts';
import { searchBestDeals, WORK_LIMIT } from './deals/best.ts';
import type { DealUnits } from './deals/types.ts';
import { grouped } from '../../kernel/grouped.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Deal } from '../../menu/domain/menubook.ts';
import { HIGHEST_TOTAL, type Piastres } from '../../kernel/money.ts';
import { Pace } from '../../kernel/pace.ts';
import type { Quote, QuotedLine, QuoteInput } from './quote.ts';

/** One unit of an item that is not in the cart yet, or once more. */
export interface Hint {
  readonly line: PricedLine;
  /** How much more the deals take off with it. */
  readonly saving: Piastres;
  /** The total before the delivery fee with it, less that without; negative when the cart gets cheaper. */
  readonly totalChange: Piastres;
}

const MOST_HINTS = 3;
/** Additions that are looked at, the cheapest first. */
const MOST_TRIED = 40;
// ── Whether it can be ordered ───────────────────────────────────────────────────────────────────

const nameOf = (itemId: Uuid, sizeLabel: string | null): string => JSON.stringify([itemId, sizeLabel]);

/** Lines of which one unit more is the item as it comes, and that can have one. */
const canBeRaised = ({ quantity, addons, optionals, combo }: QuotedLine): boolean =>
  quantity < MOST_OF_A_LINE && addons.length === 0 && optionals.length === 0 && combo === null;

/** Whether the cart with one unit more is within what an order may be, but for service and tax. */
const roomIn = ({ lines, stock }: QuoteInput, quoted: Quote): ((addition: Addition) => boolean) => {
  const raised = new Set(
    quoted.lines.filter(canBeRaised).map(({ item, sizeLabel }) => nameOf(item.id, sizeLabel)),
  );
  const taken = stock.size === 0 ? new Map<Uuid, number>() : unitsTaken(lines);
  const isFull = lines.length >= MOST_LINES;
  return ({ line: { item, sizeLabel, lineTotal } }) => {
    if (isFull && !raised.has(nameOf(item.id, sizeLabel))) return false;
    if (quoted.itemsTotal + lineTotal > HIGHEST_TOTAL) return false;
    return (taken.get(item.id) ?? 0) < (stock.get(item.id) ?? Infinity);
  };
};

// ── What it changes ─────────────────────────────────────────────────────────────────────────────

interface Tied {
  readonly units: readonly DealUnits[];
  readonly deals: readonly Deal[];
}

/** The units of a cart, and the deals that tie them to each other. */
class Ties {
  readonly #dealsOf: Additions['dealsOf'];
  readonly #deals: ReadonlyMap<DealUnits, readonly Deal[]>;
  readonly #units: ReadonlyMap<Deal, readonly { readonly units: DealUnits }[]>;

  constructor(all: readonly DealUnits[], dealsOf: Additions['dealsOf']) {
    this.#dealsOf = dealsOf;
    this.#deals = new Map(all.map((units) => [units, dealsOf(units)]));
    const pairs = all.flatMap((units) => this.#dealsIn(units).map((deal) => ({ deal, units })));
    this.#units = grouped(pairs, ({ deal }) => deal);
  }

  /** What has to do with the unit, directly or by way of others. Whatever else is in the cart stays as it is. */
  to(added: DealUnits): Tied {
    const deals = new Set(this.#dealsOf(added));
    const tied = new Set<DealUnits>();
    // Deals are found on the way, and gone through as well.
    for (const deal of deals)
      for (const { units } of this.#units.get(deal) ?? []) {
        if (tied.has(units)) continue;
        tied.add(units);
        for (const further of this.#dealsIn(units)) deals.add(further);
      }
    return { units: [...tied, added], deals: [...deals] };
  }

  #dealsIn(units: DealUnits): readonly Deal[] {
    return this.#deals.get(units) ?? [];
  }
}

/** What these deals take off a cart. */
const savingBy = ({ deals: { applied } }: Quote, deals: readonly Deal[]): Piastres => {
  const ids = new Set(deals.map(({ id }) => id));
  return applied.reduce((sum, { deal, discount }) => sum + (ids.has(deal.id) ? discount : 0), 0);
};

/** What the addition does when the deals save so much more with it; null if nothing, or it is too dear. */
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

/** Elementary operations that a search takes, however little there is to search for; those of each deal with them. */
const WORK_TO_BEGIN = 20_000;
const WORK_PER_DEAL = 300;
/** Those to look whether an addition can be ordered. */
const WORK_TO_LOOK = 10;

/** Those before a search begins, at most: every unit is held against every pool. */
const workToBegin = ({ units, deals }: Tied): number => {
  const named = deals.reduce((sum, { pool, rewardPool }) => sum + pool.length + rewardPool.length, 0);
  return WORK_TO_BEGIN + WORK_PER_DEAL * deals.length + units.length * named;
};

/**
 * At most three, those first that change the total for the better or least for the worse. All searches together have
 * `workLimit`, the cheapest additions first: what is not proven within it is not told.
 */
export function* hinting(
  input: QuoteInput,
  quoted: Quote,
  workLimit = WORK_LIMIT,
): Generator<void, readonly Hint[]> {
  const hints: Hint[] = [];
  if (!quoted.deals.optimal || input.book.menu.deals.length === 0) return hints;
  const { alike, dealsOf } = yield* additionsIn(input.book);
  const pace = new Pace();
  const hasRoom = roomIn(input, quoted);
  const ties = new Ties(
    quoted.lines.flatMap(({ dealUnits }) => dealUnits ?? []),
    dealsOf,
  );
  let left = workLimit;
  let tried = 0;
  for (const { additions } of alike) {
    if (pace.isDueAfter(WORK_TO_LOOK * additions.length)) yield;
    const addition = additions.find(hasRoom);
    if (addition === undefined) continue;
    const tied = ties.to({ ...addition.units, line: quoted.lines.length });
    const toBegin = workToBegin(tied);
    if (tried === MOST_TRIED || left <= toBegin) break;
    tried += 1;
    const found = yield* searchBestDeals(tied.units, tied.deals, left - toBegin);
    left -= toBegin + found.work;
    const saving = found.saving - savingBy(quoted, tied.deals);
    // The cart with it is searched as a whole: told is only what that has work enough to prove again.
    const isProven = found.optimal && quoted.deals.work + found.work <= workLimit;
    const hint = isProven ? hintOf(input, quoted, addition, saving) : null;
    if (hint !== null) hints.push(hint);
    if (pace.isDueAfter(toBegin + found.work)) yield;
  }
  return hints.sort((a, b) => a.totalChange - b.totalChange).slice(0, MOST_HINTS);
}
