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

/**
 * What a sale adds up to: `total` = subtotal − deals − rewards − staff drinks − discount + service + fee (+ tax where it is
 * added).
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
  readonly total: Piastres;
}

export interface NewSale extends SaleAmounts {
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
  readonly payments: readonly TakenPayment[];
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
  readonly staffId: Uuid;
  readonly lines: readonly { readonly index: number; readonly units: number; readonly amount: Piastres }[];
}
