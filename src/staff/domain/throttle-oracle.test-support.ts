/** Slow reference implementation of device waits, computed from the full history; checks `throttle.ts`. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface TypedPin {
  readonly at: number;
  readonly person: string;
  readonly isRight: boolean;
}

const ladder = (beyond: number): number => {
  if (beyond <= 0) return 0;
  return [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE][beyond - 1] ?? 15 * MINUTE;
};

/** The device's wrong PINs are forgiven one after the other, ten minutes each. */
const deviceUntil = (history: readonly TypedPin[]): number => {
  const wrong = history.filter(({ isRight }) => !isRight).map(({ at }) => at);
  const forgiven: number[] = [];
  let until = 0;
  for (const at of wrong) {
    forgiven.push(Math.max(at, forgiven.at(-1) ?? 0) + 10 * MINUTE);
    const counted = forgiven.filter((moment) => moment > at).length;
    until = at + ladder(counted - 20);
  }
  return until;
};

/** Wrong PINs of a person since the last right one, or since a day without any. */
const personUntil = (history: readonly TypedPin[], person: string): number => {
  let [counted, last, until] = [0, -Infinity, 0];
  for (const { at, isRight } of history.filter((one) => one.person === person)) {
    counted = isRight ? 0 : last > at - 24 * HOUR ? counted + 1 : 1;
    last = at;
    until = isRight ? 0 : at + ladder(counted - 3);
  }
  return until;
};

/** Whole seconds that the device waits at `now`. */
export const referenceWait = (history: readonly TypedPin[], now: number): number => {
  const people = [...new Set(history.map(({ person }) => person))];
  const until = Math.max(deviceUntil(history), ...people.map((person) => personUntil(history, person)));
  return until <= now ? 0 : Math.max(1, Math.ceil((until - now) / SECOND));
};
