/** How long who guesses PINs or passwords must wait (Decisions 12). The state is plain and the moment an argument. */
import type { Instant } from './time.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Whole seconds until `until`, at least 1: a client that waits them is not refused once more. */
const secondsUntil = (until: Instant, now: Instant): number => Math.max(1, Math.ceil((until - now) / SECOND));

// ── PINs of a device ────────────────────────────────────────────────────────────────────────────

/** Wrong PINs in a row on one device, whoever they were for, and until when it must wait. */
export interface PinThrottle {
  readonly failures: number;
  readonly waitUntil: Instant | null;
}

export const NO_PIN_FAILURES: PinThrottle = { failures: 0, waitUntil: null };

/** People mistype: that many wrong PINs in a row cost nothing. */
const FREE_PINS = 3;
/** The waits after each wrong PIN beyond them; the last holds for all that follow. */
const PIN_WAITS = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE] as const;
const LONGEST_PIN_WAIT = 15 * MINUTE;

/** Seconds that the device must still wait; 0 when a PIN may be tried. During a wait not even the right one is. */
export const pinWaitSeconds = ({ waitUntil }: PinThrottle, now: Instant): number =>
  waitUntil === null || waitUntil <= now ? 0 : secondsUntil(waitUntil, now);

/** After a wrong PIN that was tried. What is refused during a wait is not tried, and lengthens nothing. */
export const afterWrongPin = ({ failures }: PinThrottle, now: Instant): PinThrottle => {
  const wrong = failures + 1;
  if (wrong <= FREE_PINS) return { failures: wrong, waitUntil: null };
  return { failures: wrong, waitUntil: now + (PIN_WAITS[wrong - FREE_PINS - 1] ?? LONGEST_PIN_WAIT) };
};

// ── Passwords of an account, from one client ────────────────────────────────────────────────────

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
