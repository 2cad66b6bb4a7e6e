/**
 * The bill of a check: of a ticket, or of all tickets into which one was split. The parts add up to the bill of the
 * undivided check, to the piastre (Decisions 7, 12).
 */
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { partOf, splitMoney, taxOn, type Piastres } from '../../kernel/money.ts';
import type { Deal } from '../../menu/domain/menubook.ts';
import { discountOn } from '../../pricing/domain/bill.ts';
import type { BestDeals } from '../../pricing/domain/deals/types.ts';
import type { CheckLine, CheckPart, CheckTerms, LineDeal, PartAmounts, PartBill } from './check-part.ts';
import { keepPayments } from './kept-payments.ts';
import { dealProblem, type DealProblem } from './offers.ts';

export interface CheckBill {
  /** The open parts. */
  readonly parts: readonly PartBill[];
  /** Whether no combination of deals saves more. */
  readonly optimal: boolean;
}

const sumOf = <T>(all: readonly T[], amountOf: (one: T) => Piastres): Piastres =>
  all.reduce((sum, one) => sum + amountOf(one), 0);
const between = (least: Piastres, amount: Piastres, most: Piastres): Piastres =>
  Math.min(Math.max(least, amount), most);

const subtotalOf = ({ lines }: CheckPart): Piastres => sumOf(lines, ({ total }) => total);

/** What settled parts have left of an amount, shared by weight; at most `most` together. */
const shares = (
  whole: Piastres,
  paid: Piastres,
  weights: readonly number[],
  most = Infinity,
): readonly Piastres[] =>
  weights.every((weight) => weight === 0)
    ? weights.map(() => 0)
    : splitMoney(between(0, whole - paid, most), weights);

// ── Deals ───────────────────────────────────────────────────────────────────────────────────────

interface FoundDeals {
  readonly shares: readonly LineDeal[];
  readonly times: ReadonlyMap<Deal, number>;
  readonly saving: Piastres;
  readonly optimal: boolean;
}

/** The best deals of all lines together, as they were on offer. */
const foundIn = (lines: readonly CheckLine[], { applied, saving, optimal }: BestDeals): FoundDeals => {
  const found = applied.flatMap((one) =>
    one.lines.flatMap(({ line, units: count, discount }): LineDeal[] => {
      const lineId = lines[line]?.id;
      return lineId === undefined ? [] : [{ deal: one.deal, lineId, units: count, discount }];
    }),
  );
  const times = new Map(applied.map((one) => [one.deal, one.times]));
  return { shares: found, times, saving, optimal };
};

/** Lines can still have off what settled ones have not taken, each up to its total. */
const withExcess = (
  own: readonly LineDeal[],
  lines: readonly CheckLine[],
  { deal, excess }: { readonly deal: Deal | undefined; readonly excess: Piastres },
): readonly LineDeal[] => {
  if (excess === 0 || deal === undefined) return own;
  const takenOn = (id: Uuid): Piastres => sumOf(own, (one) => (one.lineId === id ? one.discount : 0));
  const more = shares(
    excess,
    0,
    lines.map(({ id, total }) => total - takenOn(id)),
  );
  return [
    ...own,
    ...lines.flatMap(({ id }, place): LineDeal[] => {
      const discount = more[place] ?? 0;
      return discount === 0 ? [] : [{ deal, lineId: id, units: 0, discount }];
    }),
  ];
};

/** The deals of the open parts: what the settled ones took of them is gone. */
const remainingDeals = (found: FoundDeals, parts: readonly CheckPart[]): readonly LineDeal[] => {
  const paid = parts.filter(({ settled }) => settled !== null);
  const lines = parts.filter(({ settled }) => settled === null).flatMap((part) => part.lines);
  const ids = new Set(lines.map(({ id }) => id));
  const own = found.shares.filter(({ lineId }) => ids.has(lineId));
  if (paid.length === 0) return own;
  const most = sumOf(lines, ({ total }) => total);
  const left = between(0, found.saving - sumOf(paid, ({ settled }) => settled?.dealDiscount ?? 0), most);
  const granted = sumOf(own, ({ discount }) => discount);
  const fair = shares(
    Math.min(left, granted),
    0,
    own.map(({ discount }) => discount),
  );
  const shared = own.map((one, place) => ({ ...one, discount: fair[place] ?? 0 }));
  const excess = left - sumOf(shared, ({ discount }) => discount);
  const deal = (own[0] ?? found.shares[0])?.deal;
  return withExcess(shared, lines, { deal, excess });
};

