/** Second factors of staff: codes as people type them, how many are kept, and how long who guesses must wait (Decisions 12). */
import { westernDigits } from '../../kernel/digits.ts';
import { codeIn, PAIRING_ALPHABET } from './staff.ts';
import type { Instant } from '../../kernel/time.ts';

export const FACTOR_KINDS = ['totp', 'passkey'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];
/** What may be shown in place of each other. */
export const SHOWN_KINDS = [...FACTOR_KINDS, 'recovery_code'] as const;
export type ShownKind = (typeof SHOWN_KINDS)[number];

export const isFactorKind = (text: string): text is FactorKind => FACTOR_KINDS.some((kind) => kind === text);

/** How many a person may have of each: a code is compared with one secret, so that a guess has one chance. */
export const MOST_FACTORS: Readonly<Record<FactorKind, number>> = { totp: 1, passkey: 5 };

/** Time steps of an authenticator app (RFC 6238), and how many before and after the present one are accepted. */
export const TOTP = { digits: 6, periodSeconds: 30, window: 1 } as const;
/** 160 bits, as RFC 4226 recommends. */
export const TOTP_SECRET_BYTES = 20;

const TOTP_CODE = new RegExp(`^[0-9]{${TOTP.digits}}$`);

/** The code of an authenticator app, whichever keyboard it was typed on, in groups or not; null when it is none. */
export const totpCodeIn = (text: string): string | null => {
  const code = westernDigits(text).replace(/\s/g, '');
  return TOTP_CODE.test(code) ? code : null;
};

export const RECOVERY_CODES = 10;
/** 113 bits: so many that a plain hash of them gives none away. */
export const RECOVERY_LENGTH = 25;
const GROUP = 5;

/** A new recovery code; `below` gives a random whole number below its argument. */
export const newRecoveryCode = (below: (limit: number) => number): string =>
  Array.from({ length: RECOVERY_LENGTH }, () => PAIRING_ALPHABET.charAt(below(PAIRING_ALPHABET.length))).join(
    '',
  );

/** In groups, as it is shown and written down. */
export const groupedCode = (code: string): string =>
  Array.from({ length: Math.ceil(code.length / GROUP) }, (_, at) =>
    code.slice(at * GROUP, (at + 1) * GROUP),
  ).join('-');

/** A recovery code as it was typed; null when it can be none. */
export const recoveryCodeIn = (text: string): string | null => codeIn(text, RECOVERY_LENGTH);

// ── Guessing ────────────────────────────────────────────────────────────────────────────────────

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * So many wrong ones in so long, and then a wait. Three codes of a million are right at a time, so that who knows the
 * password and guesses for a year is right with a chance of 2 % under both limits, of 41 % under the first alone.
 */
const LIMITS = [
  { most: 5, within: 15 * MINUTE },
  { most: 20, within: DAY },
] as const;

/** The failures that still count, oldest first. */
export const countedFactorFailures = (failures: readonly Instant[], now: Instant): Instant[] =>
  failures.filter((failure) => failure > now - DAY).sort((a, b) => a - b);

/** Whole seconds until another may be shown; 0 when one may be now. */
export const factorWaitSeconds = (failures: readonly Instant[], now: Instant): number => {
  const counted = countedFactorFailures(failures, now);
  const waits = LIMITS.map(({ most, within }) => (counted.at(-most) ?? -Infinity) + within - now);
  const longest = Math.max(...waits);
  return longest <= 0 ? 0 : Math.ceil(longest / 1_000);
};

/** The failures without one of that moment: what was shown then was right. */
export const withoutFailure = (failures: readonly Instant[], moment: Instant): Instant[] => {
  const at = failures.lastIndexOf(moment);
  return failures.filter((_, index) => index !== at);
};

// ── Passkeys, as browsers hand them over (WebAuthn) ─────────────────────────────────────────────

interface PublicKeyCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
}

/** What a browser gives that made a new passkey. */
export interface PasskeyCreated extends PublicKeyCredential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[];
  };
}

/** What a browser gives that asked for a passkey. */
export interface PasskeyShown extends PublicKeyCredential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | null;
  };
}
