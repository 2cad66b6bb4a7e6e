/** The audit log (Decisions 12). */
import type { QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/people.ts';
import { MAX_LISTED } from '../../platform/contract/lists.ts';
import { invalidInput } from '../../kernel/refusal.ts';
import { branchesAllowed } from '../../staff/domain/staff.ts';
import { isoInstant } from '../../kernel/time.ts';
import { auditOf, isAuditEntry } from '../store/audit.ts';
import type { App } from '../../platform/app/app.ts';
import type { Actor } from '../../staff/app/access.ts';

const NO_ENTRY = { problem: 'is no entry of this log', arabic: 'ليس من قيود هذا السجل' } as const;

/**
 * GET /staff/audit. Staff of single branches see those branches only; shop-wide entries (keys, people) are
 * for staff of all branches.
 */
export const listAudit =
  (app: Pick<App, 'db'>) =>
  async ({
    query,
    actor,
  }: {
    query: QueryOf<typeof contract.listAudit>;
    actor: Actor;
  }): Promise<ReplyOf<typeof contract.listAudit>> => {
    const { subject_id: subjectId = null, limit = MAX_LISTED, before = null } = query;
    const branchIds = branchesAllowed(actor);
    const { kysely } = app.db;
    if (before !== null && !(await isAuditEntry(kysely, actor.orgId, branchIds, before)))
      throw invalidInput({ path: 'before', ...NO_ENTRY });
    const entries = await auditOf(kysely, actor.orgId, { branchIds, subjectId, limit, before });
    return entries.map((entry) => ({
      id: entry.id,
      at: isoInstant(entry.at),
      staff_id: entry.staff_id,
      staff_name: entry.staff_name,
      device_id: entry.device_id,
      branch_id: entry.branch_id,
      action: entry.action,
      subject: entry.subject,
      subject_id: entry.subject_id,
      detail: entry.detail,
    }));
  };
