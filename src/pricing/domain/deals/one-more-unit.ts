/** How much one more unit of a cart can add to the saving at most. */
import type { Piastres } from '../../../kernel/money.ts';
import type { CompiledDeals } from './compiled-deals.ts';
import { discountOf } from './problem.ts';
import type { DealRule, DealUnits } from './types.ts';

/** The prices of the units of a cart that have a role in a deal, dearest first; at most as many as one application takes. */
interface DealPrices {
  readonly paid: readonly Piastres[];
  readonly rewarded: readonly Piastres[];
}

const NO_PRICES: DealPrices = { paid: [], rewarded: [] };

/** Of the `amount` first; -Infinity when there are fewer. */
const sumOf = (
  prices: readonly Piastres[],
  amount: number,
  valueOf: (price: Piastres) => Piastres,
): Piastres =>
  prices.length < amount
    ? -Infinity
    : prices.slice(0, amount).reduce((sum, price) => sum + valueOf(price), 0);

/** The most that one application with this unit saves, as a paid unit or as one of a bundle. */
const savingIfPaid = (
  { terms, qty }: DealRule,
  { paid, rewarded }: DealPrices,
  price: Piastres,
): Piastres => {
  if (terms.kind === 'n_for_price') return price + sumOf(paid, qty - 1, (each) => each) - terms.price;
  if (paid.length < qty - 1) return 0;
  return sumOf(rewarded, terms.getQty, (each) => discountOf(each, terms.getPercent));
};

/** The same, as a rewarded unit. */
const savingIfRewarded = (
  { terms, qty }: DealRule,
  { paid, rewarded }: DealPrices,
  price: Piastres,
): Piastres => {
  if (terms.kind === 'n_for_price' || paid.length < qty) return 0;
  const discount = (each: Piastres): Piastres => discountOf(each, terms.getPercent);
  return discount(price) + sumOf(rewarded, terms.getQty - 1, discount);
};

const pricesByDeal = (
  units: readonly DealUnits[],
  compiled: CompiledDeals<DealRule>,
): ReadonlyMap<number, DealPrices> => {
  const byDeal = new Map<number, { paid: Piastres[]; rewarded: Piastres[] }>();
  const add = (index: number, role: keyof DealPrices, { price, quantity }: DealUnits): void => {
    const own = byDeal.get(index) ?? { paid: [], rewarded: [] };
    byDeal.set(index, own);
    const { qty = 0, terms } = compiled.deals[index] ?? {};
    const most = role === 'paid' ? qty : terms?.kind === 'buy_get' ? terms.getQty : 0;
    for (let unit = Math.min(quantity, most - own[role].length); unit > 0; unit--) own[role].push(price);
  };
  for (const unit of units.toSorted((a, b) => b.price - a.price)) {
    const { paid, rewarded } = compiled.rolesOf(unit);
    for (const index of paid) add(index, 'paid', unit);
    for (const index of rewarded) add(index, 'rewarded', unit);
  }
  return byDeal;
};

/**
 * How much one more unit adds to the saving at most: what one application with it saves, because all others are possible
 * without it. 0: it unlocks nothing.
 */
export const mostAddedBy = (
  units: readonly DealUnits[],
  compiled: CompiledDeals<DealRule>,
): ((added: DealUnits) => Piastres) => {
  const byDeal = pricesByDeal(units, compiled);
  return (added) => {
    const { paid, rewarded } = compiled.rolesOf(added);
    let most = 0;
    for (const [deals, savingOf] of [
      [paid, savingIfPaid],
      [rewarded, savingIfRewarded],
    ] as const)
      for (const index of deals) {
        const deal = compiled.deals[index];
        if (deal !== undefined)
          most = Math.max(most, savingOf(deal, byDeal.get(index) ?? NO_PRICES, added.price));
      }
    return most;
  };
};