interface Weighed {
  readonly weight: number;
  /** Null: the part is open. */
  readonly paid: Piastres | null;
}

/**
 * The open parts' shares of an amount on all parts, together at most `most`. Who paid their share changes no other; where
 * they paid more or less, the open ones share what is left.
 */
const openShares = (whole: Piastres, all: readonly Weighed[], most = Infinity): readonly Piastres[] => {
  const paid = sumOf(all, (one) => one.paid ?? 0);
  const open = all.filter((one) => one.paid === null);
  const left = shares(
    whole,
    paid,
    open.map(({ weight }) => weight),
    most,
  );
  const fair = splitMoney(
    whole,
    all.map(({ weight }) => weight),
  ).filter((_, place) => all[place]?.paid === null);
  const total = (each: readonly Piastres[]): Piastres => sumOf(each, (share) => share);
  return total(fair) === total(left) ? fair : left;
};

// ── Discount, service, tax ──────────────────────────────────────────────────────────────────────

/** An open part on the way to its bill; the amounts of a settled one are fixed. */
interface Reckoned {
  readonly part: CheckPart;
  readonly subtotal: Piastres;
  readonly dealDiscount: Piastres;
}

const isOpen = ({ part }: Reckoned): boolean => part.settled === null;

/** By part: of each shared discount, what its settled parts have not taken. */
const discountsOf = (all: readonly Reckoned[]): ReadonlyMap<Uuid, Piastres> => {
  const taken = new Map<Uuid, Piastres>();
  const sharing = groupBy(all, ({ part }) => part.discount?.id ?? '');
  const afterDeals = ({ subtotal, dealDiscount }: Reckoned): Piastres => subtotal - dealDiscount;
  for (const group of sharing.values()) {
    const cut = group[0]?.part.discount?.cut ?? null;
    const whole = discountOn(sumOf(group, afterDeals), cut);
    const open = group.filter(isOpen);
    const weighed = group.map((one) => ({
      weight: afterDeals(one),
      paid: one.part.settled?.discount ?? null,
    }));
    const each = openShares(whole, weighed, sumOf(open, afterDeals));
    open.forEach(({ part }, place) => taken.set(part.id, each[place] ?? 0));
  }
  return taken;
};

type Amount = (one: Reckoned) => Piastres;

/** By part: of an amount on all parts together, what the settled ones have not paid. */
const sharedAmount = (
  all: readonly Reckoned[],
  baseOf: Amount,
  amountOn: (base: Piastres) => Piastres,
  paidBy: (settled: PartAmounts) => Piastres,
): ReadonlyMap<Uuid, Piastres> => {
  const open = all.filter(isOpen);
  const weighed = all.map((one) => ({
    weight: baseOf(one),
    paid: one.part.settled === null ? null : paidBy(one.part.settled),
  }));
  const each = openShares(amountOn(sumOf(all, baseOf)), weighed);
  return new Map(open.map(({ part }, place) => [part.id, each[place] ?? 0]));
};

const firstPartOf = (found: FoundDeals, parts: readonly CheckPart[]): ReadonlyMap<Deal, Uuid> => {
  const first = new Map<Deal, Uuid>();
  for (const { id, lines } of parts) {
    const own = new Set(lines.map((line) => line.id));
    for (const { deal, lineId } of found.shares) if (own.has(lineId) && !first.has(deal)) first.set(deal, id);
  }
  return first;
};

