import { groupBy } from '../../../kernel/group-by.ts';
import { splitMoney, type Piastres } from '../../../kernel/money.ts';
import { discountOf, type Offer, type Problem, type UnitKind } from './problem.ts';
import type { AppliedDeal, DealShare } from './types.ts';

/** Units that a deal takes, by kind or by class. */
export interface TakenUnits {
  readonly paid: readonly number[];
  readonly rewarded: readonly number[];
}

interface LineUnits {
  readonly line: number;
  readonly price: number;
  readonly quantity: number;
}

/** Takes units of the kind, those of earlier lines first. */
const dispenserOf = (kind: UnitKind): ((amount: number) => readonly LineUnits[]) => {
  const left = kind.lines.map((entry) => ({ ...entry }));
  return (amount) => {
    const taken: LineUnits[] = [];
    let missing = amount;
    for (const entry of left) {
      const quantity = Math.min(missing, entry.quantity);
      if (quantity === 0) continue;
      entry.quantity -= quantity;
      missing -= quantity;
      taken.push({ line: entry.line, price: kind.price, quantity });
    }
    return taken;
  };
};

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

interface Bundle {
  readonly units: readonly LineUnits[];
  readonly times: number;
}

/** Full bundles of `qty` consecutive units. */
const bundlesOf = (units: readonly LineUnits[], qty: number): readonly Bundle[] => {
  const bundles: Bundle[] = [];
  let open: LineUnits[] = [];
  let missing = qty;
  for (const { quantity, ...unit } of units) {
    let left = quantity;
    while (left > 0) {
      if (missing === qty && left >= qty) {
        bundles.push({ units: [{ ...unit, quantity: qty }], times: Math.floor(left / qty) });
        left %= qty;
        continue;
      }
      const taken = Math.min(left, missing);
      open.push({ ...unit, quantity: taken });
      left -= taken;
      missing -= taken;
      if (missing > 0) continue;
      bundles.push({ units: open, times: 1 });
      [open, missing] = [[], qty];
    }
  }
  return bundles;
};

const savingOf = ({ price }: Offer, { units }: Bundle): number =>
  units.reduce((sum, unit) => sum + unit.price * unit.quantity, 0) - price;

/** By kind, the units of bundles that save something. Only a search that was cut short takes others. */
const savingUnits = (
  offer: Offer,
  taken: readonly number[],
  kinds: readonly UnitKind[],
): readonly number[] => {
  const byKind = kinds.flatMap(({ price }, kind) => {
    const quantity = taken[kind] ?? 0;
    return quantity === 0 ? [] : [{ line: kind, price, quantity }];
  });
  const bundles = bundlesOf(byKind, offer.qty);
  if (bundles.every((bundle) => savingOf(offer, bundle) > 0)) return taken;
  const saving = kinds.map(() => 0);
  for (const bundle of bundles)
    if (savingOf(offer, bundle) > 0)
      for (const { line: kind, quantity } of bundle.units)
        saving[kind] = (saving[kind] ?? 0) + quantity * bundle.times;
  return saving;
};

/** The discount of each unit of a bundle, in its order. */
const bundleDiscounts = (offer: Offer, bundle: Bundle): readonly Piastres[] =>
  splitMoney(
    savingOf(offer, bundle),
    bundle.units.flatMap((unit) => Array.from({ length: unit.quantity }, () => unit.price)),
  );

/** Splits the saving of each bundle over its units by price. Returns the number of applications. */
const allocateBundles = (offer: Offer, units: readonly LineUnits[], shares: Shares): number => {
  let times = 0;
  for (const bundle of bundlesOf(units, offer.qty)) {
    const discounts = bundleDiscounts(offer, bundle);
    let at = 0;
    for (const { line, quantity } of bundle.units) {
      let discount = 0;
      for (let unit = 0; unit < quantity; unit++) discount += discounts[at++] ?? 0;
      shares.add(line, bundle.times * quantity, discount * bundle.times);
    }
    times += bundle.times;
  }
  return times;
};

