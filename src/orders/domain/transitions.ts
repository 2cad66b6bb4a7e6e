/** Transitions of an online order (Decisions 4, Online order). */
import { singleLine } from '../../kernel/free-text.ts';
import type { CancelReason, OrderStatus, StaffCancelReason, StepTimes } from './order.ts';
import { invalidInput, Refusal, type Fault, type Words } from '../../kernel/refusal.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import { addMinutes, type Instant } from '../../kernel/time.ts';

export interface OrderState {
  readonly channel: OnlineChannel;
  readonly status: OrderStatus;
  /** Starts at 1. */
  readonly revision: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly stepTimes: StepTimes;
  readonly extraPrepMinutes: number;
  /** Non-null exactly when delivered. */
  readonly paymentMethod: string | null;
  readonly cancelReason: CancelReason | null;
  /** Never shown to the guest. */
  readonly cancelNote: string | null;
  /** Whether counted units were restocked; null unless cancelled or rejected. */
  readonly cancelRestocked: boolean | null;
  readonly receiptPrintedAt: Instant | null;
}

/** `same`: already in the requested state. */
export type OrderChange =
  { readonly outcome: 'same' } | { readonly outcome: 'changed'; readonly after: OrderState };

/** The order as the client saw it. Where both are given, both must match. */
export interface Precondition {
  readonly from?: OrderStatus | undefined;
  readonly revision?: number | undefined;
}

// ── Transitions ─────────────────────────────────────────────────────────────────────────────────

/** `received` is the initial status; the final statuses have their own operations. */
export const MOVE_TARGETS = [
  'confirmed',
  'preparing',
  'ready',
  'out_for_delivery',
] as const satisfies readonly OrderStatus[];
export type MoveTarget = (typeof MOVE_TARGETS)[number];

const isMoveTarget = (status: OrderStatus): status is MoveTarget =>
  MOVE_TARGETS.some((each) => each === status);

/** The resulting status of each operation, which is null where it is not allowed; a reopening depends on the earlier steps. */
type Transitions = Readonly<Record<MoveTarget, MoveTarget | null>> & {
  readonly finalize: 'delivered' | null;
  readonly cancel: 'cancelled' | 'rejected' | null;
  readonly setPrepTime: OrderStatus | null;
  readonly reopens: boolean;
};

/** Steps may be skipped, undone back to `confirmed`, and every open order can be delivered. */
const WHILE_OPEN = {
  confirmed: 'confirmed',
  preparing: 'preparing',
  ready: 'ready',
  out_for_delivery: 'out_for_delivery',
  finalize: 'delivered',
  reopens: false,
} as const;

const ENDED: Transitions = {
  confirmed: null,
  preparing: null,
  ready: null,
  out_for_delivery: null,
  finalize: null,
  cancel: null,
  setPrepTime: null,
  reopens: false,
};

const TRANSITIONS: Readonly<Record<OrderStatus, Transitions>> = {
  received: { ...WHILE_OPEN, cancel: 'rejected', setPrepTime: 'received' },
  confirmed: { ...WHILE_OPEN, cancel: 'cancelled', setPrepTime: 'confirmed' },
  preparing: { ...WHILE_OPEN, cancel: 'cancelled', setPrepTime: 'preparing' },
  ready: { ...WHILE_OPEN, cancel: 'cancelled', setPrepTime: 'ready' },
  out_for_delivery: { ...WHILE_OPEN, cancel: 'cancelled', setPrepTime: 'out_for_delivery' },
  delivered: { ...ENDED, reopens: true },
  cancelled: ENDED,
  rejected: ENDED,
};

/** A pickup order is not carried. */
const STEPS: Readonly<Record<OnlineChannel, readonly MoveTarget[]>> = {
  pickup: ['confirmed', 'preparing', 'ready'],
  outside: MOVE_TARGETS,
  in_mall: MOVE_TARGETS,
  umbrella: MOVE_TARGETS,
};

// ── Applying a transition ───────────────────────────────────────────────────────────────────────

const isStale = ({ status, revision }: OrderState, precondition: Precondition): boolean =>
  (precondition.from ?? status) !== status || (precondition.revision ?? revision) !== revision;

type StateFields = Partial<Omit<OrderState, 'status' | 'revision' | 'updatedAt'>>;

interface Decision<To extends OrderStatus> {
  readonly precondition: Precondition;
  readonly isSame: boolean;
  /** Null: the order has ended. */
  readonly to: To | null;
  readonly fields: (to: To) => StateFields;
}

const changed = (
  before: OrderState,
  status: OrderStatus,
  fields: StateFields,
  now: Instant,
): OrderChange => ({
  outcome: 'changed',
  after: { ...before, ...fields, status, revision: before.revision + 1, updatedAt: now },
});

/**
 * Checks in this order: already in the state, ended, stale. Of two racing changes one wins, and a repeated
 * tap changes nothing. Throws ORDER_ENDED and ORDER_MOVED.
 */
