/**
 * Whether someone whose password was right shows their second factor too (Decisions 12). It is judged first, with
 * nothing locked, and used up in the transaction that lets them in: of many who show the same, one gets in.
 */
import type { Kysely } from 'kysely';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import {
  countedFactorFailures,
  factorWaitSeconds,
  recoveryCodeIn,
  totpCodeIn,
  withoutFailure,
  type PasskeyShown,
  type ShownKind,
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
  type Whose,
} from '../store/second-factor.ts';
import type { App } from '../../platform/app/app.ts';
import { seal, unseal, type Sealed } from '../../platform/app/sealing.ts';
import type { StaffDeps } from './access.ts';
import { totpStepOf } from './totp.ts';
import { noteWrongTry } from './wrong-tries.ts';

type Tx = Kysely<Database>;

/** What was sent along with the password; one of these. */
export interface GivenFactor {
  readonly totp?: string;
  readonly recovery_code?: string;
  readonly passkey?: PasskeyShown;
}

/** What someone shows, and from where; undefined: nothing. */
export interface ShownFactor {
  readonly given: GivenFactor | undefined;
  /** As the limits count clients. */
  readonly client: string;
}

/** What was right, and is used up when it lets someone in. */
type Right =
  | { readonly kind: 'totp'; readonly factor: TotpRow; readonly step: number; readonly secret: Buffer }
  | { readonly kind: 'passkey'; readonly factor: PasskeyRow; readonly count: number }
  | { readonly kind: 'recovery_code'; readonly hash: Buffer };

/** Null: the person has no second factor. Else what they showed, and when the try was counted. */
export type JudgedFactor = (Right & { readonly countedAt: Instant }) | null;

/** What names the row that an authenticator app's secret is stored in. */
export const totpRow = ({ orgId }: Whose, id: string): string => `staff_factor\n${orgId}\n${id}`;

// ── Challenges ──────────────────────────────────────────────────────────────────────────────────

const CHALLENGE_BYTES = 32;
/** Time to find the phone or the key. */
export const CHALLENGE_MS = 5 * 60 * 1_000;

/** A new challenge for a passkey to sign, once. */
export const challengeFor = async (
  { clock, random, tokens }: StaffDeps,
  db: Tx,
  whose: Whose,
  purpose: ChallengePurpose,
): Promise<Uint8Array> => {
  const challenge = random.bytes(CHALLENGE_BYTES);
  const hash = tokens.hashOf(Buffer.from(challenge).toString('base64url'));
  await addChallenge(db, whose, purpose, hash, clock.now() + CHALLENGE_MS);
  return challenge;
};

/** Uses up the challenge that a response says it signed; null where it was not given for that, or not any more. */
export const challengeOf = async (
  { db, clock, tokens, passkeys }: StaffDeps,
  whose: Whose,
  purpose: ChallengePurpose,
  response: Parameters<App['passkeys']['challengeIn']>[0],
): Promise<string | null> => {
  const challenge = passkeys.challengeIn(response);
  if (challenge === null) return null;
  const isGiven = await spendChallenge(db.kysely, whose, purpose, tokens.hashOf(challenge), clock.now());
  return isGiven ? challenge : null;
};

const isPasskey = (factor: FactorRow): factor is PasskeyRow => factor.kind === 'passkey';

/** The refusal that says what the person has, and what a browser asks their passkeys with. */
const required = async (deps: StaffDeps, whose: Whose, factors: readonly FactorRow[]): Promise<Refusal> => {
  const known = factors.filter(isPasskey);
  const hasCodes = (await recoveryCodesLeft(deps.db.kysely, whose)) > 0;
  const kinds = new Set<ShownKind>([
    ...factors.map(({ kind }) => kind),
    ...(hasCodes ? (['recovery_code'] as const) : []),
  ]);
  const passkey =
    known.length === 0
      ? {}
      : {
          passkey: await deps.passkeys.requestOptions(
            known,
            await challengeFor(deps, deps.db.kysely, whose, 'sign_in'),
          ),
        };
  return new Refusal('SECOND_FACTOR_REQUIRED', {}, { lists: { kinds: [...kinds], ...passkey } });
};

// ── Judging ─────────────────────────────────────────────────────────────────────────────────────

/** The only one that was given. Throws INVALID_INPUT. */
const theOne = (given: GivenFactor): readonly [ShownKind, GivenFactor] => {
  const kinds = (['totp', 'passkey', 'recovery_code'] as const).filter((kind) => given[kind] !== undefined);
  const [kind] = kinds;
  if (kind !== undefined && kinds.length === 1) return [kind, given];
  throw invalidInput({
    path: 'second_factor',
    problem: 'must have one of totp, passkey and recovery_code',
    arabic: 'وسيلة التحقق الثانية يجب أن تكون واحدة فقط',
  });
};

/** Of an app whose secret cannot be opened no code is right: its key is gone. */
const judgedTotp = (
  { keyring, clock }: StaffDeps,
  whose: Whose,
  factors: readonly FactorRow[],
  typed: string,
): Right | null => {
  const factor = factors.find((each) => each.kind === 'totp');
  const code = totpCodeIn(typed);
  if (factor === undefined || code === null) return null;
  const secret = unseal(keyring, totpRow(whose, factor.id), factor.sealed);
  const step = secret === null ? null : totpStepOf(secret, code, clock.now());
  if (secret === null || step === null || step <= (factor.lastStep ?? -1)) return null;
  return { kind: 'totp', factor, step, secret };
};

