/** Drinks of the staff: free up to the allowance of the branch on a business date (Decisions 12, Staff drink). */
import type { Kysely } from 'kysely';
import { businessDate } from '../../kernel/business-date.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { StaffDrink } from '../../pricing/app/cart-input.ts';
import { salePlace } from '../store/sale.ts';
import { insertDrinks, takeAllowance, takenOn } from '../store/staff-drink.ts';

type Tx = Kysely<Database>;

const RECORDED = {
  problem: 'is a drink that was recorded before',
  arabic: 'هذا المشروب مسجَّل من قبل',
} as const;

interface Drinker {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly staffId: Uuid;
}

/** Counts the drinks, whose day stays locked until the transaction ends. Throws STAFF_DRINK_ALLOWANCE. */
export const countDrinks = async (
  tx: Tx,
  who: Drinker,
  drinks: readonly StaffDrink[],
  now: Instant,
): Promise<void> => {
  const units = drinks.reduce((sum, drink) => sum + drink.units, 0);
  if (units === 0) return;
  const place = await salePlace(tx, who.orgId, who.branchId);
  if (place === null) throw new Refusal('NOT_FOUND');
  const { staffDrinksPerDay: allowed } = place;
  const day = { ...who, date: businessDate(place.zone, now, place.dayStartsAt) };
  if (await takeAllowance(tx, day, units, allowed)) return;
  throw new Refusal('STAFF_DRINK_ALLOWANCE', { allowed, taken: await takenOn(tx, day) });
};

/** Records each drink of a booked sale once. Throws INVALID_INPUT for one that was recorded before. */
export const recordDrinks = async (
  tx: Tx,
  { orgId, staffId, saleId }: { readonly orgId: Uuid; readonly staffId: Uuid; readonly saleId: Uuid },
  drinks: readonly StaffDrink[],
): Promise<void> => {
  const recorded = await insertDrinks(tx, { orgId, staffId, saleId }, drinks);
  const faults = drinks.flatMap(({ id, lineIndex }) =>
    recorded.includes(id) ? [] : [{ path: `items[${lineIndex}].staff_drink.id`, ...RECORDED }],
  );
  if (faults.length > 0) throw invalidInput(...faults);
};
