import type { DiscountCut } from '../../menu/domain/menubook.ts';
import { parseRate, partOf, taxOn, type Millionths, type Piastres } from '../../kernel/money.ts';

/** What is added to the items of a bill, and how it is taxed. */
export interface BillTerms {
  /** Of the items after deals and discount; 0 online (Decisions 7.6). */
  readonly serviceRate: Millionths;
  readonly serviceTaxable: boolean;
  /** The delivery fee; 0 where there is none, or none is known yet. */
  readonly fee: Piastres;
  readonly feeTaxable: boolean;
  readonly taxRate: Millionths;
  readonly taxInclusive: boolean;
}

export interface Bill {
  readonly discount: Piastres;
  /** The items after deals and discount. */
  readonly base: Piastres;
  readonly service: Piastres;
  readonly fee: Piastres;
  readonly tax: Piastres;
  /** True: the tax is inside the total; otherwise it is added to it. */
  readonly taxInclusive: boolean;
  readonly total: Piastres;
  /** The same without the delivery fee and the tax on it. */
  readonly beforeFee: { readonly tax: Piastres; readonly total: Piastres };
}

/** What a channel's discount takes off the items after deals: never more than they cost (Decisions 7.5). */
export const discountOn = (items: Piastres, cut: DiscountCut | null): Piastres => {
  if (cut === null) return 0;
  return Math.min(items, cut.dtype === 'percentage' ? partOf(items, parseRate(cut.rate)) : cut.amount);
};

/**
 * The bill of items that cost `items` after deals, a non-negative amount (Decisions 7.5–7.7). Each rate is applied
 * once, halves away from zero.
 */
export const billOf = (items: Piastres, cut: DiscountCut | null, terms: BillTerms): Bill => {
  const { fee, taxInclusive } = terms;
  const discount = discountOn(items, cut);
  const base = items - discount;
  const service = partOf(base, terms.serviceRate);
  const withFee = (charged: Piastres) => {
    const taxed = base + (terms.serviceTaxable ? service : 0) + (terms.feeTaxable ? charged : 0);
    const tax = taxOn(taxed, terms.taxRate, taxInclusive);
    return { tax, total: base + service + charged + (taxInclusive ? 0 : tax) };
  };
  return { discount, base, service, fee, taxInclusive, ...withFee(fee), beforeFee: withFee(0) };
};
