/** What was sold as the loyalty programme looks at it (Decisions 11). */
import { parseRate } from '../../kernel/money.ts';
import type { SoldUnits } from '../../loyalty/domain/earning.ts';
import type { FrozenCart, FrozenLine } from './frozen-cart.ts';

interface SoldCart {
  readonly cart: FrozenCart;
  readonly subtotal: number;
  readonly discount_amount: number;
  /** A decimal fraction. */
  readonly tax_rate_applied: string;
  readonly tax_inclusive: boolean;
}

type Paid = SoldUnits['paid'][number];

const paidOf = (line: FrozenLine): readonly Paid[] =>
  line.combo?.parts.map((part) => ({
    ...{ itemId: part.menu_item_id, sizeLabel: part.size_label ?? '', units: part.quantity },
  })) ?? [
    {
      itemId: line.menu_item_id,
      sizeLabel: line.size_label ?? '',
      units: line.staff_drink_discount === undefined ? line.quantity - (line.reward_units ?? 0) : 0,
    },
  ];

/** As charged: the delivery fee and the tax on it earn nothing. */
export const soldUnits = (sold: SoldCart): SoldUnits => ({
  base: sold.subtotal - sold.discount_amount,
  taxRate: parseRate(sold.tax_rate_applied),
  taxInclusive: sold.tax_inclusive,
  paid: sold.cart.lines.flatMap(paidOf),
});
