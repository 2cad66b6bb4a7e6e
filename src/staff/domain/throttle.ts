/** Throttling of PINs and passwords (Decisions 12), as pure functions. */
import type { Instant } from '../../kernel/time.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Whole seconds, at least 1, so that a client that waits them is not refused again. */
const secondsUntil = (until: Instant, now: Instant): number => Math.max(1, Math.ceil((until - now) / SECOND));

/** Seconds to wait; 0: now. During a wait not even the right secret is verified. */
export const waitSeconds = (waitUntil: Instant | null, now: Instant): number =>
  waitUntil === null || waitUntil <= now ? 0 : secondsUntil(waitUntil, now);

/** After each wrong try beyond the free ones; the last repeats. */
const WAITS = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE] as const;
const LONGEST_WAIT = 15 * MINUTE;

const waitAfter = (failures: number, free: number, now: Instant): Instant | null =>
  failures <= free ? null : now + (WAITS[failures - free - 1] ?? LONGEST_WAIT);

// ── PINs of one person on one device ────────────────────────────────────────────────────────────

/** Wrong PINs of one person on one device since the last right one. */
export interface PinThrottle {
  readonly failures: number;
  readonly lastAt: Instant | null;
  readonly waitUntil: Instant | null;
}

export const NO_PIN_FAILURES: PinThrottle = { failures: 0, lastAt: null, waitUntil: null };

/** Typing errors: this many wrong PINs in a row cause no wait. */
const FREE_PINS = 3;
/** The count restarts after so long without a wrong PIN; so waiting for it does not help a guesser. */
export const PINS_COUNT_FOR = 24 * HOUR;

/** A PIN refused during a wait is not verified and does not extend the wait. */
export const afterWrongPin = ({ failures, lastAt }: PinThrottle, now: Instant): PinThrottle => {
  const counted = lastAt !== null && lastAt > now - PINS_COUNT_FOR ? failures : 0;
  return { failures: counted + 1, lastAt: now, waitUntil: waitAfter(counted + 1, FREE_PINS, now) };
};

/** Wrong tries that count; one is forgiven after each `forgiveMs` from `forgivingSince`. */
export interface TryCount {
  readonly failures: number;
  readonly forgivingSince: Instant | null;
  readonly waitUntil: Instant | null;
}

export const NO_TRIES: TryCount = { failures: 0, forgivingSince: null, waitUntil: null };

export interface TryRule {
  readonly free: number;
  readonly forgiveMs: number;
}

/**
 * All wrong PINs of a device, by anyone; a right PIN does not clear them. Six people who each mistype once an
 * hour never wait; a guesser has at most 20 + 5 tries and then one in ten minutes (docs/spec/staff.md,
 * Guessing).
 */
export const DEVICE_PINS: TryRule = { free: 20, forgiveMs: 10 * MINUTE };

/** All wrong passwords of an account: from unknown devices together, or from one known device. */
export const ACCOUNT_PASSWORDS: TryRule = { free: 10, forgiveMs: 15 * MINUTE };

/**
 * After so long without a wrong password all are forgiven: the count never exceeds the free ones plus the
 * waits.
 */
export const ACCOUNT_COUNTS_FOR = (ACCOUNT_PASSWORDS.free + WAITS.length) * ACCOUNT_PASSWORDS.forgiveMs;

export const countedAt = (count: TryCount, { forgiveMs }: TryRule, now: Instant): TryCount => {
  const { failures, forgivingSince, waitUntil } = count;
  if (forgivingSince === null) return count;
  const forgiven = Math.max(0, Math.floor((now - forgivingSince) / forgiveMs));
  if (forgiven >= failures) return { ...NO_TRIES, waitUntil };
  return { failures: failures - forgiven, forgivingSince: forgivingSince + forgiven * forgiveMs, waitUntil };
};

export const afterWrongTry = (count: TryCount, rule: TryRule, now: Instant): TryCount => {
  const { failures, forgivingSince } = countedAt(count, rule, now);
  return {
    failures: failures + 1,
    forgivingSince: forgivingSince ?? now,
    waitUntil: waitAfter(failures + 1, rule.free, now),
  };
};

/** Reverts the try counted as `thisTry`, and the wait it caused. */
export const reverted = (count: TryCount, thisTry: TryCount, rule: TryRule, now: Instant): TryCount => {
  const { failures, forgivingSince, waitUntil } = countedAt(count, rule, now);
  const left = Math.max(0, failures - 1);
  return {
    failures: left,
    forgivingSince: left === 0 ? null : forgivingSince,
    waitUntil: waitUntil === thisTry.waitUntil ? null : waitUntil,
  };
};

// ── PINs of a device ────────────────────────────────────────────────────────────────────────────

export interface PinCounts {
  readonly device: TryCount;
  readonly person: PinThrottle;
  readonly othersUntil: Instant | null;
}

export const devicePinWait = ({ device, person, othersUntil }: PinCounts, now: Instant): number =>
  Math.max(
    ...[device.waitUntil, person.waitUntil, othersUntil].map((waitUntil) => waitSeconds(waitUntil, now)),
  );

export const afterCountingPin = ({ device, person }: PinCounts, now: Instant) => ({
  device: afterWrongTry(device, DEVICE_PINS, now),
  person: afterWrongPin(person, now),
});

// ── Passwords of an account, from one address or known device ───────────────────────────────────

const MAX_PASSWORDS = 5;
export const PASSWORD_WINDOW = 15 * MINUTE;

export const countedFailures = (failures: readonly Instant[], now: Instant): Instant[] =>
  failures.filter((failure) => failure > now - PASSWORD_WINDOW).sort((a, b) => a - b);

/** Seconds until the next try; 0: now. */
export const passwordWaitSeconds = (failures: readonly Instant[], now: Instant): number => {
  const counted = countedFailures(failures, now);
  const oldest = counted.at(-MAX_PASSWORDS);
  return oldest === undefined ? 0 : secondsUntil(oldest + PASSWORD_WINDOW, now);
};

// ── Owner notifications ─────────────────────────────────────────────────────────────────────────

/** So many wrong tries at a shop within the interval notify its owner, once per interval. */
const NOTIFY_AT_TRIES = 10;
const NOTIFY_EVERY_MS = HOUR;

/** The wrong tries of the last hour including this one, capped. */
export const triesOfTheHour = (moments: readonly Instant[], now: Instant): Instant[] =>
  [...moments, now].filter((moment) => moment > now - NOTIFY_EVERY_MS).slice(-MAX_STORED);

const MAX_STORED = 1_000;

export const isNotificationDue = (
  moments: readonly Instant[],
  notifiedAt: Instant | null,
  now: Instant,
): boolean =>
  moments.length >= NOTIFY_AT_TRIES && (notifiedAt === null || notifiedAt + NOTIFY_EVERY_MS <= now);
