import { expect, test } from 'vitest';
import { RenderQueue } from '../../src/pictures/app/render-queue.ts';
import { deferred } from '../support/background/manual-timers.ts';

const bytes = (size: number): Uint8Array => new Uint8Array(size);

test('two renders run at once, the next one when one of them ends', async () => {
  const queue = new RenderQueue();
  const [first, second] = [deferred<Uint8Array>(), deferred<Uint8Array>()];
  const started: string[] = [];
  const get = (key: string, until: Promise<Uint8Array>) =>
    queue.get(key, () => {
      started.push(key);
      return until;
    });
  const all = [get('a', first.promise), get('b', second.promise), get('c', Promise.resolve(bytes(1)))];
  await Promise.resolve();
  expect(started).toEqual(['a', 'b']);
  second.resolve(bytes(1));
  await all[2];
  expect(started).toEqual(['a', 'b', 'c']);
  first.resolve(bytes(1));
  await Promise.all(all);
});

test('equal requests share a render', async () => {
  const queue = new RenderQueue();
  let renders = 0;
  const get = () =>
    queue.get('a', () => {
      renders += 1;
      return Promise.resolve(bytes(3));
    });
  const [one, other] = await Promise.all([get(), get()]);
  expect([one, renders]).toEqual([other, 1]);
});

test('a full queue refuses further renders, not those that are under way', async () => {
  const queue = new RenderQueue({ running: 1, waiting: 1 });
  const { promise, resolve } = deferred<Uint8Array>();
  const running = queue.get('a', () => promise);
  const waiting = queue.get('b', () => promise);
  await expect(queue.get('c', () => promise)).rejects.toMatchObject({ refusal: 'UNAVAILABLE' });
  const joined = queue.get('b', () => promise);
  resolve(bytes(2));
  expect(await Promise.all([running, waiting, joined])).toEqual([bytes(2), bytes(2), bytes(2)]);
});

test('a failed render is not remembered', async () => {
  const queue = new RenderQueue();
  await expect(queue.get('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.get('a', () => Promise.resolve(bytes(1)))).toEqual(bytes(1));
});
