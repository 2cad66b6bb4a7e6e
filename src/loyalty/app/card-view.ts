/** A card with its ledger, read by its token (Decisions 11; Shapes, CardView). */
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import type { PathOf } from '../../platform/contract/endpoint.ts';
import type { Database } from '../../platform/store/schema.ts';
import type * as contract from '../contract/card.ts';
import { progressOf } from '../domain/progress.ts';
import { cardStateOf, type Entry } from '../store/entry.ts';
import { standingCode, standingToken } from './card-token.ts';
import { cardBrandOf, rewardsReply } from './programme.ts';
import type { SaleOfEntry, SalesOf } from './sale-names.ts';
import { createShownShops } from './shown-shops.ts';
import { passLinksOf } from './wallets/pass-links.ts';

const MAX_ENTRIES = 100;

export const entryReply = ({
  id,
  at,
  kind,
  source,
  amount,
  shortfall,
  mode,
  saleId,
  note,
  rewards,
}: Entry) => ({
  ...{ id, at: isoInstant(at), kind, source, amount, shortfall, mode, sale_id: saleId, note },
  rewards: (rewards ?? []).map((reward) => ({ ...reward })),
});

const saleReply = (sale: SaleOfEntry | undefined): Static<typeof contract.CardEntry>['sale'] =>
  sale === undefined
    ? null
    : { id: sale.id, reference: sale.reference, branch_name: sale.branchName, total: sale.total };

const entriesReply = async (
  db: Kysely<Database>,
  orgId: Uuid,
  entries: readonly Entry[],
  salesOf: SalesOf,
): Promise<Static<typeof contract.CardEntry>[]> => {
  const ids = entries.flatMap(({ saleId }) => saleId ?? []);
  const sales =
    ids.length === 0 ? new Map<string, SaleOfEntry>() : await salesOf(db, orgId, [...new Set(ids)]);
  return entries.map((entry) => ({
    ...entryReply(entry),
    sale: saleReply(entry.saleId === null ? undefined : sales.get(entry.saleId)),
  }));
};

const stateOf = async ({ db, clock, tokens }: App, token: string) => {
  const state = await cardStateOf(db.kysely, tokens.hashOf(token), MAX_ENTRIES + 1, clock.now());
  if (state === null) throw new Refusal('NOT_FOUND');
  return { ...state, orgId: state.member.orgId };
};

/**
 * GET /public/loyalty/card/{member_token}. Balance, entries and shop are of one moment; references and totals of their
 * sales never change. Throws NOT_FOUND: a malformed token is looked up as any other, so the time is the same.
 */
export const getCard = (app: App, salesOf: SalesOf) => {
  const shops = createShownShops(app);
  return async ({
    path,
  }: {
    path: PathOf<typeof contract.getCard>;
  }): Promise<Static<typeof contract.CardView>> => {
    const { shop, state } = await shops.withShop(() => stateOf(app, path.member_token));
    const { member, entries } = state;
    // The token of a card that was combined leads here for 90 days; the card's own stays.
    const token = standingToken(app, member) ?? path.member_token;
    const { programme, brand, isOrderable } = shop;
    const balance = member[programme.mode];
    const progress = progressOf(programme, balance);
    return {
      ...{ name: member.name, enabled: programme.isEnabled, balance, mode: programme.mode },
      offline_limit: programme.offlineLimit,
      next_reward_cost: progress.nextRewardCost,
      rewards_ready: progress.rewardsReady,
      progress_to_next: progress.progressToNext,
      points_to_next_reward: progress.pointsToNextReward,
      can_redeem: progress.canRedeem,
      member_token: token,
      member_code: standingCode(app, member),
      rewards: rewardsReply(programme),
      passes: await passLinksOf(app.db.kysely, app, { ...member, memberToken: token }),
      brand: cardBrandOf(app, shop),
      marketing_opt_out: member.marketingOptOut,
      locale: member.language === 'en' ? 'en' : 'ar',
      birthday: member.birthMonth !== null,
      order_now_url: isOrderable ? `${app.baseUrl}/${brand.slug}/order` : null,
      entries: await entriesReply(app.db.kysely, member.orgId, entries.slice(0, MAX_ENTRIES), salesOf),
      has_older_entries: entries.length > MAX_ENTRIES,
    };
  };
};
