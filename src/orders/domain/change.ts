/** How an online order changes: by staff, and by the service where no one confirms it (Decisions 4, Online order). */
import { oneLine } from '../../kernel/freetext.ts';
import type { CancelReason, OrderStatus, StaffCancelReason, StepTimes } from './order.ts';
import { invalidInput, Refusal, type Fault, type Words } from '../../kernel/refusal.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import { addMinutes, type Instant } from '../../kernel/time.ts';

/** What a change of an order looks at and writes. */
export interface OrderState {
  readonly channel: OnlineChannel;
  readonly status: OrderStatus;
  /** Counts the changes; 1 when the order is made. */
  readonly revision: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly stepTimes: StepTimes;
  readonly extraPrepMinutes: number;
  /** How it was paid; non-null exactly when it is delivered. */
  readonly paymentMethod: string | null;
  readonly cancelReason: CancelReason | null;
  /** The staff's own words, which no guest sees. */
  readonly cancelNote: string | null;
  /** Whether the counted units went back on the shelf; null while the order has not been cancelled or rejected. */
  readonly cancelRestocked: boolean | null;
  readonly receiptPrintedAt: Instant | null;
}

/** `same`: what was asked for is so already, and nothing is to be done a second time. */
export type OrderChange =
  { readonly outcome: 'same' } | { readonly outcome: 'changed'; readonly after: OrderState };

/** What the order was like to whoever decided: its status, its revision, or both, and then both must still hold. */
export interface Seen {
  readonly from?: OrderStatus | undefined;
  readonly revision?: number | undefined;
}

// ── The transitions ─────────────────────────────────────────────────────────────────────────────

/** Where staff may move an order: `received` is where it begins, and its ends have changes of their own. */
export const MOVE_TARGETS = [
  'confirmed',
  'preparing',
  'ready',
  'out_for_delivery',
] as const satisfies readonly OrderStatus[];
export type MoveTarget = (typeof MOVE_TARGETS)[number];

const isMoveTarget = (status: OrderStatus): status is MoveTarget =>
  MOVE_TARGETS.some((target) => target === status);

/** Where each change leads, a move by its target; null: nowhere any more. */
type Leads = Readonly<Record<MoveTarget, MoveTarget | null>> & {
  readonly finalize: 'delivered' | null;
  readonly cancel: 'cancelled' | 'rejected' | null;
  readonly setPrepTime: OrderStatus | null;
};

/** Forward with skips, back from `confirmed` on, and over the counter from anywhere. */
const FROM_ANYWHERE = {
  confirmed: 'confirmed',
  preparing: 'preparing',
  ready: 'ready',
  out_for_delivery: 'out_for_delivery',
  finalize: 'delivered',
} as const;

const ENDED: Leads = {
  confirmed: null,
  preparing: null,
  ready: null,
  out_for_delivery: null,
  finalize: null,
  cancel: null,
  setPrepTime: null,
};

const LEADS_TO: Readonly<Record<OrderStatus, Leads>> = {
  received: { ...FROM_ANYWHERE, cancel: 'rejected', setPrepTime: 'received' },
  confirmed: { ...FROM_ANYWHERE, cancel: 'cancelled', setPrepTime: 'confirmed' },
  preparing: { ...FROM_ANYWHERE, cancel: 'cancelled', setPrepTime: 'preparing' },
  ready: { ...FROM_ANYWHERE, cancel: 'cancelled', setPrepTime: 'ready' },
  out_for_delivery: { ...FROM_ANYWHERE, cancel: 'cancelled', setPrepTime: 'out_for_delivery' },
  delivered: ENDED,
  cancelled: ENDED,
  rejected: ENDED,
};

/** The steps of a channel: what is picked up is carried nowhere. */
const STEPS: Readonly<Record<OnlineChannel, readonly MoveTarget[]>> = {
  pickup: ['confirmed', 'preparing', 'ready'],
  outside: MOVE_TARGETS,
  in_mall: MOVE_TARGETS,
  umbrella: MOVE_TARGETS,
};

// ── Deciding a change ───────────────────────────────────────────────────────────────────────────

const isStale = ({ status, revision }: OrderState, seen: Seen): boolean =>
  (seen.from ?? status) !== status || (seen.revision ?? revision) !== revision;

/** What a change sets besides status, revision and the moment. */
type Sets = Partial<Omit<OrderState, 'status' | 'revision' | 'updatedAt'>>;

