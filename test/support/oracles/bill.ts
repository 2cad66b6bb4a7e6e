/** Bill and delivery fee of an order, computed in fractions from the text of the rules, without the engines. */
import { metersBetween, type GeoPoint } from '../../../src/kernel/geo.ts';
import { piastresOfSum } from './sums.ts';

/** `items`: the total after deals. Amounts are piastres, rates decimal text. */
export interface BillFacts {
  readonly items: number;
  readonly discount: { readonly rate: string } | { readonly amount: number } | null;
  readonly fee: number;
  readonly isFeeTaxed: boolean;
  readonly taxRate: string;
  readonly isTaxInside: boolean;
}

export interface ExpectedBill {
  readonly discount: number;
  readonly tax: number;
  readonly total: number;
}

const pounds = (piastres: number): string =>
  `${Math.floor(piastres / 100)}.${String(piastres % 100).padStart(2, '0')}`;

const discountOf = ({ items, discount }: BillFacts): number => {
  if (discount === null) return 0;
  return 'rate' in discount
    ? piastresOfSum(`${discount.rate} × ${pounds(items)}`)
    : Math.min(discount.amount, items);
};

/** Decisions 7.5–7.7, without a service charge. */
export const expectedBill = (facts: BillFacts): ExpectedBill => {
  const { items, fee, isFeeTaxed, taxRate, isTaxInside } = facts;
  const discount = discountOf(facts);
  const taxed = pounds(items - discount + (isFeeTaxed ? fee : 0));
  const net = piastresOfSum(`${taxed} ÷ (1 + ${taxRate})`);
  const tax = isTaxInside ? piastresOfSum(taxed) - net : piastresOfSum(`${taxed} × ${taxRate}`);
  return { discount, tax, total: items - discount + fee + (isTaxInside ? 0 : tax) };
};

/** The zones of a branch: rings, at most one square, or a flat fee. */
export interface DeliveryFacts {
  readonly from: GeoPoint | null;
  readonly flatFee: number;
  readonly maxMeters: number | null;
  /** Road distance over great-circle distance, in tenths. */
  readonly roadTenths: number;
  readonly rings: readonly { readonly key: string; readonly fee: number; readonly radius: number }[];
  readonly square: {
    readonly key: string;
    readonly fee: number;
    readonly middle: GeoPoint;
    readonly half: number;
  } | null;
}

export type ExpectedDelivery =
  | { readonly status: 'ok'; readonly fee: number; readonly zone: string | null }
  | { readonly status: 'out_of_range' | 'unavailable'; readonly fee: null; readonly zone: null };

const NOWHERE = { status: 'out_of_range', fee: null, zone: null } as const;
const UNKNOWN = { status: 'unavailable', fee: null, zone: null } as const;

/** Decisions 8, Fee, for a branch without a routing server. */
export const expectedDelivery = (facts: DeliveryFacts, to: GeoPoint): ExpectedDelivery => {
  const { from, maxMeters, roadTenths, rings, square, flatFee } = facts;
  const tenths = from === null ? null : metersBetween(from, to) * roadTenths;
  if (maxMeters !== null && tenths === null) return UNKNOWN;
  if (maxMeters !== null && tenths !== null && tenths > maxMeters * 10) return NOWHERE;
  if (rings.length === 0 && square === null) return { status: 'ok', fee: flatFee, zone: null };
  const isInside =
    square !== null &&
    Math.abs(to.lat - square.middle.lat) <= square.half &&
    Math.abs(to.lng - square.middle.lng) <= square.half;
  if (isInside) return { status: 'ok', fee: square.fee, zone: square.key };
  if (rings.length === 0) return NOWHERE;
  if (tenths === null) return UNKNOWN;
  const [ring] = rings.filter(({ radius }) => tenths <= radius * 10).sort((a, b) => a.radius - b.radius);
  return ring === undefined ? NOWHERE : { status: 'ok', fee: ring.fee, zone: ring.key };
};
