/** The engine beside a slow reading of the sentences: the model keeps what happened, and says the rules one by one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  autoReject,
  cancelOrder,
  finalizeOrder,
  markPrinted,
  moveOrder,
  setPrepTime,
  type OrderChange,
  type OrderState,
  type Seen,
} from './change.ts';
import { after, anOrder, NO_TIMES, outcomeOf } from './change.test-support.ts';
import { ORDER_STATUSES, STAFF_CANCEL_REASONS, type OrderStatus, type StaffCancelReason } from './order.ts';
import { ONLINE_CHANNELS, type OnlineChannel } from '../../shops/domain/shop.ts';

const METHODS = ['cash', 'card'];
const AUTO_REJECT_MINUTES = 40;

// ── What people do ──────────────────────────────────────────────────────────────────────────────

/** What the person saw: nothing, the status or revision as it is (`now`), or some other. */
interface Looked {
  readonly from: 'now' | OrderStatus | null;
  /** How far from the present revision. */
  readonly revision: number | null;
}

type Act =
  | { readonly kind: 'move'; readonly to: OrderStatus }
  | { readonly kind: 'finalize'; readonly method: string }
  | { readonly kind: 'cancel'; readonly reason: StaffCancelReason; readonly restock: boolean }
  | { readonly kind: 'prep'; readonly minutes: number }
  | { readonly kind: 'sweep' }
  | { readonly kind: 'print' };

interface Event {
  readonly act: Act;
  readonly looked: Looked;
  readonly minutesLater: number;
}

const mostly = <T>(usual: T, others: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });

const act: fc.Arbitrary<Act> = fc.oneof(
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
  fc.record({ kind: fc.constant('sweep' as const) }),
  fc.record({ kind: fc.constant('print' as const) }),
);

const event: fc.Arbitrary<Event> = fc.record({
  act,
  looked: fc.record({
    from: mostly<Looked['from']>('now', fc.constantFrom(null, ...ORDER_STATUSES)),
    revision: mostly<Looked['revision']>(null, fc.constantFrom(0, -1, 1)),
  }),
  minutesLater: fc.nat({ max: 12 }),
});

const channel = fc.constantFrom(...ONLINE_CHANNELS);

// ── The model ───────────────────────────────────────────────────────────────────────────────────

const WAY = ['confirmed', 'preparing', 'ready', 'out_for_delivery'] as const;

class Model {
  readonly channel: OnlineChannel;
  /** Steps that happened and were not undone, in order. */
  steps: { readonly step: (typeof WAY)[number]; readonly at: number }[] = [];
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

  private isMalformed(act: Act, { from, revision }: Seen): boolean {
    if (from === undefined && revision === undefined) return true;
    if (act.kind === 'prep') return act.minutes < 0 || act.minutes % 5 !== 0;
    if (act.kind !== 'move') return false;
    if (['received', 'delivered', 'cancelled', 'rejected'].includes(act.to)) return true;
    return act.to === 'out_for_delivery' && this.channel === 'pickup';
  }

  private isThere(act: Act): boolean {
    if (act.kind === 'move') return act.to === this.status;
    if (act.kind === 'finalize') return this.status === 'delivered' && act.method === this.paid;
    if (act.kind === 'cancel') return ['cancelled', 'rejected'].includes(this.status);
    return act.kind === 'prep' && act.minutes === this.extra;
  }

  /** What the change must come to, in a word; what it changes is written down. */
  take(act: Act, seen: Seen, now: number): string {
    if (act.kind === 'print') {
      if (this.printedAt !== null) return 'same';
      this.printedAt = now;
      return 'changed';
    }
    if (act.kind === 'sweep') {
      if (this.status !== 'received' || now <= after(AUTO_REJECT_MINUTES)) return 'same';
      this.end = { status: 'rejected', at: now };
      this.why = { reason: 'not_confirmed', restocked: true };
      this.changes += 1;
      return 'changed';
    }
    if (this.isMalformed(act, seen)) return 'INVALID_INPUT';
    if (this.isThere(act)) return 'same';
    if (act.kind === 'finalize' && !METHODS.includes(act.method)) return 'INVALID_INPUT';
    if (this.end !== null) return 'ORDER_ENDED';
    if (seen.from !== undefined && seen.from !== this.status) return 'ORDER_MOVED';
    if (seen.revision !== undefined && seen.revision !== this.changes + 1) return 'ORDER_MOVED';
    this.changes += 1;
    this.do(act, now);
    return 'changed';
  }

