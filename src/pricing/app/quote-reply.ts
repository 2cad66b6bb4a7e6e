import type { Static } from 'typebox';
import type {
  CartQuote,
  LoyaltyForecast,
  QuoteHint,
  QuotedCombo as QuotedComboShape,
  QuotedDeal as QuotedDealShape,
  QuotedLine as QuotedLineShape,
  QuotedReward,
  RewardHint as RewardHintShape,
} from '../contract/quote.ts';
import type { PricedCombo } from '../domain/cart.ts';
import type { Delivery } from '../../delivery/domain/delivery.ts';
import { deliveryReply } from '../../delivery/app/delivery.ts';
import type { AppliedDeal } from '../domain/deals/types.ts';
import type { BillTerms } from '../domain/bill.ts';
import { forecastOfQuote } from '../domain/earning.ts';
import type { Hint } from '../domain/hints.ts';
import type { RewardHint } from '../domain/reward-hints.ts';
import type { GrantedReward } from '../domain/rewards.ts';
import type { CardInCart } from '../../loyalty/app/shared.ts';
import type { Forecast } from '../../loyalty/domain/forecast.ts';
import type { Quote, QuotedLine } from '../domain/quote.ts';

const comboReply = (combo: PricedCombo): Static<typeof QuotedComboShape> => ({
  price: combo.price,
  unit_total: combo.unitTotal,
  saving_unit: combo.savingUnit,
  parts: combo.parts.map((part) => ({
    slot_id: part.slot.id,
    menu_item_id: part.item.id,
    size_label: part.sizeLabel,
    quantity: part.quantity,
    unit_price: part.unitPrice,
    combo_share: part.comboShare,
    combo_surcharge: part.comboSurcharge,
    line_total: part.lineTotal,
    addons_total: part.addonsTotal,
  })),
});

const lineReply = (line: QuotedLine): Static<typeof QuotedLineShape> => ({
  index: line.index,
  quantity: line.quantity,
  unit_price: line.unitPrice,
  addons_total: line.addonsTotal,
  line_total: line.lineTotal,
  deal_discount: line.dealDiscount,
  reward_units: line.rewardUnits,
  reward_discount: line.rewardDiscount,
  ...(line.staffDrinkDiscount === null ? {} : { staff_drink_discount: line.staffDrinkDiscount }),
  name: line.item.name,
  name_translations: line.item.nameTranslations,
  size_label: line.sizeLabel,
  ...(line.combo === null ? {} : { combo: comboReply(line.combo) }),
});

const dealReply = ({ deal, times, discount, lines }: AppliedDeal): Static<typeof QuotedDealShape> => ({
  deal_rule_id: deal.id,
  name: deal.name,
  name_translations: deal.nameTranslations,
  times,
  discount,
  lines: lines.map(({ line, units, discount: share }) => ({ line_index: line, units, discount: share })),
});

const hintReply = ({ line, lineIndex, saving, totalChange }: Hint): Static<typeof QuoteHint> => ({
  menu_item_id: line.item.id,
  size_label: line.sizeLabel,
  name: line.item.name,
  name_translations: line.item.nameTranslations,
  line_index: lineIndex,
  price: line.lineTotal,
  saving,
  total_change: totalChange,
});

const rewardReply = ({
  reward,
  lineIndex,
  units,
  discount,
  cost,
}: GrantedReward): Static<typeof QuotedReward> => ({
  ...{ reward_id: reward.id, name: reward.name, name_translations: reward.nameTranslations },
  ...{ line_index: lineIndex, units, discount, cost },
});

const rewardHintReply = ({ reward, lineIndex, saving }: RewardHint): Static<typeof RewardHintShape> => ({
  ...{ reward_id: reward.id, line_index: lineIndex, cost: reward.cost, saving },
});

/** Without the balance of the card. */
export const earningReply = ({ mode, earns, pointsToNextReward, nextReward }: Forecast) => ({
  mode,
  earns,
  points_to_next_reward: pointsToNextReward,
  next_reward:
    nextReward === null
      ? null
      : {
          name: nextReward.name,
          name_translations: nextReward.nameTranslations,
          cost: nextReward.cost,
        },
});

const forecastReply = (forecast: Forecast): Static<typeof LoyaltyForecast> => ({
  ...earningReply(forecast),
  balance: forecast.balance,
  balance_after_delivery: forecast.balanceAfter,
});

const loyaltyReply = (quote: Quote, extras: QuoteExtras) => {
  const { needsProof, rewardHints } = extras;
  const forecast = forecastOfQuote(quote, extras.terms, extras.card);
  return {
    rewards: quote.rewards.map(rewardReply),
    reward_cost: quote.rewardCost,
    balance_after: forecast === null ? null : forecast.balance - quote.rewardCost,
    ...(needsProof ? { rewards_need_proof: true } : {}),
    ...(rewardHints === null ? {} : { reward_hints: rewardHints.map(rewardHintReply) }),
    loyalty: forecast === null ? null : forecastReply(forecast),
  };
};

/** The priced lines in a quote and in a refused order. */
export const linesReply = ({ lines }: Quote): Static<typeof CartQuote>['lines'] => lines.map(lineReply);

export interface QuoteExtras {
  /** Null at a table, and where the place is unknown. */
  readonly delivery: Delivery | null;
  /** Whether the bill includes the delivery fee of an order. */
  readonly isWhole: boolean;
  /** Null when not requested. */
  readonly hints: readonly Hint[] | null;
  /** Null when not requested, or without a proven card. */
  readonly rewardHints: readonly RewardHint[] | null;
  readonly card: CardInCart | null;
  readonly terms: BillTerms;
  /** Rewards were left out. */
  readonly needsProof: boolean;
}

/** The reply of a quote (Shapes, CartQuote; Decisions 3). */
export const quoteReply = (quote: Quote, extras: QuoteExtras): Static<typeof CartQuote> => {
  const { delivery, isWhole, hints } = extras;
  const { itemsTotal, deals, totalAfterDeals, bill } = quote;
  return {
    lines: linesReply(quote),
    items_total: itemsTotal,
    deals: deals.applied.map(dealReply),
    deal_discount: deals.saving,
    total_after_deals: totalAfterDeals,
    discount_amount: bill.discount,
    service_charge_amount: bill.service,
    tax_amount: bill.beforeFee.tax,
    tax_inclusive: bill.taxInclusive,
    total: bill.beforeFee.total,
    delivery: delivery === null ? null : deliveryReply(delivery),
    order_total: isWhole ? bill.total : null,
    order_tax_amount: isWhole ? bill.tax : null,
    optimal: deals.optimal,
    bound: deals.bound,
    ...(hints === null ? {} : { hints: hints.map(hintReply) }),
    ...loyaltyReply(quote, extras),
  };
};
