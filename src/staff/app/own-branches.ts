/** GET /staff/branches. */
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/branches.ts';
import { byName } from '../../kernel/names.ts';
import type { App } from '../../platform/app/app.ts';
import { branchesOf } from '../../shops/app/shared.ts';
import { mayAtBranch } from '../domain/staff.ts';
import type { Actor } from './access.ts';

export const listOwnBranches =
  ({ db }: Pick<App, 'db'>) =>
  async ({ actor }: { readonly actor: Actor }): Promise<ReplyOf<typeof contract.listOwnBranches>> => {
    const branches = await branchesOf(db.kysely, actor.orgId);
    return branches
      .filter(({ id }) => mayAtBranch(actor, id))
      .sort(byName)
      .map(({ id, name, nameTranslations, code, zone }) => ({
        ...{ id, name, name_translations: nameTranslations, code, timezone: zone },
      }));
  };
