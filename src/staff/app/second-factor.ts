/** A person's own second factors: adding one, seeing and removing them, recovery codes (Decisions 12). */
import type { Kysely } from 'kysely';
import { oneLine } from '../../kernel/freetext.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import {
  groupedCode,
  MOST_FACTORS,
  newRecoveryCode,
  RECOVERY_CODES,
  TOTP_SECRET_BYTES,
  totpCodeIn,
  type FactorKind,
  type PasskeyCreated,
} from '../domain/second-factor.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { BrowserOptions } from '../../ports.ts';
import { addAudit } from '../../platform/store/audit.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  accountOf,
  addPasskey,
  addPendingTotp,
  confirmTotp,
  factorsOf,
  holdPerson,
  pendingTotp,
  recoveryCodesLeft,
  removeAllFactors,
  removeFactor,
  setRecoveryCodes,
  type FactorRow,
  type Whose,
} from '../store/second-factor.ts';
import { lowerSessions } from '../store/sessions.ts';
import { CHALLENGE_MS, challengeFor, challengeOf, totpRow } from './factor-check.ts';
import { seal, unseal } from '../../platform/app/sealing.ts';
import type { Actor, StaffDeps } from './access.ts';
import { totpShown, totpStepOf } from './totp.ts';

type Tx = Kysely<Database>;

/** What adding and removing works with. */
export type OwnFactorDeps = StaffDeps & { readonly service: { readonly name: string } };

/** Time to take up the phone and type its first code. */
const PENDING_MS = 10 * 60 * 1_000;

// ── Seeing them ─────────────────────────────────────────────────────────────────────────────────

export interface FactorView {
  readonly id: Uuid;
  readonly kind: FactorKind;
  readonly label: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

const viewOf = ({ id, kind, label, createdAt, lastUsedAt }: FactorRow): FactorView => ({
  ...{ id, kind, label, created_at: isoInstant(createdAt) },
  last_used_at: lastUsedAt === null ? null : isoInstant(lastUsedAt),
});

export interface FactorsView {
  readonly factors: FactorView[];
  readonly recovery_codes_left: number;
}

const viewOfAll = async (db: Tx, whose: Whose): Promise<FactorsView> => ({
  factors: (await factorsOf(db, whose)).map(viewOf),
  recovery_codes_left: await recoveryCodesLeft(db, whose),
});

export const listFactors =
  ({ db }: Pick<StaffDeps, 'db'>) =>
  (actor: Actor): Promise<FactorsView> =>
    db.snapshot((tx) => viewOfAll(tx, actor));

// ── Adding one ──────────────────────────────────────────────────────────────────────────────────

/** The factors of a person who may have one more of a kind. Throws SECOND_FACTOR_LIMIT. */
const roomFor = async (tx: Tx, whose: Whose, kind: FactorKind): Promise<readonly FactorRow[]> => {
  const factors = await factorsOf(tx, whose);
  const max = MOST_FACTORS[kind];
  if (factors.filter((factor) => factor.kind === kind).length >= max)
    throw new Refusal('SECOND_FACTOR_LIMIT', { kind, max });
  return factors;
};

/** What one calls it; blank is what it is. */
const labelOf = (typed: string | undefined, otherwise: string): string => oneLine(typed ?? '') ?? otherwise;

type Change = 'begun' | 'added' | 'removed' | 'recovery_codes_made' | 'reset';

/** Who is changed, and by whom: null is the operator. */
interface Changed extends Whose {
  readonly by: Uuid | null;
  readonly deviceId: Uuid | null;
}

/**
 * Changes what lets a person in, whose factors nobody else changes meanwhile: written down with it, and said where that
 * is watched once it holds. `detail`: the facts of it; null where nothing was changed.
 */
const changing = async <T>(
  { db, clock, random, security }: StaffDeps,
  { orgId, staffId, by, deviceId }: Changed,
  change: Change,
  work: (tx: Tx) => Promise<readonly [T, Readonly<Record<string, string | number>> | null]>,
): Promise<T> => {
  const [result, detail] = await db.tx(async (tx) => {
    await holdPerson(tx, { orgId, staffId });
    const done = await work(tx);
    if (done[1] !== null)
      await addAudit(tx, {
        ...{ orgId, id: random.uuid(), at: clock.now(), staffId: by, deviceId },
        ...{ action: `staff.second_factor_${change}`, subject: 'staff', subjectId: staffId, detail: done[1] },
      });
    return done;
  });
  if (detail !== null && change !== 'begun')
    security.record('credentials_changed', {
      ...{ org_id: orgId, staff_id: staffId, what: `second_factor_${change}`, by_operator: by === null },
    });
  return result;
};

const byThemself = ({ orgId, staffId, deviceId }: Actor): Changed => ({
  ...{ orgId, staffId, deviceId, by: staffId },
});

/** New recovery codes in place of all earlier ones: shown here, and never again. */
const newCodes = async ({ random, tokens }: StaffDeps, tx: Tx, whose: Whose): Promise<string[]> => {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode((limit) => random.below(limit)));
  await setRecoveryCodes(
    tx,
    whose,
    codes.map((code) => tokens.hashOf(code)),
  );
  return codes.map(groupedCode);
};

