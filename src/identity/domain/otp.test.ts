import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CodeHistory } from './otp-oracle.test-support.ts';
import {
  NO_CODES,
  beginSending,
  codeOf,
  tryFailed,
  mayRequest,
  mayTry,
  readCode,
  sendingFailed,
  sendingSucceeded,
  trySucceeded,
  type OtpState,
} from './otp.ts';

const T = Date.parse('2026-04-24T18:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const coded = (state: OtpState, hash: string, at: number): OtpState =>
  sendingSucceeded(beginSending(state, hash, at), hash, hash, at);

const times = (count: number, state: OtpState, step: (state: OtpState, i: number) => OtpState): OtpState =>
  Array.from({ length: count }, (_, i) => i).reduce(step, state);

/** Enters `entered` (a hash) at `at`; returns the outcome and the new state. */
const entering = (state: OtpState, entered: string, at: number): { right: boolean; state: OtpState } => {
  const may = mayTry(state, at);
  if (!may.may) return { right: false, state };
  return may.hash === entered
    ? { right: true, state: trySucceeded(state) }
    : { right: false, state: tryFailed(state, at) };
};

describe('a one-time code', () => {
  test('works once, within five minutes', () => {
    const state = coded(NO_CODES, 'a', T);
    expect(mayTry(state, T + 5 * MINUTE - 1)).toEqual({ may: true, hash: 'a' });
    expect(mayTry(state, T + 5 * MINUTE)).toEqual({ may: false, waitSeconds: null });
    const used = entering(state, 'a', T + MINUTE);
    expect(used.right).toBe(true);
    expect(entering(used.state, 'a', T + MINUTE).right).toBe(false);
  });

  test('stops working after five wrong tries', () => {
    const wrong = (state: OtpState) => entering(state, 'wrong', T + 1).state;
    const state = times(4, coded(NO_CODES, 'a', T), wrong);
    expect(entering(state, 'a', T + 2).right).toBe(true);
    expect(entering(wrong(state), 'a', T + 2).right).toBe(false);
  });

  test('is replaced once a new code is sendingSucceeded, not before', () => {
    const requested = beginSending(coded(NO_CODES, 'a', T), 'second', T + MINUTE);
    expect(entering(requested, 'a', T + MINUTE + 1).right).toBe(true);
    const both = sendingSucceeded(requested, 'second', 'b', T + MINUTE + SECOND);
    expect(entering(both, 'a', T + 2 * MINUTE).right).toBe(false);
    expect(entering(both, 'b', T + 2 * MINUTE).right).toBe(true);
  });

  test('has five new tries after a resend', () => {
    const tired = times(4, coded(NO_CODES, 'a', T), (state) => tryFailed(state, T + 1));
    const fresh = times(4, coded(tired, 'b', T + MINUTE), (state) => tryFailed(state, T + MINUTE));
    expect(mayTry(fresh, T + MINUTE)).toEqual({ may: true, hash: 'b' });
  });
});

describe('a request for another code', () => {
  test('must wait a minute; the earlier code still works', () => {
    const state = coded(NO_CODES, 'a', T);
    expect(mayRequest(state, T)).toEqual({ may: false, waitSeconds: 60, isCodeOut: true });
    expect(mayRequest(state, T + 59_001)).toEqual({ may: false, waitSeconds: 1, isCodeOut: true });
    expect(mayRequest(state, T + MINUTE)).toEqual({ may: true });
    expect(entering(state, 'a', T + 30 * SECOND).right).toBe(true);
  });

  test('must wait while a code is being sent, so that two taps send one code', () => {
    const state = beginSending(NO_CODES, 'first', T);
    expect(mayRequest(state, T)).toEqual({ may: false, waitSeconds: 60, isCodeOut: true });
    expect(mayRequest(state, T + 30 * SECOND - 1)).toEqual({ may: false, waitSeconds: 31, isCodeOut: true });
  });

  test('need not wait for a sending that is unfinished after 30 seconds', () => {
    expect(mayRequest(beginSending(NO_CODES, 'first', T), T + 30 * SECOND)).toEqual({ may: true });
  });

  test('need not wait after a failed sending, which does not count', () => {
    const before = coded(NO_CODES, 'a', T - 2 * MINUTE);
    const after = sendingFailed(beginSending(before, 'second', T), 'second');
    expect(after).toEqual(before);
    expect(mayRequest(after, T)).toEqual({ may: true });
    expect(entering(after, 'a', T).right).toBe(true);
  });

  test('a code whose sending was overtaken by a newer one never works', () => {
    const late = beginSending(beginSending(NO_CODES, 'first', T), 'second', T + 40 * SECOND);
    const first = sendingSucceeded(late, 'first', 'a', T + 41 * SECOND);
    expect(entering(first, 'a', T + 42 * SECOND).right).toBe(false);
    expect(first.codes).toEqual([T + 41 * SECOND]);
    expect(sendingFailed(first, 'first').sending).toEqual({ id: 'second', at: T + 40 * SECOND });
    expect(
      entering(sendingSucceeded(first, 'second', 'b', T + 43 * SECOND), 'b', T + 44 * SECOND).right,
    ).toBe(true);
  });
});

describe('the limits of a day', () => {
  test('allow ten codes, the tenth of which can still be entered', () => {
    const state = times(10, NO_CODES, (before, i) => coded(before, `code ${i}`, T + i * HOUR));
    const now = T + 9 * HOUR + MINUTE;
    expect(mayRequest(state, now)).toEqual({
      may: false,
      waitSeconds: (DAY - 9 * HOUR - MINUTE) / SECOND,
      isCodeOut: false,
    });
    expect(entering(state, 'code 9', now).right).toBe(true);
    expect(mayRequest(state, T + DAY - 1)).toEqual({ may: false, waitSeconds: 1, isCodeOut: false });
    expect(mayRequest(state, T + DAY)).toEqual({ may: true });
  });

  test('allow ten wrong codes, also across resends; then no code is sent or verified', () => {
    const round = (state: OtpState, i: number) =>
      times(5, coded(state, `code ${i}`, T + i * MINUTE), (before) => tryFailed(before, T + i * MINUTE));
    const state = coded(times(2, NO_CODES, round), 'right', T + 3 * MINUTE);
    const now = T + 4 * MINUTE;
    const waitSeconds = (DAY - 4 * MINUTE) / SECOND;
    expect(mayRequest(state, now)).toEqual({ may: false, waitSeconds, isCodeOut: false });
    expect(mayTry(state, now)).toEqual({ may: false, waitSeconds });
    expect(mayRequest(state, T + DAY)).toEqual({ may: true });
  });

  test('do not count a wrong code while no code is valid', () => {
    const state = times(
      20,
      coded(NO_CODES, 'a', T),
      (before, i) => entering(before, 'wrong', T + 5 * MINUTE + i).state,
    );
    expect(state.failures).toEqual([]);
    expect(mayTry(NO_CODES, T)).toEqual({ may: false, waitSeconds: null });
  });

  test('keep the wrong codes after the right one', () => {
    const state = entering(tryFailed(coded(NO_CODES, 'a', T), T + 1), 'a', T + 2).state;
    expect(state.failures).toEqual([T + 1]);
  });

  test('cover the last 24 hours', () => {
    const old = tryFailed(coded(NO_CODES, 'a', T), T + 1);
    expect(beginSending(old, 'b', T + DAY).codes).toEqual([]);
    expect(beginSending(old, 'b', T + DAY).failures).toEqual([T + 1]);
  });
});

describe('a typed code', () => {
  test.each([
    ['123456', '123456'],
    ['123 456', '123456'],
    [' 1 2 3 4 5 6 ', '123456'],
    ['١٢٣٤٥٦', '123456'],
    ['۰۱۲ ۳۴۵', '012345'],
    ['\u200F١٢٣\u00A0٤٥٦\u200E', '123456'],
    ['000000', '000000'],
    ['12345', null],
    ['1234567', null],
    ['12345a', null],
    ['', null],
    ['-12345', null],
  ])('%j is read as %j', (text, code) => {
    expect(readCode(text)).toBe(code);
  });

  test('every sent code is read as itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), (number) => {
        expect(readCode(codeOf(number))).toBe(codeOf(number));
        expect(Number(codeOf(number))).toBe(number);
      }),
    );
    expect(codeOf(42)).toBe('000042');
  });
});