const firstUnits = (
  units: readonly number[],
  amount: number,
  order: readonly number[],
): readonly number[] => {
  const first = units.map(() => 0);
  let left = amount;
  for (const kind of order) {
    const taken = Math.min(left, units[kind] ?? 0);
    first[kind] = taken;
    left -= taken;
  }
  return first;
};

/** Of units of one price the first kinds are rewarded, so far as they can be. */
const withFirstRewarded = (
  { pool, rewardPool }: Offer,
  { paid, rewarded }: TakenUnits,
  kinds: readonly UnitKind[],
): TakenUnits => {
  const [canBePaid, canBeRewarded] = [new Set(pool), new Set(rewardPool)];
  const first = { paid: paid.slice(), rewarded: rewarded.slice() };
  const free = kinds.flatMap(({ price }, kind) =>
    canBePaid.has(kind) && canBeRewarded.has(kind) ? [{ kind, price }] : [],
  );
  for (const level of groupBy(free, ({ price }) => price).values()) {
    let left = level.reduce((sum, { kind }) => sum + (rewarded[kind] ?? 0), 0);
    for (const { kind } of level) {
      const units = (paid[kind] ?? 0) + (rewarded[kind] ?? 0);
      const own = Math.min(left, units);
      first.rewarded[kind] = own;
      first.paid[kind] = units - own;
      left -= own;
    }
  }
  return first;
};

/** Each rewarded unit carries its own discount. Returns the number of applications that save something. */
const allocateRewards = (
  offer: Offer,
  taken: TakenUnits,
  kinds: readonly UnitKind[],
  unitsFrom: (amounts: readonly number[]) => readonly LineUnits[],
  shares: Shares,
): number => {
  const { getQty, qty, percent } = offer;
  const { paid, rewarded } = withFirstRewarded(offer, taken, kinds);
  // Pairing dearest with dearest keeps the price order whenever some pairing does.
  const dearestFirst = kinds
    .map((_, kind) => kind)
    .sort((a, b) => (kinds[b]?.price ?? 0) - (kinds[a]?.price ?? 0));
  const discounted = rewarded.reduce(
    (sum, amount, kind) => (discountOf(kinds[kind]?.price ?? 0, percent) > 0 ? sum + amount : sum),
    0,
  );
  const times = Math.ceil(discounted / getQty);
  // Rewarded units are taken first, so that the earlier lines carry the discount.
  for (const unit of unitsFrom(firstUnits(rewarded, times * getQty, dearestFirst)))
    shares.add(unit.line, unit.quantity, unit.quantity * discountOf(unit.price, percent));
  for (const unit of unitsFrom(firstUnits(paid, times * qty, dearestFirst)))
    shares.add(unit.line, unit.quantity, 0);
  return times;
};

/** The discounts of an offer that applies. */
export interface OfferDiscounts extends Omit<AppliedDeal, 'deal'> {
  /** Its index. */
  readonly offer: number;
}

const takesUnits = ({ paid, rewarded }: TakenUnits): boolean =>
  paid.some((amount) => amount > 0) || rewarded.some((amount) => amount > 0);

/** The discounts of deals by line (Decisions 7.4). `taken`: by offer, of each kind. */
export const allocateDiscounts = (
  { kinds, offers }: Problem,
  taken: readonly TakenUnits[],
): readonly OfferDiscounts[] => {
  const dispensers = kinds.map(dispenserOf);
  const unitsFrom = (amounts: readonly number[]): LineUnits[] =>
    amounts.flatMap((amount, kind) => (amount === 0 ? [] : (dispensers[kind]?.(amount) ?? [])));
  return offers.flatMap((offer, index): OfferDiscounts[] => {
    const own = taken[index];
    if (own === undefined || !takesUnits(own)) return [];
    const shares = new Shares();
    const times =
      offer.form === 'bundle'
        ? allocateBundles(offer, unitsFrom(savingUnits(offer, own.paid, kinds)), shares)
        : allocateRewards(offer, own, kinds, unitsFrom, shares);
    const lines = shares.inOrder();
    const discount = lines.reduce((sum, share) => sum + share.discount, 0);
    return times === 0 ? [] : [{ offer: index, times, discount, lines }];
  });
};
