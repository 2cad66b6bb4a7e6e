/**
 * One-time codes of a phone (Decisions 10). Every function maps a phone's state, one row, to the next; the
 * caller locks the row, decides, writes and commits. Request: `mayRequest`, then `beginSending` is committed;
 * the code is sent outside any transaction; `sent` or `sendingFailed` is written under a new lock. Verify:
 * `mayTry`; with a live code the hashes are compared, and `succeeded` or `failed` is written in the same
 * transaction. Without a live code the state does not change, but the row is still written, so that the answer takes
 * as long as for a wrong code.
 */
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { normalizedDigits } from '../../kernel/digit-input.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const CODE_LIFE_MS = 5 * MINUTE;
const CODE_TRIES = 5;
export const CODE_PAUSE_MS = MINUTE;
/** An unfinished sending is abandoned after this. */
const SENDING_LIFE_MS = 30 * SECOND;
/** The rolling window of codes and failures, and the limit of each in it. */
export const COUNTED_MS = 24 * 60 * MINUTE;
const COUNTED_LIMIT = 10;

const CODE_DIGITS = 6;
export const CODE_COUNT = 10 ** CODE_DIGITS;

export interface LiveCode {
  /** Keyed, in hex. */
  readonly hash: string;
  readonly expiresAt: Instant;
  /** Wrong tries so far. */
  readonly tries: number;
}

export interface OtpState {
  /** The last code sent, until it is used, exhausted or replaced. */
  readonly code: LiveCode | null;
  readonly sending: { readonly id: Uuid; readonly at: Instant } | null;
  /** Times of codes sent and of wrong codes, in the last 24 hours, as written. */
  readonly codes: readonly Instant[];
  readonly failures: readonly Instant[];
}

export const NO_CODES: OtpState = { code: null, sending: null, codes: [], failures: [] };

/** `number` is below `CODE_COUNT`. */
export const codeOf = (number: number): string => String(number).padStart(CODE_DIGITS, '0');

/** A typed code, with spaces and in any digits; null if invalid. */
export const readCode = (text: string): string | null => {
  const digits = normalizedDigits(text).replaceAll(' ', '');
  return /^\d{6}$/.test(digits) ? digits : null;
};

const counted = (moments: readonly Instant[], now: Instant): Instant[] =>
  moments.filter((moment) => now - moment < COUNTED_MS);

/** When fewer than `COUNTED_LIMIT` will count; null: already so. */
const freeAgainAt = (moments: readonly Instant[], now: Instant): Instant | null => {
  const oldestFirst = counted(moments, now).sort((a, b) => a - b);
  const leaving = oldestFirst[oldestFirst.length - COUNTED_LIMIT];
  return leaving === undefined ? null : leaving + COUNTED_MS;
};

const latest = (moments: readonly (Instant | null)[]): Instant | null =>
  moments.reduce(
    (last, moment) => (last === null || (moment !== null && moment > last) ? moment : last),
    null,
  );

const isBeingSent = ({ sending }: OtpState, now: Instant): boolean =>
  sending !== null && now - sending.at < SENDING_LIFE_MS;

/** A minute after the last code, or after the start of one in flight. */
const pauseEndsAt = (state: OtpState, now: Instant): Instant | null => {
  const last = latest([...state.codes, isBeingSent(state, now) ? (state.sending?.at ?? null) : null]);
  return last === null ? null : last + CODE_PAUSE_MS;
};

/** Whole seconds; null if the time has come. */
const secondsUntil = (moment: Instant | null, now: Instant): number | null =>
  moment === null || moment <= now ? null : Math.ceil((moment - now) / SECOND);

export type MayRequest =
  | { readonly may: true }
  | {
      readonly may: false;
      readonly waitSeconds: number;
      /** The wait is only the pause after a code that works, or is being sent. */
      readonly isCodeOut: boolean;
    };

/**
 * Whether a code may be sent now, or the wait by present knowledge: a minute between codes, ten codes and ten
 * failures in 24 hours. A resend does not reset the failures.
 */
export const mayRequest = (state: OtpState, now: Instant): MayRequest => {
  const pauseEnd = pauseEndsAt(state, now);
  const free = latest([pauseEnd, freeAgainAt(state.codes, now), freeAgainAt(state.failures, now)]);
  const waitSeconds = secondsUntil(free, now);
  if (waitSeconds === null) return { may: true };
  const isAlive = (state.code !== null && state.code.expiresAt > now) || isBeingSent(state, now);
  return { may: false, waitSeconds, isCodeOut: isAlive && free === pauseEnd };
};

const trimmed = (state: OtpState, now: Instant): OtpState => ({
  ...state,
  codes: counted(state.codes, now),
  failures: counted(state.failures, now),
});

/** The earlier code still works. Call `mayRequest` first. */
export const beginSending = (state: OtpState, id: Uuid, now: Instant): OtpState => ({
  ...trimmed(state, now),
  sending: { id, at: now },
});

/**
 * The code of sending `id` was sent and replaces the earlier one. If another sending began meanwhile, it is
 * counted but never works.
 */
export const sendingSucceeded = (state: OtpState, id: Uuid, hash: string, now: Instant): OtpState => {
  const next = trimmed({ ...state, codes: [...state.codes, now] }, now);
  if (state.sending?.id !== id) return next;
  return { ...next, sending: null, code: { hash, expiresAt: now + CODE_LIFE_MS, tries: 0 } };
};

/** Not counted. */
export const sendingFailed = (state: OtpState, id: Uuid): OtpState =>
  state.sending?.id === id ? { ...state, sending: null } : state;

export type MayTry =
  /** Compare with this hash, then write `succeeded` or `failed`. */
  | { readonly may: true; readonly hash: string }
  /** No live code: not a failure of the phone; answered like a wrong code. */
  | { readonly may: false; readonly waitSeconds: null }
  /** Ten failures in 24 hours: no code is verified until the oldest is a day old. */
  | { readonly may: false; readonly waitSeconds: number };

/** The limit of codes does not bar trying the last one. */
export const mayTry = (state: OtpState, now: Instant): MayTry => {
  const waitSeconds = secondsUntil(freeAgainAt(state.failures, now), now);
  if (waitSeconds !== null) return { may: false, waitSeconds };
  const { code } = state;
  return code === null || code.expiresAt <= now
    ? { may: false, waitSeconds: null }
    : { may: true, hash: code.hash };
};

/** A wrong code while `mayTry` allowed it; the fifth ends the code. */
export const tryFailed = (state: OtpState, now: Instant): OtpState => {
  const tries = (state.code?.tries ?? 0) + 1;
  return {
    ...trimmed({ ...state, failures: [...state.failures, now] }, now),
    code: state.code === null || tries >= CODE_TRIES ? null : { ...state.code, tries },
  };
};

/** The code is used; failures still count. */
export const trySucceeded = (state: OtpState): OtpState => ({ ...state, code: null });
