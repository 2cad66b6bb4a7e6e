/**
 * Records wrong PINs, passwords and second factors in the log and the audit log, and notifies the owner at
 * ten within an hour. It runs in the background, so that response times do not reveal whether an account
 * exists.
 */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { webhookRow, type EventFacts } from '../../messaging/domain/outbox.ts';
import type { Role } from '../../kernel/permission.ts';
import { isNotificationDue, triesOfTheHour } from '../domain/throttle.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { securityEntriesSince } from '../../platform/store/audit.ts';
import { addToOutbox, activeTargets } from '../../messaging/app/shared.ts';
import type { Database } from '../../platform/store/schema.ts';
import { lockTries, saveTries } from '../store/failures.ts';
import type { SecretKind } from './passwords.ts';
import type { PairedDevice, StaffDeps } from './access.ts';

type Tx = Kysely<Database>;

export interface WrongTry {
  readonly kind: SecretKind | 'second_factor';
  /** Null: no known account. `id` null: no person of that shop. */
  readonly person: { readonly orgId: Uuid; readonly id: Uuid | null } | null;
  readonly device: PairedDevice | null;
  /** The client address as the limits count it; null: a device. */
  readonly client: string | null;
}

type RecordDeps = Pick<StaffDeps, 'db' | 'clock' | 'random' | 'security' | 'backgroundTasks'>;

/** Notifies the owner: by webhook at once, and at the next sign-in. */
const notifyOwner = async (
  deps: Pick<StaffDeps, 'clock' | 'random'>,
  tx: Tx,
  orgId: Uuid,
  tries: number,
  now: Instant,
): Promise<void> => {
  await recordAudit(deps, tx, {
    ...{ orgId, at: now, detail: { tries } },
    ...{ action: 'security.wrong_tries', subject: 'shop', subjectId: orgId },
  });
  const event: EventFacts = { type: 'security.wrong_tries', tries };
  const targets = await activeTargets(tx, orgId);
  await addToOutbox(
    tx,
    targets.map((target) => webhookRow(orgId, deps.random.uuid(), orgId, target, event)),
    now,
  );
};

const recordTry = async (
  deps: RecordDeps,
  orgId: Uuid,
  { kind, person, device, client }: WrongTry,
  now: Instant,
): Promise<void> => {
  await deps.db.tx(async (tx) => {
    await recordAudit(deps, tx, {
      ...{ orgId, at: now, action: `staff.${kind}_wrong` },
      ...{ deviceId: device?.deviceId ?? null, branchId: device?.branchId ?? null },
      ...{ subject: 'staff', subjectId: person?.id ?? null, detail: client === null ? {} : { client } },
    });
    const { moments, notifiedAt } = await lockTries(tx, orgId);
    const tries = triesOfTheHour(moments, now);
    const isDue = isNotificationDue(tries, notifiedAt, now);
    if (isDue) await notifyOwner(deps, tx, orgId, tries.length, now);
    await saveTries(tx, orgId, { moments: tries, notifiedAt: isDue ? now : notifiedAt });
  });
};

export const recordWrongTry = (deps: RecordDeps, wrong: WrongTry): void => {
  const { kind, person, device, client } = wrong;
  const facts = { org_id: person?.orgId ?? null, staff_id: person?.id ?? null };
  deps.security.record(`${kind}_wrong`, { ...facts, device_id: device?.deviceId ?? null, client });
  if (person === null) return;
  const now = deps.clock.now();
  deps.backgroundTasks.run(() => recordTry(deps, person.orgId, wrong, now));
};

export interface OwnerNotice {
  readonly kind: 'wrong_tries';
  readonly at: string;
  readonly tries: number;
}

const TOLD_FOR_MS = 30 * 24 * 60 * 60 * 1_000;

/** Notifications since the owner's last sign-in by password; empty for other roles. */
export const noticesFor = async (
  tx: Tx,
  { orgId, id, role }: { readonly orgId: Uuid; readonly id: Uuid; readonly role: Role },
  now: Instant,
): Promise<OwnerNotice[]> => {
  if (role !== 'owner') return [];
  const entries = await securityEntriesSince(tx, orgId, id, now - TOLD_FOR_MS);
  return entries.map(({ at, tries }) => ({ kind: 'wrong_tries', at: isoInstant(at), tries }));
};