  private do(act: Act, now: number): void {
    if (act.kind === 'prep') this.extra = act.minutes;
    if (act.kind === 'finalize') {
      this.end = { status: 'delivered', at: now };
      this.paid = act.method;
    }
    if (act.kind === 'cancel') {
      this.end = { status: this.steps.length === 0 ? 'rejected' : 'cancelled', at: now };
      this.why = { reason: act.reason, restocked: act.restock };
    }
    if (act.kind === 'move') {
      const step = WAY.find((one) => one === act.to);
      if (step === undefined) throw new Error(`${act.to} is no step`);
      // Take back what lies at or beyond the step, then do the step.
      this.steps = this.steps.filter((done) => WAY.indexOf(done.step) < WAY.indexOf(step));
      this.steps.push({ step, at: now });
    }
  }

  /** All that can be told of it, but the moment of the last change. */
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

// ── Side by side ────────────────────────────────────────────────────────────────────────────────

const changeOf = (before: OrderState, act: Act, seen: Seen, now: number): OrderChange => {
  switch (act.kind) {
    case 'move':
      return moveOrder(before, act, seen, now);
    case 'finalize':
      return finalizeOrder(before, { paymentMethod: act.method }, METHODS, seen, now);
    case 'cancel':
      return cancelOrder(before, { reason: act.reason, note: null, restock: act.restock }, seen, now);
    case 'prep':
      return setPrepTime(before, { extraPrepMinutes: act.minutes }, seen, now);
    case 'sweep':
      return autoReject(before, AUTO_REJECT_MINUTES, now);
    case 'print':
      return markPrinted(before, now);
  }
};

const seenOf = ({ status, revision }: OrderState, looked: Looked): Seen => ({
  from: looked.from === 'now' ? status : (looked.from ?? undefined),
  revision: looked.revision === null ? undefined : revision + looked.revision,
});

/** Goes through the events; `look` sees each order with the one before. */
const lived = (
  ordered: OnlineChannel,
  events: readonly Event[],
  look: (before: OrderState, order: OrderState, word: string, happened: Event, now: number) => void,
): void => {
  let order = anOrder({ channel: ordered });
  let minutes = 0;
  for (const happened of events) {
    minutes += happened.minutesLater;
    const before = order;
    const now = after(minutes);
    const result = outcomeOf(before, () =>
      changeOf(before, happened.act, seenOf(before, happened.looked), now),
    );
    order = result.order;
    look(before, order, result.word, happened, now);
  }
};

const events = fc.array(event, { maxLength: 25 });
const RUNS = { numRuns: 2000 };

test('whatever people do, in any order, the engine and the sentences agree', () => {
  fc.assert(
    fc.property(channel, events, (ordered, all) => {
      const model = new Model(ordered);
      lived(ordered, all, (before, order, word, { act, looked }, now) => {
        expect(word).toBe(model.take(act, seenOf(before, looked), now));
        expect(order).toMatchObject(model.facts());
        expect(order.updatedAt).toBe(word === 'changed' ? now : before.updatedAt);
      });
    }),
    RUNS,
  );
});

test('at every moment the order is in one piece', () => {
  fc.assert(
    fc.property(channel, events, (ordered, all) => {
      lived(ordered, all, (before, order, word, { act }) => {
        const { status, stepTimes } = order;
        expect(order.paymentMethod !== null).toBe(status === 'delivered');
        expect(order.cancelReason !== null).toBe(status === 'cancelled' || status === 'rejected');
        expect(order.cancelRestocked !== null).toBe(status === 'cancelled' || status === 'rejected');
        if (status !== 'received') expect(stepTimes[status]).not.toBeNull();
        const ends = (['delivered', 'cancelled', 'rejected'] as const).filter(
          (end) => stepTimes[end] !== null,
        );
        expect(ends).toEqual(ends.length === 0 ? [] : [status]);
        // No step beyond the one the order is at has a time, and times never run backwards.
        const times = WAY.flatMap((step) => stepTimes[step] ?? []);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        if (ends.length === 0)
          expect(WAY.filter((step) => stepTimes[step] !== null).at(-1) ?? 'received').toBe(status);
        // Once ended, only the printer still says something.
        const hasEnded = before.paymentMethod !== null || before.cancelReason !== null;
        if (hasEnded && act.kind !== 'print') expect(order).toEqual(before);
        expect(order.revision - before.revision).toBe(word === 'changed' && act.kind !== 'print' ? 1 : 0);
      });
    }),
    RUNS,
  );
});

test('the same tap twice has one effect', () => {
  fc.assert(
    fc.property(channel, events, (ordered, all) => {
      lived(ordered, all, (before, order, word, { act, looked }, now) => {
        if (word !== 'changed') return;
        const again = outcomeOf(order, () => changeOf(order, act, seenOf(before, looked), now));
        expect(again).toEqual({ word: 'same', order });
      });
    }),
    RUNS,
  );
});
