import { expect, test } from 'vitest';
import { RequestCoalescer } from './coalescing.ts';

/** Queries that the test answers by hand. */
const manualQueries = () => {
  const queries: { readonly requests: readonly string[]; answer(text: string): void; fail(): void }[] = [];
  const runQuery = (requests: readonly string[]): Promise<string> =>
    new Promise((answer, refuse) => {
      queries.push({ requests, answer, fail: () => refuse(new Error('the database is away')) });
    });
  return { queries, runQuery };
};

const nextTurn = (): Promise<void> => new Promise((done) => setImmediate(done));

test('concurrent requests share one query; requests that arrive during it share the next', async () => {
  const { queries, runQuery } = manualQueries();
  const coalescer = new RequestCoalescer<string, string>();
  const first = ['a', 'b', 'c'].map((request) => coalescer.request('zamalek', request, runQuery));
  await nextTurn();
  const later = ['d', 'e'].map((request) => coalescer.request('zamalek', request, runQuery));
  await nextTurn();
  expect(queries.map(({ requests }) => requests)).toEqual([['a', 'b', 'c']]);
  queries[0]?.answer('before the price changed');
  expect(await Promise.all(first)).toEqual(first.map(() => 'before the price changed'));
  await nextTurn();
  expect(queries.map(({ requests }) => requests)).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]);
  queries[1]?.answer('after it');
  expect(await Promise.all(later)).toEqual(['after it', 'after it']);
});

test('another key does not wait, and a failed query fails only its own requests', async () => {
  const { queries, runQuery } = manualQueries();
  const coalescer = new RequestCoalescer<string, string>();
  const failing = coalescer.request('zamalek', 'a', runQuery);
  await nextTurn();
  const waiting = coalescer.request('zamalek', 'b', runQuery);
  const elsewhere = coalescer.request('maadi', 'c', runQuery);
  await nextTurn();
  expect(queries.map(({ requests }) => requests)).toEqual([['a'], ['c']]);
  queries[1]?.answer('as ever');
  expect(await elsewhere).toBe('as ever');
  queries[0]?.fail();
  await expect(failing).rejects.toThrow('the database is away');
  await nextTurn();
  queries[2]?.answer('there again');
  expect(await waiting).toBe('there again');
});
