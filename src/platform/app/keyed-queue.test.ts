import { expect, test } from 'vitest';
import { KeyedQueue } from './keyed-queue.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('work of one key runs one after the other in order, work of others beside it, and nothing is kept', async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await turn();
    log.push(`${name} ends`);
    return name;
  };
  const done = [queue.run('a', work('a1')), queue.run('a', work('a2')), queue.run('b', work('b1'))];
  expect(log).toEqual(['a1 begins', 'b1 begins']);
  expect(await Promise.all(done)).toEqual(['a1', 'a2', 'b1']);
  expect(log.indexOf('a2 begins')).toBeGreaterThan(log.indexOf('a1 ends'));
  await turn();
  expect(queue.size).toBe(0);
});

test('work that fails does not stop the next', async () => {
  const queue = new KeyedQueue();
  const failed = queue.run('a', () => Promise.reject(new Error('no')));
  const next = queue.run('a', () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
