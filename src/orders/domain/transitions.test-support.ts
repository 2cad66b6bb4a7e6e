import type { OrderChange, OrderState } from './transitions.ts';
import type { StepTimes } from './order.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** 19:00 in Cairo. */
export const PLACED = Date.parse('2026-12-04T17:00:00Z');
export const after = (minutes: number): number => PLACED + minutes * 60_000;

export const NO_TIMES: StepTimes = {
  confirmed: null,
  preparing: null,
  ready: null,
  out_for_delivery: null,
  delivered: null,
  cancelled: null,
  rejected: null,
};

/** Just received, channel `outside`. */
export const anOrder = (state: Partial<OrderState> = {}): OrderState => ({
  channel: 'outside',
  status: 'received',
  revision: 1,
  createdAt: PLACED,
  updatedAt: PLACED,
  stepTimes: NO_TIMES,
  extraPrepMinutes: 0,
  paymentMethod: null,
  cancelReason: null,
  cancelNote: null,
  cancelRestocked: null,
  receiptPrintedAt: null,
  ...state,
});

export const refusalOf = (change: () => unknown): Refusal => {
  try {
    change();
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
  throw new Error('nothing was refused');
};

/** The outcome or refusal code, and the resulting order. */
export const outcomeOf = (
  before: OrderState,
  change: () => OrderChange,
): { readonly word: string; readonly order: OrderState } => {
  try {
    const result = change();
    return { word: result.outcome, order: result.outcome === 'same' ? before : result.after };
  } catch (thrown) {
    if (thrown instanceof Refusal) return { word: thrown.refusal, order: before };
    throw thrown;
  }
};

export const pathsRefused = (change: () => unknown): readonly string[] =>
  refusalOf(change).faults.map(({ path }) => path);
