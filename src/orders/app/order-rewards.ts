/** Rewards in an order, and what it is expected to earn (Decisions 11). */
import type { Kysely } from 'kysely';
import type { BodyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/checkout.ts';
import type { Identity } from '../domain/customer.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import { claimRewards } from '../../loyalty/app/shared.ts';
import type { Forecast } from '../../loyalty/domain/forecast.ts';
import type { App } from '../../platform/app/app.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import { claimsOf } from '../../pricing/app/cart-input.ts';
import type { SaleNow } from '../../pricing/app/pricebooks.ts';
import { forecastOfQuote } from '../../pricing/domain/earning.ts';
import type { Quote } from '../../pricing/domain/quote.ts';
import { rewardUse, type Redemption } from '../../pricing/domain/rewards.ts';
import type { CardOfOrder, CheckoutFacts } from '../store/checkout.ts';

type Body = BodyOf<typeof contract.placeOrder>;

const CARD_NEEDED = {
  problem: 'is required with `rewards`',
  arabic: 'البطاقة مطلوبة لصرف المكافآت',
} as const;

/**
 * The rewards of the body; null: none. Points are money, so the phone of the card must be proven even where the branch
 * asks for no codes (Decisions 11).
 */
export const redemptionOf = (
  body: Body,
  { otpVerified }: Identity,
  { card, programme }: CheckoutFacts,
): Redemption | null => {
  const claims = claimsOf(body.rewards);
  if (claims.length === 0) return null;
  if (card === null) throw invalidInput({ path: 'member_token', ...CARD_NEEDED });
  if (!otpVerified) throw new Refusal('PHONE_NOT_VERIFIED');
  return { claims, programme, balances: card.balances };
};

/** The card of an order, with the programme of its shop. */
export interface CardFacts extends Pick<CheckoutFacts, 'programme'> {
  /** Null: none. */
  readonly card: Pick<CardOfOrder, 'cardId' | 'balances'> | null;
}

/** Null without a card, and while the programme is off. */
export const forecastFor = (
  quote: Quote,
  { terms }: SaleNow,
  { card, programme }: CardFacts,
): Forecast | null =>
  forecastOfQuote(quote, terms, card === null ? null : { balances: card.balances, programme });

interface SoldToCard {
  readonly sale: Pick<SaleNow, 'branch'>;
  readonly facts: CardFacts;
  readonly quote: Quote;
}

/** Takes the cost of the rewards off the card. Throws REWARD_UNAVAILABLE where another order was faster. */
export const payForRewards = async (
  tx: Kysely<Database>,
  app: App,
  log: Pick<ChangeLog, 'add'>,
  { sale, facts, quote }: SoldToCard,
  orderId: Uuid,
): Promise<void> => {
  const { card, programme } = facts;
  if (card === null || programme === null || quote.rewards.length === 0) return;
  const { rewardCost: cost } = quote;
  const claim = {
    orgId: sale.branch.orgId,
    saleId: orderId,
    cardId: card.cardId,
    mode: programme.mode,
    cost,
  };
  const rewards = quote.rewards.map(rewardUse);
  const missing = await claimRewards(tx, app, log, { ...claim, rewards, locksOwner: true }, app.clock.now());
  if (missing !== null) throw new Refusal('REWARD_UNAVAILABLE', { balance: missing.balance, cost });
};
