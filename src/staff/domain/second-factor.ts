/** Second factors of staff: formats, limits and throttling (Decisions 12). */
import { westernDigits } from '../../kernel/digits.ts';
import { codeIn, PAIRING_ALPHABET } from './staff.ts';
import type { Instant } from '../../kernel/time.ts';

export const FACTOR_KINDS = ['totp', 'passkey'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];
export type ProofKind = FactorKind | 'recovery_code';

export const isFactorKind = (text: string): text is FactorKind => FACTOR_KINDS.some((kind) => kind === text);

/** One TOTP secret per person, so that a guess has one chance. */
export const MAX_FACTORS: Readonly<Record<FactorKind, number>> = { totp: 1, passkey: 5 };

/** RFC 6238; `window`: time steps accepted before and after the current one. */
export const TOTP = { digits: 6, periodSeconds: 30, window: 1 } as const;
/** 160 bits, as RFC 4226 recommends. */
export const TOTP_SECRET_BYTES = 20;

const TOTP_CODE = new RegExp(`^[0-9]{${TOTP.digits}}$`);

/** A TOTP code typed on any keyboard, grouped or not; null if invalid. */
export const totpCodeIn = (text: string): string | null => {
  const code = westernDigits(text).replace(/\s/g, '');
  return TOTP_CODE.test(code) ? code : null;
};

export const RECOVERY_CODES = 10;
/** 113 bits, enough for a plain hash. */
export const RECOVERY_LENGTH = 25;
const GROUP = 5;

/** `below` returns a random integer below its argument. */
export const newRecoveryCode = (below: (limit: number) => number): string =>
  Array.from({ length: RECOVERY_LENGTH }, () => PAIRING_ALPHABET.charAt(below(PAIRING_ALPHABET.length))).join(
    '',
  );

export const groupedCode = (code: string): string =>
  Array.from({ length: Math.ceil(code.length / GROUP) }, (_, at) =>
    code.slice(at * GROUP, (at + 1) * GROUP),
  ).join('-');

/** Null if invalid. */
export const recoveryCodeIn = (text: string): string | null => codeIn(text, RECOVERY_LENGTH);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * Three codes of a million are right at a time: someone who knows the password and guesses for a year
 * succeeds with 2 % under both limits, with 41 % under the first alone.
 */
const LIMITS = [
  { maxFailures: 5, windowMs: 15 * MINUTE },
  { maxFailures: 20, windowMs: DAY },
] as const;

export const countedFactorFailures = (failures: readonly Instant[], now: Instant): Instant[] =>
  failures.filter((failure) => failure > now - DAY).sort((a, b) => a - b);

/** Whole seconds until the next try; 0: now. */
export const factorWaitSeconds = (failures: readonly Instant[], now: Instant): number => {
  const counted = countedFactorFailures(failures, now);
  const waits = LIMITS.map(
    ({ maxFailures, windowMs }) => (counted.at(-maxFailures) ?? -Infinity) + windowMs - now,
  );
  const longest = Math.max(...waits);
  return longest <= 0 ? 0 : Math.ceil(longest / 1_000);
};

export const withoutFailure = (failures: readonly Instant[], moment: Instant): Instant[] => {
  const at = failures.lastIndexOf(moment);
  return failures.filter((_, index) => index !== at);
};

// ── Passkeys (WebAuthn) ─────────────────────────────────────────────────────────────────────────

interface PublicKeyCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
}

/** Result of `navigator.credentials.create`. */
export interface PasskeyRegistration extends PublicKeyCredential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[];
  };
}

/** Result of `navigator.credentials.get`. */
export interface PasskeyAssertion extends PublicKeyCredential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | null;
  };
}
