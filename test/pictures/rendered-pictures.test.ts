import { expect, test } from 'vitest';
import { RenderedPictures } from '../../src/pictures/app/rendered-pictures.ts';
import { deferred } from '../support/background/manual-timers.ts';

const bytes = (size: number): Uint8Array => new Uint8Array(size);

test('two renders run at once, the next one when one of them ends', async () => {
  const pictures = new RenderedPictures();
  const [first, second] = [deferred<Uint8Array>(), deferred<Uint8Array>()];
  const started: string[] = [];
  const get = (key: string, until: Promise<Uint8Array>) =>
    pictures.get(key, () => {
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

test('equal requests share a render, later ones its cached bytes', async () => {
  const pictures = new RenderedPictures();
  let renders = 0;
  const get = () =>
    pictures.get('a', () => {
      renders += 1;
      return Promise.resolve(bytes(3));
    });
  const [one, other] = await Promise.all([get(), get()]);
  expect([one, await get(), renders]).toEqual([other, other, 1]);
});

test('a full queue refuses further renders, not those that are cached or under way', async () => {
  const pictures = new RenderedPictures({ running: 1, waiting: 1 });
  await pictures.get('known', () => Promise.resolve(bytes(1)));
  const { promise, resolve } = deferred<Uint8Array>();
  const running = pictures.get('a', () => promise);
  const waiting = pictures.get('b', () => promise);
  await expect(pictures.get('c', () => promise)).rejects.toMatchObject({ refusal: 'UNAVAILABLE' });
  expect(await pictures.get('known', () => promise)).toEqual(bytes(1));
  const joined = pictures.get('b', () => promise);
  resolve(bytes(2));
  expect(await Promise.all([running, waiting, joined])).toEqual([bytes(2), bytes(2), bytes(2)]);
});

test('a failed render is not remembered', async () => {
  const pictures = new RenderedPictures();
  await expect(pictures.get('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await pictures.get('a', () => Promise.resolve(bytes(1)))).toEqual(bytes(1));
});

test('the cache is bounded by bytes, and drops what was not asked for', async () => {
  const pictures = new RenderedPictures({ cachedBytes: 100 });
  let renders = 0;
  const get = (key: string) =>
    pictures.get(key, () => {
      renders += 1;
      return Promise.resolve(bytes(60));
    });
  await get('a');
  await get('b');
  await get('a');
  expect(renders).toBe(3);
});
