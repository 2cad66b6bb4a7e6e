/**
 * The audit log: who did what. Written in the transaction of the change itself, and never changed afterwards, but that
 * an erasure takes out what the staff wrote about the person.
 */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from './schema.ts';
import type { AuditTable } from './schema/audit.ts';
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

export interface AuditListing {
  /** Null: entries of every branch and of the whole shop. */
  readonly branchIds: readonly Uuid[] | null;
  /** Null: entries about every subject. */
  readonly subjectId: Uuid | null;
  readonly limit: number;
  /** Only entries older than this one. */
  readonly before: Uuid | null;
}

/** An entry with the name of the staff member; null: the service itself, or a command of the operator. */
export interface StoredAudit extends Omit<Selectable<AuditTable>, 'org_id'> {
  readonly staff_name: string | null;
}

/** Entries of these branches; null: of every branch and of the whole shop. */
const atBranches = (branchIds: readonly Uuid[] | null) =>
  branchIds === null ? sql`true` : sql`a.branch_id = any(${[...branchIds]}::uuid[])`;

/** Whether the audit log of a shop, as far as it is about these branches, has such an entry. */
export const isAuditEntry = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchIds: readonly Uuid[] | null,
  id: Uuid,
): Promise<boolean> => {
  const { rows } = await sql`
    select from audit a where a.org_id = ${orgId} and a.id = ${id} and ${atBranches(branchIds)}
  `.execute(db);
  return rows.length > 0;
};

/** The audit log of a shop, newest first. */
export const auditOf = async (
  db: Kysely<Database>,
  orgId: Uuid,
  { branchIds, subjectId, limit, before }: AuditListing,
): Promise<StoredAudit[]> => {
  const { rows } = await sql<StoredAudit>`
    select a.id, a.at, a.staff_id, s.name as staff_name, a.device_id, a.branch_id, a.action, a.subject, a.subject_id, a.detail
    from audit a
    left join staff s on s.org_id = a.org_id and s.id = a.staff_id
    where a.org_id = ${orgId}
      and ${atBranches(branchIds)}
      and ${subjectId === null ? sql`true` : sql`a.subject_id = ${subjectId}`}
      and ${before === null ? sql`true` : sql`(a.at, a.id) < (select b.at, b.id from audit b where b.org_id = ${orgId} and b.id = ${before})`}
    order by a.at desc, a.id desc
    limit ${limit}
  `.execute(db);
  return rows;
};

/**
 * The wrong tries to show to an owner: at their shop, after `since` and after their last sign-in with their password; the
 * latest first.
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
