/** Compares the transitions with a reference model that states the rules one by one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  autoReject,
  cancelOrder,
  finalizeOrder,
  markPrinted,
  moveOrder,
  reopenOrder,
  setPrepTime,
  type OrderChange,
  type OrderState,
  type Precondition,
} from './transitions.ts';
import { after, anOrder, NO_TIMES, outcomeOf } from './transitions.test-support.ts';
import { ORDER_STATUSES, STAFF_CANCEL_REASONS, type OrderStatus, type StaffCancelReason } from './order.ts';
import { ONLINE_CHANNELS, type OnlineChannel } from '../../shops/domain/shop.ts';

const METHODS = ['cash', 'card'];
const AUTO_REJECT_MINUTES = 40;

// ── Generators ──────────────────────────────────────────────────────────────────────────────────

/** The precondition: none, the present status or revision (`now`), or another. */
interface PreconditionKind {
  readonly from: 'now' | OrderStatus | null;
  /** Difference from the present revision. */
  readonly revision: number | null;
}

type Action =
  | { readonly kind: 'move'; readonly to: OrderStatus }
  | { readonly kind: 'finalize'; readonly method: string }
  | { readonly kind: 'cancel'; readonly reason: StaffCancelReason; readonly restock: boolean }
  | { readonly kind: 'prep'; readonly minutes: number }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'sweep' }
  | { readonly kind: 'print' };

interface Event {
  readonly action: Action;
  readonly given: PreconditionKind;
  readonly minutesLater: number;
}

const mostly = <T>(usual: T, others: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('move' as const), to: fc.constantFrom(...ORDER_STATUSES) }),
  },
  fc.record({ kind: fc.constant('finalize' as const), method: fc.constantFrom('cash', 'card', 'gold') }),
  fc.record({
    kind: fc.constant('cancel' as const),
    reason: fc.constantFrom(...STAFF_CANCEL_REASONS),
    restock: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('prep' as const), minutes: fc.constantFrom(0, 5, 10, 7, -5) }),
  fc.record({ kind: fc.constant('reopen' as const) }),
  fc.record({ kind: fc.constant('sweep' as const) }),
  fc.record({ kind: fc.constant('print' as const) }),
);

const event: fc.Arbitrary<Event> = fc.record({
  action,
  given: fc.record({
    from: mostly<PreconditionKind['from']>('now', fc.constantFrom(null, ...ORDER_STATUSES)),
    revision: mostly<PreconditionKind['revision']>(null, fc.constantFrom(0, -1, 1)),
  }),
  minutesLater: fc.nat({ max: 12 }),
});

const channel = fc.constantFrom(...ONLINE_CHANNELS);

// ── Reference model ─────────────────────────────────────────────────────────────────────────────

const STEPS = ['confirmed', 'preparing', 'ready', 'out_for_delivery'] as const;

class Model {
  readonly channel: OnlineChannel;
  /** In order, without undone steps. */
  steps: { readonly step: (typeof STEPS)[number]; readonly at: number }[] = [];
  end: { readonly status: 'delivered' | 'cancelled' | 'rejected'; readonly at: number } | null = null;
  changes = 0;
  paid: string | null = null;
  why: { readonly reason: string; readonly restocked: boolean } | null = null;
  extra = 0;
  printedAt: number | null = null;

  constructor(ordered: OnlineChannel) {
    this.channel = ordered;
  }

  get status(): OrderStatus {
    return this.end?.status ?? this.steps.at(-1)?.step ?? 'received';
  }

  private isMalformed(action: Action, { from, revision }: Precondition): boolean {
    if (from === undefined && revision === undefined) return true;
    if (action.kind === 'prep') return action.minutes < 0 || action.minutes % 5 !== 0;
    if (action.kind !== 'move') return false;
    if (['received', 'delivered', 'cancelled', 'rejected'].includes(action.to)) return true;
    return action.to === 'out_for_delivery' && this.channel === 'pickup';
  }

  private isSame(action: Action): boolean {
    if (action.kind === 'move') return action.to === this.status;
    if (action.kind === 'finalize') return this.status === 'delivered' && action.method === this.paid;
    if (action.kind === 'cancel') return ['cancelled', 'rejected'].includes(this.status);
    if (action.kind === 'reopen') return this.end === null;
    return action.kind === 'prep' && action.minutes === this.extra;
  }

  /** Applies the action and returns the expected outcome. */
  take(action: Action, precondition: Precondition, now: number): string {
    if (action.kind === 'print') {
      if (this.printedAt !== null) return 'same';
      this.printedAt = now;
      return 'changed';
    }
    if (action.kind === 'sweep') {
      if (this.status !== 'received' || now <= after(AUTO_REJECT_MINUTES)) return 'same';
      this.end = { status: 'rejected', at: now };
      this.why = { reason: 'not_confirmed', restocked: true };
      this.changes += 1;
      return 'changed';
    }
    if (this.isMalformed(action, precondition)) return 'INVALID_INPUT';
    if (this.isSame(action)) return 'same';
    if (action.kind === 'finalize' && !METHODS.includes(action.method)) return 'INVALID_INPUT';
    if (this.end !== null && !(action.kind === 'reopen' && this.paid !== null)) return 'ORDER_ENDED';
    if (precondition.from !== undefined && precondition.from !== this.status) return 'ORDER_MOVED';
    if (precondition.revision !== undefined && precondition.revision !== this.changes + 1)
      return 'ORDER_MOVED';
    this.changes += 1;
    this.do(action, now);
    return 'changed';
  }

