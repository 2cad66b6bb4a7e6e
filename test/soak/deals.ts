/**
 * The deals engine against its reference implementations: `npm run soak [-- seed]`. Without a seed the carts are
 * random; the run prints its seed. Each stage ends at its first difference, shrunk; the run then exits with 1.
 */
import type fc from 'fast-check';
import {
  bulkCart,
  largeCart,
  smallCart,
  ticketCart,
  type Cart,
} from '../../src/pricing/domain/deals/arbitraries.test-support.ts';
import {
  bruteForceDifferences,
  limitedDifferences,
  solverDifferences,
  ticketDifferences,
} from '../../src/pricing/domain/deals/conformance.test-support.ts';
import { loadModel } from '../../src/pricing/domain/deals/model.test-support.ts';
import { cafeCart } from '../support/shops/cafe-carts.ts';
import { agrees, say, soak } from './conformance.ts';

interface Stage {
  readonly name: string;
  readonly carts: fc.Arbitrary<Cart>;
  readonly count: number;
  readonly against: (cart: Cart) => readonly string[];
}

const model = await loadModel();

const STAGES: readonly Stage[] = [
  {
    name: 'up to 12 units and 6 deals, by brute force',
    carts: smallCart,
    count: 20_000,
    against: bruteForceDifferences,
  },
  {
    name: 'the same on tickets, whose units count in the deals of their rounds',
    carts: ticketCart,
    count: 10_000,
    against: ticketDifferences,
  },
  {
    name: 'the same with next to no work allowed: valid, and the bound holds',
    carts: smallCart,
    count: 5_000,
    against: (cart) => [0, 20, 200].flatMap((workLimit) => limitedDifferences(cart, workLimit)),
  },
  {
    name: 'up to 60 units and 20 deals, by the solver',
    carts: largeCart,
    count: 3_000,
    against: (cart) => solverDifferences(cart, model),
  },
  {
    name: 'cafés with 10 or 20 deals, 20 to 60 units, by the solver',
    carts: cafeCart,
    count: 200,
    against: (cart) => solverDifferences(cart, model),
  },
  {
    name: 'hundreds of units a line, by the solver',
    carts: bulkCart,
    count: 2_000,
    against: (cart) => solverDifferences(cart, model),
  },
  {
    name: 'up to 60 units with little work allowed',
    carts: largeCart,
    count: 1_000,
    against: (cart) => [0, 1000, 10_000].flatMap((workLimit) => solverDifferences(cart, model, workLimit)),
  },
];

soak('npm run soak --', (seed) =>
  STAGES.map(({ name, carts: cases, ...stage }) => {
    say(name);
    return agrees({ what: 'carts', cases, ...stage }, seed);
  }).every((isEqual) => isEqual),
);
