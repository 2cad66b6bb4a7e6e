/** A sale: what was sold, for how much, and how it was paid (Decisions 12, Sale). */
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Instant } from '../../kernel/time.ts';

export const SALE_SOURCES = ['ticket', 'online', 'counter', 'replay'] as const;
export type SaleSource = (typeof SALE_SOURCES)[number];

export interface Payment {
  readonly method: string;
  readonly amount: Piastres;
  /** On top of the amount. */
  readonly tip: Piastres;
  /** What the guest handed over; null: not cash, or not said. */
  readonly tendered: Piastres | null;
  /** What the guest got back. */
  readonly change: Piastres | null;
}

/** In the till that took it; null: in none. */
export interface TakenPayment extends Payment {
  readonly tillId: Uuid | null;
}

export interface SalePayment extends TakenPayment {
  /** Of the amount: more than the total of the sale; less than zero: what is missing of it. */
  readonly beyond: Piastres;
  /** Its till was closed before. */
  readonly isLate: boolean;
}

/**
 * What a sale adds up to: `total` = subtotal − deals − rewards − staff drinks − discount + service + fee (+ tax where it is
 * added) + recorded difference.
 */
export interface SaleAmounts {
  /** All lines, before deals and rewards. */
  readonly subtotal: Piastres;
  readonly dealDiscount: Piastres;
  readonly rewardDiscount: Piastres;
  /** What the drinks of the staff would have cost. */
  readonly staffDrinkDiscount: Piastres;
  readonly discountAmount: Piastres;
  readonly serviceCharge: Piastres;
  readonly deliveryFee: Piastres;
  /** A decimal fraction. */
  readonly taxRate: string;
  readonly taxInclusive: boolean;
  readonly tax: Piastres;
  /** What the total of a device is more than its lines come to. */
  readonly recordedDifference: Piastres;
  readonly total: Piastres;
}

type WithDefaults<T, Defaulted extends keyof T> = Omit<T, Defaulted> & Partial<Pick<T, Defaulted>>;

/** A live sale has no recorded difference, and nothing beyond its total. */
export interface NewSale extends WithDefaults<SaleAmounts, 'recordedDifference'> {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly source: SaleSource;
  readonly channel: string;
  readonly at: Instant;
  /** Null: no open till. */
  readonly tillId: Uuid | null;
  /** Null: the service itself. */
  readonly staffId: Uuid | null;
  /** The loyalty card that it was made with. */
  readonly cardId: Uuid | null;
  /** To call out; forgotten a day later. */
  readonly customerName: string | null;
  /** Guests at the table; null: not said. */
  readonly covers: number | null;
  /** Lines, deals and rewards, as JSON. */
  readonly cart: string;
  /** Units. */
  readonly staffDrinks: number;
  /** Its till was closed before; not when left out. */
  readonly isLate?: boolean;
  readonly payments: readonly WithDefaults<SalePayment, 'beyond' | 'isLate'>[];
}

/** Money that went back for units of a sale. */
export interface Refund {
  readonly id: Uuid;
  readonly at: Instant;
  readonly method: string;
  readonly amount: Piastres;
  /** Of the amount. */
  readonly tax: Piastres;
  /** Of the amount. */
  readonly deliveryFee: Piastres;
  readonly reason: string;
  readonly note: string | null;
  readonly isRestocked: boolean;
  readonly tillId: Uuid | null;
  /** The till was closed before. */
  readonly isLate: boolean;
  readonly staffId: Uuid;
  readonly lines: readonly { readonly index: number; readonly units: number; readonly amount: Piastres }[];
}
