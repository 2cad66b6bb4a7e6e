import fc from 'fast-check';
import { cafeBy, cartBy, HEAVY, USUAL } from '../../../bench/support/cafe.ts';
import type { Cart } from '../../../src/pricing/domain/deals/arbitraries.test-support.ts';

/** Carts of 20 to 60 units in cafés with 10 or 20 deals, as the benches have them. */
export const cafeCart: fc.Arbitrary<Cart> = fc
  .record({
    seed: fc.nat(),
    mix: fc.constantFrom(USUAL, HEAVY),
    size: fc.constantFrom({ items: 24, deals: 10 }, { items: 30, deals: 20 }),
    units: fc.integer({ min: 20, max: 60 }),
  })
  .map(({ seed, mix, size, units }) => {
    const cafe = cafeBy(seed, mix, size);
    return { units: cartBy(seed, cafe, units), deals: cafe.deals, stored: cafe.deals };
  });
