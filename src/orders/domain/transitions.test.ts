import { describe, expect, test } from 'vitest';
import {
  autoReject,
  cancelOrder,
  finalizeOrder,
  hasWaitedTooLong,
  markPrinted,
  MAX_EXTRA_PREP_MINUTES,
  moveOrder,
  nextSteps,
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
  test('goes forward, step by step, and each step is stamped', () => {
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

  test('back after a mis-tap: the steps undone lose their times, the landing is stamped again, earlier stamps stay', () => {
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

  test('back to a step that was skipped stamps it', () => {
    const { order } = move(at('ready', { stepTimes: { ...NO_TIMES, ready: after(3) } }), 'confirmed');
    expect(order.stepTimes).toEqual({ ...NO_TIMES, confirmed: after(10) });
  });

  test('never goes to received or to an end, and says what does', () => {
    for (const to of ['received', 'delivered', 'cancelled', 'rejected'] as const) {
      const order = at('preparing');
      expect(pathsRefused(() => moveOrder(order, { to }, currentPrecondition(order), after(1)))).toEqual([
        'to',
      ]);
    }
    const refusal = refusalOf(() => moveOrder(at('ready'), { to: 'delivered' }, { revision: 7 }, after(1)));
    expect(refusal.faults[0]?.problem).toMatch(/finalize/);
  });

  test('out for delivery is no step of an order to pick up', () => {
    for (const channel of ONLINE_CHANNELS) {
      const order = at('ready', { channel });
      const change = () => moveOrder(order, { to: 'out_for_delivery' }, currentPrecondition(order), after(1));
      if (channel === 'pickup') expect(pathsRefused(change)).toEqual(['to']);
      else expect(change()).toMatchObject({ outcome: 'changed' });
    }
  });
});

describe('whoever changes an order says what it was like', () => {
  const order = at('preparing');
  const changes: Readonly<Record<string, (precondition: Precondition) => unknown>> = {
    move: (precondition) => moveOrder(order, { to: 'ready' }, precondition, after(1)),
    finalize: (precondition) =>
      finalizeOrder(order, { paymentMethod: 'cash' }, METHODS, precondition, after(1)),
    cancel: (precondition) => cancelOrder(order, SOLD_OUT, precondition, after(1)),
    'prep time': (precondition) => setPrepTime(order, { extraPrepMinutes: 5 }, precondition, after(1)),
  };

  test.each(Object.entries(changes))(
    '%s: neither `from` nor `revision` is refused with both named',
    (_, change) => {
      expect(pathsRefused(() => change({}))).toEqual(['from', 'revision']);
    },
  );

  test.each(Object.entries(changes))('%s: either will do, and a stale one is ORDER_MOVED', (_, change) => {
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
  });

  test('everything that is malformed is named at once', () => {
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

describe('already there is the same, whatever was seen', () => {
  const stale: Precondition = { from: 'received', revision: 1 };

  test('a step the order is at', () => {
    const order = at('ready', { stepTimes: { ...NO_TIMES, ready: after(1) } });
    expect(move(order, 'ready', stale)).toEqual({ word: 'same', order });
  });

  test('delivered and paid by the same method; by another it has ended', () => {
    expect(finalize(at('delivered'), 'cash', stale).word).toBe('same');
    expect(finalize(at('delivered'), 'card', stale).word).toBe('ORDER_ENDED');
  });

  test('delivered by a method that the shop takes no more', () => {
    const order = at('delivered', { paymentMethod: 'voucher' });
    expect(finalize(order, 'voucher', stale).word).toBe('same');
  });

  test('cancelled or rejected, whatever the reason', () => {
    for (const status of ['cancelled', 'rejected'] as const)
      expect(cancel(at(status), { reason: 'closed', note: 'x', restock: false }, stale)).toEqual({
        word: 'same',
        order: at(status),
      });
  });

  test('the same preparing time, even of an order that has ended', () => {
    for (const status of ORDER_STATUSES)
      expect(prep(at(status, { extraPrepMinutes: 15 }), 15, stale).word).toBe('same');
  });
});

test('an order that has ended is changed no more: ended goes before stale', () => {
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

test('of two racing changes one wins', () => {
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
  test.each(UNDER_WAY)('delivers an order that is %s, with how it was paid', (status) => {
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

  test('takes only the shop’s payment methods, and names them', () => {
    const order = at('ready');
    const change = () =>
      finalizeOrder(order, { paymentMethod: 'gold' }, METHODS, currentPrecondition(order), after(1));
    expect(pathsRefused(change)).toEqual(['payment_method']);
    expect(refusalOf(change).faults[0]?.problem).toBe('must be one of cash, card');
  });
});

describe('cancel', () => {
  test.each(UNDER_WAY)('of an order that is %s', (status) => {
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

  test('staff choose every reason but the service’s own', () => {
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

describe('an order that no one confirms', () => {
  test('is rejected by the service once it has waited longer than the branch lets it, its stock going back', () => {
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

  test('waits for ever where the branch says nothing', () => {
    expect(hasWaitedTooLong(PLACED, null, after(1_000_000))).toBe(false);
    expect(autoReject(anOrder(), null, after(1_000_000))).toEqual({ outcome: 'same' });
  });

  test('is left alone as soon as someone has decided', () => {
    for (const status of ORDER_STATUSES.filter((other) => other !== 'received'))
      expect(autoReject(at(status), 10, after(60))).toEqual({ outcome: 'same' });
  });
});

describe('the preparing time', () => {
  test.each(UNDER_WAY)('can be told while the order is %s, up and down', (status) => {
    const { order } = prep(at(status, { extraPrepMinutes: 20 }), 5);
    expect(order).toEqual({ ...at(status), extraPrepMinutes: 5, revision: 8, updatedAt: after(30) });
  });

  test.each([-5, 1, 7.5, 12, MAX_EXTRA_PREP_MINUTES + 5])('%s more minutes are refused', (minutes) => {
    const order = at('ready');
    const change = () =>
      setPrepTime(order, { extraPrepMinutes: minutes }, currentPrecondition(order), after(1));
    expect(pathsRefused(change)).toEqual(['extra_prep_minutes']);
  });
});

test('a receipt is printed at any status; the first time counts, and no one’s decision is made stale by it', () => {
  for (const status of ORDER_STATUSES) {
    const order = at(status);
    const printed = { ...order, receiptPrintedAt: after(5), updatedAt: after(5) };
    expect(markPrinted(order, after(5))).toEqual({ outcome: 'changed', after: printed });
    expect(markPrinted(printed, after(9))).toEqual({ outcome: 'same' });
  }
});

describe('what staff may do next', () => {
  test('before anything: forward to every step, reject, deliver', () => {
    expect(nextSteps({ channel: 'outside', status: 'received' })).toEqual({
      moves: ['confirmed', 'preparing', 'ready', 'out_for_delivery'],
      canFinalize: true,
      cancelsTo: 'rejected',
      canSetPrepTime: true,
    });
  });

  test('under way: every other step of the channel, back too', () => {
    expect(nextSteps({ channel: 'pickup', status: 'preparing' })).toEqual({
      moves: ['confirmed', 'ready'],
      canFinalize: true,
      cancelsTo: 'cancelled',
      canSetPrepTime: true,
    });
  });

  test('after its end: nothing', () => {
    for (const status of ENDS)
      expect(nextSteps({ channel: 'outside', status })).toEqual({
        moves: [],
        canFinalize: false,
        cancelsTo: null,
        canSetPrepTime: false,
      });
  });

  test('what is open succeeds, and nothing else does', () => {
    for (const channel of ONLINE_CHANNELS)
      for (const status of ORDER_STATUSES) {
        const order = at(status, { channel });
        const { moves, canFinalize, cancelsTo, canSetPrepTime } = nextSteps(order);
        for (const to of ORDER_STATUSES)
          expect(move(order, to).word === 'changed').toBe(moves.some((step) => step === to));
        expect(finalize(order, 'card').word === 'changed').toBe(canFinalize);
        expect(prep(order, 25).word === 'changed').toBe(canSetPrepTime);
        const cancelled = cancel(order);
        expect(cancelled.word === 'changed' ? cancelled.order.status : null).toBe(cancelsTo);
      }
  });
});