export interface Added extends FactorsView {
  /** With the first factor alone. */
  readonly recovery_codes: string[] | null;
}

/**
 * With one more: `before` are those that there were. With the first, sessions that were elevated without it are so no
 * more, but for this one, where it was shown just now.
 */
const added = async (deps: StaffDeps, tx: Tx, actor: Actor, before: readonly FactorRow[]): Promise<Added> => {
  const isFirst = before.length === 0;
  const recovery_codes = isFirst ? await newCodes(deps, tx, actor) : null;
  if (isFirst) await lowerSessions(tx, actor, actor.session);
  return { ...(await viewOfAll(tx, actor)), recovery_codes };
};

/** A secret for an authenticator app, which counts once its first code was right. Throws SECOND_FACTOR_LIMIT. */
export const beginTotp =
  (deps: OwnFactorDeps) =>
  async (
    actor: Actor,
    typed: { readonly label?: string },
  ): Promise<{
    readonly secret: string;
    readonly uri: string;
    readonly expires_at: string;
  }> => {
    const { clock, random, service } = deps;
    const { orgId, staffId } = actor;
    const id = random.uuid();
    const secret = random.bytes(TOTP_SECRET_BYTES);
    const now = clock.now();
    const account = await changing(deps, byThemself(actor), 'begun', async (tx) => {
      await roomFor(tx, actor, 'totp');
      const sealed = seal(deps, totpRow(actor, id), secret);
      await addPendingTotp(tx, { orgId, staffId, id, label: labelOf(typed.label, 'TOTP'), sealed, now });
      return [await accountOf(tx, actor), { kind: 'totp' }];
    });
    const shown = totpShown(secret, { issuer: service.name, label: account });
    return { ...shown, expires_at: isoInstant(now + PENDING_MS) };
  };

/** Confirms it by its first code. Throws SECOND_FACTOR_WRONG, SECOND_FACTOR_LIMIT, NOT_FOUND where none waits. */
export const confirmOwnTotp =
  (deps: StaffDeps) =>
  (actor: Actor, typed: { readonly code: string }): Promise<Added> =>
    changing(deps, byThemself(actor), 'added', async (tx) => {
      const now = deps.clock.now();
      const before = await roomFor(tx, actor, 'totp');
      const pending = await pendingTotp(tx, actor, now - PENDING_MS);
      if (pending === null) throw new Refusal('NOT_FOUND');
      const secret = unseal(deps.keyring, totpRow(actor, pending.id), pending.sealed);
      const code = totpCodeIn(typed.code);
      const step = secret === null || code === null ? null : totpStepOf(secret, code, now);
      if (step === null) throw new Refusal('SECOND_FACTOR_WRONG');
      await confirmTotp(tx, actor, pending.id, step, now);
      return [await added(deps, tx, actor, before), { kind: 'totp' }];
    });

