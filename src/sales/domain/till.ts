/** What a till took, and what must be in it (Decisions 12, Tills). */
import type { Uuid } from '../../kernel/ids.ts';
import type { Millionths, Piastres } from '../../kernel/money.ts';
import type { Instant } from '../../kernel/time.ts';

export const TILL_STATUSES = ['open', 'closed', 'force_closed'] as const;
export type TillStatus = (typeof TILL_STATUSES)[number];

/** Into the till, out of it, and from it into the safe. */
export const CASH_KINDS = ['pay_in', 'pay_out', 'drop'] as const;
export type CashKind = (typeof CASH_KINDS)[number];

const CASH_SIGN: Readonly<Record<CashKind, 1 | -1>> = { pay_in: 1, pay_out: -1, drop: -1 };

/** The method that is counted as notes and coins. */
export const CASH = 'cash';

/** Egyptian notes and coins, in piastres. */
export const NOTES_AND_COINS: readonly Piastres[] = [20_000, 10_000, 5_000, 2_000, 1_000, 500, 100, 50, 25];

export interface CashMovement {
  readonly id: Uuid;
  readonly at: Instant;
  readonly kind: CashKind;
  readonly amount: Piastres;
  readonly reason: string;
  readonly staffName: string;
}

export const LATE_TYPES = ['sale', 'payment', 'refund', 'cash'] as const;

/** What came for a till after it was closed: it is in none of its figures. */
export interface LateEntry {
  readonly type: (typeof LATE_TYPES)[number];
  /** Of a payment: the id of its sale, or of its bill that is open still. */
  readonly id: Uuid;
  readonly at: Instant;
  /** Null: cash that was moved, or a payment of an open bill. */
  readonly reference: string | null;
  readonly amount: Piastres;
  /** Null: a sale. */
  readonly method: string | null;
  readonly tip: Piastres;
  /** Of cash that was moved. */
  readonly kind: CashKind | null;
  /** Of cash that was moved, and of a refund. */
  readonly reason: string | null;
  /** What the till took for a sale. */
  readonly payments: readonly {
    readonly method: string;
    readonly amount: Piastres;
    readonly tip: Piastres;
  }[];
}

/** Of one payment method. */
export interface MethodTaken {
  readonly method: string;
  readonly sales: Piastres;
  readonly tips: Piastres;
  /** That went back, of sales of any till. */
  readonly refunds: Piastres;
}

/** Tax at one rate. */
export interface TaxTaken {
  readonly rate: Millionths;
  readonly isInclusive: boolean;
  /** Of the sales at this rate. */
  readonly total: Piastres;
  readonly tax: Piastres;
}

/** Sums over the sales of a till. */
export interface SalesFigures {
  readonly count: number;
  readonly subtotal: Piastres;
  readonly dealDiscount: Piastres;
  readonly rewardDiscount: Piastres;
  readonly discountAmount: Piastres;
  readonly serviceCharge: Piastres;
  readonly deliveryFee: Piastres;
  readonly tax: Piastres;
  /** What totals of devices are more than their lines come to. */
  readonly recordedDifference: Piastres;
  readonly total: Piastres;
  readonly covers: number;
  /** Units. */
  readonly staffDrinks: number;
  readonly staffDrinkDiscount: Piastres;
  /** For bills that are not settled yet; among the payments, and in no total. */
  readonly partPayments: Piastres;
  /** Paid beyond the totals of sales; among the payments, and in no total. */
  readonly beyond: Piastres;
  readonly refundCount: number;
  readonly refunded: Piastres;
  /** Of what was refunded. */
  readonly refundedTax: Piastres;
  readonly taxes: readonly TaxTaken[];
  readonly methods: readonly MethodTaken[];
}

export interface MethodFigures extends MethodTaken {
  readonly expected: Piastres;
  /** Null: not counted. */
  readonly counted: Piastres | null;
  /** Counted less expected. */
  readonly difference: Piastres | null;
}

/** Lines of tickets that were voided. */
export interface Voids {
  readonly units: number;
  /** What they would have come to. */
  readonly total: Piastres;
}

export interface TillFigures extends Omit<SalesFigures, 'methods'> {
  /** By the person of the till, while it was open. */
  readonly voids: Voids;
  readonly methods: readonly MethodFigures[];
  readonly movements: readonly CashMovement[];
}

const NOTHING = { sales: 0, tips: 0, refunds: 0 };

/** Of a till that was closed before these were counted. */
const NOT_COUNTED = {
  ...{
    covers: 0,
    staffDrinks: 0,
    staffDrinkDiscount: 0,
    partPayments: 0,
    refundCount: 0,
    refunded: 0,
    refundedTax: 0,
    recordedDifference: 0,
    beyond: 0,
  },
  voids: { units: 0, total: 0 },
};

/** The figures of a closed till, as they were stored. */
export const storedFigures = (stored: TillFigures): TillFigures => ({
  ...NOT_COUNTED,
  ...stored,
  methods: stored.methods.map((method) => ({ ...NOTHING, ...method })),
});

export interface TillTakings {
  readonly openingFloat: Piastres;
  readonly sales: SalesFigures;
  readonly voids: Voids;
  readonly movements: readonly CashMovement[];
  /** The methods of the shop, in its order. */
  readonly methods: readonly string[];
  /** By method; null: nothing was counted. */
  readonly counted: Readonly<Record<string, Piastres>> | null;
}

/** Tips are in the till that took them, refunds gone from it; the cash has the float and its movements besides. */
const expectedOf = (
  { method, sales, tips, refunds }: MethodTaken,
  { openingFloat, movements }: TillTakings,
): Piastres => {
  const moved = movements.reduce((sum, { kind, amount }) => sum + CASH_SIGN[kind] * amount, 0);
  return sales + tips - refunds + (method === CASH ? openingFloat + moved : 0);
};

/** The methods of the shop first, then others that the till took. */
export const knownMethods = ({
  methods,
  sales,
}: Pick<TillTakings, 'methods' | 'sales'>): readonly string[] => [
  ...new Set([CASH, ...methods, ...sales.methods.map(({ method }) => method)]),
];

export const tillFigures = (takings: TillTakings): TillFigures => {
  const { sales, voids, movements, counted } = takings;
  const listed = new Set([...knownMethods(takings), ...Object.keys(counted ?? {})]);
  const methods = [...listed].map((method): MethodFigures => {
    const taken = sales.methods.find((each) => each.method === method) ?? { method, ...NOTHING };
    const expected = expectedOf(taken, takings);
    const own = counted !== null && Object.hasOwn(counted, method) ? (counted[method] ?? null) : null;
    return { ...taken, expected, counted: own, difference: own === null ? null : own - expected };
  });
  return { ...sales, voids, methods, movements };
};

/** What was counted: a sum, or pieces of each note and coin by its piastres. */
export type Counted = Piastres | Readonly<Record<string, number>>;

export const sumCounted = (counted: Counted): Piastres =>
  typeof counted === 'number'
    ? counted
    : Object.entries(counted).reduce((sum, [piastres, count]) => sum + Number(piastres) * count, 0);
