import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Buckets } from './buckets.ts';
import { SharedBuckets, type Taking } from './shared-buckets.ts';
import type { BucketSize } from './token-bucket.ts';

const CAPACITY = 100;
const processOf = (size: BucketSize, quietPart?: number): SharedBuckets =>
  new SharedBuckets({
    name: 'writes',
    size,
    capacity: CAPACITY,
    ...(quietPart === undefined ? {} : { quietPart }),
  });

/** The bucket that processes have in common, by its rule. */
class Common {
  fullAt = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns what all processes owe. */
  add(ms: number, now: number): number {
    this.fullAt = Math.min(Math.max(this.fullAt, now) + ms, now + this.#most);
    return this.fullAt - now;
  }
}

const take = (buckets: Buckets, client: string, now: number): void => {
  buckets.take(client, buckets.owedMs(client, now), now);
};
const takeMany = (buckets: Buckets, client: string, count: number, now: number): void => {
  for (let n = 0; n < count; n += 1) take(buckets, client, now);
};

const size = fc.record({ burst: fc.integer({ min: 1, max: 40 }), seconds: fc.integer({ min: 1, max: 90 }) });

describe('processes that hear of each request at once', () => {
  const event = fc.record({
    process: fc.nat({ max: 3 }),
    gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 }), fc.constant(200_000)),
    further: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
  });

  test('decide exactly like one process', () => {
    fc.assert(
      fc.property(size, fc.array(event, { maxLength: 200, size: 'max' }), (bucketSize, events) => {
        const one = new Buckets(bucketSize, CAPACITY);
        const many = Array.from({ length: 4 }, () => processOf(bucketSize, 0));
        const common = new Common(one.bucket.mostOwedMs);
        let now = 0;
        for (const { process, gap, further } of events) {
          now += gap;
          const own = many[process] ?? processOf(bucketSize);
          const owed = one.owedMs('c', now);
          expect(own.owedMs('c', now)).toBeCloseTo(owed, 5);
          if (one.bucket.waitMs(owed, 0.99) > 0) continue;
          for (const each of [one, own]) {
            take(each, 'c', now);
            if (further > 0) each.overdraw('c', further, now);
          }
          const before = common.fullAt;
          const [taking] = own.collect(10, now);
          const all = common.add(taking?.ms ?? 0, now);
          for (const each of many)
            each.settle(
              each === own && taking ? taking : { client: 'c', ms: 0, fullAt: before },
              all,
              now,
              now,
            );
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('takings that are settled at any time', () => {
  const step = fc.record({
    process: fc.nat({ max: 2 }),
    gap: fc.nat({ max: 50 }),
    tokens: fc.nat({ max: 3 }),
    settling: fc.constantFrom('none', 'begins', 'ends', 'fails'),
  });

  /** Larger than everything that a run takes: the bucket is never full, and never at its bound. */
  const LARGE = { burst: 2_000, seconds: 4_000 };

  test('are counted once each, also when a settling fails or takes long', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150, size: 'max' }), (steps) => {
        const one = new Buckets(LARGE, CAPACITY);
        const many = Array.from({ length: 3 }, () => ({
          buckets: processOf(LARGE, 0),
          sent: null as { takings: readonly Taking[]; at: number; owed: number } | null,
        }));
        const common = new Common(one.bucket.mostOwedMs);
        let now = 0;
        const begin = (each: (typeof many)[number]): void => {
          if (each.sent !== null) return;
          const takings = each.buckets.collect(10, now);
          each.sent = { takings, at: now, owed: 0 };
        };
        const end = (each: (typeof many)[number], works: boolean): void => {
          if (each.sent === null) return;
          const { takings, at } = each.sent;
          each.sent = null;
          if (!works) each.buckets.putBack(takings);
          else for (const taking of takings) each.buckets.settle(taking, common.add(taking.ms, at), at, now);
        };
        // Settled once, and never full again: until then each process refills a bucket of its own.
        takeMany(one, 'c', 30, now);
        for (const each of many) {
          takeMany(each.buckets, 'c', 10, now);
          begin(each);
          end(each, true);
        }
        for (const { process, gap, tokens, settling } of steps) {
          now += gap;
          const each = many[process];
          if (each === undefined) continue;
          takeMany(each.buckets, 'c', tokens, now);
          takeMany(one, 'c', tokens, now);
          if (settling === 'begins') begin(each);
          if (settling === 'ends' || settling === 'fails') end(each, settling === 'ends');
        }
        for (const each of many) {
          end(each, false);
          begin(each);
          end(each, true);
        }
        expect(common.fullAt - now).toBeCloseTo(one.owedMs('c', now), 5);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a client', () => {
  const SIZE = { burst: 80, seconds: 80 };

  test('that owes an eighth of its bucket or less does not wait to be settled', () => {
    const buckets = processOf(SIZE);
    takeMany(buckets, 'quiet', 10, 0);
    takeMany(buckets, 'busy', 11, 0);
    expect(buckets.collect(10, 0)).toEqual([{ client: 'busy', ms: 11_000, fullAt: 11_000 }]);
    expect(buckets.waiting).toBe(0);
  });

  test('is settled with what it took since, also while it owed little', () => {
    const buckets = processOf(SIZE);
    takeMany(buckets, 'c', 11, 0);
    const [first] = buckets.collect(1, 0);
    if (first === undefined) throw new Error('nothing to settle');
    buckets.settle(first, 20_000, 0, 0);
    expect(buckets.owedMs('c', 0)).toBe(20_000);
    takeMany(buckets, 'c', 2, 15_000);
    expect(buckets.collect(1, 15_000)).toEqual([]);
    takeMany(buckets, 'c', 4, 15_000);
    expect(buckets.collect(1, 15_000)).toEqual([{ client: 'c', ms: 6_000, fullAt: 26_000 }]);
  });

  test('keeps what it took while a settling was under way', () => {
    const buckets = processOf(SIZE);
    takeMany(buckets, 'c', 20, 0);
    const [taking] = buckets.collect(1, 0);
    if (taking === undefined) throw new Error('nothing to settle');
    takeMany(buckets, 'c', 3, 100);
    buckets.settle(taking, 40_000, 0, 200);
    expect(buckets.owedMs('c', 200)).toBe(42_800);
    expect(buckets.collect(1, 200)).toMatchObject([{ ms: 3_000 }]);
  });

  test('that others let take too much owes at most twice its bucket', () => {
    const buckets = processOf(SIZE);
    takeMany(buckets, 'c', 80, 0);
    const [taking] = buckets.collect(1, 0);
    if (taking === undefined) throw new Error('nothing to settle');
    takeMany(buckets, 'c', 10, 0);
    buckets.settle(taking, 400_000, 0, 0);
    expect(buckets.owedMs('c', 0)).toBe(160_000);
  });

  test('whose bucket filled up meanwhile is not settled', () => {
    const buckets = processOf(SIZE);
    takeMany(buckets, 'c', 20, 0);
    expect(buckets.collect(1, 20_000)).toEqual([]);
    expect(buckets.waiting).toBe(0);
  });
});

test('those that wait longest are collected first, and evicted clients wait no more', () => {
  const buckets = processOf({ burst: 1, seconds: 60 });
  for (let n = 0; n < 10; n += 1) take(buckets, `${n}`, n);
  expect(buckets.collect(2, 10).map(({ client }) => client)).toEqual(['0', '1']);
  take(buckets, '0', 11);
  expect(buckets.collect(100, 11).map(({ client }) => client)).toEqual([
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '0',
  ]);
  for (let n = 0; n < 10 * CAPACITY; n += 1) take(buckets, `new ${n}`, 20);
  expect(buckets.waiting).toBeLessThanOrEqual(CAPACITY + 1);
});
