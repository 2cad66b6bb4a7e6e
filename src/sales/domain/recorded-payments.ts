/** Money that a device took (Decisions 13): as it was recorded, whether or not it comes to the total. */
import type { Piastres } from '../../kernel/money.ts';
import { reason, type ReviewReason } from '../../platform/domain/review.ts';
import type { PaymentInput } from './payments.ts';
import type { Payment, SalePayment } from './sale.ts';
import { CASH } from './till.ts';

const paymentOf = ({ method, amount, tendered = null, tip }: PaymentInput): Payment => {
  const charged = amount + (tip ?? 0);
  const handed = method === CASH && tendered !== null && tendered >= charged ? tendered : null;
  return {
    method,
    amount,
    tip: tip ?? 0,
    tendered: handed,
    change: handed === null ? null : handed - charged,
  };
};

const sumOf = (payments: readonly { readonly amount: Piastres }[]): Piastres =>
  payments.reduce((sum, { amount }) => sum + amount, 0);

const NOTHING_PAID: PaymentInput = { method: CASH, amount: 0 };

/** What the payments are more than the total, on the last ones; what they are less, on the last one. */
const withBeyond = (payments: readonly PlacedPayment[], beyond: Piastres): readonly SalePayment[] => {
  const marked: SalePayment[] = [];
  let left = beyond;
  for (const payment of payments.toReversed()) {
    const own = left > 0 ? Math.min(left, payment.amount) : left;
    left -= own;
    marked.unshift({ ...payment, beyond: own });
  }
  return marked;
};

/** Where the money went. */
type Place = Pick<SalePayment, 'tillId' | 'isLate'>;
type PlacedPayment = Payment & Place;

/** `methods`: those of the shop. */
export const unknownMethods = (
  inputs: readonly Pick<PaymentInput, 'method'>[],
  methods: readonly string[],
): readonly ReviewReason[] => {
  const unknown = new Set(inputs.map(({ method }) => method).filter((method) => !methods.includes(method)));
  return [...unknown].map((method) => reason('method_unknown', { method }));
};

interface Taken {
  readonly inputs: readonly PaymentInput[];
  /** Of the shop. */
  readonly methods: readonly string[];
  readonly into: Place;
}

interface Recorded {
  readonly payments: readonly SalePayment[];
  readonly reasons: readonly ReviewReason[];
}

/** `before`: what was paid of the total before, which comes first. */
export const recordedPayments = (
  total: Piastres,
  { inputs, methods, into }: Taken,
  before: readonly PlacedPayment[] = [],
): Recorded => {
  const paid = sumOf(before);
  const got = paid + sumOf(inputs);
  const isNothing = inputs.length === 0 && total > paid;
  const now = (isNothing ? [NOTHING_PAID] : inputs).map((input) => ({ ...paymentOf(input), ...into }));
  return {
    payments: withBeyond([...before, ...now], got - total),
    reasons: [
      ...(got === total ? [] : [reason('payments_differ', { total, got })]),
      ...unknownMethods(inputs, methods),
    ],
  };
};

/** Of a bill that was paid before: all of it is beyond the total. */
export const paidAgain = ({ inputs, methods, into }: Taken): Recorded & { readonly amount: Piastres } => ({
  payments: inputs.map((input) => ({ ...paymentOf(input), ...into, beyond: input.amount })),
  reasons: unknownMethods(inputs, methods),
  amount: sumOf(inputs),
});
