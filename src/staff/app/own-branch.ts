import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { mayAtBranch } from '../domain/staff.ts';
import { isBranchOf } from '../store/staff.ts';
import type { App } from '../../platform/app/app.ts';
import type { Actor } from './access.ts';

/**
 * Another shop's branch, and one that the actor does not work at, is as unknown as one that is not there. One that was
 * archived is there: its orders under way are to be brought to an end.
 */
export const ownBranch = async (app: Pick<App, 'db'>, actor: Actor, branchId: Uuid): Promise<void> => {
  const isOwn = mayAtBranch(actor, branchId) && (await isBranchOf(app.db.kysely, actor.orgId, branchId));
  if (!isOwn) throw new Refusal('NOT_FOUND');
};
