/**
 * One-time codes of a phone (Decisions 10): when one may be sent, when one may be tried, and what is known afterwards.
 *
 * Every function takes what is known of the phone and gives what is known next; all of it is one row. Whoever uses
 * them locks the row, decides, writes and commits, so that of two at once the second sees what the first did:
 *
 * - request: `mayRequest`, and when it may, `beginSending` is written and committed. Then the code is sent, outside any
 *   transaction. Then, the row locked again, `sent` or `sendingFailed` is written.
 * - verify: `mayTry`; with a live code the hashes are compared, and `succeeded` or `failed` is written in the same
 *   transaction, before anybody is answered. Without one it is no failure of the phone, and what is known stays as it
 *   is; it is written all the same, so that the answer takes as long as that to a wrong code.
 */
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { plainFigures } from '../../kernel/typed.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const CODE_LIFE_MS = 5 * MINUTE;
export const CODE_TRIES = 5;
/** Between two codes to one phone. */
export const CODE_PAUSE_MS = MINUTE;
/** After this a sending that nobody has finished is taken for dead. */
export const SENDING_LIFE_MS = 30 * SECOND;
/** The rolling time in which codes and failures are counted, and how many of each end it. */
export const COUNTED_MS = 24 * 60 * MINUTE;
export const COUNTED_LIMIT = 10;

const CODE_DIGITS = 6;
/** Codes there are; a random number below this makes one. */
export const CODE_COUNT = 10 ** CODE_DIGITS;

export interface LiveCode {
  /** The keyed hash, in hex. */
  readonly hash: string;
  readonly expiresAt: Instant;
  /** Wrong tries so far. */
  readonly tries: number;
}

export interface OtpState {
  /** The last code sent, until it is used, used up or replaced. */
  readonly code: LiveCode | null;
  /** The code that is being sent. */
  readonly sending: { readonly id: Uuid; readonly at: Instant } | null;
  /** When codes were sent and wrong ones entered, of the last 24 hours, in the order they were written. */
  readonly codes: readonly Instant[];
  readonly failures: readonly Instant[];
}

/** What is known of a phone that never asked for a code. */
export const NO_CODES: OtpState = { code: null, sending: null, codes: [], failures: [] };

/** The code of `number`, which is below `CODE_COUNT`. */
export const codeOf = (number: number): string => String(number).padStart(CODE_DIGITS, '0');

/** The code that a person entered, with spaces and in their own digits; null when it is no code. */
export const readCode = (text: string): string | null => {
  const digits = plainFigures(text).replaceAll(' ', '');
  return /^\d{6}$/.test(digits) ? digits : null;
};

const counted = (moments: readonly Instant[], now: Instant): Instant[] =>
  moments.filter((moment) => now - moment < COUNTED_MS);

/** When fewer than ten of `moments` will be counted; null when they are fewer now. */
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

/** When the minute after the last code, or after the start of one that is being sent, is over. */
const pauseEndsAt = (state: OtpState, now: Instant): Instant | null => {
  const last = latest([...state.codes, isBeingSent(state, now) ? (state.sending?.at ?? null) : null]);
  return last === null ? null : last + CODE_PAUSE_MS;
};

/** Whole seconds from `now` until `moment`, none when it has come. */
const secondsUntil = (moment: Instant | null, now: Instant): number | null =>
  moment === null || moment <= now ? null : Math.ceil((moment - now) / SECOND);

export type MayRequest = { readonly may: true } | { readonly may: false; readonly waitSeconds: number };

/**
 * Whether a code may be sent now, or after how long the reasons against it that are known now will be gone: a minute
 * between codes, ten codes and ten failures in 24 hours. A resend never resets the failures.
 */
export const mayRequest = (state: OtpState, now: Instant): MayRequest => {
  const free = latest([
    pauseEndsAt(state, now),
    freeAgainAt(state.codes, now),
    freeAgainAt(state.failures, now),
  ]);
  const waitSeconds = secondsUntil(free, now);
  return waitSeconds === null ? { may: true } : { may: false, waitSeconds };
};

/** What is no longer counted is forgotten. */
const trimmed = (state: OtpState, now: Instant): OtpState => ({
  ...state,
  codes: counted(state.codes, now),
  failures: counted(state.failures, now),
});

/** A code is about to be sent; the earlier one goes on working. Ask `mayRequest` first. */
export const beginSending = (state: OtpState, id: Uuid, now: Instant): OtpState => ({
  ...trimmed(state, now),
  sending: { id, at: now },
});

/**
 * The code of sending `id` has gone out and replaces the earlier one. One that was so slow that another has begun
 * meanwhile is counted, for it was sent, but never works: the other is on its way.
 */
export const sent = (state: OtpState, id: Uuid, hash: string, now: Instant): OtpState => {
  const next = trimmed({ ...state, codes: [...state.codes, now] }, now);
  if (state.sending?.id !== id) return next;
  return { ...next, sending: null, code: { hash, expiresAt: now + CODE_LIFE_MS, tries: 0 } };
};

/** The code of sending `id` could not be sent: it counts for nothing. */
export const sendingFailed = (state: OtpState, id: Uuid): OtpState =>
  state.sending?.id === id ? { ...state, sending: null } : state;

export type MayTry =
  /** Compare with this hash, then write `succeeded` or `failed`. */
  | { readonly may: true; readonly hash: string }
  /** No live code: no failure of the phone, so what is known stays; the answer is that of a wrong code. */
  | { readonly may: false; readonly waitSeconds: null }
  /** Ten failures in 24 hours: no code is looked at until the oldest of them is a day old. */
  | { readonly may: false; readonly waitSeconds: number };

/** Whether a code may be tried now. The limit of codes sent does not bar the last of them from being tried. */
export const mayTry = (state: OtpState, now: Instant): MayTry => {
  const waitSeconds = secondsUntil(freeAgainAt(state.failures, now), now);
  if (waitSeconds !== null) return { may: false, waitSeconds };
  const { code } = state;
  return code === null || code.expiresAt <= now
    ? { may: false, waitSeconds: null }
    : { may: true, hash: code.hash };
};

/** A wrong code was entered while `mayTry` allowed it; the fifth ends the code. */
export const failed = (state: OtpState, now: Instant): OtpState => {
  const tries = (state.code?.tries ?? 0) + 1;
  return {
    ...trimmed({ ...state, failures: [...state.failures, now] }, now),
    code: state.code === null || tries >= CODE_TRIES ? null : { ...state.code, tries },
  };
};

/** The right code was entered: it has been used. Failures go on being counted. */
export const succeeded = (state: OtpState): OtpState => ({ ...state, code: null });
