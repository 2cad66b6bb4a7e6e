/** How the savings of deals fall on lines (Decisions 7.4). */
import { splitMoney } from '../../../kernel/money.ts';
import type { Offer, Problem, UnitKind } from './problem.ts';
import type { AppliedDeal, DealShare } from './types.ts';

/** Units that a deal takes, by kind. */
export interface TakenUnits {
  readonly paid: readonly number[];
  readonly rewarded: readonly number[];
}

interface LineUnits {
  readonly line: number;
  readonly price: number;
  readonly quantity: number;
}

/** Hands out the units of a kind, those of earlier lines first. */
const dispenserOf = (kind: UnitKind): ((amount: number) => readonly LineUnits[]) => {
  const left = kind.lines.map((entry) => ({ ...entry }));
  return (amount) => {
    const given: LineUnits[] = [];
    let wanted = amount;
    for (const entry of left) {
      const quantity = Math.min(wanted, entry.quantity);
      if (quantity === 0) continue;
      entry.quantity -= quantity;
      wanted -= quantity;
      given.push({ line: entry.line, price: kind.price, quantity });
    }
    return given;
  };
};

/** Adds up by line. */
class Shares {
  private readonly byLine = new Map<number, { units: number; discount: number }>();

  add(line: number, units: number, discount: number): void {
    const share = this.byLine.get(line) ?? { units: 0, discount: 0 };
    share.units += units;
    share.discount += discount;
    this.byLine.set(line, share);
  }

  inOrder(): readonly DealShare[] {
    return [...this.byLine].map(([line, share]) => ({ line, ...share })).sort((a, b) => a.line - b.line);
  }
}

/** The next application's units, and how often the very same come again. */
interface Group {
  readonly units: readonly LineUnits[];
  readonly often: number;
}

/** Full groups of `qty` units in their order; runs of units of one line are one group many times. */
const groupsOf = (units: readonly LineUnits[], qty: number): readonly Group[] => {
  const groups: Group[] = [];
  let open: LineUnits[] = [];
  let missing = qty;
  for (const { quantity, ...unit } of units) {
    let left = quantity;
    while (left > 0) {
      if (missing === qty && left >= qty) {
        groups.push({ units: [{ ...unit, quantity: qty }], often: Math.floor(left / qty) });
        left %= qty;
        continue;
      }
      const some = Math.min(left, missing);
      open.push({ ...unit, quantity: some });
      left -= some;
      missing -= some;
      if (missing > 0) continue;
      groups.push({ units: open, often: 1 });
      [open, missing] = [[], qty];
    }
  }
  return groups;
};

const savingOf = ({ price }: Offer, { units }: Group): number =>
  units.reduce((sum, unit) => sum + unit.price * unit.quantity, 0) - price;

/**
 * The units of each kind in applications that save something: one that would not is none. (The best of all has none
 * such; a search cut short may.)
 */
const savingUnits = (
  offer: Offer,
  taken: readonly number[],
  kinds: readonly UnitKind[],
): readonly number[] => {
  const runs = kinds.map(({ price }, line) => ({ line, price, quantity: taken[line] ?? 0 }));
  const kept = kinds.map(() => 0);
  for (const group of groupsOf(runs, offer.qty))
    if (savingOf(offer, group) > 0)
      for (const { line, quantity } of group.units) kept[line] = (kept[line] ?? 0) + quantity * group.often;
  return kept;
};

/** The saving of each application falls on its units by their prices. Gives how many there are. */
const spreadTogether = (offer: Offer, units: readonly LineUnits[], shares: Shares): number => {
  let times = 0;
  for (const group of groupsOf(units, offer.qty)) {
    const each = group.units.flatMap((run) => Array.from({ length: run.quantity }, () => run));
    times += group.often;
    splitMoney(
      savingOf(offer, group),
      each.map((unit) => unit.price),
    ).forEach((share, place) => {
      const unit = each[place];
      if (unit !== undefined) shares.add(unit.line, group.often, share * group.often);
    });
  }
  return times;
};

/** The first `amount` units, of kinds in this order. */
const keepFirst = (units: readonly number[], amount: number, order: readonly number[]): readonly number[] => {
  const kept = units.map(() => 0);
  let left = amount;
  for (const kind of order) {
    const some = Math.min(left, units[kind] ?? 0);
    kept[kind] = some;
    left -= some;
  }
  return kept;
};

/** Each rewarded unit carries its own discount. Here, too, what saves nothing is no application. */
const spreadRewards = (
  { get, qty, discountOn }: Offer,
  { paid, rewarded }: TakenUnits,
  kinds: readonly UnitKind[],
  unitsFrom: (amounts: readonly number[]) => readonly LineUnits[],
  shares: Shares,
): number => {
  // Dearest with dearest: if any way to put them together is right, this one is.
  const dearestFirst = kinds
    .map((_, kind) => kind)
    .sort((a, b) => (kinds[b]?.price ?? 0) - (kinds[a]?.price ?? 0));
  const worth = rewarded.reduce(
    (sum, amount, kind) => (discountOn(kinds[kind]?.price ?? 0) > 0 ? sum + amount : sum),
    0,
  );
  const times = Math.ceil(worth / get);
  // Rewarded units come before paid ones, so that the lines that come first carry what is taken off.
  for (const unit of unitsFrom(keepFirst(rewarded, times * get, dearestFirst)))
    shares.add(unit.line, unit.quantity, unit.quantity * discountOn(unit.price));
  for (const unit of unitsFrom(keepFirst(paid, times * qty, dearestFirst)))
    shares.add(unit.line, unit.quantity, 0);
  return times;
};

/** The deals that apply to a problem's units, each with what it takes of every line. */
export const spread = ({ kinds, offers }: Problem, taken: readonly TakenUnits[]): AppliedDeal[] => {
  const dispensers = kinds.map(dispenserOf);
  const unitsFrom = (amounts: readonly number[]): LineUnits[] =>
    amounts.flatMap((amount, place) => dispensers[place]?.(amount) ?? []);
  return offers.flatMap((offer, o): AppliedDeal[] => {
    const own = taken[o] ?? { paid: [], rewarded: [] };
    const shares = new Shares();
    const times =
      offer.form === 'together'
        ? spreadTogether(offer, unitsFrom(savingUnits(offer, own.paid, kinds)), shares)
        : spreadRewards(offer, own, kinds, unitsFrom, shares);
    const lines = shares.inOrder();
    const discount = lines.reduce((sum, share) => sum + share.discount, 0);
    return times === 0 ? [] : [{ deal: offer.deal, times, discount, lines }];
  });
};
