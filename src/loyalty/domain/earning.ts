/** What a sale earns (Decisions 11): one rule for the forecast of a cart, an order on delivery and a sale at the till. */
import { taxOn, type Millionths, type Piastres } from '../../kernel/money.ts';
import { countsTowards, type PoolUnit } from '../../menu/domain/pool.ts';
import type { Programme } from './programme.ts';

/** Units that the guest pays for; parts of a combo count as units of their items. */
export interface PaidUnits extends PoolUnit {
  readonly units: number;
}

export interface SaleToEarn {
  /** Items after deals, discount and rewards, as charged. */
  readonly base: Piastres;
  readonly taxRate: Millionths;
  readonly taxInclusive: boolean;
  readonly paid: readonly PaidUnits[];
}

/** A sale whose units know their items, and not their categories. */
export interface SoldUnits extends Omit<SaleToEarn, 'paid'> {
  readonly paid: readonly Omit<PaidUnits, 'categoryId'>[];
}

type EarningRules = Pick<Programme, 'mode' | 'earnPiastresPerPoint' | 'earnOnTax' | 'visitItems'>;

/** Prices that contain tax count as shown; `earn_on_tax` adds the tax of the items that comes on top, never of a fee. */
const basisOf = ({ earnOnTax }: EarningRules, { base, taxRate, taxInclusive }: SaleToEarn): Piastres =>
  base + (earnOnTax && !taxInclusive ? taxOn(base, taxRate, false) : 0);

const unitsOf = (paid: readonly PaidUnits[]): number => paid.reduce((sum, { units }) => sum + units, 0);

const visitsOf = ({ visitItems }: EarningRules, { paid }: SaleToEarn): number =>
  visitItems === null
    ? Math.min(1, unitsOf(paid))
    : unitsOf(paid.filter((unit) => countsTowards(unit, visitItems)));

/**
 * Points or visits, before the cap of the balance. After a refund of a part, what the rest earns is kept, and the
 * difference reversed.
 */
export const earnedBy = (rules: EarningRules, sale: SaleToEarn): number =>
  rules.mode === 'points'
    ? Math.floor(basisOf(rules, sale) / rules.earnPiastresPerPoint)
    : visitsOf(rules, sale);