const applyTransition = <To extends OrderStatus>(
  before: OrderState,
  { precondition, isSame, to, fields }: Decision<To>,
  now: Instant,
): OrderChange => {
  if (isSame) return { outcome: 'same' };
  const { status, revision } = before;
  if (to === null) throw new Refusal('ORDER_ENDED', { status, revision });
  if (isStale(before, precondition)) throw new Refusal('ORDER_MOVED', { status, revision });
  return changed(before, to, fields(to), now);
};

// ── Validation ──────────────────────────────────────────────────────────────────────────────────

const fault = (path: string, { en, ar }: Words): Fault => ({ path, problem: en, arabic: ar });

const preconditionFaults = ({ from, revision }: Precondition): readonly Fault[] =>
  from !== undefined || revision !== undefined
    ? []
    : [
        fault('from', {
          en: 'or `revision` is required: the status that the change was decided on',
          ar: 'اكتب from (الحالة التي قررت على أساسها) أو revision',
        }),
        fault('revision', {
          en: 'or `from` is required: the revision that the change was decided on',
          ar: 'اكتب revision (النسخة التي قررت على أساسها) أو from',
        }),
      ];

const throwFaults = (faults: readonly Fault[]): void => {
  if (faults.length > 0) throw invalidInput(...faults);
};

/** Statuses that a move cannot reach. */
const NO_TARGET: Readonly<Record<Exclude<OrderStatus, MoveTarget>, Words>> = {
  received: {
    en: 'cannot be `received`: an order goes back to `confirmed` at most',
    ar: 'لا يعود الطلب إلى received؛ أبعد رجوع هو confirmed',
  },
  delivered: {
    en: 'cannot be `delivered`: an order is delivered by finalize, with a payment method',
    ar: 'التسليم (delivered) يتم بعملية finalize مع طريقة الدفع',
  },
  cancelled: {
    en: 'cannot be `cancelled`: an order is cancelled by cancel, with a reason',
    ar: 'الإلغاء (cancelled) يتم بعملية cancel مع السبب',
  },
  rejected: {
    en: 'cannot be `rejected`: an order is rejected by cancel, with a reason',
    ar: 'الرفض (rejected) يتم بعملية cancel مع السبب',
  },
};

const NO_STEP_OF_PICKUP: Words = {
  en: 'cannot be `out_for_delivery`: an order to pick up has no such step',
  ar: 'طلب الاستلام من الفرع ليس له خطوة out_for_delivery',
};

// ── Moves ───────────────────────────────────────────────────────────────────────────────────────

/** Stamps the target step, keeps earlier times and clears later ones. */
const movedTimes = (times: StepTimes, to: MoveTarget, now: Instant): StepTimes => {
  const target = MOVE_TARGETS.indexOf(to);
  const timeOf = (step: MoveTarget): Instant | null => {
    const index = MOVE_TARGETS.indexOf(step);
    if (index === target) return now;
    return index < target ? times[step] : null;
  };
  return {
    ...times,
    confirmed: timeOf('confirmed'),
    preparing: timeOf('preparing'),
    ready: timeOf('ready'),
    out_for_delivery: timeOf('out_for_delivery'),
  };
};

/** Forward with skips, or back after a mis-tap. */
export const moveOrder = (
  before: OrderState,
  { to }: { readonly to: OrderStatus },
  precondition: Precondition,
  now: Instant,
): OrderChange => {
  if (!isMoveTarget(to)) throw invalidInput(...preconditionFaults(precondition), fault('to', NO_TARGET[to]));
  const isStep = STEPS[before.channel].includes(to);
  throwFaults([...preconditionFaults(precondition), ...(isStep ? [] : [fault('to', NO_STEP_OF_PICKUP)])]);
  const fields = (step: MoveTarget) => ({ stepTimes: movedTimes(before.stepTimes, step, now) });
  return applyTransition(
    before,
    { precondition, isSame: before.status === to, to: TRANSITIONS[before.status][to], fields },
    now,
  );
};

/**
 * `methods`: the shop's payment methods. Repeating the recorded method is allowed even after the shop dropped
 * it.
 */
export const finalizeOrder = (
  before: OrderState,
  { paymentMethod }: { readonly paymentMethod: string },
  methods: readonly string[],
  precondition: Precondition,
  now: Instant,
): OrderChange => {
  throwFaults(preconditionFaults(precondition));
  const isSame = before.status === 'delivered' && before.paymentMethod === paymentMethod;
  const list = methods.join(', ');
  if (!isSame && !methods.includes(paymentMethod))
    throw invalidInput(
      fault('payment_method', { en: `must be one of ${list}`, ar: `طريقة الدفع واحدة من: ${list}` }),
    );
  const { finalize: to } = TRANSITIONS[before.status];
  const fields = () => ({ stepTimes: { ...before.stepTimes, delivered: now }, paymentMethod });
  return applyTransition(before, { precondition, isSame, to, fields }, now);
};