/** What a browser makes a passkey with. Throws SECOND_FACTOR_LIMIT. */
export const beginPasskey =
  (deps: StaffDeps) =>
  async (actor: Actor): Promise<{ readonly options: BrowserOptions; readonly expires_at: string }> => {
    const { clock, passkeys } = deps;
    const now = clock.now();
    const options = await changing(deps, byThemself(actor), 'begun', async (tx) => {
      const factors = await roomFor(tx, actor, 'passkey');
      const challenge = await challengeFor(deps, tx, actor, 'register');
      const known = factors.flatMap((factor) => (factor.kind === 'passkey' ? [factor] : []));
      const person = { id: actor.staffId, account: await accountOf(tx, actor), displayName: actor.name };
      return [await passkeys.creationOptions(person, known, challenge), { kind: 'passkey' }];
    });
    return { options, expires_at: isoInstant(now + CHALLENGE_MS) };
  };

/** Keeps the passkey that a browser made. Throws SECOND_FACTOR_WRONG, SECOND_FACTOR_LIMIT. */
export const confirmOwnPasskey =
  (deps: StaffDeps) =>
  async (
    actor: Actor,
    given: { readonly credential: PasskeyCreated; readonly label?: string },
  ): Promise<Added> => {
    const { clock, random, passkeys } = deps;
    const challenge = await challengeOf(deps, actor, 'register', given.credential);
    const made = challenge === null ? null : await passkeys.created(given.credential, challenge);
    if (made === null) throw new Refusal('SECOND_FACTOR_WRONG');
    const { orgId, staffId } = actor;
    return changing(deps, byThemself(actor), 'added', async (tx) => {
      const before = await roomFor(tx, actor, 'passkey');
      const label = labelOf(given.label, 'Passkey');
      const isNew = await addPasskey(tx, {
        ...{ ...made, orgId, staffId, id: random.uuid(), label, now: clock.now() },
      });
      if (!isNew) throw new Refusal('SECOND_FACTOR_WRONG');
      return [await added(deps, tx, actor, before), { kind: 'passkey' }];
    });
  };

// ── Recovery codes, and the end ─────────────────────────────────────────────────────────────────

/** New recovery codes, which end the earlier ones. Throws NOT_FOUND where there is nothing to recover. */
export const makeRecoveryCodes =
  (deps: StaffDeps) =>
  (actor: Actor): Promise<{ readonly recovery_codes: string[] }> =>
    changing(deps, byThemself(actor), 'recovery_codes_made', async (tx) => {
      if ((await factorsOf(tx, actor)).length === 0) throw new Refusal('NOT_FOUND');
      return [{ recovery_codes: await newCodes(deps, tx, actor) }, {}];
    });

/** Removes one; with the last go the recovery codes. Throws NOT_FOUND. */
export const removeOwnFactor =
  (deps: StaffDeps) =>
  (actor: Actor, id: Uuid): Promise<FactorsView> =>
    changing(deps, byThemself(actor), 'removed', async (tx) => {
      const removed = await removeFactor(tx, actor, id);
      if (removed === null) throw new Refusal('NOT_FOUND');
      if ((await factorsOf(tx, actor)).length === 0) await setRecoveryCodes(tx, actor, []);
      return [await viewOfAll(tx, actor), { kind: removed.kind }];
    });

/** Takes every second factor from a person, for the operator; says how many they had. */
export const resetFactors = (deps: StaffDeps, whose: Whose): Promise<number> =>
  changing(deps, { ...whose, by: null, deviceId: null }, 'reset', async (tx) => {
    const had = await removeAllFactors(tx, whose);
    return [had, had === 0 ? null : { factors: had }];
  });
