/** What units of a sale give back (Decisions 12, Sale; 11, Earning). */
import { splitMoney, type Piastres } from '../../kernel/money.ts';
import type { CodedFault, Words } from '../../kernel/refusal.ts';
import type { FrozenCart, FrozenLine } from '../../pricing/domain/frozen-cart.ts';

/** Units [from, from + units) of a line. */
export interface UnitSpan {
  readonly index: number;
  readonly from: number;
  readonly units: number;
}

/** Units of each line that were refunded before, by the place of the line. */
export type RefundedUnits = ReadonlyMap<number, number>;

/** Units that somebody paid for; they are refunded before those that a reward paid for. */
const paidUnitsOf = ({ quantity, reward_units: rewards = 0 }: FrozenLine): number => quantity - rewards;

/** Of an amount over equal units, the part of the first `count`. */
const partOfFirst = (amount: Piastres, count: number, all: number): Piastres =>
  all === 0 ? 0 : (splitMoney(amount, [Math.min(count, all), Math.max(0, all - count)])[0] ?? 0);

/**
 * The share of each span in an amount of the whole sale: split by the lines' totals, then evenly by the units of a line
 * that were paid for. The shares of all units add up to the amount.
 */
export const sharesOf = (
  amount: Piastres,
  lines: readonly FrozenLine[],
  spans: readonly UnitSpan[],
): readonly Piastres[] => {
  const ofLines = splitMoney(
    amount,
    lines.map(({ line_total: total }) => total),
  );
  return spans.map(({ index, from, units }) => {
    const [line, share] = [lines[index], ofLines[index] ?? 0];
    if (line === undefined) return 0;
    // Where everything is free, an amount such as a fee is split over all units.
    const all = paidUnitsOf(line) === 0 ? line.quantity : paidUnitsOf(line);
    return partOfFirst(share, from + units, all) - partOfFirst(share, from, all);
  });
};

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

// ── Which units ─────────────────────────────────────────────────────────────────────────────────

export interface WantedUnits {
  readonly index: number;
  readonly units: number;
}

const PROBLEMS = {
  NO_LINE: { en: 'is no line of this sale', ar: 'ليس سطراً من هذه العملية' },
  TWICE: { en: 'is named before in this list', ar: 'هذا السطر مذكور من قبل' },
  BEYOND: { en: 'is more than the line has', ar: 'أكثر من وحدات السطر' },
} as const satisfies Record<string, Words>;

const invalid = (path: string, problem: keyof typeof PROBLEMS): CodedFault => ({
  ...{ path, refusal: 'INVALID_INPUT', figures: {} },
  ...{ problem: PROBLEMS[problem].en, arabic: PROBLEMS[problem].ar },
});

const refundedOf = (refunded: RefundedUnits, index: number): number => refunded.get(index) ?? 0;

const faultsOf = (
  { index, units }: WantedUnits,
  place: number,
  { lines, refunded, wanted }: { readonly wanted: readonly WantedUnits[] } & Refundable,
): readonly CodedFault[] => {
  const [path, line] = [`lines[${place}]`, lines[index]];
  if (line === undefined) return [invalid(`${path}.index`, 'NO_LINE')];
  if (wanted.findIndex((one) => one.index === index) < place) return [invalid(`${path}.index`, 'TWICE')];
  if (units > line.quantity) return [invalid(`${path}.units`, 'BEYOND')];
  if (line.combo !== null && units < line.quantity)
    return [{ path: `${path}.units`, refusal: 'COMBO_WHOLE_ONLY', figures: {} }];
  const left = line.quantity - refundedOf(refunded, index);
  return units > left
    ? [{ path: `${path}.units`, refusal: 'ALREADY_REFUNDED', figures: { index, units, left } }]
    : [];
};

interface Refundable {
  readonly lines: readonly FrozenLine[];
  readonly refunded: RefundedUnits;
}

/** All units that are left. */
const allLeft = ({ lines, refunded }: Refundable): readonly UnitSpan[] =>
  lines.flatMap(({ quantity }, index) => {
    const from = refundedOf(refunded, index);
    return quantity === from ? [] : [{ index, from, units: quantity - from }];
  });

type Spans = { readonly spans: readonly UnitSpan[] } | { readonly faults: readonly CodedFault[] };

/**
 * The units of a refund, or all its faults; `wanted`: null for all that are left. A sale that a device recorded can have
 * money left without any unit.
 */
export const spansOf = (
  sale: Refundable,
  wanted: readonly WantedUnits[] | null,
  moneyLeft: Piastres,
): Spans => {
  if (wanted === null) {
    const spans = allLeft(sale);
    const figures = { index: 0, units: sale.lines[0]?.quantity ?? 0, left: 0 };
    return spans.length > 0 || moneyLeft > 0
      ? { spans }
      : { faults: [{ path: 'all', refusal: 'ALREADY_REFUNDED', figures }] };
  }
  const faults = wanted.flatMap((one, place) => faultsOf(one, place, { ...sale, wanted }));
  if (faults.length > 0) return { faults };
  return {
    spans: wanted.map(({ index, units }) => ({ index, units, from: refundedOf(sale.refunded, index) })),
  };
};

