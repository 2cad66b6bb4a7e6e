/** The deals engine before its judges: what each of them says against its answer to one cart. */
import { onSaleIn, type Cart } from './arbitraries.test-support.ts';
import { bestDeals } from './best.ts';
import { faultsOf } from './faults.test-support.ts';
import type { Model } from './model.test-support.ts';
import { bestByForce, savingAgainst, timesAgainst, unitsAgainst } from './oracle.test-support.ts';

/** The brute force, for carts of a dozen units, which always are answered with the most that can be saved. */
export const forceAgainst = (cart: Cart): readonly string[] => {
  const { units, deals } = cart;
  const best = bestDeals(units, onSaleIn(cart));
  const force = bestByForce(units, deals);
  return [
    ...(best.optimal ? [] : ['not proven']),
    ...faultsOf(units, deals, best),
    ...savingAgainst(force, best),
    ...timesAgainst(force, deals, best),
  ];
};

/** The same on which units count in which deal, where several choices save the same by the same deals as often. */
export const tiesAgainst = (cart: Cart): readonly string[] => {
  const { units, deals } = cart;
  return unitsAgainst(bestByForce(units, deals), units, deals, bestDeals(units, onSaleIn(cart)));
};

/** The brute force with little work allowed: valid, and between what is saved and the bound lies the most. */
export const forceAgainstHaste = (cart: Cart, workLimit: number): readonly string[] => {
  const best = bestDeals(cart.units, onSaleIn(cart), workLimit);
  const force = bestByForce(cart.units, cart.deals);
  return [...faultsOf(cart.units, cart.deals, best), ...savingAgainst(force, best)];
};

/** The solver, for carts of any size. */
export const modelAgainst = (cart: Cart, model: Model, workLimit?: number): readonly string[] => {
  const best = bestDeals(cart.units, onSaleIn(cart), workLimit);
  const most = model(cart.units, cart.deals);
  const isBetween = best.saving <= most && most <= best.bound;
  return [
    ...faultsOf(cart.units, cart.deals, best),
    ...(isBetween
      ? []
      : [`the solver saves ${most}, the engine ${best.saving} with a bound of ${best.bound}`]),
  ];
};
