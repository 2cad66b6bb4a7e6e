/** What is left of a sale after its refunds. */
import type { SoldUnits } from '../../loyalty/domain/earning.ts';
import { soldUnits } from '../../pricing/domain/sold-units.ts';
import {
  cartLeft,
  sharesOf,
  type RefundedMoney,
  type RefundedUnits,
  type SaleMoney,
} from '../domain/refund.ts';
import type { StoredSale } from '../store/sale.ts';

/** By the place of the line. */
export const refundedUnits = ({ refunds }: Pick<StoredSale, 'refunds'>): RefundedUnits => {
  const units = new Map<number, number>();
  for (const line of refunds.flatMap(({ lines }) => lines))
    units.set(line.index, (units.get(line.index) ?? 0) + line.units);
  return units;
};

/** With what went back of it before. */
export const saleMoney = ({
  total,
  tax,
  deliveryFee,
  refunded,
  refunds,
}: StoredSale): SaleMoney & RefundedMoney => ({
  ...{ total, tax, deliveryFee, refunded },
  refundedTax: refunds.reduce((sum, one) => sum + one.tax, 0),
});

/** As the loyalty programme looks at it; `refunded`: those of the sale when left out. */
export const soldLeft = (sale: StoredSale, refunded = refundedUnits(sale)): SoldUnits => {
  const { cart } = sale;
  const spans = [...refunded].map(([index, units]) => ({ index, from: 0, units }));
  const base = sale.subtotal - sale.dealDiscount - sale.rewardDiscount - sale.staffDrinkDiscount;
  const gone = sharesOf(base - sale.discountAmount, cart.lines, spans).reduce((sum, share) => sum + share, 0);
  return soldUnits({
    ...{ cart: cartLeft(cart, refunded), subtotal: base - gone, discount_amount: sale.discountAmount },
    ...{ tax_rate_applied: sale.taxRate, tax_inclusive: sale.taxInclusive },
  });
};