/** The last step that the order reached before its delivery; `confirmed` where it skipped all. */
const stepBefore = ({ stepTimes }: OrderState): MoveTarget =>
  MOVE_TARGETS.findLast((step) => stepTimes[step] !== null) ?? 'confirmed';

/** Undoes a delivery: the order is at its last step again, and unpaid. An open order stays as it is. */
export const reopenOrder = (before: OrderState, precondition: Precondition, now: Instant): OrderChange => {
  throwFaults(preconditionFaults(precondition));
  const { finalize, reopens } = TRANSITIONS[before.status];
  const fields = (to: MoveTarget): StateFields => ({
    stepTimes: { ...movedTimes(before.stepTimes, to, now), delivered: null },
    paymentMethod: null,
  });
  const to = reopens ? stepBefore(before) : null;
  return applyTransition(before, { precondition, isSame: finalize !== null, to, fields }, now);
};

// ── Cancelling ──────────────────────────────────────────────────────────────────────────────────

export interface Cancellation {
  readonly reason: StaffCancelReason;
  readonly note: string | null;
  readonly restock: boolean;
}

const cancellationFields = (
  before: OrderState,
  end: 'cancelled' | 'rejected',
  { reason, note, restock }: Omit<Cancellation, 'reason'> & { readonly reason: CancelReason },
  now: Instant,
): StateFields => ({
  stepTimes: { ...before.stepTimes, [end]: now },
  cancelReason: reason,
  cancelNote: singleLine(note),
  cancelRestocked: restock,
});

/**
 * Cancels an order, or rejects one that is not confirmed yet. A cancelled or rejected order stays as it is.
 */
export const cancelOrder = (
  before: OrderState,
  cancellation: Cancellation,
  precondition: Precondition,
  now: Instant,
): OrderChange => {
  throwFaults(preconditionFaults(precondition));
  const { cancel: to } = TRANSITIONS[before.status];
  const isSame = before.status === 'cancelled' || before.status === 'rejected';
  const fields = (end: 'cancelled' | 'rejected') => cancellationFields(before, end, cancellation, now);
  return applyTransition(before, { precondition, isSame, to, fields }, now);
};

/** `minutes` null: no limit. */
export const hasWaitedTooLong = (createdAt: Instant, minutes: number | null, now: Instant): boolean =>
  minutes !== null && now > addMinutes(createdAt, minutes);

/**
 * Rejects an unconfirmed order after the branch's `minutes` and restocks it; `same` if staff changed it
 * first.
 */
export const autoReject = (before: OrderState, minutes: number | null, now: Instant): OrderChange => {
  if (before.status !== 'received' || !hasWaitedTooLong(before.createdAt, minutes, now))
    return { outcome: 'same' };
  const automatic = { reason: 'not_confirmed', note: null, restock: true } as const;
  return changed(before, 'rejected', cancellationFields(before, 'rejected', automatic, now), now);
};

// ── Preparing and printing ──────────────────────────────────────────────────────────────────────

/** One day: the sum with the branch's base minutes fits every integer field. */
export const MAX_EXTRA_PREP_MINUTES = 1440;

/** Minutes beyond the branch's base time. */
export const setPrepTime = (
  before: OrderState,
  { extraPrepMinutes }: { readonly extraPrepMinutes: number },
  precondition: Precondition,
  now: Instant,
): OrderChange => {
  const isValid =
    extraPrepMinutes >= 0 && extraPrepMinutes <= MAX_EXTRA_PREP_MINUTES && extraPrepMinutes % 5 === 0;
  const notInFives = fault('extra_prep_minutes', {
    en: `must be a multiple of 5 from 0 to ${MAX_EXTRA_PREP_MINUTES}`,
    ar: `الدقائق من مضاعفات 5، من 0 إلى ${MAX_EXTRA_PREP_MINUTES}`,
  });
  throwFaults([...preconditionFaults(precondition), ...(isValid ? [] : [notInFives])]);
  const { setPrepTime: to } = TRANSITIONS[before.status];
  const isSame = before.extraPrepMinutes === extraPrepMinutes;
  return applyTransition(before, { precondition, isSame, to, fields: () => ({ extraPrepMinutes }) }, now);
};

/**
 * Allowed in every status. Only the first time counts, so of two tills that print automatically one learns
 * that the receipt exists. Printing needs no precondition and keeps the revision (Decisions 4 names move,
 * cancel, finalize and prep time).
 */
export const markPrinted = (before: OrderState, now: Instant): OrderChange =>
  before.receiptPrintedAt === null
    ? { outcome: 'changed', after: { ...before, receiptPrintedAt: now, updatedAt: now } }
    : { outcome: 'same' };

// ── Offered moves ───────────────────────────────────────────────────────────────────────────────

/** The steps to which the order can be moved now; none of an ended order. */
export const possibleMoves = ({
  channel,
  status,
}: Pick<OrderState, 'channel' | 'status'>): readonly MoveTarget[] =>
  STEPS[channel].filter((step) => TRANSITIONS[status][step] !== null && step !== status);
