import { afterAll, expect, test } from 'vitest';
import { largeCart, type Cart } from '../pricing/domain/deals/arbitraries.test-support.ts';
import { compiledDeals } from '../pricing/domain/deals/compiled-deals.ts';
import { problemsOf } from '../pricing/domain/deals/problem.ts';
import { SEARCHES, type SearchInput } from '../pricing/domain/searches.ts';
import fc from 'fast-check';
import { createSearchThreads } from './search-threads.ts';

const threads = createSearchThreads(new URL('../../dist/search-thread.js', import.meta.url));
afterAll(() => threads.close());

const searchesIn = ({ units, deals }: Cart): readonly SearchInput<'deals'>[] =>
  problemsOf(units, compiledDeals(deals)).map(({ kinds, offers }) => ({
    ...{ problem: { kinds, offers }, workLimit: 100_000 },
  }));

test('a thread finds what the process itself finds, four searches at once', async () => {
  const all = fc.sample(largeCart, { seed: 18, numRuns: 40 }).flatMap(searchesIn);
  for (let at = 0; at < all.length; at += 4) {
    const some = all.slice(at, at + 4);
    const found = await Promise.all(some.map((input) => threads.run('deals', input)));
    expect(found).toEqual(some.map((input) => SEARCHES.deals(input)));
  }
});

test('a search that fails is reported, and the next one succeeds', async () => {
  const [input] = fc.sample(largeCart, { seed: 18, numRuns: 40 }).flatMap(searchesIn);
  expect(input).toBeDefined();
  const broken = { ...input, problem: null } as unknown as SearchInput<'deals'>;
  await expect(threads.run('deals', broken)).rejects.toThrow(TypeError);
  expect(await threads.run('deals', input as SearchInput<'deals'>)).toHaveProperty('discounts');
});