interface UnitsLeft {
  readonly spans: readonly UnitSpan[];
  /** Every unit that was wanted is among them. */
  readonly isAll: boolean;
}

/** Of what went back already, the units that the sale still has; a combo only whole. `wanted`: null for all that are left. */
export const spansLeft = (sale: Refundable, wanted: readonly WantedUnits[] | null): UnitsLeft => {
  const left = allLeft(sale);
  if (wanted === null) return { spans: left, isAll: true };
  const unitsOf = (index: number): number =>
    sum(wanted.filter((one) => one.index === index).map(({ units }) => units));
  const spans = left.flatMap((span) => {
    const units = Math.min(unitsOf(span.index), span.units);
    const isPart = sale.lines[span.index]?.combo != null && units < span.units;
    return units === 0 || isPart ? [] : [{ ...span, units }];
  });
  const isAll = sum(spans.map(({ units }) => units)) === sum(wanted.map(({ units }) => units));
  return { spans, isAll };
};

// ── Money ───────────────────────────────────────────────────────────────────────────────────────

export interface SaleMoney {
  readonly total: Piastres;
  readonly tax: Piastres;
  readonly deliveryFee: Piastres;
}

export interface RefundAmounts {
  /** Of each span, without the delivery fee. */
  readonly lines: readonly Piastres[];
  /** Goes back with the last units. */
  readonly deliveryFee: Piastres;
  readonly amount: Piastres;
  /** Of the amount. */
  readonly tax: Piastres;
  /** Nothing of the sale is left. */
  readonly isLast: boolean;
}

/** Are these units the last ones of the sale? */
const leavesNothing = ({ lines, refunded }: Refundable, spans: readonly UnitSpan[]): boolean =>
  spans.length > 0 &&
  lines.every(({ quantity }, index) => {
    const now = spans.find((span) => span.index === index)?.units ?? 0;
    return refundedOf(refunded, index) + now === quantity;
  });

export const refundAmounts = (
  sale: Refundable,
  { total, tax, deliveryFee }: SaleMoney,
  spans: readonly UnitSpan[],
): RefundAmounts => {
  const isLast = leavesNothing(sale, spans);
  const lines = sharesOf(total - deliveryFee, sale.lines, spans);
  const fee = isLast ? deliveryFee : 0;
  const ofTax = sum(sharesOf(tax, sale.lines, spans));
  return { lines, deliveryFee: fee, amount: sum(lines) + fee, tax: ofTax, isLast };
};

const shareOfTax = (
  { amount: all, tax }: Pick<RefundAmounts, 'amount' | 'tax'>,
  amount: Piastres,
): Piastres => (all === 0 ? 0 : Math.round((tax * amount) / all));

/** The same units for another amount: the tax changes with it, and a fee goes back before anything else. */
export const forAmount = (amounts: RefundAmounts, amount: Piastres): RefundAmounts => {
  if (amount === amounts.amount) return amounts;
  const deliveryFee = Math.min(amounts.deliveryFee, amount);
  return {
    ...{ isLast: amounts.isLast, amount, deliveryFee },
    lines: splitMoney(amount - deliveryFee, amounts.lines),
    tax: Math.min(amounts.tax, shareOfTax(amounts, amount)),
  };
};

/** What went back of a sale before. */
export interface RefundedMoney {
  readonly refunded: Piastres;
  readonly refundedTax: Piastres;
}

/** An amount of which units account for a part, at most for what they were sold for: the rest is in no line. */
export const beyondUnits = (
  sale: SaleMoney & RefundedMoney,
  ofUnits: RefundAmounts,
  amount: Piastres,
): RefundAmounts => {
  const own = forAmount(ofUnits, Math.min(amount, ofUnits.amount));
  const tax = shareOfTax({ amount: sale.total, tax: sale.tax }, sale.refunded + amount) - sale.refundedTax;
  return { ...own, amount, tax: Math.max(0, tax) };
};

/** No more tax goes back than is left of the sale, and all of it with the last piastre. */
export const withinTax = (
  { total, tax, refunded, refundedTax }: SaleMoney & RefundedMoney,
  amounts: RefundAmounts,
): RefundAmounts => {
  const left = tax - refundedTax;
  return { ...amounts, tax: refunded + amounts.amount === total ? left : Math.min(amounts.tax, left) };
};

// ── What is left ────────────────────────────────────────────────────────────────────────────────

const lineLeft = (line: FrozenLine, refunded: number): FrozenLine => {
  const rewards = Math.min(line.reward_units ?? 0, line.quantity - refunded);
  const quantity = line.quantity - refunded;
  const parts = quantity === 0 ? [] : (line.combo?.parts ?? []);
  return { ...line, quantity, reward_units: rewards, combo: line.combo && { ...line.combo, parts } };
};

/** The lines of the sale with the units that are not refunded, for what they would have earned. */
export const cartLeft = (cart: FrozenCart, refunded: RefundedUnits): FrozenCart => ({
  ...cart,
  lines: cart.lines.map((line, index) => lineLeft(line, refundedOf(refunded, index))),
});
