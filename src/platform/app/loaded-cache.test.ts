import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kernel/refusal.ts';
import { LoadedCache } from './loaded-cache.ts';

interface Value {
  readonly version: number;
}

/** A cache whose loads end when the test says so. */
const aCache = () => {
  const kept = new Map<string, Value>();
  const loads: { readonly end: (value: Value) => void; readonly refuse: (refusal: Refusal) => void }[] = [];
  const cache = new LoadedCache<Value>(kept);
  const load = () => new Promise<Value>((end, refuse) => loads.push({ end, refuse }));
  /** Accepts the version alone. */
  const useOf = (version: number) =>
    cache.use('shop', load, (value) => Promise.resolve(value.version === version ? value : null));
  return { kept, loads, useOf };
};

const settled = () => new Promise((done) => setImmediate(done));

describe('a value that is loaded once', () => {
  test('is shared by all who ask while it is loaded, and kept', async () => {
    const { loads, useOf } = aCache();
    const uses = [useOf(1), useOf(1)];
    loads[0]?.end({ version: 1 });
    expect(await Promise.all(uses)).toEqual([{ version: 1 }, { version: 1 }]);
    expect(await useOf(1)).toEqual({ version: 1 });
    expect(loads).toHaveLength(1);
  });

  test('is loaded again where it is outdated, also when the load was another request’s', async () => {
    const { loads, useOf } = aCache();
    const uses = [useOf(1), useOf(2)];
    loads[0]?.end({ version: 1 });
    await settled();
    expect(loads).toHaveLength(2);
    loads[1]?.end({ version: 2 });
    expect(await Promise.all(uses)).toEqual([{ version: 1 }, { version: 2 }]);
  });

  test('stays where a newer one has been loaded meanwhile', async () => {
    const { kept, useOf } = aCache();
    kept.set('shop', { version: 1 });
    const outdated = useOf(2);
    kept.set('shop', { version: 2 });
    expect(await outdated).toEqual({ version: 2 });
    expect(kept.get('shop')).toEqual({ version: 2 });
  });

  test('that is refused is loaded anew for a request that came meanwhile', async () => {
    const { loads, useOf } = aCache();
    const [first, second] = [useOf(1), useOf(1)];
    loads[0]?.refuse(new Refusal('NOT_FOUND'));
    await expect(first).rejects.toMatchObject({ refusal: 'NOT_FOUND' });
    await settled();
    loads[1]?.end({ version: 1 });
    expect(await second).toEqual({ version: 1 });
  });

  test('that is outdated five times is UNAVAILABLE', async () => {
    const { loads, useOf } = aCache();
    const used = useOf(9);
    used.catch(() => undefined);
    for (let version = 1; version <= 5; version += 1) {
      await settled();
      loads.at(-1)?.end({ version });
    }
    await expect(used).rejects.toMatchObject({ refusal: 'UNAVAILABLE' });
    expect(loads).toHaveLength(5);
  });
});