  private do(action: Action, now: number): void {
    if (action.kind === 'prep') this.extra = action.minutes;
    if (action.kind === 'reopen') {
      const last = this.steps.pop()?.step ?? 'confirmed';
      this.steps.push({ step: last, at: now });
      this.end = null;
      this.paid = null;
    }
    if (action.kind === 'finalize') {
      this.end = { status: 'delivered', at: now };
      this.paid = action.method;
    }
    if (action.kind === 'cancel') {
      this.end = { status: this.steps.length === 0 ? 'rejected' : 'cancelled', at: now };
      this.why = { reason: action.reason, restocked: action.restock };
    }
    if (action.kind === 'move') {
      const step = STEPS.find((one) => one === action.to);
      if (step === undefined) throw new Error(`${action.to} is no step`);
      // Undo the step and all later ones first.
      this.steps = this.steps.filter((done) => STEPS.indexOf(done.step) < STEPS.indexOf(step));
      this.steps.push({ step, at: now });
    }
  }

  /** The expected state, without `updatedAt`. */
  facts() {
    return {
      channel: this.channel,
      status: this.status,
      revision: this.changes + 1,
      stepTimes: {
        ...NO_TIMES,
        ...Object.fromEntries(this.steps.map(({ step, at }) => [step, at])),
        ...(this.end === null ? {} : { [this.end.status]: this.end.at }),
      },
      extraPrepMinutes: this.extra,
      paymentMethod: this.paid,
      cancelReason: this.why?.reason ?? null,
      cancelRestocked: this.why?.restocked ?? null,
      receiptPrintedAt: this.printedAt,
    };
  }
}

// ── Comparison ──────────────────────────────────────────────────────────────────────────────────

const changeOf = (
  before: OrderState,
  action: Action,
  precondition: Precondition,
  now: number,
): OrderChange => {
  switch (action.kind) {
    case 'move':
      return moveOrder(before, action, precondition, now);
    case 'finalize':
      return finalizeOrder(before, { paymentMethod: action.method }, METHODS, precondition, now);
    case 'cancel':
      return cancelOrder(
        before,
        { reason: action.reason, note: null, restock: action.restock },
        precondition,
        now,
      );
    case 'prep':
      return setPrepTime(before, { extraPrepMinutes: action.minutes }, precondition, now);
    case 'reopen':
      return reopenOrder(before, precondition, now);
    case 'sweep':
      return autoReject(before, AUTO_REJECT_MINUTES, now);
    case 'print':
      return markPrinted(before, now);
  }
};

const preconditionOf = ({ status, revision }: OrderState, given: PreconditionKind): Precondition => ({
  from: given.from === 'now' ? status : (given.from ?? undefined),
  revision: given.revision === null ? undefined : revision + given.revision,
});

/** `check` gets each order with the previous one. */
const replay = (
  ordered: OnlineChannel,
  events: readonly Event[],
  check: (before: OrderState, order: OrderState, word: string, applied: Event, now: number) => void,
): void => {
  let order = anOrder({ channel: ordered });
  let minutes = 0;
  for (const applied of events) {
    minutes += applied.minutesLater;
    const before = order;
    const now = after(minutes);
    const result = outcomeOf(before, () =>
      changeOf(before, applied.action, preconditionOf(before, applied.given), now),
    );
    order = result.order;
    check(before, order, result.word, applied, now);
  }
};

const events = fc.array(event, { maxLength: 25 });
const RUNS = { numRuns: 2000 };

test('any sequence of changes has the outcomes of the reference model', () => {
  fc.assert(
    fc.property(channel, events, (ordered, all) => {
      const model = new Model(ordered);
      replay(ordered, all, (before, order, word, { action, given }, now) => {
        expect(word).toBe(model.take(action, preconditionOf(before, given), now));
        expect(order).toMatchObject(model.facts());
        expect(order.updatedAt).toBe(word === 'changed' ? now : before.updatedAt);
      });
    }),
    RUNS,
  );
});

test('the invariants of an order hold after every change', () => {
  fc.assert(
    fc.property(channel, events, (ordered, all) => {
      replay(ordered, all, (before, order, word, { action }) => {
        const { status, stepTimes } = order;
        expect(order.paymentMethod !== null).toBe(status === 'delivered');
        expect(order.cancelReason !== null).toBe(status === 'cancelled' || status === 'rejected');
        expect(order.cancelRestocked !== null).toBe(status === 'cancelled' || status === 'rejected');
        if (status !== 'received') expect(stepTimes[status]).not.toBeNull();
        const ends = (['delivered', 'cancelled', 'rejected'] as const).filter(
          (end) => stepTimes[end] !== null,
        );
        expect(ends).toEqual(ends.length === 0 ? [] : [status]);
        // Later steps have no time, and times never decrease.
        const times = STEPS.flatMap((step) => stepTimes[step] ?? []);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        if (ends.length === 0)
          expect(STEPS.filter((step) => stepTimes[step] !== null).at(-1) ?? 'received').toBe(status);
        // After the end only printing changes the order, and reopening one that was delivered.
        const hasEnded = before.paymentMethod !== null || before.cancelReason !== null;
        const isReopened = action.kind === 'reopen' && before.paymentMethod !== null;
        if (hasEnded && action.kind !== 'print' && !isReopened) expect(order).toEqual(before);
        expect(order.revision - before.revision).toBe(word === 'changed' && action.kind !== 'print' ? 1 : 0);
      });
    }),
    RUNS,
  );
});

test('a repeated change has no second effect', () => {
  fc.assert(
    fc.property(channel, events, (ordered, all) => {
      replay(ordered, all, (before, order, word, { action, given }, now) => {
        if (word !== 'changed') return;
        const again = outcomeOf(order, () => changeOf(order, action, preconditionOf(before, given), now));
        expect(again).toEqual({ word: 'same', order });
      });
    }),
    RUNS,
  );
});
