import { standingAt } from '../../../menu/domain/availability.ts';
import { isToggledOn, type Combo } from '../../../menu/domain/menubook.ts';
import { priceAt } from '../../../menu/domain/price.ts';
import type { PriceBook } from '../pricebook.ts';
import { onSale } from '../../../kernel/windows.ts';

/**
 * Why a combo is not sold now: the `reason` of COMBO_UNAVAILABLE (Decisions 5).
 * - `off`: archived, or switched off for the shop, the branch or the channel;
 * - `no_price`: it has none on the channel;
 * - `sold_out`: for a while, or none left of a counted one;
 * - `outside_hours`: outside its sale windows;
 * - `no_choice`: a slot that needs a pick has nothing left that can be picked;
 * - `too_few_left`: it is sold, but fewer are left than the cart wants.
 */
export const COMBO_REASONS = [
  'off',
  'no_price',
  'sold_out',
  'outside_hours',
  'no_choice',
  'too_few_left',
] as const;
export type ComboReason = (typeof COMBO_REASONS)[number];

/** The first reason that keeps a stored combo off the menu (Decisions 6): what people must mend goes first. */
export const whyOffMenu = (combo: Combo, { point, asOf }: PriceBook): ComboReason => {
  const standing = standingAt(combo.availability, point, asOf);
  if (!combo.isLive || standing === 'off' || !isToggledOn(combo.sell, point.channel)) return 'off';
  if (priceAt(combo.prices, point) === null) return 'no_price';
  if (standing === 'sold_out') return 'sold_out';
  return onSale(combo.windows, point.branchId, point.zone, asOf) ? 'no_choice' : 'outside_hours';
};
