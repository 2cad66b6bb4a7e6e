/**
 * Second factors at sign-in (Decisions 12): verified first without locks, then consumed in the signing-in
 * transaction, so that of concurrent uses only one succeeds.
 */
import type { Kysely } from 'kysely';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import {
  countedFactorFailures,
  factorWaitSeconds,
  recoveryCodeIn,
  totpCodeIn,
  withoutFailure,
  type PasskeyAssertion,
  type ProofKind,
} from '../domain/second-factor.ts';
import type { Instant } from '../../kernel/time.ts';
import {
  addChallenge,
  hasRecoveryCode,
  lockFactorFailures,
  reseal,
  saveFactorFailures,
  spendChallenge,
  spendCount,
  spendRecoveryCode,
  spendStep,
  type ChallengePurpose,
} from '../store/factor-check.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  factorsOf,
  recoveryCodesLeft,
  type FactorRow,
  type PasskeyRow,
  type TotpRow,
  type StaffRef,
} from '../store/second-factor.ts';
import type { App } from '../../platform/app/app.ts';
import { seal, unseal, type Sealed } from '../../platform/app/sealing.ts';
import type { StaffDeps } from './access.ts';
import { totpStepOf } from './totp.ts';
import { recordWrongTry } from './wrong-tries.ts';

type Tx = Kysely<Database>;

/** Exactly one of these accompanies the password. */
export interface SecondFactorInput {
  readonly totp?: string;
  readonly recovery_code?: string;
  readonly passkey?: PasskeyAssertion;
}

export interface FactorAttempt {
  readonly input: SecondFactorInput | undefined;
  readonly client: string;
}

/** A verified factor, to be consumed by `spendFactor`. */
type Proof =
  | { readonly kind: 'totp'; readonly factor: TotpRow; readonly step: number; readonly secret: Buffer }
  | { readonly kind: 'passkey'; readonly factor: PasskeyRow; readonly count: number }
  | { readonly kind: 'recovery_code'; readonly hash: Buffer };

export type VerifiedFactor = (Proof & { readonly countedAt: Instant }) | null;

/** Context that binds a sealed secret to its row. */
export const totpRow = ({ orgId }: StaffRef, id: string): string => `staff_factor\n${orgId}\n${id}`;

// ── Challenges ──────────────────────────────────────────────────────────────────────────────────

const CHALLENGE_BYTES = 32;
export const CHALLENGE_MS = 5 * 60 * 1_000;

export const challengeFor = async (
  { clock, random, tokens }: StaffDeps,
  db: Tx,
  staff: StaffRef,
  purpose: ChallengePurpose,
): Promise<Uint8Array> => {
  const challenge = random.bytes(CHALLENGE_BYTES);
  const hash = tokens.hashOf(Buffer.from(challenge).toString('base64url'));
  await addChallenge(db, staff, purpose, hash, clock.now() + CHALLENGE_MS);
  return challenge;
};

/**
 * Consumes the challenge that a response signed; null if it was not issued for this purpose or has expired.
 */
export const challengeOf = async (
  { db, clock, tokens, passkeys }: StaffDeps,
  staff: StaffRef,
  purpose: ChallengePurpose,
  response: Parameters<App['passkeys']['challengeIn']>[0],
): Promise<string | null> => {
  const challenge = passkeys.challengeIn(response);
  if (challenge === null) return null;
  const isGiven = await spendChallenge(db.kysely, staff, purpose, tokens.hashOf(challenge), clock.now());
  return isGiven ? challenge : null;
};

const isPasskey = (factor: FactorRow): factor is PasskeyRow => factor.kind === 'passkey';

/** The refusal that lists the person's factors, with the options for a passkey request. */
const required = async (
  deps: StaffDeps,
  staff: StaffRef,
  factors: readonly FactorRow[],
): Promise<Refusal> => {
  const known = factors.filter(isPasskey);
  const hasCodes = (await recoveryCodesLeft(deps.db.kysely, staff)) > 0;
  const kinds = new Set<ProofKind>([
    ...factors.map(({ kind }) => kind),
    ...(hasCodes ? (['recovery_code'] as const) : []),
  ]);
  const passkey =
    known.length === 0
      ? {}
      : {
          passkey: await deps.passkeys.requestOptions(
            known,
            await challengeFor(deps, deps.db.kysely, staff, 'sign_in'),
          ),
        };
  return new Refusal('SECOND_FACTOR_REQUIRED', {}, { lists: { kinds: [...kinds], ...passkey } });
};

// ── Verification ────────────────────────────────────────────────────────────────────────────────

/** Throws INVALID_INPUT unless exactly one was sent. */
const onlyProof = (input: SecondFactorInput): readonly [ProofKind, SecondFactorInput] => {
  const kinds = (['totp', 'passkey', 'recovery_code'] as const).filter((kind) => input[kind] !== undefined);
  const [kind] = kinds;
  if (kind !== undefined && kinds.length === 1) return [kind, input];
  throw invalidInput({
    path: 'second_factor',
    problem: 'must have one of totp, passkey and recovery_code',
    arabic: 'وسيلة التحقق الثانية يجب أن تكون واحدة فقط',
  });
};

/** Null also if the secret's key is gone. */
const verifyTotp = (
  { keyring, clock }: StaffDeps,
  staff: StaffRef,
  factors: readonly FactorRow[],
  typed: string,
): Proof | null => {
  const factor = factors.find((each) => each.kind === 'totp');
  const code = totpCodeIn(typed);
  if (factor === undefined || code === null) return null;
  const secret = unseal(keyring, totpRow(staff, factor.id), factor.sealed);
  const step = secret === null ? null : totpStepOf(secret, code, clock.now());
  if (secret === null || step === null || step <= (factor.lastStep ?? -1)) return null;
  return { kind: 'totp', factor, step, secret };
};

