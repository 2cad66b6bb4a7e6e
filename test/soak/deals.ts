/**
 * The deals engine against its reference implementations: `npm run soak [-- seed]`. Without a seed the carts are
 * random; the run prints its seed. Each stage ends at its first difference, shrunk; the run then exits with 1.
 */
import fc from 'fast-check';
import {
  bulkCart,
  largeCart,
  smallCart,
  type Cart,
} from '../../src/pricing/domain/deals/arbitraries.test-support.ts';
import {
  bruteForceDifferences,
  limitedDifferences,
  solverDifferences,
} from '../../src/pricing/domain/deals/conformance.test-support.ts';
import { loadModel } from '../../src/pricing/domain/deals/model.test-support.ts';

const BATCH = 500;

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

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Whether all carts of the stage agree. */
const soak = ({ name, carts, count, against }: Stage, seed: number): boolean => {
  say(name);
  const began = performance.now();
  for (let done = 0; done < count; done += BATCH) {
    const property = fc.property(carts, (cart) => {
      const differences = against(cart);
      if (differences.length > 0) throw new Error(differences.join('\n'));
    });
    const result = fc.check(property, { seed: seed + done, numRuns: BATCH });
    if (result.failed) {
      say(fc.stringify(result.counterexample));
      say(result.errorInstance instanceof Error ? result.errorInstance.message : 'failed');
      return false;
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    say(`  ${done + BATCH} of ${count} carts without a difference, ${seconds} s`);
  }
  return true;
};

const seed = Number(process.argv[2] ?? Date.now() % 2 ** 31);
if (!Number.isSafeInteger(seed)) {
  say('usage: npm run soak [-- seed], the seed a whole number');
  process.exitCode = 2;
} else {
  say(`seed ${seed}`);
  const agrees = STAGES.map((stage) => soak(stage, seed)).every((stage) => stage);
  say(agrees ? 'no difference' : `a difference: npm run soak -- ${seed} shows it again`);
  process.exitCode = agrees ? 0 : 1;
}