const judgedPasskey = async (
  deps: StaffDeps,
  whose: Whose,
  factors: readonly FactorRow[],
  response: PasskeyShown,
): Promise<Right | null> => {
  const challenge = await challengeOf(deps, whose, 'sign_in', response);
  const id = Buffer.from(response.rawId, 'base64url');
  const factor = factors.filter(isPasskey).find(({ credentialId }) => credentialId.equals(id));
  if (challenge === null || factor === undefined) return null;
  const count = await deps.passkeys.shown(response, challenge, factor);
  return count === null ? null : { kind: 'passkey', factor, count };
};

const judgedRecovery = async (
  { db, tokens }: StaffDeps,
  whose: Whose,
  typed: string,
): Promise<Right | null> => {
  const code = recoveryCodeIn(typed);
  if (code === null) return null;
  const hash = tokens.hashOf(code);
  return (await hasRecoveryCode(db.kysely, whose, hash)) ? { kind: 'recovery_code', hash } : null;
};

const judgedAs = (
  kind: ShownKind,
  deps: StaffDeps,
  whose: Whose,
  factors: readonly FactorRow[],
  given: GivenFactor,
): Right | null | Promise<Right | null> => {
  if (kind === 'totp') return judgedTotp(deps, whose, factors, given.totp ?? '');
  if (kind === 'recovery_code') return judgedRecovery(deps, whose, given.recovery_code ?? '');
  return given.passkey === undefined ? null : judgedPasskey(deps, whose, factors, given.passkey);
};

/**
 * Counts an app's code as wrong before it is looked at, so that however many are tried at once no more than the limit
 * are judged. Throws RATE_LIMITED.
 */
const countFactor = async (tx: Tx, whose: Whose, now: Instant): Promise<void> => {
  const failures = await lockFactorFailures(tx, whose);
  const wait = factorWaitSeconds(failures, now);
  if (wait > 0) throw new Refusal('RATE_LIMITED', { retry_after_seconds: wait });
  await saveFactorFailures(tx, whose, [...countedFactorFailures(failures, now), now]);
};

/**
 * Judges the second factor of someone whose password was right. Throws SECOND_FACTOR_REQUIRED where they have one and
 * showed none, SECOND_FACTOR_WRONG, RATE_LIMITED, INVALID_INPUT.
 */
export const judgeFactor = async (
  deps: StaffDeps,
  whose: Whose,
  { given, client }: ShownFactor,
): Promise<JudgedFactor> => {
  const factors = await factorsOf(deps.db.kysely, whose);
  if (factors.length === 0) return null;
  if (given === undefined) throw await required(deps, whose, factors);
  const [kind, one] = theOne(given);
  const countedAt = deps.clock.now();
  // A signature and 113 bits cannot be guessed: wrong codes of an app make the person wait with codes alone.
  if (kind === 'totp') await deps.db.tx((tx) => countFactor(tx, whose, countedAt));
  const right = await judgedAs(kind, deps, whose, factors, one);
  if (right === null) {
    const person = { orgId: whose.orgId, id: whose.staffId };
    noteWrongTry(deps, { kind: 'second_factor', person, device: null, client });
    throw new Refusal('SECOND_FACTOR_WRONG');
  }
  return { ...right, countedAt };
};

// ── Letting in ──────────────────────────────────────────────────────────────────────────────────

const spent = async (tx: Tx, whose: Whose, right: Right, now: Instant): Promise<boolean> => {
  if (right.kind === 'totp') return spendStep(tx, whose, right.factor.id, right.step, now);
  if (right.kind === 'passkey') return spendCount(tx, whose, right.factor, right.count, now);
  return spendRecoveryCode(tx, whose, right.hash);
};

/** A secret that is sealed under an earlier key is sealed under the first one. */
const renewed = async (
  { keyring, random }: StaffDeps,
  tx: Tx,
  whose: Whose,
  { factor, secret }: Extract<Right, { kind: 'totp' }>,
): Promise<void> => {
  if (factor.sealed.keyId === keyring.first) return;
  const sealed: Sealed = seal({ keyring, random }, totpRow(whose, factor.id), secret);
  await reseal(tx, whose, factor, sealed);
};

/**
 * Uses up what was judged, in the transaction that lets someone in and holds their row. Throws SECOND_FACTOR_WRONG where
 * another used it up meanwhile, SIGN_IN_REQUIRED where they have a second factor since and it was not asked for.
 */
export const spendFactor = async (
  deps: StaffDeps,
  tx: Tx,
  whose: Whose,
  judged: JudgedFactor,
): Promise<void> => {
  if (judged === null) {
    if ((await factorsOf(tx, whose)).length > 0) throw new Refusal('SIGN_IN_REQUIRED');
    return;
  }
  if (judged.kind === 'totp') {
    // The failures before the factor: whoever counts holds those alone.
    const failures = await lockFactorFailures(tx, whose);
    await saveFactorFailures(tx, whose, withoutFailure(failures, judged.countedAt));
  }
  if (!(await spent(tx, whose, judged, deps.clock.now()))) throw new Refusal('SECOND_FACTOR_WRONG');
  if (judged.kind === 'totp') await renewed(deps, tx, whose, judged);
};
