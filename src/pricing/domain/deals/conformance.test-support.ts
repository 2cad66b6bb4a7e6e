/** Compares the engine's answer for one cart with the reference implementations; each returns the differences. */
import { onSaleIn, type Cart } from './arbitraries.test-support.ts';
import { bestDeals } from './best.ts';
import { faultsOf } from './faults.test-support.ts';
import type { Model } from './model.test-support.ts';
import {
  bestByForce,
  savingDifferences,
  timesDifferences,
  unitDifferences,
  type BestByForce,
} from './oracle.test-support.ts';
import type { BestDeals } from './types.ts';

/** But for the units of each deal. */
const provenDifferences = (
  { units, deals }: Pick<Cart, 'units' | 'deals'>,
  best: BestDeals,
  force: BestByForce,
): readonly string[] => [
  ...(best.optimal ? [] : ['not proven']),
  ...faultsOf(units, deals, best),
  ...savingDifferences(force, best),
  ...timesDifferences(force, deals, best),
];

/** The brute force; on carts of a dozen units every answer must be proven optimal. */
export const bruteForceDifferences = (cart: Cart): readonly string[] => {
  const { units, deals } = cart;
  const best = bestDeals(units, onSaleIn(cart));
  const force = bestByForce(units, deals);
  return [...provenDifferences(cart, best, force), ...unitDifferences(force, units, deals, best)];
};

/** The brute force, on a ticket; which of its units a deal takes is compared by the rules of an answer alone. */
export const ticketDifferences = (ticket: Pick<Cart, 'units' | 'deals'>): readonly string[] => {
  const { units, deals } = ticket;
  return provenDifferences(ticket, bestDeals(units, deals), bestByForce(units, deals));
};

/** The brute force, with a work limit: the answer must be valid, and its bound must hold. */
export const limitedDifferences = (cart: Cart, workLimit: number): readonly string[] => {
  const best = bestDeals(cart.units, onSaleIn(cart), workLimit);
  const force = bestByForce(cart.units, cart.deals);
  return [...faultsOf(cart.units, cart.deals, best), ...savingDifferences(force, best)];
};

/** The integer program, for carts of any size. */
export const solverDifferences = (cart: Cart, model: Model, workLimit?: number): readonly string[] => {
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