/** The bills of the open parts; what settled ones paid is fixed. */
const openBills = (
  parts: readonly CheckPart[],
  terms: CheckTerms,
  found: FoundDeals,
): readonly PartBill[] => {
  const deals = remainingDeals(found, parts);
  const firstOf = firstPartOf(found, parts);
  const dealsOf = ({ lines }: CheckPart): readonly LineDeal[] =>
    deals.filter(({ lineId }) => lines.some(({ id }) => id === lineId));
  const all = parts.map((part): Reckoned => ({
    part,
    subtotal: subtotalOf(part),
    dealDiscount: part.settled?.dealDiscount ?? sumOf(dealsOf(part), ({ discount }) => discount),
  }));
  const discounts = discountsOf(all);
  const discountIn = ({ part }: Reckoned): Piastres => part.settled?.discount ?? discounts.get(part.id) ?? 0;
  const baseOf: Amount = (one) => one.subtotal - one.dealDiscount - discountIn(one);
  const servedBase: Amount = (one) => (one.part.isAtTable ? baseOf(one) : 0);
  const { serviceRate, taxRate, taxInclusive } = terms;
  const services = sharedAmount(
    all,
    servedBase,
    (base) => partOf(base, serviceRate),
    (paid) => paid.service,
  );
  const serviceOf: Amount = ({ part }) => part.settled?.service ?? services.get(part.id) ?? 0;
  const taxedOf: Amount = (one) => baseOf(one) + (terms.serviceTaxable ? serviceOf(one) : 0);
  const taxes = sharedAmount(
    all,
    taxedOf,
    (base) => taxOn(base, taxRate, taxInclusive),
    (paid) => paid.tax,
  );
  return all.filter(isOpen).map((one): PartBill => {
    const { part, subtotal, dealDiscount } = one;
    const [discount, service, tax] = [discountIn(one), serviceOf(one), taxes.get(part.id) ?? 0];
    const total = baseOf(one) + service + (taxInclusive ? 0 : tax);
    const timesOf = new Map([...found.times].filter(([deal]) => firstOf.get(deal) === part.id));
    return {
      id: part.id,
      subtotal,
      dealDiscount,
      discount,
      service,
      tax,
      total,
      deals: dealsOf(part),
      timesOf,
    };
  });
};

const settledTotal = (part: CheckPart, settled: PartAmounts, { taxInclusive }: CheckTerms): Piastres =>
  subtotalOf(part) -
  settled.dealDiscount -
  settled.discount +
  settled.service +
  (taxInclusive ? 0 : settled.tax);

const isAsPaid = (bill: PartBill | undefined, paid: PartAmounts): boolean =>
  bill?.dealDiscount === paid.dealDiscount &&
  bill.discount === paid.discount &&
  bill.service === paid.service &&
  bill.tax === paid.tax;

/** A check whose deals are still to be found. */
export interface UnfinishedCheck extends DealProblem {
  readonly finish: (deals: BestDeals) => CheckBill;
}

const billWith = (parts: readonly CheckPart[], terms: CheckTerms, found: FoundDeals): CheckBill => {
  const asOpen = parts.map((part) =>
    part.settled === null
      ? part
      : { ...part, settled: null, prepaid: settledTotal(part, part.settled, terms), isPaidUp: true },
  );
  const undivided = new Map(
    keepPayments(openBills(asOpen, terms, found), asOpen, terms).map((bill) => [bill.id, bill]),
  );
  const isAsBefore = parts.every(
    ({ id, settled }) => settled === null || isAsPaid(undivided.get(id), settled),
  );
  const bills = isAsBefore
    ? parts.flatMap(({ id, settled }) => (settled === null ? (undivided.get(id) ?? []) : []))
    : keepPayments(openBills(parts, terms, found), parts, terms);
  return { parts: bills, optimal: found.optimal };
};

/**
 * The open parts of a check. Parts in one order, always. Where the settled ones paid what they would come to now, the
 * others come to what they came to before.
 */
export const beginCheck = (parts: readonly CheckPart[], terms: CheckTerms): UnfinishedCheck => {
  const lines = parts.flatMap((part) => part.lines);
  const problem = dealProblem(
    lines.flatMap(({ units, offers }, line) =>
      units === null ? [] : [{ units: { ...units, line }, offers }],
    ),
  );
  return { ...problem, finish: (best) => billWith(parts, terms, foundIn(lines, best)) };
};
