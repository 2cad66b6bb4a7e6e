import type { DiscountCut } from '../../menu/domain/menubook.ts';
import { parseRate, partOf, taxOn, type Millionths, type Piastres } from '../../kernel/money.ts';

/** Service charge, delivery fee and tax of a bill. */
export interface BillTerms {
  /** Applies to the items after deals and discount; 0 online (Decisions 7.6). */
  readonly serviceRate: Millionths;
  readonly serviceTaxable: boolean;
  /** The delivery fee; 0 without one, and while it is unknown. */
  readonly fee: Piastres;
  readonly feeTaxable: boolean;
  readonly taxRate: Millionths;
  readonly taxInclusive: boolean;
}

export interface Bill {
  readonly discount: Piastres;
  /** Items after deals and discount. */
  readonly base: Piastres;
  readonly service: Piastres;
  readonly fee: Piastres;
  readonly tax: Piastres;
  /** True: the total includes the tax; otherwise the tax is added to it. */
  readonly taxInclusive: boolean;
  readonly total: Piastres;
  /** Without the delivery fee and the tax on it. */
  readonly beforeFee: { readonly tax: Piastres; readonly total: Piastres };
}

/** A channel's discount on the items after deals, at most their price (Decisions 7.5). */
export const discountOn = (items: Piastres, cut: DiscountCut | null): Piastres => {
  if (cut === null) return 0;
  return Math.min(items, cut.dtype === 'percentage' ? partOf(items, parseRate(cut.rate)) : cut.amount);
};

/**
 * The bill of `items` piastres after deals, at least 0 (Decisions 7.5–7.7). Each rate rounds once, halves away from
 * zero.
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
