import { expect, test } from 'vitest';
import { AskedTogether } from './coalescing.ts';

/** Questions that are answered by hand. */
const byHand = () => {
  const put: { readonly wishes: readonly string[]; answer(text: string): void; fail(): void }[] = [];
  const ask = (wishes: readonly string[]): Promise<string> =>
    new Promise((answer, refuse) => {
      put.push({ wishes, answer, fail: () => refuse(new Error('the database is away')) });
    });
  return { put, ask };
};

const nextTurn = (): Promise<void> => new Promise((done) => setImmediate(done));

test('who asks together is answered by one question, and who asks while it is under way by the next', async () => {
  const { put, ask } = byHand();
  const together = new AskedTogether<string, string>();
  const first = ['a', 'b', 'c'].map((wish) => together.ask('zamalek', wish, ask));
  await nextTurn();
  const later = ['d', 'e'].map((wish) => together.ask('zamalek', wish, ask));
  await nextTurn();
  expect(put.map(({ wishes }) => wishes)).toEqual([['a', 'b', 'c']]);
  put[0]?.answer('before the price changed');
  expect(await Promise.all(first)).toEqual(first.map(() => 'before the price changed'));
  await nextTurn();
  expect(put.map(({ wishes }) => wishes)).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]);
  put[1]?.answer('after it');
  expect(await Promise.all(later)).toEqual(['after it', 'after it']);
});

test('another key does not wait, and a failure is that of its own question alone', async () => {
  const { put, ask } = byHand();
  const together = new AskedTogether<string, string>();
  const failing = together.ask('zamalek', 'a', ask);
  await nextTurn();
  const waiting = together.ask('zamalek', 'b', ask);
  const elsewhere = together.ask('maadi', 'c', ask);
  await nextTurn();
  expect(put.map(({ wishes }) => wishes)).toEqual([['a'], ['c']]);
  put[1]?.answer('as ever');
  expect(await elsewhere).toBe('as ever');
  put[0]?.fail();
  await expect(failing).rejects.toThrow('the database is away');
  await nextTurn();
  put[2]?.answer('there again');
  expect(await waiting).toBe('there again');
});
