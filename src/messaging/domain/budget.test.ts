import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  refund,
  NOTHING_SPENT,
  prefixOf,
  scaledBudgets,
  spend,
  spentOf,
  STANDARD_BUDGETS,
  type Budget,
} from './budget.ts';
import type { Instant } from '../../kernel/time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 20, 18);

const aBudget = (limit: number, more: Partial<Budget> = {}): Budget => ({
  ...{ key: 'total', limit, isShared: false, spending: NOTHING_SPENT },
  ...more,
});

interface Step {
  readonly after: number;
  readonly isBack: boolean;
}
const steps = fc.array(fc.record({ after: fc.integer({ min: 0, max: 20 * MINUTE }), isBack: fc.boolean() }), {
  maxLength: 120,
});

/** Each step spends or spends and refunds. Returns the times that stayed spent. */
const rolled = (limit: number, all: readonly Step[]) => {
  let budget = aBudget(limit);
  let now: Instant = START;
  const unrefunded: Instant[] = [];
  const refusals: { readonly at: Instant; readonly waitMs: number }[] = [];
  for (const { after, isBack } of all) {
    now += after;
    const { waitMs, budgets } = spend([budget], true, now);
    budget = budgets[0] ?? budget;
    if (waitMs > 0) refusals.push({ at: now, waitMs });
    else if (isBack) budget = refund([budget], now, now)[0] ?? budget;
    else unrefunded.push(now);
  }
  return { budget, now, unrefunded, refusals };
};

describe('any sequence of spending and refunds', () => {
  test('never exceeds the limit in a rolling hour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), steps, (limit, all) => {
        const { unrefunded } = rolled(limit, all);
        for (const moment of unrefunded)
          expect(
            unrefunded.filter((other) => other >= moment && other - moment < HOUR).length,
          ).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test('is refused only if the last 61 minutes are full, and succeeds after the returned wait', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), steps, (limit, all) => {
        const { unrefunded, refusals, budget, now } = rolled(limit, all);
        for (const { at } of refusals)
          expect(
            unrefunded.filter((moment) => moment <= at && at - moment < HOUR + MINUTE).length,
          ).toBeGreaterThanOrEqual(limit);
        const { waitMs } = spend([budget], true, now);
        if (waitMs === 0) return;
        expect(spend([budget], true, now + waitMs).waitMs).toBe(0);
        expect(spend([budget], true, now + waitMs - 1).waitMs).toBeGreaterThan(0);
      }),
    );
  });

  test('has a spent count equal to a list of times, to within a minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), steps, (limit, all) => {
        const { unrefunded, budget, now } = rolled(limit, all);
        const spent = spentOf(budget.spending, now);
        expect(spent).toBeGreaterThanOrEqual(unrefunded.filter((moment) => now - moment < HOUR).length);
        expect(spent).toBeLessThanOrEqual(unrefunded.filter((moment) => now - moment < HOUR + MINUTE).length);
        expect(budget.spending.counts.length).toBeLessThanOrEqual(61);
      }),
    );
  });
});

test('no budget is spent when one of them is exhausted', () => {
  const [full, empty] = [aBudget(5, { key: 'total' }), aBudget(0, { key: '+20' })];
  const { waitMs, refusedBy, budgets } = spend([full, empty], true, START);
  expect([waitMs, refusedBy]).toEqual([HOUR, ['+20']]);
  expect(budgets.map(({ spending }) => spentOf(spending, START))).toEqual([0, 0]);
});

test('several messages are spent at once up to the smallest budget, and can be refunded', () => {
  fc.assert(
    fc.property(
      ...[fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 40 })],
      (one, other, most) => {
        const all = [aBudget(one, { key: 'total' }), aBudget(other, { key: '+20' })];
        const several = spend(all, true, START, most);
        expect(several.count).toBe(Math.min(one, other, most));
        expect(several.waitMs === 0).toBe(several.count > 0);
        let singly: readonly Budget[] = all;
        for (let n = 0; n < several.count; n += 1) singly = spend(singly, true, START).budgets;
        const counts = (budgets: readonly Budget[]) => budgets.map(({ spending }) => spending.counts);
        if (several.count > 0) expect(counts(several.budgets)).toEqual(counts(singly));
        const back = refund(several.budgets, START, START + MINUTE, several.count);
        expect(back.map(({ spending }) => spentOf(spending, START + MINUTE))).toEqual([0, 0]);
      },
    ),
  );
});

test('the last fifth of a shared budget is reserved for proven phones', () => {
  const until = (isWhole: boolean, more: Partial<Budget>): number => {
    let budget = aBudget(10, more);
    let count = 0;
    for (let spent = spend([budget], isWhole, START); spent.waitMs === 0 && count < 99; count += 1) {
      budget = spent.budgets[0] ?? budget;
      spent = spend([budget], isWhole, START);
    }
    return count;
  };
  expect(until(false, { isShared: true })).toBe(8);
  expect(until(true, { isShared: true })).toBe(10);
  expect(until(false, { isShared: true, limit: 35 })).toBe(28);
  expect(until(false, { isShared: false })).toBe(10);
});

test('the alert of an exhausted budget is raised at the limit, not at the reserved fifth', () => {
  let budget = aBudget(5, { isShared: true });
  const raised: string[] = [];
  for (const isWhole of [false, false, false, false, false, true, true, false, true]) {
    const { budgets, alerts } = spend([budget], isWhole, START);
    budget = budgets[0] ?? budget;
    raised.push(alerts.map(({ kind, spent }) => `${kind} ${spent}`).join());
  }
  expect(raised).toEqual(['', '', 'message_budget_low 3', '', '', '', 'message_budget_spent 5', '', '']);
});

test.each([
  ['half of a budget that all share', true, 3],
  ['four fifths of an address’s', false, 4],
])('an alert is raised once when %s is spent', (_, isShared, low) => {
  let budget = aBudget(5, { isShared });
  const raised: string[][] = [];
  for (let n = 0; n < 7; n += 1) {
    const { budgets, alerts } = spend([budget], true, START + n * MINUTE);
    budget = budgets[0] ?? budget;
    raised.push(alerts.map(({ kind, spent }) => `${kind} ${spent}`));
  }
  const expected: string[][] = [[], [], [], [], [], ['message_budget_spent 5'], []];
  expected[low - 1] = [`message_budget_low ${low}`];
  expect(raised).toEqual(expected);
});

test('a clock that is behind counts in the latest stored minute', () => {
  const ahead = spend([aBudget(2)], true, START).budgets;
  const both = spend(ahead, true, START - 5 * MINUTE).budgets;
  expect(spend(both, true, START).waitMs).toBeGreaterThan(0);
});

test('the prefix of a phone is the longest that has a budget', () => {
  const prefixes = new Map([
    ['+20', 1],
    ['+1', 1],
    ['+1876', 1],
  ]);
  const of = (phone: string) => prefixOf(phone, { prefixes });
  expect([of('201001234567'), of('18765550100'), of('12025550100'), of('966501234567')]).toEqual([
    ...['+20', '+1876', '+1'],
    null,
  ]);
});

test('the scale multiplies limits, scale 0 turns them off, and a limit of 0 stays 0', () => {
  expect(scaledBudgets(STANDARD_BUDGETS, 0)).toBeNull();
  const closed = { ...STANDARD_BUDGETS, shop: 0, address: 1 };
  expect(scaledBudgets(closed, 0.1)).toMatchObject({ total: 300, shop: 0, address: 1 });
  expect(scaledBudgets(closed, 2)?.prefixes.get('+20')).toBe(6_000);
});
