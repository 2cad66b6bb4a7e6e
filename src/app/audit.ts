/** Who did what (Decisions 12). */
import type { QueryOf, ReplyOf } from '../contract/endpoint.ts';
import type { EndpointOf } from '../contract/index.ts';
import { branchesAllowed } from '../domain/staff.ts';
import { isoInstant } from '../domain/time.ts';
import { auditOf } from '../store/audit.ts';
import type { App } from './app.ts';
import type { Actor } from './staff-access.ts';

const MOST_LISTED = 200;

/**
 * GET /staff/audit. Whoever works at some branches alone sees what was done there; what concerns the whole shop, its
 * keys and its people, is for those who work everywhere.
 */
export const listAudit =
  (app: Pick<App, 'db'>) =>
  async ({
    query,
    actor,
  }: {
    query: QueryOf<EndpointOf<'listAudit'>>;
    actor: Actor;
  }): Promise<ReplyOf<EndpointOf<'listAudit'>>> => {
    const entries = await auditOf(app.db.kysely, actor.orgId, {
      branchIds: branchesAllowed(actor),
      subjectId: query.subject_id ?? null,
      limit: Math.min(query.limit ?? 100, MOST_LISTED),
      before: query.before ?? null,
    });
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
