/** What is read of the audit log: its entries, with the names of the staff. */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { AuditTable } from '../../platform/store/schema/audit.ts';

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
    left join staff s on s.org_id = ${orgId} and s.id = a.staff_id
    where a.org_id = ${orgId}
      and ${atBranches(branchIds)}
      and ${subjectId === null ? sql`true` : sql`a.subject_id = ${subjectId}`}
      and ${before === null ? sql`true` : sql`(a.at, a.id) < (select b.at, b.id from audit b where b.org_id = ${orgId} and b.id = ${before})`}
    order by a.at desc, a.id desc
    limit ${limit}
  `.execute(db);
  return rows;
};
