import { describe, expect, test } from 'vitest';
import {
  autoReject,
  cancelOrder,
  finalizeOrder,
  hasWaitedTooLong,
  markPrinted,
  MAX_EXTRA_PREP_MINUTES,
  moveOrder,
  possibleMoves,
  reopenOrder,
  setPrepTime,
  type Cancellation,
  type OrderState,
  type Precondition,
} from './transitions.ts';
import {
  after,
  anOrder,
  NO_TIMES,
  outcomeOf,
  pathsRefused,
  PLACED,
  refusalOf,
} from './transitions.test-support.ts';
import { ORDER_STATUSES, STAFF_CANCEL_REASONS, type OrderStatus } from './order.ts';
import { ONLINE_CHANNELS } from '../../shops/domain/shop.ts';

const METHODS = ['cash', 'card'];
const SOLD_OUT: Cancellation = { reason: 'sold_out', note: null, restock: true };

/** The present status and revision. */
const currentPrecondition = ({ status, revision }: OrderState): Precondition => ({ from: status, revision });

const move = (
  order: OrderState,
  to: OrderStatus,
  precondition: Precondition = currentPrecondition(order),
  minutes = 10,
) => outcomeOf(order, () => moveOrder(order, { to }, precondition, after(minutes)));
const finalize = (
  order: OrderState,
  paymentMethod = 'cash',
  precondition: Precondition = currentPrecondition(order),
) => outcomeOf(order, () => finalizeOrder(order, { paymentMethod }, METHODS, precondition, after(30)));
const cancel = (
  order: OrderState,
  cancellation: Cancellation = SOLD_OUT,
  precondition: Precondition = currentPrecondition(order),
) => outcomeOf(order, () => cancelOrder(order, cancellation, precondition, after(30)));
const reopen = (order: OrderState) =>
  outcomeOf(order, () => reopenOrder(order, currentPrecondition(order), after(30)));
const prep = (
  order: OrderState,
  extraPrepMinutes: number,
  precondition: Precondition = currentPrecondition(order),
) => outcomeOf(order, () => setPrepTime(order, { extraPrepMinutes }, precondition, after(30)));

const at = (status: OrderStatus, state: Partial<OrderState> = {}): OrderState =>
  anOrder({
    status,
    revision: 7,
    paymentMethod: status === 'delivered' ? 'cash' : null,
    cancelReason: status === 'cancelled' || status === 'rejected' ? 'too_busy' : null,
    ...state,
  });

const ENDS = ['delivered', 'cancelled', 'rejected'] as const;
const UNDER_WAY = ['received', 'confirmed', 'preparing', 'ready', 'out_for_delivery'] as const;

describe('a move', () => {
  test('goes forward step by step and stamps each step', () => {
    let order = anOrder();
    for (const [index, step] of (
      ['confirmed', 'preparing', 'ready', 'out_for_delivery'] as const
    ).entries()) {
      order = move(order, step, currentPrecondition(order), index).order;
      expect(order).toMatchObject({ status: step, revision: index + 2, updatedAt: after(index) });
    }
    expect(order.stepTimes).toEqual({
      ...NO_TIMES,
      confirmed: after(0),
      preparing: after(1),
      ready: after(2),
      out_for_delivery: after(3),
    });
  });

  test('may skip steps, whose times stay null', () => {
    const { word, order } = move(anOrder(), 'ready');
    expect(word).toBe('changed');
    expect(order.stepTimes).toEqual({ ...NO_TIMES, ready: after(10) });
  });

  test('back clears the times of undone steps, stamps its target and keeps earlier times', () => {
    const stepTimes = {
      ...NO_TIMES,
      confirmed: after(1),
      preparing: after(2),
      ready: after(3),
      out_for_delivery: after(4),
    };
    const { order } = move(at('out_for_delivery', { stepTimes }), 'preparing');
    expect(order).toMatchObject({ status: 'preparing', revision: 8 });
    expect(order.stepTimes).toEqual({ ...NO_TIMES, confirmed: after(1), preparing: after(10) });
  });

  test('back to a skipped step stamps that step', () => {
    const { order } = move(at('ready', { stepTimes: { ...NO_TIMES, ready: after(3) } }), 'confirmed');
    expect(order.stepTimes).toEqual({ ...NO_TIMES, confirmed: after(10) });
  });

  test('to received or to an end is refused, for delivered with a hint to finalize', () => {
    for (const to of ['received', 'delivered', 'cancelled', 'rejected'] as const) {
      const order = at('preparing');
      expect(pathsRefused(() => moveOrder(order, { to }, currentPrecondition(order), after(1)))).toEqual([
        'to',
      ]);
    }
    const refusal = refusalOf(() => moveOrder(at('ready'), { to: 'delivered' }, { revision: 7 }, after(1)));
    expect(refusal.faults[0]?.problem).toMatch(/finalize/);
  });

  test('to out_for_delivery is refused for pickup alone', () => {
    for (const channel of ONLINE_CHANNELS) {
      const order = at('ready', { channel });
      const change = () => moveOrder(order, { to: 'out_for_delivery' }, currentPrecondition(order), after(1));
      if (channel === 'pickup') expect(pathsRefused(change)).toEqual(['to']);
      else expect(change()).toMatchObject({ outcome: 'changed' });
    }
  });
});