const verifyPasskey = async (
  deps: StaffDeps,
  staff: StaffRef,
  factors: readonly FactorRow[],
  response: PasskeyAssertion,
): Promise<Proof | null> => {
  const challenge = await challengeOf(deps, staff, 'sign_in', response);
  const id = Buffer.from(response.rawId, 'base64url');
  const factor = factors.filter(isPasskey).find(({ credentialId }) => credentialId.equals(id));
  if (challenge === null || factor === undefined) return null;
  const count = await deps.passkeys.verifyAuthentication(response, challenge, factor);
  return count === null ? null : { kind: 'passkey', factor, count };
};

const verifyRecoveryCode = async (
  { db, tokens }: StaffDeps,
  staff: StaffRef,
  typed: string,
): Promise<Proof | null> => {
  const code = recoveryCodeIn(typed);
  if (code === null) return null;
  const hash = tokens.hashOf(code);
  return (await hasRecoveryCode(db.kysely, staff, hash)) ? { kind: 'recovery_code', hash } : null;
};

const verifyProof = (
  kind: ProofKind,
  deps: StaffDeps,
  staff: StaffRef,
  factors: readonly FactorRow[],
  input: SecondFactorInput,
): Proof | null | Promise<Proof | null> => {
  if (kind === 'totp') return verifyTotp(deps, staff, factors, input.totp ?? '');
  if (kind === 'recovery_code') return verifyRecoveryCode(deps, staff, input.recovery_code ?? '');
  return input.passkey === undefined ? null : verifyPasskey(deps, staff, factors, input.passkey);
};

/**
 * Counts a TOTP code as wrong before verification, so that concurrent tries cannot exceed the limit. Throws
 * RATE_LIMITED.
 */
const countFactor = async (tx: Tx, staff: StaffRef, now: Instant): Promise<void> => {
  const failures = await lockFactorFailures(tx, staff);
  const wait = factorWaitSeconds(failures, now);
  if (wait > 0) throw new Refusal('RATE_LIMITED', { retry_after_seconds: wait });
  await saveFactorFailures(tx, staff, [...countedFactorFailures(failures, now), now]);
};

/**
 * Verifies the second factor after a right password. Throws SECOND_FACTOR_REQUIRED if missing,
 * SECOND_FACTOR_WRONG, RATE_LIMITED, INVALID_INPUT.
 */
export const verifyFactor = async (
  deps: StaffDeps,
  staff: StaffRef,
  { input, client }: FactorAttempt,
): Promise<VerifiedFactor> => {
  const factors = await factorsOf(deps.db.kysely, staff);
  if (factors.length === 0) return null;
  if (input === undefined) throw await required(deps, staff, factors);
  const [kind, one] = onlyProof(input);
  const countedAt = deps.clock.now();
  // Only TOTP codes are throttled: a signature and 113 bits cannot be guessed.
  if (kind === 'totp') await deps.db.tx((tx) => countFactor(tx, staff, countedAt));
  const right = await verifyProof(kind, deps, staff, factors, one);
  if (right === null) {
    const person = { orgId: staff.orgId, id: staff.staffId };
    recordWrongTry(deps, { kind: 'second_factor', person, device: null, client });
    throw new Refusal('SECOND_FACTOR_WRONG');
  }
  return { ...right, countedAt };
};

// ── Consumption ─────────────────────────────────────────────────────────────────────────────────

const consume = async (tx: Tx, staff: StaffRef, right: Proof, now: Instant): Promise<boolean> => {
  if (right.kind === 'totp') return spendStep(tx, staff, right.factor.id, right.step, now);
  if (right.kind === 'passkey') return spendCount(tx, staff, right.factor, right.count, now);
  return spendRecoveryCode(tx, staff, right.hash);
};

const resealIfOutdated = async (
  { keyring, random }: StaffDeps,
  tx: Tx,
  staff: StaffRef,
  { factor, secret }: Extract<Proof, { kind: 'totp' }>,
): Promise<void> => {
  if (factor.sealed.keyId === keyring.first) return;
  const sealed: Sealed = seal({ keyring, random }, totpRow(staff, factor.id), secret);
  await reseal(tx, staff, factor, sealed);
};

/**
 * Consumes a verified factor in the transaction that holds the person's row. Throws SECOND_FACTOR_WRONG if
 * another sign-in consumed it, SIGN_IN_REQUIRED if a factor was added meanwhile.
 */
export const spendFactor = async (
  deps: StaffDeps,
  tx: Tx,
  staff: StaffRef,
  verified: VerifiedFactor,
): Promise<void> => {
  if (verified === null) {
    if ((await factorsOf(tx, staff)).length > 0) throw new Refusal('SIGN_IN_REQUIRED');
    return;
  }
  if (verified.kind === 'totp') {
    // Lock order: failures before the factor.
    const failures = await lockFactorFailures(tx, staff);
    await saveFactorFailures(tx, staff, withoutFailure(failures, verified.countedAt));
  }
  if (!(await consume(tx, staff, verified, deps.clock.now()))) throw new Refusal('SECOND_FACTOR_WRONG');
  if (verified.kind === 'totp') await resealIfOutdated(deps, tx, staff, verified);
};
