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
const withBeyond = (payments: readonly Payment[], beyond: Piastres): readonly RecordedPayment[] => {
  const marked: RecordedPayment[] = [];
  let left = beyond;
  for (const payment of payments.toReversed()) {
    const own = left > 0 ? Math.min(left, payment.amount) : left;
    left -= own;
    marked.unshift({ ...payment, beyond: own });
  }
  return marked;
};

const sumOf = (inputs: readonly PaymentInput[]): Piastres =>
  inputs.reduce((sum, { amount }) => sum + amount, 0);

/** `methods`: those of the shop. */
export const recordedPayments = (
  total: Piastres,
  inputs: readonly PaymentInput[],
  methods: readonly string[],
): { readonly payments: readonly RecordedPayment[]; readonly reasons: readonly ReviewReason[] } => {
  const got = sumOf(inputs);
  const payments = inputs.length === 0 && total > 0 ? [NOTHING_PAID] : inputs.map(paymentOf);
  const unknown = new Set(inputs.map(({ method }) => method).filter((method) => !methods.includes(method)));
  return {
    payments: withBeyond(payments, got - total),
    reasons: [
      ...(got === total ? [] : [reason('payments_differ', { total, got })]),
      ...[...unknown].map((method) => reason('method_unknown', { method })),
    ],
  };
};

/** All of it is beyond the total, which was paid before. */
export const paidAgain = (payments: readonly RecordedPayment[]): readonly RecordedPayment[] =>
  payments.map((payment) => ({ ...payment, beyond: payment.amount }));