describe('the precondition of a change', () => {
  const order = at('preparing');
  const changes: Readonly<Record<string, (precondition: Precondition) => unknown>> = {
    move: (precondition) => moveOrder(order, { to: 'ready' }, precondition, after(1)),
    finalize: (precondition) =>
      finalizeOrder(order, { paymentMethod: 'cash' }, METHODS, precondition, after(1)),
    cancel: (precondition) => cancelOrder(order, SOLD_OUT, precondition, after(1)),
    'prep time': (precondition) => setPrepTime(order, { extraPrepMinutes: 5 }, precondition, after(1)),
  };

  test.each(Object.entries(changes))(
    '%s without from and revision is refused with both named',
    (_, change) => {
      expect(pathsRefused(() => change({}))).toEqual(['from', 'revision']);
    },
  );

  test.each(Object.entries(changes))(
    '%s accepts from or revision, and a stale one is ORDER_MOVED',
    (_, change) => {
      for (const precondition of [
        { from: 'preparing' },
        { revision: 7 },
        { from: 'preparing', revision: 7 },
      ] as const)
        expect(change(precondition)).toMatchObject({ outcome: 'changed' });
      for (const precondition of [
        { from: 'confirmed' },
        { revision: 6 },
        { from: 'preparing', revision: 6 },
        { from: 'ready', revision: 7 },
      ] as const)
        expect(refusalOf(() => change(precondition))).toMatchObject({
          refusal: 'ORDER_MOVED',
          figures: { status: 'preparing', revision: 7 },
        });
    },
  );

  test('all malformed fields are named at once', () => {
    expect(pathsRefused(() => moveOrder(order, { to: 'delivered' }, {}, after(1)))).toEqual([
      'from',
      'revision',
      'to',
    ]);
    expect(pathsRefused(() => setPrepTime(order, { extraPrepMinutes: 7 }, {}, after(1)))).toEqual([
      'from',
      'revision',
      'extra_prep_minutes',
    ]);
  });
});

describe('no change is made, even with a stale precondition, for', () => {
  const stale: Precondition = { from: 'received', revision: 1 };

  test('a move to the current step', () => {
    const order = at('ready', { stepTimes: { ...NO_TIMES, ready: after(1) } });
    expect(move(order, 'ready', stale)).toEqual({ word: 'same', order });
  });

  test('a delivery by the same method; another method is ORDER_ENDED', () => {
    expect(finalize(at('delivered'), 'cash', stale).word).toBe('same');
    expect(finalize(at('delivered'), 'card', stale).word).toBe('ORDER_ENDED');
  });

  test('a delivery by the stored method when the shop no longer accepts it', () => {
    const order = at('delivered', { paymentMethod: 'voucher' });
    expect(finalize(order, 'voucher', stale).word).toBe('same');
  });

  test('a cancellation of a cancelled or rejected order, for any reason', () => {
    for (const status of ['cancelled', 'rejected'] as const)
      expect(cancel(at(status), { reason: 'closed', note: 'x', restock: false }, stale)).toEqual({
        word: 'same',
        order: at(status),
      });
  });

  test('the stored preparation time, also of an ended order', () => {
    for (const status of ORDER_STATUSES)
      expect(prep(at(status, { extraPrepMinutes: 15 }), 15, stale).word).toBe('same');
  });
});

