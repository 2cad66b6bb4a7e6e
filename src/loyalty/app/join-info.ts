/** What a guest sees before joining (Decisions 2; Shapes, JoinInfo). */
import type { Kysely } from 'kysely';
import { branchScope, shopScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import type { QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import { versionOf } from '../../platform/store/change-log.ts';
import type { Database } from '../../platform/store/schema.ts';
import { branchById, isActiveShop } from '../../shops/app/shared.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import type * as contract from '../contract/join.ts';
import { nextRewardCost } from '../domain/progress.ts';
import { cardBrandOf, neutralProgramme, rewardsReply, shopWithProgramme } from './programme.ts';

export interface NamedShop {
  readonly orgId: Uuid;
  /** Null: no branch was named. */
  readonly branch: Branch | null;
}

interface ShopNames {
  readonly org_id?: Uuid | null | undefined;
  readonly branch_id?: Uuid | null | undefined;
}

const OF_OTHER_SHOP = {
  problem: 'is not of the shop that `org_id` names',
  arabic: 'ليس من فروع المحل المذكور في org_id',
} as const;

/** Throws INVALID_INPUT without a name and where the two disagree, NOT_FOUND. */
export const namedShop = async (db: Kysely<Database>, names: ShopNames): Promise<NamedShop> => {
  const orgId = names.org_id?.toLowerCase() ?? null;
  const branchId = names.branch_id?.toLowerCase() ?? null;
  if (orgId === null && branchId === null)
    throw invalidInput({
      path: 'org_id',
      problem: 'or `branch_id` is required',
      arabic: 'اكتب org_id أو branch_id',
    });
  const branch = branchId === null ? null : await branchById(db, branchId);
  if (branch === null) {
    if (branchId === null && orgId !== null && (await isActiveShop(db, orgId))) return { orgId, branch };
    throw new Refusal('NOT_FOUND');
  }
  if (orgId !== null && orgId !== branch.orgId) throw invalidInput({ path: 'branch_id', ...OF_OTHER_SHOP });
  return { orgId: branch.orgId, branch };
};

/** GET /public/loyalty/join-info. */
export const getJoinInfo =
  (app: App) =>
  ({
    query,
  }: {
    query: QueryOf<typeof contract.getJoinInfo>;
  }): Promise<Answer<ReplyOf<typeof contract.getJoinInfo>>> =>
    app.db.snapshot(async (tx) => {
      const { orgId, branch } = await namedShop(tx, query);
      const version = await versionOf(tx, orgId);
      const shop = await shopWithProgramme(tx, orgId);
      const isEnabled = shop.programme.isEnabled;
      const programme = isEnabled ? shop.programme : neutralProgramme(shop.brand);
      return {
        body: {
          brand: cardBrandOf(app, { ...shop, programme }),
          ...{ enabled: isEnabled, require_otp: programme.requireOtp, mode: programme.mode },
          next_reward_cost: nextRewardCost(programme),
          earn_piastres_per_point: programme.earnPiastresPerPoint,
          visit_per_item: programme.visitItems !== null,
          rewards: rewardsReply(programme),
          birthday_enabled: programme.birthday.isEnabled,
          birthday_reward_amount: programme.birthday.isEnabled ? programme.birthday.amount : null,
          ...{ branch_id: branch?.id ?? null, branch_name: branch?.name ?? null },
          ...{ terms: programme.terms.en, terms_ar: programme.terms.ar },
        },
        orgId,
        scopes: [shopScope, ...(branch === null ? [] : [branchScope(branch.id)])],
        version,
        validUntil: null,
      };
    });
