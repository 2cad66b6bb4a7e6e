/** Drinks of the staff that a device recorded: they were drunk, whatever the allowance was (Decisions 12, 13). */
import { businessDate } from '../../../kernel/business-date.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import type { StaffDrink } from '../../../pricing/app/cart-input.ts';
import type { SalePlace } from '../../store/sale.ts';
import { insertDrinks, knownDrinks, takeAllowance, takenOn } from '../../store/staff-drink.ts';

/** More than anybody drinks in a day. */
const NO_LIMIT = 1_000_000;

/** Counts those that no earlier sale has on their day, which stays locked until the transaction ends. */
export const countDrinksOfDevice = async (
  { tx, orgId, branchId, staffId, at }: ReplayContext,
  { zone, dayStartsAt, staffDrinksPerDay: allowed }: SalePlace,
  drinks: readonly StaffDrink[],
): Promise<readonly ReviewReason[]> => {
  const ids = drinks.map(({ id }) => id);
  const known = await knownDrinks(tx, orgId, ids);
  const units = drinks.reduce((sum, { id, units: own }) => sum + (known.includes(id) ? 0 : own), 0);
  if (units === 0) return [];
  const day = { orgId, branchId, staffId, date: businessDate(zone, at, dayStartsAt) };
  if (await takeAllowance(tx, day, units, allowed)) return [];
  await takeAllowance(tx, day, units, NO_LIMIT);
  return [reason('drink_allowance', { allowed, taken: await takenOn(tx, day) })];
};

/** Each once: one that an earlier sale has is only looked at. */
export const recordDrinksOfDevice = async (
  { tx, orgId, staffId }: ReplayContext,
  saleId: Uuid,
  drinks: readonly StaffDrink[],
): Promise<readonly ReviewReason[]> => {
  const recorded = await insertDrinks(tx, { orgId, staffId, saleId }, drinks);
  return recorded.length === drinks.length ? [] : [reason('drink_recorded')];
};
