/** A person's own second factors and recovery codes (Decisions 12). */
import type { Kysely } from 'kysely';
import { singleLine } from '../../kernel/free-text.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import {
  groupedCode,
  MAX_FACTORS,
  newRecoveryCode,
  RECOVERY_CODES,
  TOTP_SECRET_BYTES,
  totpCodeIn,
  type FactorKind,
  type PasskeyRegistration,
} from '../domain/second-factor.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { BrowserOptions } from '../../ports.ts';
import { recordUnlogged } from '../../platform/app/audit.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  accountOf,
  addPasskey,
  addPendingTotp,
  confirmTotp,
  factorsOf,
  lockStaff,
  pendingTotp,
  recoveryCodesLeft,
  removeAllFactors,
  removeFactor,
  setRecoveryCodes,
  type FactorRow,
  type StaffRef,
} from '../store/second-factor.ts';
import { endElevation } from '../store/sessions.ts';
import { CHALLENGE_MS, challengeFor, challengeOf, totpRow } from './factor-check.ts';
import { seal, unseal } from '../../platform/app/sealing.ts';
import type { Actor, StaffDeps } from './access.ts';
import { totpSetup, totpStepOf } from './totp.ts';

type Tx = Kysely<Database>;

export type OwnFactorDeps = StaffDeps & { readonly service: { readonly name: string } };

/** Time to set up the app and type its first code. */
const PENDING_MS = 10 * 60 * 1_000;

// ── List ────────────────────────────────────────────────────────────────────────────────────────

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

const viewOfAll = async (db: Tx, staff: StaffRef): Promise<FactorsView> => ({
  factors: (await factorsOf(db, staff)).map(viewOf),
  recovery_codes_left: await recoveryCodesLeft(db, staff),
});

export const listFactors =
  ({ db }: Pick<StaffDeps, 'db'>) =>
  (actor: Actor): Promise<FactorsView> =>
    db.snapshot((tx) => viewOfAll(tx, actor));

// ── Adding ──────────────────────────────────────────────────────────────────────────────────────

/** The person's factors, if one more of this kind is allowed. Throws SECOND_FACTOR_LIMIT. */
const factorsWithRoom = async (tx: Tx, staff: StaffRef, kind: FactorKind): Promise<readonly FactorRow[]> => {
  const factors = await factorsOf(tx, staff);
  const max = MAX_FACTORS[kind];
  if (factors.filter((factor) => factor.kind === kind).length >= max)
    throw new Refusal('SECOND_FACTOR_LIMIT', { kind, max });
  return factors;
};

const labelOf = (typed: string | undefined, otherwise: string): string =>
  singleLine(typed ?? '') ?? otherwise;

type Change = 'begun' | 'added' | 'removed' | 'recovery_codes_made' | 'reset';

/** `by`: null for the operator. */
interface FactorChange extends StaffRef {
  readonly by: Uuid | null;
  readonly deviceId: Uuid | null;
}

/**
 * Runs a change of second factors under the person's lock, audits it, and records the security event after
 * the commit. `detail`: null if nothing changed.
 */
