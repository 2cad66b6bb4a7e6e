/** How a total is paid (Decisions 12, Settle). */
import { HIGHEST_TOTAL, type Piastres } from '../../kernel/money.ts';
import type { CodedFault, Words } from '../../kernel/refusal.ts';
import type { NeedsTill } from '../../shops/domain/shop.ts';
import type { Payment } from './sale.ts';
import { CASH } from './till.ts';

export interface PaymentInput {
  readonly method: string;
  readonly amount: Piastres;
  /** What the guest handed over, of cash alone. */
  readonly tendered?: Piastres | null | undefined;
  /** On top of the amount. */
  readonly tip?: Piastres | null | undefined;
}

/** Words for a method that the shop does not take. */
export const NO_METHOD = {
  problem: 'is no payment method of this shop',
  arabic: 'ليست من طرق الدفع في هذا المحل',
} as const;

const PROBLEMS = {
  NO_METHOD: { en: NO_METHOD.problem, ar: NO_METHOD.arabic },
  TENDERED_OF_CASH: { en: 'is for cash alone', ar: 'المبلغ المستلم للنقدية فقط' },
  TOO_LITTLE: { en: 'is less than the amount and the tip', ar: 'أقل من المبلغ والبقشيش' },
  TOO_MUCH: { en: 'makes the payments more than a sale can come to', ar: 'يتجاوز أكبر مبلغ ممكن' },
} as const satisfies Record<string, Words>;

const fault = (path: string, problem: keyof typeof PROBLEMS): CodedFault => {
  const { en, ar } = PROBLEMS[problem];
  return { path, refusal: 'INVALID_INPUT', figures: {}, problem: en, arabic: ar };
};

/** The path of a payment's field in the body. */
type PathOf = (field: string, index: number) => string;

const inList: PathOf = (field, index) => `payments[${index}].${field}`;

const faultsOf = (
  { method, amount, tendered = null, tip }: PaymentInput,
  methods: readonly string[],
  pathOf: (field: string) => string,
): readonly CodedFault[] => {
  if (!methods.includes(method)) return [fault(pathOf('method'), 'NO_METHOD')];
  if (tendered === null) return [];
  if (method !== CASH) return [fault(pathOf('tendered'), 'TENDERED_OF_CASH')];
  return tendered < amount + (tip ?? 0) ? [fault(pathOf('tendered'), 'TOO_LITTLE')] : [];
};

const paymentOf = ({ method, amount, tendered = null, tip }: PaymentInput): Payment => ({
  ...{ method, amount, tip: tip ?? 0, tendered },
  change: tendered === null ? null : tendered - amount - (tip ?? 0),
});

const sumOf = (payments: readonly PaymentInput[], amountOf: (one: PaymentInput) => Piastres): Piastres =>
  payments.reduce((sum, one) => sum + amountOf(one), 0);

/**
 * The payments of a total, or all their faults. They add up to the total exactly; tips come on top. Change is what was
 * handed over beyond amount and tip. `prepaid`: of the total, before. `pathOf`: where the body has the payments; in a list when left
 * out.
 */
export const paymentsOf = (
  total: Piastres,
  inputs: readonly PaymentInput[],
  methods: readonly string[],
  { prepaid = 0, pathOf = inList }: { readonly prepaid?: Piastres; readonly pathOf?: PathOf } = {},
): { readonly payments: readonly Payment[] } | { readonly faults: readonly CodedFault[] } => {
  const faults = inputs.flatMap((input, index) => faultsOf(input, methods, (field) => pathOf(field, index)));
  const got = prepaid + sumOf(inputs, ({ amount }) => amount);
  const tips = sumOf(inputs, ({ tip }) => tip ?? 0);
  if (got > HIGHEST_TOTAL || tips > HIGHEST_TOTAL) faults.push(fault('payments', 'TOO_MUCH'));
  else if (got !== total)
    return {
      faults: [...faults, { path: 'payments', refusal: 'PAYMENT_MISMATCH', figures: { total, got } }],
    };
  return faults.length > 0 ? { faults } : { payments: inputs.map(paymentOf) };
};

export const needsTill = (rule: NeedsTill, payments: readonly Pick<Payment, 'method'>[]): boolean =>
  rule === 'all' || (rule === 'cash' && payments.some(({ method }) => method === CASH));
