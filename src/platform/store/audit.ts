/**
 * The audit log: who did what. Written in the transaction of the change itself, and never changed afterwards, but that
 * an erasure takes out what the staff wrote about the person.
 */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from './schema.ts';
import { at } from './types.ts';

export interface AuditEntry {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly at: Instant;
  /** Null: the service itself, or a command of the operator's. */
  readonly staffId?: Uuid | null;
  readonly deviceId?: Uuid | null;
  readonly branchId?: Uuid | null;
  /** Subject and past participle: `order.moved`, `device.paired`. */
  readonly action: string;
  readonly subject: string;
  readonly subjectId?: Uuid | null;
  /** The facts of it; no token, PIN, password or phone. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export const addAudit = async (tx: Kysely<Database>, ...entries: readonly AuditEntry[]): Promise<void> => {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({
    org_id: entry.orgId,
    id: entry.id,
    at: at(entry.at),
    staff_id: entry.staffId ?? null,
    device_id: entry.deviceId ?? null,
    branch_id: entry.branchId ?? null,
    action: entry.action,
    subject: entry.subject,
    subject_id: entry.subjectId ?? null,
    detail: JSON.stringify(entry.detail ?? {}),
  }));
  await tx.insertInto('audit').values(rows).execute();
};

/**
 * The wrong tries to show to an owner: at their shop, after `since` and after their last sign-in with their password;
 * the latest first.
 */
export const securityEntriesSince = async (
  db: Kysely<Database>,
  orgId: Uuid,
  staffId: Uuid,
  since: Instant,
): Promise<{ readonly at: Instant; readonly tries: number }[]> => {
  const { rows } = await sql<{ at: Instant; tries: number }>`
    select a.at, (a.detail ->> 'tries')::int as tries
    from audit a
    where a.org_id = ${orgId} and a.subject_id = ${orgId} and a.action = 'security.wrong_tries' and a.at > ${at(since)}
      and a.at >= coalesce((
        select max(s.at) from audit s
        where s.org_id = ${orgId} and s.subject_id = ${staffId} and s.action = 'staff.signed_in'
          and (s.device_id is null or s.detail ->> 'by' = 'password')
      ), '-infinity')
    order by a.at desc
    limit 20
  `.execute(db);
  return rows;
};

/** Erases the staff's notes about orders from the audit log; the serving role has no other right to change it. */
export const eraseNotes = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  orderIds: readonly Uuid[],
): Promise<void> => {
  await sql`select forget_audit_notes(${orgId}, ${[...orderIds]}::uuid[])`.execute(tx);
};