interface Decision<To extends OrderStatus> {
  readonly seen: Seen;
  /** Already there. */
  readonly isSame: boolean;
  /** Null: the order has ended. */
  readonly to: To | null;
  readonly sets: (to: To) => Sets;
}

const changed = (before: OrderState, status: OrderStatus, sets: Sets, now: Instant): OrderChange => ({
  outcome: 'changed',
  after: { ...before, ...sets, status, revision: before.revision + 1, updatedAt: now },
});

/** Already there, then ended, then stale: of two racing changes one wins, and the same tap twice is one change. */
const decided = <To extends OrderStatus>(
  before: OrderState,
  { seen, isSame, to, sets }: Decision<To>,
  now: Instant,
): OrderChange => {
  if (isSame) return { outcome: 'same' };
  const { status, revision } = before;
  if (to === null) throw new Refusal('ORDER_ENDED', { status, revision });
  if (isStale(before, seen)) throw new Refusal('ORDER_MOVED', { status, revision });
  return changed(before, to, sets(to), now);
};

// ── What is malformed ───────────────────────────────────────────────────────────────────────────

const fault = (path: string, { en, ar }: Words): Fault => ({ path, problem: en, arabic: ar });

const unseen = ({ from, revision }: Seen): readonly Fault[] =>
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

const refuseAny = (faults: readonly Fault[]): void => {
  if (faults.length > 0) throw invalidInput(...faults);
};

/** Why a status is no target of a move. */
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

/** The step landed on is stamped now, earlier stamps are kept, and those of steps undone are gone. */
const movedTimes = (times: StepTimes, to: MoveTarget, now: Instant): StepTimes => {
  const landed = MOVE_TARGETS.indexOf(to);
  const timeOf = (step: MoveTarget): Instant | null => {
    const place = MOVE_TARGETS.indexOf(step);
    if (place === landed) return now;
    return place < landed ? times[step] : null;
  };
  return {
    ...times,
    confirmed: timeOf('confirmed'),
    preparing: timeOf('preparing'),
    ready: timeOf('ready'),
    out_for_delivery: timeOf('out_for_delivery'),
  };
};

/** Staff move an order forward, skipping steps where they like, or back after a mis-tap. */
export const moveOrder = (
  before: OrderState,
  { to }: { readonly to: OrderStatus },
  seen: Seen,
  now: Instant,
): OrderChange => {
  if (!isMoveTarget(to)) throw invalidInput(...unseen(seen), fault('to', NO_TARGET[to]));
  const isStep = STEPS[before.channel].includes(to);
  refuseAny([...unseen(seen), ...(isStep ? [] : [fault('to', NO_STEP_OF_PICKUP)])]);
  const sets = (step: MoveTarget) => ({ stepTimes: movedTimes(before.stepTimes, step, now) });
  return decided(before, { seen, isSame: before.status === to, to: LEADS_TO[before.status][to], sets }, now);
};

/**
 * Staff hand an order over and are paid by one of the shop's `methods`. A delivered order answers for the method that
 * it was paid by even when the shop takes it no more.
 */
export const finalizeOrder = (
  before: OrderState,
  { paymentMethod }: { readonly paymentMethod: string },
  methods: readonly string[],
  seen: Seen,
  now: Instant,
): OrderChange => {
  refuseAny(unseen(seen));
  const isSame = before.status === 'delivered' && before.paymentMethod === paymentMethod;
  const list = methods.join(', ');
  if (!isSame && !methods.includes(paymentMethod))
    throw invalidInput(
      fault('payment_method', { en: `must be one of ${list}`, ar: `طريقة الدفع واحدة من: ${list}` }),
    );
  const { finalize: to } = LEADS_TO[before.status];
  const sets = () => ({ stepTimes: { ...before.stepTimes, delivered: now }, paymentMethod });
  return decided(before, { seen, isSame, to, sets }, now);
};

// ── Ends without a coffee ───────────────────────────────────────────────────────────────────────

export interface Cancellation {
  readonly reason: StaffCancelReason;
  readonly note: string | null;
  /** Whether the counted units go back on the shelf. */
  readonly restock: boolean;
}