test('a change of an ended order is ORDER_ENDED, also with a stale precondition', () => {
  for (const status of ENDS) {
    const order = at(status);
    for (const precondition of [currentPrecondition(order), { from: 'ready' }] as const) {
      expect(move(order, 'ready', precondition).word).toBe('ORDER_ENDED');
      expect(prep(order, 10, precondition).word).toBe('ORDER_ENDED');
      expect(finalize(order, 'card', precondition).word).toBe('ORDER_ENDED');
      expect(cancel(order, SOLD_OUT, precondition).word).toBe(
        status === 'delivered' ? 'ORDER_ENDED' : 'same',
      );
    }
  }
  expect(
    refusalOf(() => moveOrder(at('delivered'), { to: 'ready' }, { revision: 1 }, after(1))).figures,
  ).toEqual({ status: 'delivered', revision: 7 });
});

test('the second of two racing changes is ORDER_MOVED, or no change if both want the same', () => {
  const order = at('confirmed');
  const precondition = currentPrecondition(order);
  const first = move(order, 'preparing', precondition);
  expect(first.word).toBe('changed');
  expect(cancel(first.order, SOLD_OUT, precondition).word).toBe('ORDER_MOVED');
  expect(finalize(first.order, 'cash', precondition).word).toBe('ORDER_MOVED');
  expect(move(first.order, 'ready', precondition).word).toBe('ORDER_MOVED');
  expect(move(first.order, 'preparing', precondition)).toEqual({ word: 'same', order: first.order });
});

describe('finalize', () => {
  test.each(UNDER_WAY)('delivers an order that is %s and stores the payment method', (status) => {
    const before = at(status, { stepTimes: { ...NO_TIMES, confirmed: after(1) } });
    const { word, order } = finalize(before, 'card');
    expect(word).toBe('changed');
    expect(order).toEqual({
      ...before,
      status: 'delivered',
      paymentMethod: 'card',
      revision: 8,
      updatedAt: after(30),
      stepTimes: { ...NO_TIMES, confirmed: after(1), delivered: after(30) },
    });
  });

  test('refuses an unknown payment method and names the accepted ones', () => {
    const order = at('ready');
    const change = () =>
      finalizeOrder(order, { paymentMethod: 'gold' }, METHODS, currentPrecondition(order), after(1));
    expect(pathsRefused(change)).toEqual(['payment_method']);
    expect(refusalOf(change).faults[0]?.problem).toBe('must be one of cash, card');
  });
});

describe('cancel', () => {
  test.each(UNDER_WAY)('ends an order that is %s and stores reason, note and restocking', (status) => {
    const end = status === 'received' ? 'rejected' : 'cancelled';
    const before = at(status, { stepTimes: { ...NO_TIMES, confirmed: after(1) } });
    const { order } = cancel(before, { reason: 'no_answer', note: '  rang\ntwice ', restock: false });
    expect(order).toEqual({
      ...before,
      status: end,
      cancelReason: 'no_answer',
      cancelNote: 'rang twice',
      cancelRestocked: false,
      revision: 8,
      updatedAt: after(30),
      stepTimes: { ...NO_TIMES, confirmed: after(1), [end]: after(30) },
    });
  });

  test('offers staff every reason but not_confirmed', () => {
    expect(STAFF_CANCEL_REASONS).toEqual([
      'guest_asked',
      'sold_out',
      'too_busy',
      'closed',
      'cannot_reach',
      'no_answer',
      'other',
    ]);
  });
});

