import { availabilityStatusAt } from '../../../menu/domain/availability.ts';
import { isToggledOn, type Combo } from '../../../menu/domain/menubook.ts';
import { priceAt } from '../../../menu/domain/price.ts';
import type { PriceBook } from '../pricebook.ts';
import { isInSaleWindow } from '../../../kernel/sale-windows.ts';

/**
 * The `reason` of COMBO_UNAVAILABLE (Decisions 5).
 * - `off`: archived, or switched off for the shop, the branch or the channel;
 * - `no_price`: no price on the channel;
 * - `sold_out`: snoozed, or no counted stock left;
 * - `outside_hours`: outside its sale windows;
 * - `no_choice`: a required slot has no available choice;
 * - `too_few_left`: fewer units are left than the cart contains.
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

/** The first reason that keeps a stored combo off the menu (Decisions 6); reasons that staff must fix come first. */
export const whyOffMenu = (combo: Combo, { point, asOf }: PriceBook): ComboReason => {
  const standing = availabilityStatusAt(combo.availability, point, asOf);
  if (!combo.isLive || standing === 'off' || !isToggledOn(combo.sell, point)) return 'off';
  if (priceAt(combo.prices, point) === null) return 'no_price';
  if (standing === 'sold_out') return 'sold_out';
  return isInSaleWindow(combo.windows, point.branchId, point.zone, asOf) ? 'no_choice' : 'outside_hours';
};