/** What is set when an order will not come. */
const withoutCoffee = (
  before: OrderState,
  end: 'cancelled' | 'rejected',
  { reason, note, restock }: Omit<Cancellation, 'reason'> & { readonly reason: CancelReason },
  now: Instant,
): Sets => ({
  stepTimes: { ...before.stepTimes, [end]: now },
  cancelReason: reason,
  cancelNote: oneLine(note),
  cancelRestocked: restock,
});

/** Staff cancel an order, or reject one that is not confirmed yet. An order that is off already stays as it is. */
export const cancelOrder = (
  before: OrderState,
  cancellation: Cancellation,
  seen: Seen,
  now: Instant,
): OrderChange => {
  refuseAny(unseen(seen));
  const { cancel: to } = LEADS_TO[before.status];
  const isSame = before.status === 'cancelled' || before.status === 'rejected';
  const sets = (end: 'cancelled' | 'rejected') => withoutCoffee(before, end, cancellation, now);
  return decided(before, { seen, isSame, to, sets }, now);
};

/** Whether an order made at `createdAt` has waited longer than `minutes`; null: it may wait for ever. */
export const hasWaitedTooLong = (createdAt: Instant, minutes: number | null, now: Instant): boolean =>
  minutes !== null && now > addMinutes(createdAt, minutes);

/**
 * The service rejects what no one confirmed within the branch's `minutes`, and the stock goes back. Nothing is refused:
 * whoever was faster has decided.
 */
export const autoReject = (before: OrderState, minutes: number | null, now: Instant): OrderChange => {
  if (before.status !== 'received' || !hasWaitedTooLong(before.createdAt, minutes, now))
    return { outcome: 'same' };
  const byItself = { reason: 'not_confirmed', note: null, restock: true } as const;
  return changed(before, 'rejected', withoutCoffee(before, 'rejected', byItself, now), now);
};

// ── Preparing and printing ──────────────────────────────────────────────────────────────────────

/** A day, so that with the branch's own minutes it fits any field. */
export const MOST_EXTRA_PREP_MINUTES = 1440;

/** Staff say how many minutes more than usual the order takes. */
export const setPrepTime = (
  before: OrderState,
  { extraPrepMinutes }: { readonly extraPrepMinutes: number },
  seen: Seen,
  now: Instant,
): OrderChange => {
  const isFine =
    extraPrepMinutes >= 0 && extraPrepMinutes <= MOST_EXTRA_PREP_MINUTES && extraPrepMinutes % 5 === 0;
  const notInFives = fault('extra_prep_minutes', {
    en: `must be a multiple of 5 from 0 to ${MOST_EXTRA_PREP_MINUTES}`,
    ar: `الدقائق من مضاعفات 5، من 0 إلى ${MOST_EXTRA_PREP_MINUTES}`,
  });
  refuseAny([...unseen(seen), ...(isFine ? [] : [notInFives])]);
  const { setPrepTime: to } = LEADS_TO[before.status];
  const isSame = before.extraPrepMinutes === extraPrepMinutes;
  return decided(before, { seen, isSame, to, sets: () => ({ extraPrepMinutes }) }, now);
};

/**
 * The receipt came out of the printer, at any status, the ended ones too. The first time counts, so that of two tills
 * that print by themselves one learns that the paper is there. It is a fact and no decision: it names no status, and
 * leaves the revision to those who decide (Decisions 4 names move, cancel, finalize and prep time).
 */
export const markPrinted = (before: OrderState, now: Instant): OrderChange =>
  before.receiptPrintedAt === null
    ? { outcome: 'changed', after: { ...before, receiptPrintedAt: now, updatedAt: now } }
    : { outcome: 'same' };

// ── What staff may do now ───────────────────────────────────────────────────────────────────────

export interface NextSteps {
  /** Where the order may be moved, in the order of the steps. */
  readonly moves: readonly MoveTarget[];
  readonly canFinalize: boolean;
  /** What a cancel would make of it; null when it has ended. */
  readonly cancelsTo: 'cancelled' | 'rejected' | null;
  readonly canSetPrepTime: boolean;
}

/** The changes that are open, by the table that the changes themselves go by. */
export const nextSteps = ({ channel, status }: Pick<OrderState, 'channel' | 'status'>): NextSteps => {
  const leads = LEADS_TO[status];
  return {
    moves: STEPS[channel].filter((step) => leads[step] !== null && step !== status),
    canFinalize: leads.finalize !== null,
    cancelsTo: leads.cancel,
    canSetPrepTime: leads.setPrepTime !== null,
  };
};