type Step =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'request' }
  | { readonly do: 'finish'; readonly which: number; readonly sent: boolean }
  | { readonly do: 'enter'; readonly which: number };

const WAITS = [
  0,
  1,
  999,
  10 * SECOND,
  29_999,
  30 * SECOND,
  59_999,
  MINUTE,
  61 * SECOND,
  5 * MINUTE - 1,
  5 * MINUTE,
];
const LONG_WAITS = [HOUR, 12 * HOUR, DAY - MINUTE, DAY - 1, DAY];

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WAITS).map((ms): Step => ({ do: 'wait', ms })) },
  { weight: 1, arbitrary: fc.constantFrom(...LONG_WAITS).map((ms): Step => ({ do: 'wait', ms })) },
  { weight: 6, arbitrary: fc.constant<Step>({ do: 'request' }) },
  {
    weight: 7,
    arbitrary: fc
      .tuple(fc.nat({ max: 2 }), fc.integer({ min: 0, max: 9 }))
      .map(([which, luck]): Step => ({ do: 'finish', which, sent: luck > 0 })),
  },
  { weight: 8, arbitrary: fc.nat({ max: 3 }).map((which): Step => ({ do: 'enter', which })) },
);

/** Runs `steps` against the rules and the reference implementation; returns the outcomes. */
const run = (steps: readonly Step[]): Set<string> => {
  const history = new CodeHistory();
  const ids: string[] = [];
  const open: string[] = [];
  const outcomes = new Set<string>();
  let state = NO_CODES;
  let now = T;
  const perform: Record<Step['do'], (step: Step) => void> = {
    wait: (action) => {
      now += action.do === 'wait' ? action.ms : 0;
    },
    request: () => {
      const may = mayRequest(state, now);
      expect(may.may ? 0 : may.waitSeconds).toBe(history.requestWait(now));
      if (!may.may) {
        outcomes.add(may.waitSeconds > 60 ? 'barred for long' : 'barred for a minute');
        // The announced wait suffices if nothing else happens.
        expect(mayRequest(state, now + may.waitSeconds * SECOND).may).toBe(true);
        return;
      }
      const id = `sending ${ids.length}`;
      ids.push(id);
      open.push(id);
      history.begin(id, now);
      state = beginSending(state, id, now);
    },
    finish: (action) => {
      const id = action.do === 'finish' ? open.splice(action.which, 1)[0] : undefined;
      if (id === undefined || action.do !== 'finish') return;
      history.finish(id, action.sent, now);
      outcomes.add(action.sent ? (id === ids.at(-1) ? 'sent' : 'overtaken') : 'not sent');
      state = action.sent ? sendingSucceeded(state, id, id, now) : sendingFailed(state, id);
    },
    enter: (action) => {
      const id = (action.do === 'enter' ? ids.at(-action.which) : undefined) ?? 'no code';
      const may = mayTry(state, now);
      const outcome = may.may
        ? may.hash === id
          ? 'right'
          : 'wrong'
        : may.waitSeconds === null
          ? 'none'
          : 'locked';
      expect(outcome).toBe(history.enter(id, now));
      outcomes.add(outcome);
      if (outcome === 'right') state = trySucceeded(state);
      if (outcome === 'wrong') state = tryFailed(state, now);
    },
  };
  for (const action of steps) {
    perform[action.do](action);
    expect(state.codes.length).toBeLessThanOrEqual(20);
    expect(state.failures.length).toBeLessThanOrEqual(10);
    expect(state.code?.tries ?? 0).toBeLessThan(5);
  }
  return outcomes;
};

test('the rules agree with the oracle for any sequence of events', () => {
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { maxLength: 160, size: 'max' }), (steps) => {
      for (const what of run(steps)) outcomes.add(what);
    }),
    { numRuns: 600 },
  );
  // Every outcome was reached.
  expect([...outcomes].sort()).toEqual(
    [
      'barred for a minute',
      'barred for long',
      'locked',
      'none',
      'not sent',
      'overtaken',
      'right',
      'sent',
      'wrong',
    ].sort(),
  );
});
