import type { Static } from 'typebox';
import type {
  CartQuote,
  QuoteHint,
  QuotedCombo as QuotedComboShape,
  QuotedDeal as QuotedDealShape,
  QuotedLine as QuotedLineShape,
} from '../contract/quote.ts';
import type { PricedCombo } from '../domain/cart.ts';
import type { Delivery } from '../../delivery/domain/delivery.ts';
import { deliveryReply } from '../../delivery/app/delivery.ts';
import type { AppliedDeal } from '../domain/deals/types.ts';
import type { Hint } from '../domain/hints.ts';
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

const hintReply = ({ line, saving, totalChange }: Hint): Static<typeof QuoteHint> => ({
  menu_item_id: line.item.id,
  size_label: line.sizeLabel,
  name: line.item.name,
  name_translations: line.item.nameTranslations,
  price: line.lineTotal,
  saving,
  total_change: totalChange,
});

/** The priced lines in a quote and in a refused order. */
export const linesReply = ({ lines }: Quote): Static<typeof CartQuote>['lines'] => lines.map(lineReply);

export interface QuoteExtras {
  /** Null at a table, and where the place is unknown. */
  readonly delivery: Delivery | null;
  /** Whether the bill includes the delivery fee of an order. */
  readonly isWhole: boolean;
  /** Null when not requested. */
  readonly hints: readonly Hint[] | null;
}

/** The reply of a quote (Shapes, CartQuote; Decisions 3). */
export const quoteReply = (
  quote: Quote,
  { delivery, isWhole, hints }: QuoteExtras,
): Static<typeof CartQuote> => {
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
  };
};
