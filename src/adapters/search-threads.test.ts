import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { largeCart, type Cart } from '../pricing/domain/deals/arbitraries.test-support.ts';
import { compiledDeals } from '../pricing/domain/deals/compiled-deals.ts';
import { problemsOf } from '../pricing/domain/deals/problem.ts';
import { SEARCHES, type SearchInput } from '../pricing/domain/searches.ts';
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
    expect(found.map(({ result }) => result)).toEqual(some.map((input) => SEARCHES.deals(input)));
  }
});

test('a search that fails is reported, and the next one succeeds', async () => {
  const [input] = fc.sample(largeCart, { seed: 18, numRuns: 40 }).flatMap(searchesIn);
  expect(input).toBeDefined();
  const broken = { ...input, problem: null } as unknown as SearchInput<'deals'>;
  await expect(threads.run('deals', broken)).rejects.toThrow(TypeError);
  expect(await threads.run('deals', input as SearchInput<'deals'>)).toHaveProperty('result.discounts');
});

describe('a thread that ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ahwa-search-thread-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Threads of a program that a test writes. */
  const threadsOf = (program: string) => {
    const file = join(folder, `${program.length}.js`);
    writeFileSync(file, program);
    const own = createSearchThreads(pathToFileURL(file));
    onTestFinished(() => own.close());
    return own;
  };
  const input: SearchInput<'deals'> = { problem: { kinds: [], offers: [] }, workLimit: 0 };

  test('before it has answered makes the request one that can be repeated', async () => {
    const exiting = threadsOf(
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit());",
    );
    const spoilt = threadsOf('this is no program');
    for (const own of [exiting, spoilt, exiting])
      await expect(own.run('deals', input)).rejects.toMatchObject({ refusal: 'UNAVAILABLE' });
  });

  test('because its pool is closed fails its search, and no further one starts a thread', async () => {
    const silent = threadsOf(
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => 0);",
    );
    const unanswered = expect(silent.run('deals', input)).rejects.toMatchObject({ refusal: 'UNAVAILABLE' });
    await silent.close();
    await unanswered;
    await expect(silent.run('deals', input)).rejects.toMatchObject({ refusal: 'UNAVAILABLE' });
  });
});
