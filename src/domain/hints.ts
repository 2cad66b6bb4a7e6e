/**
 * What one unit more would do: the cheapest single additions that unlock a deal or lower the total, each exactly as the
 * quote with it would say (Decisions 7.8).
 */
import { billOf } from './bill.ts';
import { priceCart, type CartLine, type PricedLine } from './cart.ts';
import { searchBestDeals } from './deals/best.ts';
import { countsTowards } from './deals/problem.ts';
import type { DealUnits } from './deals/types.ts';
import type { Deal } from './menubook.ts';
import type { Piastres } from './money.ts';
import type { Quote, QuoteInput } from './quote.ts';

/** One unit of an item that is not in the cart yet, or once more. */
export interface Hint {
  readonly line: PricedLine;
  /** How much more the deals take off with it. */
  readonly saving: Piastres;
  /** The total with it, less the total without; negative when the cart gets cheaper. */
  readonly totalChange: Piastres;
}

const MOST_HINTS = 3;
/** Additions that are looked at, the cheapest first. */
const MOST_TRIED = 40;
/** Work that one of them may cost; what takes more is not told. */
const WORK_EACH = 300_000;

const oneOf = (menuItemId: string, sizeLabel: string | null): CartLine => ({
  menuItemId,
  quantity: 1,
  sizeLabel,
  notes: null,
  optionalFieldIds: [],
  addons: [],
  combo: null,
});

/** Which deals a unit counts in, and how: units alike in this and in price do the same. */
const roleOf = (units: DealUnits, deals: readonly Deal[]): string =>
  deals
    .map(
      ({ pool, rewardPool }) =>
        (countsTowards(units, pool) ? 1 : 0) + (countsTowards(units, rewardPool) ? 2 : 0),
    )
    .join('');

/** What can be added as it stands on the menu and counts in some deal; of those that do the same, the first. */
const candidates = ({ book, lines, stock }: QuoteInput): readonly PricedLine[] => {
  const { deals } = book.menu;
  const tried = new Map<string, PricedLine>();
  for (const entry of book.menu.entries) {
    if (entry.kind !== 'item') continue;
    const labels = entry.sizes.length === 0 ? [null] : entry.sizes.map(({ label }) => label);
    for (const label of labels) {
      const alone = priceCart(book, [oneOf(entry.item.id, label)], stock);
      const [line] = 'lines' in alone ? alone.lines : [];
      const units = line?.dealUnits;
      if (line === undefined || units === null || units === undefined) continue;
      const role = roleOf(units, deals);
      const name = `${line.lineTotal} ${role}`;
      if (/[1-9]/.test(role) && !tried.has(name)) tried.set(name, line);
    }
  }
  return [...tried.values()]
    .sort((a, b) => a.lineTotal - b.lineTotal)
    .slice(0, MOST_TRIED)
    .filter((line) => 'lines' in priceCart(book, [...lines, oneOf(line.item.id, line.sizeLabel)], stock));
};

/** At most three, those first that change the total for the better or least for the worse. */
export function* hinting(input: QuoteInput, quoted: Quote): Generator<void, readonly Hint[]> {
  const { book, terms } = input;
  const hints: Hint[] = [];
  if (!quoted.deals.optimal) return hints;
  const units = quoted.lines.flatMap(({ dealUnits }) => dealUnits ?? []);
  for (const line of candidates(input)) {
    if (line.dealUnits === null) continue;
    const added = { ...line.dealUnits, line: quoted.lines.length };
    const best = yield* searchBestDeals([...units, added], book.menu.deals, WORK_EACH);
    const saving = best.saving - quoted.deals.saving;
    if (!best.optimal || saving <= 0) continue;
    const afterDeals = quoted.itemsTotal + line.lineTotal - best.saving;
    const { total } = billOf(afterDeals, book.menu.discount?.cut ?? null, terms);
    hints.push({ line, saving, totalChange: total - quoted.bill.total });
    yield;
  }
  return hints.sort((a, b) => a.totalChange - b.totalChange).slice(0, MOST_HINTS);
}
