import type { Kysely } from 'kysely';
import { staffScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Problem } from '../../kernel/refusal.ts';
import { passwordFault } from '../domain/secrets.ts';
import { passwordIn, pinIn } from '../domain/staff.ts';
import type { Instant } from '../../kernel/time.ts';
import { recordUnlogged } from '../../platform/app/audit.ts';
import { logWithin } from '../../platform/app/commit.ts';
import { deleteKnownDevicesOf } from '../store/known-devices.ts';
import type { Database } from '../../platform/store/schema.ts';
import { clearPinFailures } from '../store/failures.ts';
import { endOwnSessions, type EndedSession } from '../store/sessions.ts';
import { emailOf, setSecret, shopNames } from '../store/staff.ts';
import type { SecretKind } from './passwords.ts';
import { staffEvent, type Actor, type StaffDeps } from './access.ts';
import { clearUnknownDeviceTries } from './sign-in-throttle.ts';

/** Null: acceptable. */
export const passwordFaultOf = async (
  { db, commonPasswords }: Pick<StaffDeps, 'db' | 'commonPasswords'>,
  orgId: Uuid,
  person: { readonly name: string; readonly email: string | null },
  text: string,
): Promise<Problem | null> => {
  const known = [person.name, person.email, ...(await shopNames(db.kysely, orgId))];
  return passwordFault(text, known, (password) => commonPasswords.has(password));
};

export interface SecretChange {
  readonly orgId: Uuid;
  readonly staffId: Uuid;
  /** The person themselves, whose own session continues; null: the operator. */
  readonly by: Actor | null;
  /** The known-device token to keep; null: none. */
  readonly knownDevice: Buffer | null;
}

/** Devices verify PINs offline. Last in its transaction. */
export const logVerifier = (
  tx: Kysely<Database>,
  { orgId, id }: { readonly orgId: Uuid; readonly id: Uuid },
  now: Instant,
): Promise<void> => logWithin(tx, orgId, [{ scope: staffScope, type: 'staff', id, op: 'upsert' }], now);

/** Stores a hash and ends the person's other sessions. */
export const storeSecret = async (
  deps: StaffDeps,
  tx: Kysely<Database>,
  { orgId, staffId, by, knownDevice }: SecretChange,
  kind: SecretKind,
  hash: string,
): Promise<EndedSession[]> => {
  // Lock order, as at sign-in: account before person.
  const email = kind === 'password' && by === null ? await emailOf(tx, orgId, staffId) : null;
  if (email !== null) await clearUnknownDeviceTries(deps, tx, email);
  await setSecret(tx, orgId, [staffId], kind === 'pin' ? 'pin_hash' : 'password_hash', hash);
  const ended = await endOwnSessions(
    tx,
    { orgId, staffId },
    { only: null, except: by === null ? null : by.session },
  );
  if (kind === 'pin') await clearPinFailures(tx, orgId, staffId, null);
  else await deleteKnownDevicesOf(tx, orgId, [staffId], knownDevice);
  const entry = staffEvent(`staff.${kind}_set`, { orgId, staffId, deviceId: by?.deviceId ?? null }, null);
  await recordUnlogged(deps, tx, { ...entry, staffId: by?.staffId ?? null });
  if (kind === 'pin') await logVerifier(tx, { orgId, id: staffId }, deps.clock.now());
  return ended;
};

/** Normalized for hashing; an invalid one was refused before. */
export const secretIn = (kind: SecretKind, text: string): string =>
  (kind === 'pin' ? pinIn(text) : passwordIn(text)) ?? text;

export const recordSecret = (
  { security }: Pick<StaffDeps, 'security'>,
  { orgId, staffId, by }: SecretChange,
  kind: SecretKind,
  ended: number,
): void => {
  const facts = { org_id: orgId, staff_id: staffId };
  security.record('credentials_changed', { ...facts, what: kind, by: by === null ? 'operator' : 'self' });
  if (ended > 0) security.record('sessions_ended', { ...facts, why: `new_${kind}`, sessions: ended }, ended);
};

export const changeSecret = async (
  deps: StaffDeps,
  change: SecretChange,
  kind: SecretKind,
  text: string,
): Promise<void> => {
  const hash = await deps.passwords.hash(secretIn(kind, text));
  const ended = await deps.db.tx((tx) => storeSecret(deps, tx, change, kind, hash));
  recordSecret(deps, change, kind, ended.length);
};
