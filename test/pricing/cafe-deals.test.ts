/** The deals of cafés against a solver of integer programs that runs to its own proof; 200 more carts in `npm run soak`. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { solverDifferences } from '../../src/pricing/domain/deals/conformance.test-support.ts';
import { loadModel } from '../../src/pricing/domain/deals/model.test-support.ts';
import { cafeCart } from '../support/shops/cafe-carts.ts';

test('of cafés with 10 or 20 deals and 20 to 60 units, the engine saves as much as the solver', async () => {
  const model = await loadModel();
  fc.assert(
    fc.property(cafeCart, (cart) => {
      expect(solverDifferences(cart, model)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
