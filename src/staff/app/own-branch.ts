import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { mayAtBranch } from '../domain/staff.ts';
import { isBranchOf } from '../store/staff.ts';
import type { App } from '../../platform/app/app.ts';
import type { Actor } from './access.ts';

/**
 * Throws NOT_FOUND for a branch of another shop, or one where the actor does not work. An archived branch is
 * allowed: its open orders must be finished.
 */
export const ownBranch = async (app: Pick<App, 'db'>, actor: Actor, branchId: Uuid): Promise<void> => {
  const isOwn = mayAtBranch(actor, branchId) && (await isBranchOf(app.db.kysely, actor.orgId, branchId));
  if (!isOwn) throw new Refusal('NOT_FOUND');
};