describe('an unconfirmed order', () => {
  test('is rejected and restocked once it has waited longer than the branch’s limit', () => {
    const order = anOrder();
    expect(autoReject(order, 10, after(10))).toEqual({ outcome: 'same' });
    expect(autoReject(order, 10, after(10) + 1)).toEqual({
      outcome: 'changed',
      after: {
        ...order,
        status: 'rejected',
        revision: 2,
        updatedAt: after(10) + 1,
        stepTimes: { ...NO_TIMES, rejected: after(10) + 1 },
        cancelReason: 'not_confirmed',
        cancelNote: null,
        cancelRestocked: true,
      },
    });
  });

  test('is never rejected at a branch without a limit', () => {
    expect(hasWaitedTooLong(PLACED, null, after(1_000_000))).toBe(false);
    expect(autoReject(anOrder(), null, after(1_000_000))).toEqual({ outcome: 'same' });
  });

  test('is not rejected once it has another status', () => {
    for (const status of ORDER_STATUSES.filter((other) => other !== 'received'))
      expect(autoReject(at(status), 10, after(60))).toEqual({ outcome: 'same' });
  });
});

describe('the preparation time', () => {
  test.each(UNDER_WAY)('can be lowered while the order is %s', (status) => {
    const { order } = prep(at(status, { extraPrepMinutes: 20 }), 5);
    expect(order).toEqual({ ...at(status), extraPrepMinutes: 5, revision: 8, updatedAt: after(30) });
  });

  test.each([-5, 1, 7.5, 12, MAX_EXTRA_PREP_MINUTES + 5])('is refused with %s extra minutes', (minutes) => {
    const order = at('ready');
    const change = () =>
      setPrepTime(order, { extraPrepMinutes: minutes }, currentPrecondition(order), after(1));
    expect(pathsRefused(change)).toEqual(['extra_prep_minutes']);
  });
});

test('the first printing of a receipt is stored at any status and leaves the revision unchanged', () => {
  for (const status of ORDER_STATUSES) {
    const order = at(status);
    const printed = { ...order, receiptPrintedAt: after(5), updatedAt: after(5) };
    expect(markPrinted(order, after(5))).toEqual({ outcome: 'changed', after: printed });
    expect(markPrinted(printed, after(9))).toEqual({ outcome: 'same' });
  }
});

describe('the offered moves', () => {
  test('of an open order are all other steps of its channel, backward too', () => {
    expect(possibleMoves({ channel: 'outside', status: 'received' })).toEqual([
      'confirmed',
      'preparing',
      'ready',
      'out_for_delivery',
    ]);
    expect(possibleMoves({ channel: 'pickup', status: 'preparing' })).toEqual(['confirmed', 'ready']);
  });

  test('of an ended order are none', () => {
    for (const status of ENDS) expect(possibleMoves({ channel: 'outside', status })).toEqual([]);
  });

  test('are exactly the moves that succeed', () => {
    for (const channel of ONLINE_CHANNELS)
      for (const status of ORDER_STATUSES) {
        const order = at(status, { channel });
        const moves = possibleMoves(order);
        for (const to of ORDER_STATUSES)
          expect(move(order, to).word === 'changed').toBe(moves.some((step) => step === to));
      }
  });
});

test('an open order can be delivered, cancelled and delayed, a delivered one reopened', () => {
  for (const channel of ONLINE_CHANNELS)
    for (const status of ORDER_STATUSES) {
      const order = at(status, { channel });
      const isOpen = UNDER_WAY.some((open) => open === status);
      expect(finalize(order, 'card').word === 'changed').toBe(isOpen);
      expect(prep(order, 25).word === 'changed').toBe(isOpen);
      expect(reopen(order).word === 'changed').toBe(status === 'delivered');
      const end = status === 'received' ? 'rejected' : 'cancelled';
      const cancelled = cancel(order);
      expect(cancelled.word === 'changed' ? cancelled.order.status : null).toBe(isOpen ? end : null);
    }
});
