/** Compares the engine's answer for one cart with the reference implementations; each returns the differences. */
import { onSaleIn, type Cart } from './arbitraries.test-support.ts';
import { bestDeals } from './best.ts';
import { faultsOf } from './faults.test-support.ts';
import type { Model } from './model.test-support.ts';
import {
  bestByForce,
  orderOf,
  savingDifferences,
  timesDifferences,
  unitDifferences,
} from './oracle.test-support.ts';
import type { BestDeals } from './types.ts';

/** On carts of a dozen units every answer must be proven optimal. */
const provenDifferences = (
  { units, deals }: Pick<Cart, 'units' | 'deals'>,
  best: BestDeals,
): readonly string[] => {
  const inOrder = [...units].sort(orderOf(units, deals));
  const force = bestByForce(inOrder, deals);
  return [
    ...(best.optimal ? [] : ['not proven']),
    ...faultsOf(units, deals, best),
    ...savingDifferences(force, best),
    ...timesDifferences(force, deals, best),
    ...unitDifferences(force, inOrder, deals, best),
  ];
};

/** The brute force, for the deals on sale. */
export const bruteForceDifferences = (cart: Cart): readonly string[] =>
  provenDifferences(cart, bestDeals(cart.units, onSaleIn(cart)));

/** The brute force, on a ticket. */
export const ticketDifferences = (ticket: Pick<Cart, 'units' | 'deals'>): readonly string[] =>
  provenDifferences(ticket, bestDeals(ticket.units, ticket.deals));

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
