/** How long those who guess PINs or passwords must wait (Decisions 12). The state is plain and the moment an argument. */
import type { Instant } from '../../kernel/time.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Whole seconds until `until`, at least 1: a client that waits them is not refused once more. */
const secondsUntil = (until: Instant, now: Instant): number => Math.max(1, Math.ceil((until - now) / SECOND));

/** Seconds still to wait; 0 when a try may be made. During a wait not even the right secret is judged. */
export const waitSeconds = (waitUntil: Instant | null, now: Instant): number =>
  waitUntil === null || waitUntil <= now ? 0 : secondsUntil(waitUntil, now);

/** The waits after each wrong try beyond the free ones; the last holds for all that follow. */
const WAITS = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE] as const;
const LONGEST_WAIT = 15 * MINUTE;

const waitAfter = (failures: number, free: number, now: Instant): Instant | null =>
  failures <= free ? null : now + (WAITS[failures - free - 1] ?? LONGEST_WAIT);

// ── PINs of one person on one device ────────────────────────────────────────────────────────────

/** Wrong PINs of one person on one device since their own right one, and until when the device waits for that. */
export interface PinThrottle {
  readonly failures: number;
  /** When the last was typed. */
  readonly lastAt: Instant | null;
  readonly waitUntil: Instant | null;
}

export const NO_PIN_FAILURES: PinThrottle = { failures: 0, lastAt: null, waitUntil: null };

/** People mistype: that many wrong PINs in a row cost nothing. */
const FREE_PINS = 3;
/** A person whose PIN nobody mistyped for so long begins anew; whoever guesses gets more tries by not waiting for it. */
export const PINS_COUNT_FOR = 24 * HOUR;

/** After a wrong PIN that was tried. What is refused during a wait is not tried, and lengthens nothing. */
export const afterWrongPin = ({ failures, lastAt }: PinThrottle, now: Instant): PinThrottle => {
  const counted = lastAt !== null && lastAt > now - PINS_COUNT_FOR ? failures : 0;
  return { failures: counted + 1, lastAt: now, waitUntil: waitAfter(counted + 1, FREE_PINS, now) };
};

// ── Wrong tries that are forgiven one after the other ───────────────────────────────────────────

/** Wrong tries that count. While there are any, one is forgiven at the end of each `forgiveMs` from `forgivingSince`. */
export interface TryCount {
  readonly failures: number;
  readonly forgivingSince: Instant | null;
  readonly waitUntil: Instant | null;
}

export const NO_TRIES: TryCount = { failures: 0, forgivingSince: null, waitUntil: null };

/** How many tries cost nothing, and how long it takes until one is forgiven: together they bound the tries of a day. */
export interface TryRule {
  readonly free: number;
  readonly forgiveMs: number;
}

/**
 * All wrong PINs of a device, whosever, which no right PIN clears. Six people who mistype once an hour each never wait; a
 * guesser has at most 20 + 5 tries and then one in ten minutes (docs/spec/staff.md, Guessing).
 */
export const DEVICE_PINS: TryRule = { free: 20, forgiveMs: 10 * MINUTE };

/** All wrong passwords of an account: from strangers, wherever they are, or from one device that is known. */
export const ACCOUNT_PASSWORDS: TryRule = { free: 10, forgiveMs: 15 * MINUTE };

/** After so long without a wrong password all of them are forgiven: there are never more than the free ones and the waits. */
export const ACCOUNT_COUNTS_FOR = (ACCOUNT_PASSWORDS.free + WAITS.length) * ACCOUNT_PASSWORDS.forgiveMs;

/** The count as it is at a moment. */
export const countedAt = (count: TryCount, { forgiveMs }: TryRule, now: Instant): TryCount => {
  const { failures, forgivingSince, waitUntil } = count;
  if (forgivingSince === null) return count;
  const forgiven = Math.max(0, Math.floor((now - forgivingSince) / forgiveMs));
  if (forgiven >= failures) return { ...NO_TRIES, waitUntil };
  return { failures: failures - forgiven, forgivingSince: forgivingSince + forgiven * forgiveMs, waitUntil };
};

/** After a wrong try that was judged, or is about to be. */
export const afterWrongTry = (count: TryCount, rule: TryRule, now: Instant): TryCount => {
  const { failures, forgivingSince } = countedAt(count, rule, now);
  return {
    failures: failures + 1,
    forgivingSince: forgivingSince ?? now,
    waitUntil: waitAfter(failures + 1, rule.free, now),
  };
};

/** A try that was counted as `mine` was right: it and the wait it brought are taken back, and nothing else. */
export const takenBack = (count: TryCount, mine: TryCount, rule: TryRule, now: Instant): TryCount => {
  const { failures, forgivingSince, waitUntil } = countedAt(count, rule, now);
  const left = Math.max(0, failures - 1);
  return {
    failures: left,
    forgivingSince: left === 0 ? null : forgivingSince,
    waitUntil: waitUntil === mine.waitUntil ? null : waitUntil,
  };
};

// ── PINs of a device ────────────────────────────────────────────────────────────────────────────

/** What counts when someone's PIN is typed on a device. */
export interface PinCounts {
  readonly device: TryCount;
  readonly person: PinThrottle;
  /** Until when the device waits for wrong PINs of others. */
  readonly othersUntil: Instant | null;
}

/** Seconds that the device must wait, whoever brought that about. */
export const devicePinWait = ({ device, person, othersUntil }: PinCounts, now: Instant): number =>
  Math.max(
    ...[device.waitUntil, person.waitUntil, othersUntil].map((waitUntil) => waitSeconds(waitUntil, now)),
  );

/** Counts a PIN that is about to be judged as a wrong one. */
export const countingPin = ({ device, person }: PinCounts, now: Instant) => ({
  device: afterWrongTry(device, DEVICE_PINS, now),
  person: afterWrongPin(person, now),
});

// ── Passwords of an account, from one address or known device ───────────────────────────────────

const MOST_PASSWORDS = 5;
/** How long a wrong password counts. */
export const PASSWORD_WINDOW = 15 * MINUTE;

/** The wrong passwords that still count, oldest first. */
export const countedFailures = (failures: readonly Instant[], now: Instant): Instant[] =>
  failures.filter((failure) => failure > now - PASSWORD_WINDOW).sort((a, b) => a - b);

/** Seconds until another password may be tried; 0 when one may be now. */
export const passwordWaitSeconds = (failures: readonly Instant[], now: Instant): number => {
  const counted = countedFailures(failures, now);
  const oldest = counted.at(-MOST_PASSWORDS);
  return oldest === undefined ? 0 : secondsUntil(oldest + PASSWORD_WINDOW, now);
};

// ── What the owner is told ──────────────────────────────────────────────────────────────────────

/** So many wrong PINs and passwords at a shop within an hour are told to its owner, once an hour at most. */
export const TRIES_TOLD = 10;
export const TOLD_EVERY = HOUR;

/** The wrong tries of the last hour, this one among them; no more are kept than are told. */
export const triesOfTheHour = (moments: readonly Instant[], now: Instant): Instant[] =>
  [...moments, now].filter((moment) => moment > now - TOLD_EVERY).slice(-MOST_KEPT);

const MOST_KEPT = 1_000;

/** Whether the owner is to be told now. */
export const isToTell = (moments: readonly Instant[], toldAt: Instant | null, now: Instant): boolean =>
  moments.length >= TRIES_TOLD && (toldAt === null || toldAt + TOLD_EVERY <= now);
