import type { StaffDrink } from '../../pricing/app/cart-input.ts';
import type { Quote } from '../../pricing/domain/quote.ts';
import type { Branch } from '../../shops/domain/shop.ts';

/** The amounts of a sale over the counter, as it was quoted. */
export const quotedAmounts = (
  { itemsTotal, deals, bill, lines }: Quote,
  { taxRate }: Pick<Branch, 'taxRate'>,
  drinks: readonly StaffDrink[],
) => {
  const rewardDiscount = lines.reduce((sum, line) => sum + line.rewardDiscount, 0);
  const staffDrinkDiscount = lines.reduce((sum, line) => sum + (line.staffDrinkDiscount ?? 0), 0);
  return {
    subtotal: itemsTotal + rewardDiscount + staffDrinkDiscount,
    ...{ dealDiscount: deals.saving, rewardDiscount, staffDrinkDiscount },
    staffDrinks: drinks.reduce((sum, { units }) => sum + units, 0),
    ...{ discountAmount: bill.discount, serviceCharge: bill.service, deliveryFee: bill.fee },
    ...{ taxRate, taxInclusive: bill.taxInclusive, tax: bill.tax, total: bill.total },
  };
};
