/** Bounds on guessing at a device or an account, under any interleaving. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ACCOUNT_PASSWORDS,
  afterWrongTry,
  afterCountingPin,
  DEVICE_PINS,
  devicePinWait,
  NO_PIN_FAILURES,
  NO_TRIES,
  reverted,
  waitSeconds,
  type PinThrottle,
  type TryCount,
} from './throttle.ts';
import { referenceWait, type TypedPin } from './throttle-oracle.test-support.ts';

const NOON = Date.parse('2026-12-04T10:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A device used as the use case does it: counted as wrong, reverted if right. */
const aDevice = () => {
  let device: TryCount = NO_TRIES;
  const people = new Map<string, PinThrottle>();
  const history: TypedPin[] = [];
  const countsOf = (person: string) => ({
    device,
    person: people.get(person) ?? NO_PIN_FAILURES,
    othersUntil: Math.max(
      0,
      ...[...people].filter(([other]) => other !== person).map(([, { waitUntil }]) => waitUntil ?? 0),
    ),
  });
  return {
    history,
    waitAt: (person: string, now: number): number => devicePinWait(countsOf(person), now),
    type: (person: string, isRight: boolean, now: number): boolean => {
      const counts = countsOf(person);
      if (devicePinWait(counts, now) > 0) return false;
      const counted = afterCountingPin(counts, now);
      device = isRight ? reverted(counted.device, counted.device, DEVICE_PINS, now) : counted.device;
      if (isRight) people.delete(person);
      else people.set(person, counted.person);
      history.push({ at: now, person, isRight });
      return true;
    },
  };
};

type Device = ReturnType<typeof aDevice>;

const mostInADay = (moments: readonly number[]): number =>
  Math.max(0, ...moments.map((first, at) => moments.slice(at).filter((one) => one <= first + DAY).length));

const wrongAt = ({ history }: Device): number[] =>
  history.filter(({ isRight }) => !isRight).map(({ at }) => at);

const runsAt = ({ history }: Device, person: string): number[][] => {
  const runs: number[][] = [[]];
  for (const typed of history.filter((one) => one.person === person))
    if (typed.isRight) runs.push([]);
    else runs.at(-1)?.push(typed.at);
  return runs;
};

const PEOPLE = ['owner', 'manager', 'teller', 'waiter', 'nobody'];

/** Typed at once, a little later, when the wait is over, or long after. */
const aStep = fc.record({
  person: fc.constantFrom(...PEOPLE),
  isRight: fc.boolean(),
  pause: fc.oneof(
    fc.constant<'waits'>('waits'),
    fc.constant(0),
    fc.integer({ min: 0, max: 20 * SECOND }),
    fc.integer({ min: 0, max: 30 * MINUTE }),
    fc.constant(10 * MINUTE),
    fc.integer({ min: 0, max: 26 * HOUR }),
  ),
});

test('the wait of a device equals the oracle for any sequence of PINs', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 120 }), (steps) => {
      const device = aDevice();
      let now = NOON;
      for (const { person, isRight, pause } of steps) {
        now += pause === 'waits' ? device.waitAt(person, now) * SECOND : pause;
        const wait = referenceWait(device.history, now);
        expect(device.waitAt(person, now)).toBe(wait);
        expect(device.type(person, isRight, now)).toBe(wait === 0);
      }
    }),
    { numRuns: 300 },
  );
});

