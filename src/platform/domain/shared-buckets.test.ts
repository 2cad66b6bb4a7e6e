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

  /** Returns what all processes owe; negative: full for so long. */
  add({ ms, from }: Pick<Taking, 'ms' | 'from'>, now: number): number {
    this.fullAt = Math.min(Math.max(this.fullAt, from) + ms, now + this.#most);
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
          const [taking] = own.collect(10);
          if (taking === undefined) throw new Error('nothing to settle');
          const all = common.add(taking, now);
          for (const each of many) each.settle(taking, all, now, now);
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
          const takings = each.buckets.collect(10);
          each.sent = { takings, at: now, owed: 0 };
        };
        const end = (each: (typeof many)[number], works: boolean): void => {
          if (each.sent === null) return;
          const { takings, at } = each.sent;
          each.sent = null;
          if (!works) each.buckets.putBack(takings);
          else for (const taking of takings) each.buckets.settle(taking, common.add(taking, at), at, now);
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

describe('a client that is spread over processes', () => {
  const SETTLE_MS = 500;

  interface Spread {
    readonly size: BucketSize;
    readonly processes: number;
    /** Requests for each token that one bucket is refilled by. */
    readonly rate: number;
    readonly spans: number;
    /** Of a request: at which process, as a part of all; undefined: in turn. */
    readonly at?: (n: number) => number;
  }

  /** What passes, what one process lets pass, and how often a client is settled. */
  const simulate = ({ size: bucketSize, processes, rate, spans, at }: Spread) => {
    const one = new Buckets(bucketSize, CAPACITY);
    const many = Array.from({ length: processes }, () => processOf(bucketSize));
    const { stepMs, spanMs, mostOwedMs } = one.bucket;
    const common = new Common(mostOwedMs);
    const passed = { byAll: 0, byOne: 0, asked: 0, settlings: 0 };
    const passes = (buckets: Buckets, now: number): boolean => {
      const owed = buckets.owedMs('c', now);
      if (buckets.bucket.waitMs(owed, 0.99) > 0) return false;
      buckets.take('c', owed, now);
      return true;
    };
    // Each settles at a phase of its own.
    const settledUntil = many.map((_, n) => (n * SETTLE_MS) / processes);
    const settleUntil = (now: number): void => {
      for (;;) {
        const next = settledUntil.indexOf(Math.min(...settledUntil));
        const when = settledUntil[next] ?? now;
        const buckets = many[next];
        if (when > now || buckets === undefined) return;
        settledUntil[next] = when + SETTLE_MS;
        for (const taking of buckets.collect(10)) {
          buckets.settle(taking, common.add(taking, when), when, when);
          passed.settlings += 1;
        }
      }
    };
    const gap = stepMs / rate;
    for (let now = 0; now < spans * spanMs; now += gap) {
      settleUntil(now);
      const index = at === undefined ? passed.asked % processes : Math.floor(at(passed.asked) * processes);
      const process = many[index];
      if (process === undefined) throw new Error(`There is no process ${index}.`);
      passed.asked += 1;
      if (passes(process, now)) passed.byAll += 1;
      if (passes(one, now)) passed.byOne += 1;
    }
    // Each process: a quiet eighth, one token that passes it, and what it is asked for until it settles.
    const halfSecond = (SETTLE_MS / gap / processes) * (at === undefined ? 1 : 4);
    return { ...passed, unsettled: processes * (bucketSize.burst / 8 + 2 + halfSecond) };
  };

  const sizes = fc.constantFrom(
    { burst: 30, seconds: 90 },
    { burst: 60, seconds: 60 },
    { burst: 300, seconds: 15 },
  );
  const chosen = fc.option(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), {
    nil: undefined,
  });

  test('at as many times the refill rate gets one limit', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 2, max: 6 }), chosen, (bucketSize, processes, stream) => {
        const at = stream === undefined ? undefined : () => Number(stream.next().value);
        const spread = { size: bucketSize, processes, rate: processes, spans: 20 };
        const { byAll, byOne, unsettled } = simulate({ ...spread, ...(at && { at }) });
        expect(byAll).toBeLessThanOrEqual(byOne + unsettled);
        expect(byAll).toBeGreaterThanOrEqual(byOne - bucketSize.burst);
      }),
      { numRuns: 40 },
    );
  });

  test('is not refused within its limit, by up to nine processes', () => {
    fc.assert(
      fc.property(
        sizes,
        fc.integer({ min: 2, max: 9 }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (bucketSize, processes, rate) => {
          const { byAll, asked } = simulate({ size: bucketSize, processes, rate, spans: 40 });
          expect(byAll).toBe(asked);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('and took one token of each long ago gets at most one bucket more than that', () => {
    const many = Array.from({ length: 6 }, () => processOf({ burst: 80, seconds: 80 }));
    const common = new Common(160_000);
    for (const buckets of many) take(buckets, 'c', 0);
    let passed = 0;
    let now = 3_600_000;
    const start = now;
    for (const buckets of many)
      for (let n = 0; n < 80; n += 1, now += 50) {
        const owed = buckets.owedMs('c', now);
        if (buckets.bucket.waitMs(owed, 0.99) <= 0) {
          buckets.take('c', owed, now);
          passed += 1;
        }
        if (n % 10 === 9)
          for (const taking of buckets.collect(1)) buckets.settle(taking, common.add(taking, now), now, now);
      }
    const eighths = many.length * 11;
    expect(passed).toBeLessThanOrEqual(2 * 80 + eighths + (now - start) / 1_000);
  });
});

describe('a client', () => {
  const SIZE = { burst: 80, seconds: 80 };

  test('that owes an eighth of its bucket or less does not wait to be settled', () => {
    const buckets = processOf(SIZE);
    takeMany(buckets, 'quiet', 10, 0);
    takeMany(buckets, 'busy', 11, 0);
    expect(buckets.collect(10)).toEqual([{ client: 'busy', ms: 11_000, from: 0 }]);
    expect(buckets.waiting).toBe(0);
  });

  test('is settled with what it took since, also while it owed little', () => {
    const buckets = processOf(SIZE);
    takeMany(buckets, 'c', 11, 0);
    const [first] = buckets.collect(1);
    if (first === undefined) throw new Error('nothing to settle');
    buckets.settle(first, 20_000, 0, 0);
    expect(buckets.owedMs('c', 0)).toBe(20_000);
    takeMany(buckets, 'c', 2, 15_000);
    expect(buckets.collect(1)).toEqual([]);
    takeMany(buckets, 'c', 4, 15_000);
    expect(buckets.collect(1)).toEqual([{ client: 'c', ms: 6_000, from: 15_000 }]);
  });

  test('keeps what it took while a settling was under way', () => {
    const buckets = processOf(SIZE);
    takeMany(buckets, 'c', 20, 0);
    const [taking] = buckets.collect(1);
    if (taking === undefined) throw new Error('nothing to settle');
    takeMany(buckets, 'c', 3, 100);
    buckets.settle(taking, 40_000, 0, 200);
    expect(buckets.owedMs('c', 200)).toBe(42_800);
    expect(buckets.collect(1)).toMatchObject([{ ms: 3_000 }]);
  });

  test('that others let take too much owes at most twice its bucket', () => {
    const buckets = processOf(SIZE);
    takeMany(buckets, 'c', 80, 0);
    const [taking] = buckets.collect(1);
    if (taking === undefined) throw new Error('nothing to settle');
    takeMany(buckets, 'c', 10, 0);
    buckets.settle(taking, 400_000, 0, 0);
    expect(buckets.owedMs('c', 0)).toBe(160_000);
  });

  test('whose bucket is full again is settled with the time from which its takings count', () => {
    const buckets = processOf(SIZE);
    for (let n = 0; n < 10; n += 1) take(buckets, 'c', n * 5_000);
    expect(buckets.waiting).toBe(0);
    take(buckets, 'c', 50_000);
    expect(buckets.collect(1)).toEqual([{ client: 'c', ms: 11_000, from: 0 }]);
    expect(buckets.collect(1)).toEqual([]);
    buckets.settle({ client: 'c', ms: 11_000, from: 0 }, -39_000, 50_000, 50_000);
    // It keeps what it owes here.
    expect(buckets.owedMs('c', 50_000)).toBe(1_000);
  });

  test('is refilled by at most one bucket for the time before a taking', () => {
    const buckets = processOf(SIZE);
    take(buckets, 'c', 0);
    takeMany(buckets, 'c', 80, 3_600_000);
    expect(buckets.collect(1)).toEqual([{ client: 'c', ms: 81_000, from: 3_519_000 }]);
  });

  test('waits with all that it took when a settling failed', () => {
    const buckets = processOf(SIZE);
    takeMany(buckets, 'c', 20, 0);
    const takings = buckets.collect(1);
    takeMany(buckets, 'c', 3, 30_000);
    expect(buckets.waiting).toBe(0);
    buckets.putBack(takings);
    expect(buckets.collect(1)).toEqual([{ client: 'c', ms: 23_000, from: 0 }]);
  });

  test('that asks once a minute is settled once in so many minutes as an eighth of its bucket has tokens', () => {
    const buckets = processOf(SIZE);
    let settlings = 0;
    for (let minute = 1; minute <= 110; minute += 1) {
      take(buckets, 'c', minute * 60_000);
      for (const taking of buckets.collect(1)) {
        settlings += 1;
        buckets.settle(taking, taking.from + taking.ms - minute * 60_000, minute * 60_000, minute * 60_000);
      }
    }
    expect(settlings).toBe(10);
  });

  test('that is full and not settled is kept for seven eighths of its span, unless memory is full', () => {
    const kept = (until: number, others: number): boolean => {
      const buckets = processOf(SIZE);
      takeMany(buckets, 'c', 10, 0);
      takeMany(buckets, 'busy', 11, 0);
      for (let n = 0; n < others; n += 1) take(buckets, `${n}`, until);
      takeMany(buckets, 'c', 1, until);
      return buckets.collect(10).some(({ client }) => client === 'c');
    };
    expect([kept(79_000, 50), kept(80_000, 50), kept(79_000, 10 * CAPACITY)]).toEqual([true, false, false]);
  });
});

test('those that wait longest are collected first, and evicted clients wait no more', () => {
  const buckets = processOf({ burst: 1, seconds: 60 });
  for (let n = 0; n < 10; n += 1) take(buckets, `${n}`, n);
  expect(buckets.collect(2).map(({ client }) => client)).toEqual(['0', '1']);
  take(buckets, '0', 11);
  expect(buckets.collect(100).map(({ client }) => client)).toEqual([
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
