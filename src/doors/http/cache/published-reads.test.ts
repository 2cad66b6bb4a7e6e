import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../platform/app/answer.ts';
import { getBrand } from '../../../shops/contract/shop.ts';
import type { ScopedChanges } from '../../../kernel/change.ts';
import { createPublished } from './published-reads.ts';
import type { PublishedOptions } from './published-reads.ts';

/** Work whose end the test decides. */
const deferred = <T>() => {
  let resolve: (value: T) => void = () => undefined;
  let reject: (fault: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};

/** A database of shops whose data is a number per scope, and its change log. */
const shopDataFixture = () => {
  const log: { orgId: string; seq: number; scope: string }[] = [];
  const versionOf = (orgId: string): number => log.filter((row) => row.orgId === orgId).length;
  const commit = (orgId: string, scope: string): ScopedChanges => {
    const version = versionOf(orgId) + 1;
    log.push({ orgId, seq: version, scope });
    return { orgId, version, scopes: [scope] };
  };
  /** The body: how often each of these scopes has changed. */
  const bodyOf = (orgId: string, scopes: readonly string[]): number[] =>
    scopes.map((scope) => log.filter((row) => row.orgId === orgId && row.scope === scope).length);
  const snapshot = (
    orgId: string,
    scopes: readonly string[],
    validUntil: number | null = null,
  ): Answer<number[]> => ({
    ...{ body: bodyOf(orgId, scopes), orgId, scopes, version: versionOf(orgId), validUntil },
  });
  let read = 0;
  /** What the feed reads: every commit once. */
  const poll = (): ScopedChanges[] =>
    log
      .slice(read, (read = log.length))
      .map(({ orgId, seq, scope }) => ({ orgId, version: seq, scopes: [scope] }));
  return { commit, snapshot, poll, bodyOf };
};

const aCache = (options: Partial<PublishedOptions> = {}) => {
  const data = shopDataFixture();
  const time = { now: 1_000, monotonic: 0 };
  const published = createPublished({
    ...{ clock: { now: () => time.now }, monotonic: () => time.monotonic },
    ...{ feed: { isFresh: () => true }, ...options },
  });
  let builds = 0;
  const read = async (
    key: string,
    build: () => Promise<Answer<unknown>> | Answer<unknown> = () => data.snapshot('shop', ['menu']),
  ): Promise<unknown> => {
    const entry = await published.read(key, `/${key}`, getBrand, async () => {
      builds += 1;
      return build();
    });
    return JSON.parse(entry.body.ready('identity')?.bytes.toString() ?? 'null') as unknown;
  };
  return { published, data, time, read, builds: () => builds };
};

describe('cached answers', () => {
  test('an answer is built once and then found by its address', async () => {
    const { published, read, builds } = aCache();
    expect(published.find('/menu', 0)).toBeNull();
    await read('menu');
    await read('menu');
    expect(builds()).toBe(1);
    expect(published.find('/menu', 0)).not.toBeNull();
  });

  test('concurrent requests for one answer share one build', async () => {
    const { data, read, builds } = aCache();
    const gate = deferred<Answer<unknown>>();
    const both = [read('menu', () => gate.promise), read('menu', () => gate.promise)];
    gate.resolve(data.snapshot('shop', ['menu']));
    expect(await Promise.all(both)).toEqual([[0], [0]]);
    expect(builds()).toBe(1);
  });

  test('a cached answer is not served from the millisecond at which it expires', async () => {
    const { data, time, published, read, builds } = aCache();
    await read('menu', () => data.snapshot('shop', ['menu'], 1_500));
    time.now = 1_499;
    expect(published.find('/menu', 0)).not.toBeNull();
    time.now = 1_500;
    expect(published.find('/menu', 0)).toBeNull();
    await read('menu', () => data.snapshot('shop', ['menu'], 2_000));
    expect(builds()).toBe(2);
  });

  test('after the clock is set back, an answer of a later instant is not served', async () => {
    const { time, published, read } = aCache();
    await read('menu');
    time.now = 999;
    expect(published.find('/menu', 0)).toBeNull();
  });

  test('an answer that expires while it is built is built again', async () => {
    const { data, time, read, builds } = aCache();
    const slow = deferred<Answer<unknown>>();
    const answers = [() => slow.promise, () => Promise.resolve(data.snapshot('shop', ['menu'], 3_000))];
    const answer = read('menu', () => (answers.shift() ?? (() => slow.promise))());
    time.now = 1_500;
    slow.resolve(data.snapshot('shop', ['menu'], 1_200));
    await answer;
    expect(builds()).toBe(2);
  });

  test('a refusal goes to all waiting requests and is not cached', async () => {
    const { read, builds } = aCache();
    const gate = deferred<Answer<unknown>>();
    const waiting = [read('menu', () => gate.promise), read('menu', () => gate.promise)];
    gate.reject(new Error('closed now'));
    for (const each of waiting) await expect(each).rejects.toThrow('closed now');
    expect(await read('menu')).toEqual([0]);
    expect(builds()).toBe(2);
  });
});

describe('invalidation by changes', () => {
  test('a change of one scope drops only the answers that depend on it', async () => {
    const { data, published, read } = aCache();
    await read('menu');
    await read('brand', () => data.snapshot('shop', ['brand']));
    published.changed(data.commit('shop', 'brand'));
    expect(published.find('/menu', 0)).not.toBeNull();
    expect(published.find('/brand', 0)).toBeNull();
  });

  test('a local change does not hide an earlier change of another process', async () => {
    const { data, published, read } = aCache();
    await read('menu');
    data.commit('shop', 'menu');
    published.changed(data.commit('shop', 'brand'));
    data.poll().forEach(published.changed);
    expect(await read('menu')).toEqual([1]);
  });

  test('an answer outdated by a local change during its build is sent but not cached', async () => {
    const { data, published, read } = aCache();
    const gate = deferred<Answer<unknown>>();
    const early = read('menu', () => gate.promise);
    const old = data.snapshot('shop', ['menu']);
    published.changed(data.commit('shop', 'menu'));
    const late = read('menu');
    gate.resolve(old);
    expect(await early).toEqual([0]);
    expect(await late).toEqual([1]);
    expect(await read('menu')).toEqual([1]);
  });

  test('nothing that was cached or being built is served once changes may have been missed', async () => {
    const { data, published, read, builds } = aCache();
    await read('brand', () => data.snapshot('shop', ['brand']));
    const gate = deferred<Answer<unknown>>();
    const early = read('menu', () => gate.promise);
    const old = data.snapshot('shop', ['menu']);
    data.commit('shop', 'menu');
    published.forgetAll();
    const late = read('menu');
    gate.resolve(old);
    expect([await early, await late, await read('menu')]).toEqual([[0], [1], [1]]);
    expect([published.find('/brand', 0), published.counts().entries, builds()]).toEqual([null, 1, 3]);
  });
});

test('cached answers are served while the change feed is fresh, and again when it has recovered', async () => {
  const feed = { fresh: true };
  const { published, read } = aCache({ feed: { isFresh: () => feed.fresh } });
  await read('menu');
  feed.fresh = false;
  expect(published.find('/menu', 0)).toBeNull();
  await expect(read('menu', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  feed.fresh = true;
  expect(published.find('/menu', 0)).not.toBeNull();
});

describe('the size of the cache', () => {
  const answerOf = (size: number) => () => ({
    ...{ body: 'x'.repeat(size), orgId: 'shop', scopes: ['menu'], version: 0, validUntil: null },
  });

  test('the byte budget is kept by evicting the least recently used answers', async () => {
    const { published, read } = aCache({ size: { answers: { maxBytes: 100_000 } } });
    await read('favourite', answerOf(8_000));
    for (let n = 0; n < 40; n += 1) {
      await read(`once-${n}`, answerOf(8_000));
      expect(published.find('/favourite', 0)).not.toBeNull();
      expect(published.counts().bytes).toBeLessThanOrEqual(100_000);
    }
  });

  test('pictures are bounded by themselves, and push no answer out', async () => {
    const { published, read } = aCache({
      size: { pictures: { maxBytes: 100_000 }, answers: { maxBytes: 100_000 } },
    });
    await read('menu', answerOf(8_000));
    const file = { ...getBrand, answers: 'content' as const };
    const picture = { type: 'image/webp', body: Buffer.alloc(8_000), headers: [] };
    const answer = { ...answerOf(0)(), body: picture };
    for (let n = 0; n < 40; n += 1) {
      await published.read(`picture-${n}`, `/picture-${n}`, file, () => Promise.resolve(answer));
      expect(published.counts().bytes).toBeLessThanOrEqual(120_000);
    }
    expect(published.find('/menu', 0)).not.toBeNull();
    expect(published.find('/picture-39', 0)).not.toBeNull();
    expect(published.find('/picture-0', 0)).toBeNull();
  });

  test('the number of answers and of their addresses is bounded', async () => {
    const { published, read } = aCache({ size: { answers: { maxEntries: 10 } } });
    for (let n = 0; n < 50; n += 1) await read(`each-${n}`, answerOf(10));
    expect(published.counts().entries).toBe(10);
    for (let n = 0; n < 50; n += 1)
      await published.read('same', `/spelling-${n}`, getBrand, () => Promise.resolve(answerOf(10)()));
    expect(published.counts().addresses).toBeLessThanOrEqual(20);
  });

  test('compressed copies count in the byte budget', async () => {
    const { published } = aCache();
    const entry = await published.read('menu', '/menu', getBrand, () => Promise.resolve(answerOf(9_000)()));
    const before = published.counts().bytes;
    const packed = await entry.body.prepare('br');
    expect(published.counts().bytes).toBe(before + packed.bytes.length);
  });
});

/**
 * The invariant of the cache, against a model that knows every commit: no answer is older than a change that this
 * process acknowledged before its request, nor than any change that a poll had read before it.
 */
test('no answer is older than a change acknowledged before the request', async () => {
  const SHOPS = ['a', 'b'];
  const SCOPES = ['x', 'y'];
  type Step =
    | { readonly do: 'ask'; readonly shop: string; readonly scopes: readonly string[] }
    | { readonly do: 'read' | 'finish'; readonly nth: number }
    | { readonly do: 'local' | 'foreign'; readonly shop: string; readonly scope: string }
    | { readonly do: 'startPoll' | 'endPoll' };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      do: fc.constant('ask' as const),
      shop: fc.constantFrom(...SHOPS),
      scopes: fc.subarray(SCOPES, { minLength: 1 }),
    }),
    fc.record({ do: fc.constantFrom('read' as const, 'finish' as const), nth: fc.nat(9) }),
    fc.record({
      do: fc.constantFrom('local' as const, 'foreign' as const),
      shop: fc.constantFrom(...SHOPS),
      scope: fc.constantFrom(...SCOPES),
    }),
    fc.record({ do: fc.constantFrom('startPoll' as const, 'endPoll' as const) }),
  );

  const run = async (steps: readonly Step[]): Promise<void> => {
    const data = shopDataFixture();
    const published = createPublished({
      ...{ clock: { now: () => 0 }, monotonic: () => 0, feed: { isFresh: () => true } },
    });
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
    };
    /** By shop and scope: the changes that every later response must include. */
    const acknowledged = new Map<string, number>();
    const place = (shop: string, scope: string): string => `${shop}/${scope}`;
    const countOf = (shop: string, scope: string): number => data.bodyOf(shop, [scope])[0] ?? 0;
    /** Builds before their snapshot, then builds after it. */
    const builds: { snapshot: () => void; finish: () => void }[] = [];
    const answers: Promise<void>[] = [];

    const request = (shop: string, scopes: readonly string[]): void => {
      const floor = scopes.map((scope) => acknowledged.get(place(shop, scope)) ?? 0);
      const build = async (): Promise<Answer<unknown>> => {
        const read = deferred<undefined>();
        const finished = deferred<undefined>();
        builds.push({ snapshot: () => read.resolve(undefined), finish: () => finished.resolve(undefined) });
        await read.promise;
        const answer = data.snapshot(shop, scopes);
        await finished.promise;
        return answer;
      };
      const check = async (): Promise<void> => {
        const entry = await published.read(
          `${shop}:${scopes.join()}`,
          `/${shop}:${scopes.join()}`,
          getBrand,
          build,
        );
        const body = JSON.parse(entry.body.ready('identity')?.bytes.toString() ?? '[]') as number[];
        body.forEach((known, index) => expect(known).toBeGreaterThanOrEqual(floor[index] ?? 0));
      };
      answers.push(check());
    };

    const acknowledgePoll = (committed: ReadonlyMap<string, number>): void => {
      for (const [at, count] of committed) acknowledged.set(at, Math.max(acknowledged.get(at) ?? 0, count));
    };
    const everything = (): Map<string, number> =>
      new Map(
        SHOPS.flatMap((shop) => SCOPES.map((scope) => [place(shop, scope), countOf(shop, scope)] as const)),
      );

    /** Read from the log; the result arrives later. */
    let poll: {
      readonly committed: ReadonlyMap<string, number>;
      readonly changes: readonly ScopedChanges[];
    } | null = null;
    const endPoll = (): void => {
      poll?.changes.forEach(published.changed);
      acknowledgePoll(poll?.committed ?? new Map());
      poll = null;
    };

    for (const each of steps) {
      if (each.do === 'ask') request(each.shop, each.scopes);
      else if (each.do === 'read') builds[each.nth % builds.length]?.snapshot();
      else if (each.do === 'finish') {
        const [build] = builds.splice(each.nth % Math.max(1, builds.length), 1);
        build?.snapshot();
        build?.finish();
      } else if (each.do === 'local') {
        published.changed(data.commit(each.shop, each.scope));
        const at = place(each.shop, each.scope);
        acknowledged.set(at, countOf(each.shop, each.scope));
      } else if (each.do === 'foreign') data.commit(each.shop, each.scope);
      else if (each.do === 'startPoll') poll ??= { committed: everything(), changes: data.poll() };
      if (each.do === 'endPoll') endPoll();
      await settle();
    }
    for (let left = 0; left < 200 && (builds.length > 0 || poll !== null); left += 1) {
      for (const build of builds.splice(0)) {
        build.snapshot();
        build.finish();
      }
      endPoll();
      await settle();
    }
    await Promise.all(answers);
  };

  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), run), { numRuns: 600 });
});
