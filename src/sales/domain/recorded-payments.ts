/** Money that a device took (Decisions 13): as it was recorded, whether or not it comes to the total. */
import type { Piastres } from '../../kernel/money.ts';
import { reason, type ReviewReason } from '../../platform/domain/review.ts';
import type { PaymentInput } from './payments.ts';
import type { Payment } from './sale.ts';
import { CASH } from './till.ts';

export interface RecordedPayment extends Payment {
  /** Of the amount: more than the total of the sale; less than zero: what is missing of it. */
  readonly beyond: Piastres;
}

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

const NOTHING_PAID: Payment = { method: CASH, amount: 0, tip: 0, tendered: null, change: null };

/** What the payments are more than the total, on the last ones; what they are less, on the last one. */
const withBeyond = <P extends Payment>(
  payments: readonly P[],
  beyond: Piastres,
): readonly (P & RecordedPayment)[] => {
  const marked: (P & RecordedPayment)[] = [];
  let left = beyond;
  for (const payment of payments.toReversed()) {
    const own = left > 0 ? Math.min(left, payment.amount) : left;
    left -= own;
    marked.unshift({ ...payment, beyond: own });
  }
  return marked;
};

const sumOf = (payments: readonly { readonly amount: Piastres }[]): Piastres =>
  payments.reduce((sum, { amount }) => sum + amount, 0);

interface Recorded<P> {
  readonly payments: readonly RecordedPayment[];
  /** As they were given, marked too. */
  readonly earlier: readonly (P & RecordedPayment)[];
  readonly reasons: readonly ReviewReason[];
}

/** `methods`: those of the shop; `earlier`: what was paid of the total before. */
export const recordedPayments = <P extends Payment = never>(
  total: Piastres,
  inputs: readonly PaymentInput[],
  methods: readonly string[],
  earlier: readonly P[] = [],
): Recorded<P> => {
  const before = sumOf(earlier);
  const got = before + sumOf(inputs);
  const payments = inputs.length === 0 && total > before ? [NOTHING_PAID] : inputs.map(paymentOf);
  const unknown = new Set(inputs.map(({ method }) => method).filter((method) => !methods.includes(method)));
  const own = withBeyond(payments, Math.min(got - total, sumOf(payments)));
  return {
    payments: own,
    earlier: withBeyond(earlier, Math.max(0, got - total - sumOf(payments))),
    reasons: [
      ...(got === total ? [] : [reason('payments_differ', { total, got })]),
      ...[...unknown].map((method) => reason('method_unknown', { method })),
    ],
  };
};

/** All of it is beyond the total, which was paid before. */
export const paidAgain = (payments: readonly RecordedPayment[]): readonly RecordedPayment[] =>
  payments.map((payment) => ({ ...payment, beyond: payment.amount }));