const withFactorChange = async <T>(
  { db, clock, random, security }: StaffDeps,
  { orgId, staffId, by, deviceId }: FactorChange,
  change: Change,
  work: (tx: Tx) => Promise<readonly [T, Readonly<Record<string, string | number>> | null]>,
): Promise<T> => {
  const [result, detail] = await db.tx(async (tx) => {
    await lockStaff(tx, { orgId, staffId });
    const done = await work(tx);
    if (done[1] !== null)
      await recordUnlogged({ clock, random }, tx, {
        ...{ orgId, staffId: by, deviceId },
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

const bySelf = ({ orgId, staffId, deviceId }: Actor): FactorChange => ({
  ...{ orgId, staffId, deviceId, by: staffId },
});

const newCodes = async ({ random, tokens }: StaffDeps, tx: Tx, staff: StaffRef): Promise<string[]> => {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode((limit) => random.below(limit)));
  await setRecoveryCodes(
    tx,
    staff,
    codes.map((code) => tokens.hashOf(code)),
  );
  return codes.map(groupedCode);
};

export interface Added extends FactorsView {
  readonly recovery_codes: string[] | null;
}

/** `before`: the earlier factors. The first factor ends the elevation of the person's other sessions. */
const addedReply = async (
  deps: StaffDeps,
  tx: Tx,
  actor: Actor,
  before: readonly FactorRow[],
): Promise<Added> => {
  const isFirst = before.length === 0;
  const recovery_codes = isFirst ? await newCodes(deps, tx, actor) : null;
  if (isFirst) await endElevation(tx, actor, actor.session);
  return { ...(await viewOfAll(tx, actor)), recovery_codes };
};

/** A TOTP secret, active once its first code is confirmed. Throws SECOND_FACTOR_LIMIT. */
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
    const account = await withFactorChange(deps, bySelf(actor), 'begun', async (tx) => {
      await factorsWithRoom(tx, actor, 'totp');
      const sealed = seal(deps, totpRow(actor, id), secret);
      await addPendingTotp(tx, { orgId, staffId, id, label: labelOf(typed.label, 'TOTP'), sealed, now });
      return [await accountOf(tx, actor), { kind: 'totp' }];
    });
    const shown = totpSetup(secret, { issuer: service.name, label: account });
    return { ...shown, expires_at: isoInstant(now + PENDING_MS) };
  };

/** Throws SECOND_FACTOR_WRONG, SECOND_FACTOR_LIMIT, NOT_FOUND if none is pending. */
export const confirmOwnTotp =
  (deps: StaffDeps) =>
  (actor: Actor, typed: { readonly code: string }): Promise<Added> =>
    withFactorChange(deps, bySelf(actor), 'added', async (tx) => {
      const now = deps.clock.now();
      const before = await factorsWithRoom(tx, actor, 'totp');
      const pending = await pendingTotp(tx, actor, now - PENDING_MS);
      if (pending === null) throw new Refusal('NOT_FOUND');
      const secret = unseal(deps.keyring, totpRow(actor, pending.id), pending.sealed);
      const code = totpCodeIn(typed.code);
      const step = secret === null || code === null ? null : totpStepOf(secret, code, now);
      if (step === null) throw new Refusal('SECOND_FACTOR_WRONG');
      await confirmTotp(tx, actor, pending.id, step, now);
      return [await addedReply(deps, tx, actor, before), { kind: 'totp' }];
    });

/** Throws SECOND_FACTOR_LIMIT. */
export const beginPasskey =
  (deps: StaffDeps) =>
  async (actor: Actor): Promise<{ readonly options: BrowserOptions; readonly expires_at: string }> => {
    const { clock, passkeys } = deps;
    const now = clock.now();
    const options = await withFactorChange(deps, bySelf(actor), 'begun', async (tx) => {
      const factors = await factorsWithRoom(tx, actor, 'passkey');
      const challenge = await challengeFor(deps, tx, actor, 'register');
      const known = factors.flatMap((factor) => (factor.kind === 'passkey' ? [factor] : []));
      const person = { id: actor.staffId, account: await accountOf(tx, actor), displayName: actor.name };
      return [await passkeys.creationOptions(person, known, challenge), { kind: 'passkey' }];
    });
    return { options, expires_at: isoInstant(now + CHALLENGE_MS) };
  };

/** Throws SECOND_FACTOR_WRONG, SECOND_FACTOR_LIMIT. */
export const confirmOwnPasskey =
  (deps: StaffDeps) =>
  async (
    actor: Actor,
    input: { readonly credential: PasskeyRegistration; readonly label?: string },
  ): Promise<Added> => {
    const { clock, random, passkeys } = deps;
    const challenge = await challengeOf(deps, actor, 'register', input.credential);
    const made = challenge === null ? null : await passkeys.verifyRegistration(input.credential, challenge);
    if (made === null) throw new Refusal('SECOND_FACTOR_WRONG');
    const { orgId, staffId } = actor;
    return withFactorChange(deps, bySelf(actor), 'added', async (tx) => {
      const before = await factorsWithRoom(tx, actor, 'passkey');
      const label = labelOf(input.label, 'Passkey');
      const isNew = await addPasskey(tx, {
        ...{ ...made, orgId, staffId, id: random.uuid(), label, now: clock.now() },
      });
      if (!isNew) throw new Refusal('SECOND_FACTOR_WRONG');
      return [await addedReply(deps, tx, actor, before), { kind: 'passkey' }];
    });
  };

// ── Recovery codes and removal ──────────────────────────────────────────────────────────────────

/** Replaces the recovery codes. Throws NOT_FOUND if the person has no factor. */
export const makeRecoveryCodes =
  (deps: StaffDeps) =>
  (actor: Actor): Promise<{ readonly recovery_codes: string[] }> =>
    withFactorChange(deps, bySelf(actor), 'recovery_codes_made', async (tx) => {
      if ((await factorsOf(tx, actor)).length === 0) throw new Refusal('NOT_FOUND');
      return [{ recovery_codes: await newCodes(deps, tx, actor) }, {}];
    });

/** Also removes the recovery codes with the last factor. Throws NOT_FOUND. */
export const removeOwnFactor =
  (deps: StaffDeps) =>
  (actor: Actor, id: Uuid): Promise<FactorsView> =>
    withFactorChange(deps, bySelf(actor), 'removed', async (tx) => {
      const removed = await removeFactor(tx, actor, id);
      if (removed === null) throw new Refusal('NOT_FOUND');
      if ((await factorsOf(tx, actor)).length === 0) await setRecoveryCodes(tx, actor, []);
      return [await viewOfAll(tx, actor), { kind: removed.kind }];
    });

/** Removes every second factor of a person, for the operator; returns how many. */
export const resetFactors = (deps: StaffDeps, staff: StaffRef): Promise<number> =>
  withFactorChange(deps, { ...staff, by: null, deviceId: null }, 'reset', async (tx) => {
    const count = await removeAllFactors(tx, staff);
    return [count, count === 0 ? null : { factors: count }];
  });
