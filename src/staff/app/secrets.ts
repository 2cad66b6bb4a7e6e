/** Passwords and PINs as people are given them, or give them to themselves. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Problem } from '../../kernel/refusal.ts';
import { passwordFault } from '../domain/secrets.ts';
import { passwordIn, pinIn } from '../domain/staff.ts';
import { addAudit } from '../../platform/store/audit.ts';
import { forgetKnownDevicesOf } from '../store/known-devices.ts';
import type { Database } from '../../platform/store/schema.ts';
import { forgetPinFailures } from '../store/failures.ts';
import { endOwnSessions, type EndedSession } from '../store/sessions.ts';
import { emailOf, setSecret, shopNames } from '../store/staff.ts';
import type { SecretKind } from './passwords.ts';
import { staffEntry, type Actor, type StaffDeps } from './access.ts';
import { forgiveStrangers } from './tries.ts';

/** What is wrong with a new password of someone; null: nothing. */
export const passwordFaultOf = async (
  { db, commonPasswords }: Pick<StaffDeps, 'db' | 'commonPasswords'>,
  orgId: Uuid,
  person: { readonly name: string; readonly email: string | null },
  text: string,
): Promise<Problem | null> => {
  const known = [person.name, person.email, ...(await shopNames(db.kysely, orgId))];
  return passwordFault(text, known, (password) => commonPasswords.has(password));
};

/** Whose secret becomes another, and who changes it. */
export interface Given {
  readonly orgId: Uuid;
  readonly staffId: Uuid;
  /** The person themselves, whose own session goes on; null: the operator. */
  readonly by: Actor | null;
  /** What the device was given on which they do so, which stays known; null: nothing. */
  readonly knownDevice: Buffer | null;
}

/** Stores a secret in one of the forms that `passwordIn` and `pinIn` give; ends the other sign-ins of the person. */
export const storeSecret = async (
  deps: StaffDeps,
  tx: Kysely<Database>,
  { orgId, staffId, by, knownDevice }: Given,
  kind: SecretKind,
  hash: string,
): Promise<EndedSession[]> => {
  // The account before the person, as a sign-in locks them.
  const email = kind === 'password' && by === null ? await emailOf(tx, orgId, staffId) : null;
  if (email !== null) await forgiveStrangers(deps, tx, email);
  await setSecret(tx, orgId, [staffId], kind === 'pin' ? 'pin_hash' : 'password_hash', hash);
  const ended = await endOwnSessions(
    tx,
    { orgId, staffId },
    { only: null, except: by === null ? null : by.session },
  );
  if (kind === 'pin') await forgetPinFailures(tx, orgId, staffId, null);
  else await forgetKnownDevicesOf(tx, orgId, [staffId], knownDevice);
  const entry = staffEntry(
    deps,
    `staff.${kind}_set`,
    { orgId, staffId, deviceId: by?.deviceId ?? null },
    null,
  );
  await addAudit(tx, { ...entry, staffId: by?.staffId ?? null });
  return ended;
};

/** A secret as it is hashed; what is none was refused before. */
export const secretIn = (kind: SecretKind, text: string): string =>
  (kind === 'pin' ? pinIn(text) : passwordIn(text)) ?? text;

/** Records that a secret is another, and the sign-ins that ended with the old one. */
export const recordSecret = (
  { security }: Pick<StaffDeps, 'security'>,
  { orgId, staffId, by }: Given,
  kind: SecretKind,
  ended: number,
): void => {
  const facts = { org_id: orgId, staff_id: staffId };
  security.record('credentials_changed', { ...facts, what: kind, by: by === null ? 'operator' : 'self' });
  if (ended > 0) security.record('sessions_ended', { ...facts, why: `new_${kind}`, sessions: ended }, ended);
};

/** Gives a person a new password or PIN, which ends their sign-ins. */
export const giveSecret = async (
  deps: StaffDeps,
  given: Given,
  kind: SecretKind,
  text: string,
): Promise<void> => {
  const hash = await deps.passwords.hash(secretIn(kind, text));
  const ended = await deps.db.tx((tx) => storeSecret(deps, tx, given, kind, hash));
  recordSecret(deps, given, kind, ended.length);
};
