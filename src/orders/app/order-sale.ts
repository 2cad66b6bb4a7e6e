/** The sale of a delivered order (Decisions 4, Delivered). */
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { NewSale } from '../../sales/domain/sale.ts';
import { withoutNotes, type FrozenCart, type FrozenLine } from '../../pricing/domain/frozen-cart.ts';
import type { StoredOrder } from '../store/delivery-order.ts';

const sumOf = (lines: readonly FrozenLine[], amountOf: (line: FrozenLine) => number): number =>
  lines.reduce((sum, line) => sum + amountOf(line), 0);

interface Delivery {
  readonly at: Instant;
  /** Null: no open till. */
  readonly tillId: Uuid | null;
  /** Null: the service itself. */
  readonly staffId: Uuid | null;
  readonly paymentMethod: string;
}

/** At the stored amounts of the order, never priced again. The guest is named by the order alone. */
export const deliveredSale = (
  order: StoredOrder,
  { at, tillId, staffId, paymentMethod }: Delivery,
): NewSale => {
  // Written by `frozenCart` only.
  const cart = order.cart as FrozenCart;
  const { lines } = cart;
  const dealDiscount = sumOf(lines, (line) => line.deal_discount);
  const rewardDiscount = sumOf(lines, (line) => line.reward_discount ?? 0);
  return {
    ...{ orgId: order.org_id, id: order.id, branchId: order.branch_id, source: 'online' },
    ...{ channel: order.channel, at, tillId, staffId },
    subtotal: order.subtotal + dealDiscount + rewardDiscount,
    ...{ dealDiscount, rewardDiscount, discountAmount: order.discount_amount },
    ...{ serviceCharge: order.service_charge_amount, deliveryFee: order.delivery_fee },
    ...{ taxRate: order.tax_rate_applied, taxInclusive: order.tax_inclusive, tax: order.tax_amount },
    total: order.total,
    ...{ cardId: order.card_id, covers: null, customerName: null, staffDrinks: 0, staffDrinkDiscount: 0 },
    cart: JSON.stringify(withoutNotes(cart)),
    payments: [{ method: paymentMethod, amount: order.total, tip: 0, tendered: null, change: null, tillId }],
  };
};