describe('a guesser', () => {
  /** Tries as early as allowed, for days: whose PIN, and whether somebody types their own right one first. */
  const greedy = fc.array(fc.tuple(fc.constantFrom(...PEOPLE), fc.integer({ min: 0, max: 9 })), {
    minLength: 40,
    maxLength: 60,
  });

  const play = (plan: readonly (readonly [string, number])[], knowing: readonly string[]): Device => {
    const device = aDevice();
    let [now, at] = [NOON, 0];
    while (now < NOON + 2 * DAY) {
      const [victim, chance] = plan[at % plan.length] ?? ['owner', 0];
      at += 1;
      now += device.waitAt(victim, now) * SECOND;
      if (chance < 4 && knowing.length > 0) device.type(knowing[chance % knowing.length] ?? '', true, now);
      device.type(victim, false, now);
    }
    return device;
  };

  test('a guesser has at most 170 tries a day on a device, whatever right PINs intervene', () => {
    fc.assert(
      fc.property(greedy, (plan) => {
        expect(mostInADay(wrongAt(play(plan, PEOPLE)))).toBeLessThanOrEqual(170);
      }),
      { numRuns: 20 },
    );
  });

  test('a guesser has at most 103 tries a day at one person absent from the device', () => {
    fc.assert(
      fc.property(greedy, (plan) => {
        const device = play(plan, ['teller', 'waiter']);
        for (const run of runsAt(device, 'owner')) expect(mostInADay(run)).toBeLessThanOrEqual(103);
      }),
      { numRuns: 20 },
    );
    const alone = play([['owner', 9]], []);
    expect(mostInADay(wrongAt(alone))).toBe(103);
  });

  test('a guesser does not shorten the waits by an own right PIN after every third guess', () => {
    const device = aDevice();
    let now = NOON;
    const waits: number[] = [];
    for (let guess = 1; guess <= 12; guess += 1) {
      expect(device.type('owner', false, now)).toBe(true);
      const wait = device.waitAt('owner', now);
      waits.push(wait);
      now += wait * SECOND;
      if (guess % 3 === 0) expect(device.type('teller', true, now)).toBe(true);
    }
    expect(waits).toEqual([0, 0, 0, 5, 15, 60, 300, 900, 900, 900, 900, 900]);
  });

  test('a guesser has at most 112 password tries a day at one account, over all addresses', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 * MINUTE }), { maxLength: 60 }), (pauses) => {
        let [count, now] = [NO_TRIES, NOON];
        const tried: number[] = [];
        for (let at = 0; now < NOON + 2 * DAY; at += 1) {
          now += (pauses[at] ?? 0) + waitSeconds(count.waitUntil, now) * SECOND;
          now += waitSeconds(count.waitUntil, now) * SECOND;
          count = afterWrongTry(count, ACCOUNT_PASSWORDS, now);
          tried.push(now);
        }
        expect(mostInADay(tried)).toBeLessThanOrEqual(112);
      }),
      { numRuns: 50 },
    );
  });
});

describe('six people who use one device all day', () => {
  test('six people never wait if each mistypes once an hour and sometimes twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 59 })), {
          minLength: 0,
          maxLength: 6,
        }),
        (twice) => {
          const device = aDevice();
          for (let minute = 0; minute < 16 * 60; minute += 1) {
            const person = `${Math.floor((minute % 60) / 10)}`;
            const now = NOON + minute * MINUTE;
            if (minute % 10 !== 0) continue;
            expect(device.type(person, false, now)).toBe(true);
            if (twice.some(([who, at]) => `${who}` === person && at === Math.floor(minute / 60)))
              expect(device.type(person, false, now)).toBe(true);
            expect(device.type(person, true, now)).toBe(true);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  test('six people never wait if each mistypes three times at the start of the shift', () => {
    const device = aDevice();
    for (let person = 0; person < 6; person += 1) {
      for (let wrong = 0; wrong < 3; wrong += 1)
        expect(device.type(`${person}`, false, NOON + person * SECOND)).toBe(true);
      expect(device.type(`${person}`, true, NOON + person * SECOND)).toBe(true);
    }
  });
});

test('a right try is reverted with its own wait, not with the wait of a later try', () => {
  let count: TryCount = NO_TRIES;
  for (let tried = 0; tried < 20; tried += 1) count = afterWrongTry(count, DEVICE_PINS, NOON);
  const thisTry = afterWrongTry(count, DEVICE_PINS, NOON);
  expect(waitSeconds(thisTry.waitUntil, NOON)).toBe(5);
  expect(reverted(thisTry, thisTry, DEVICE_PINS, NOON)).toEqual(count);
  const later = afterWrongTry(thisTry, DEVICE_PINS, NOON + 6 * SECOND);
  expect(reverted(later, thisTry, DEVICE_PINS, NOON + 7 * SECOND)).toEqual({ ...later, failures: 21 });
});
