/**
 * Wrong PINs, passwords and second factors, written down: in the log and the audit log, and for the owner once there are
 * ten within an hour. Nobody waits for it: how long an answer takes says nothing of whether an account is there.
 */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { webhookRow, type EventFacts } from '../../messaging/domain/outbox.ts';
import type { Role } from '../../kernel/permission.ts';
import { isToTell, triesOfTheHour } from '../domain/throttle.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import { addAudit, securityEntriesSince } from '../../platform/store/audit.ts';
import { addToOutbox } from '../../messaging/store/outbox.ts';
import type { Database } from '../../platform/store/schema.ts';
import { lockTries, saveTries } from '../store/failures.ts';
import { activeTargets } from '../../messaging/store/webhook.ts';
import type { SecretKind } from './passwords.ts';
import type { PairedDevice, StaffDeps } from './access.ts';

type Tx = Kysely<Database>;

export interface WrongTry {
  readonly kind: SecretKind | 'second_factor';
  /** Whose secret was tried; null: of no account here. `id` null: of nobody at that shop. */
  readonly person: { readonly orgId: Uuid; readonly id: Uuid | null } | null;
  readonly device: PairedDevice | null;
  /** The address, as the limits count it; null: of a device. */
  readonly client: string | null;
}

type Noting = Pick<StaffDeps, 'db' | 'clock' | 'random' | 'security' | 'aside'>;

/** Tells the owner: their own systems at once, themselves when they next sign in. */
const tellOwner = async (
  { random }: Pick<StaffDeps, 'random'>,
  tx: Tx,
  orgId: Uuid,
  tries: number,
  now: Instant,
): Promise<void> => {
  await addAudit(tx, {
    ...{ orgId, id: random.uuid(), at: now, detail: { tries } },
    ...{ action: 'security.wrong_tries', subject: 'shop', subjectId: orgId },
  });
  const event: EventFacts = { type: 'security.wrong_tries', tries };
  const targets = await activeTargets(tx, orgId);
  await addToOutbox(
    tx,
    targets.map((target) => webhookRow(orgId, random.uuid(), orgId, target, event)),
    now,
  );
};

const written = async (
  deps: Noting,
  orgId: Uuid,
  { kind, person, device, client }: WrongTry,
  now: Instant,
): Promise<void> => {
  await deps.db.tx(async (tx) => {
    await addAudit(tx, {
      ...{ orgId, id: deps.random.uuid(), at: now, action: `staff.${kind}_wrong` },
      ...{ deviceId: device?.deviceId ?? null, branchId: device?.branchId ?? null },
      ...{ subject: 'staff', subjectId: person?.id ?? null, detail: client === null ? {} : { client } },
    });
    const { moments, toldAt } = await lockTries(tx, orgId);
    const tries = triesOfTheHour(moments, now);
    const isTold = isToTell(tries, toldAt, now);
    if (isTold) await tellOwner(deps, tx, orgId, tries.length, now);
    await saveTries(tx, orgId, { moments: tries, toldAt: isTold ? now : toldAt });
  });
};

/** Notes a wrong try; never what was typed. */
export const noteWrongTry = (deps: Noting, wrong: WrongTry): void => {
  const { kind, person, device, client } = wrong;
  const facts = { org_id: person?.orgId ?? null, staff_id: person?.id ?? null };
  deps.security.record(`${kind}_wrong`, { ...facts, device_id: device?.deviceId ?? null, client });
  if (person === null) return;
  const now = deps.clock.now();
  deps.aside.run(() => written(deps, person.orgId, wrong, now));
};

/** What an owner is told when they sign in. */
export interface OwnerNotice {
  readonly kind: 'wrong_tries';
  readonly at: string;
  readonly tries: number;
}

const TOLD_FOR_MS = 30 * 24 * 60 * 60 * 1_000;

/** What an owner has not been told at an earlier sign-in with their password; others are told nothing. */
export const noticesFor = async (
  tx: Tx,
  { orgId, id, role }: { readonly orgId: Uuid; readonly id: Uuid; readonly role: Role },
  now: Instant,
): Promise<OwnerNotice[]> => {
  if (role !== 'owner') return [];
  const entries = await securityEntriesSince(tx, orgId, id, now - TOLD_FOR_MS);
  return entries.map(({ at, tries }) => ({ kind: 'wrong_tries', at: isoInstant(at), tries }));
};
