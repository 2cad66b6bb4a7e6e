import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKETS, createLimits } from './limits.ts';
import type { CountedGroup, LimitDecision } from './limits.ts';

const passed = (decision: LimitDecision | null): boolean => decision?.refusedBy === null;

/** `"general";r=1999;t=1` by policy. */
const left = (decision: LimitDecision | null): Record<string, { r: number; t: number }> =>
  Object.fromEntries(
    [...(decision?.limit ?? '').matchAll(/"(\w+)";r=(\d+);t=(\d+)/g)].map(([, name = '', r, t]) => [
      name,
      { r: Number(r), t: Number(t) },
    ]),
  );

describe('rate limits', () => {
  test('a full bucket allows its burst, then refuses with the wait for a token', () => {
    const limits = createLimits({});
    for (let n = 0; n < 30; n += 1) expect(passed(limits.take('c', 'otp', 0))).toBe(true);
    const refused = limits.take('c', 'otp', 0);
    expect(refused).toMatchObject({ refusedBy: 'otp', retryAfterSeconds: 3 });
    expect(passed(limits.take('c', 'otp', 2_900))).toBe(false);
    expect(passed(limits.take('c', 'otp', 3_000))).toBe(true);
    expect(passed(limits.take('c', 'otp', 3_000))).toBe(false);
  });

  test('the headers name both policies, the one with less left first', () => {
    const limits = createLimits({});
    const decision = limits.take('c', 'ordering_reads', 0);
    expect(decision?.policy).toBe('"ordering_reads";q=300;w=15, "general";q=2000;w=60');
    expect(decision?.limit).toBe('"ordering_reads";r=299;t=1, "general";r=1999;t=1');
    expect(limits.take('c', 'general', 0)).toMatchObject({
      policy: '"general";q=2000;w=60',
      limit: '"general";r=1998;t=1',
    });
  });

  test('a refusal by the group counts in general, a refusal by general nowhere else', () => {
    const limits = createLimits({});
    for (let n = 0; n < 310; n += 1) limits.take('c', 'ordering_reads', 0);
    expect(left(limits.take('c', 'ordering_reads', 0))).toMatchObject({
      ordering_reads: { r: 0 },
      general: { r: 2000 - 311 },
    });
    for (let n = 0; n < 2000; n += 1) limits.take('c', 'general', 0);
    const refused = limits.take('c', 'otp', 0);
    expect(refused?.refusedBy).toBe('general');
    expect(left(refused)).toMatchObject({ general: { r: 0 }, otp: { r: 30 } });
    expect(refused?.limit.startsWith('"general"')).toBe(true);
  });

  test('clients have separate buckets, the group `none` never counts, and the scale multiplies', () => {
    const limits = createLimits({ scale: 0.1 });
    for (let n = 0; n < 200; n += 1) expect(passed(limits.take('a', 'general', 0))).toBe(true);
    expect(passed(limits.take('a', 'general', 0))).toBe(false);
    expect(passed(limits.take('b', 'general', 0))).toBe(true);
    expect(limits.take('a', 'none', 0)).toBeNull();
    expect(createLimits({ scale: 0 }).take('a', 'general', 0)).toBeNull();
  });

  test('the number of buckets is bounded, and new clients do not evict a busy one', () => {
    const limits = createLimits({ capacity: 100 });
    for (let n = 0; n < 2000; n += 1) limits.take('busy', 'general', 0);
    for (let n = 0; n < 5_000; n += 1) limits.take(`new-${n}`, 'general', 1);
    expect(limits.size()).toBeLessThanOrEqual(101);
    expect(passed(limits.take('busy', 'general', 1))).toBe(false);
  });

  test('buckets of idle clients are evicted', () => {
    const limits = createLimits({});
    for (let n = 0; n < 1_000; n += 1) limits.take(`old-${n}`, 'general', 0);
    for (let n = 0; n < 1_000; n += 1) limits.take(`new-${n}`, 'general', 60_000);
    expect(limits.size()).toBeLessThanOrEqual(1_001);
  });

  test('every limit is a token bucket, and the advised wait is enough', () => {
    const groups = Object.keys(BUCKETS).filter((group) => group !== 'general') as CountedGroup[];
    fc.assert(
      fc.property(
        fc.constantFrom(...groups),
        fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 300, size: 'max' }),
        fc.constantFrom(1, 0.13, 2.5),
        (group, gaps, scale) => {
          const limits = createLimits({ scale });
          const { burst, seconds } = BUCKETS[group];
          const size = Math.max(1, Math.round(burst * scale));
          let [tokens, at] = [size, 0];
          for (const gap of gaps) {
            // Bursts: most requests come at once.
            const now = at + (gap > 3_000 ? gap : 0);
            tokens = Math.min(size, tokens + ((now - at) * size) / (seconds * 1000));
            at = now;
            const decision = limits.take('c', group, now);
            if (Math.abs(tokens - 1) > 0.05) expect(passed(decision)).toBe(tokens >= 1);
            if (passed(decision)) tokens -= 1;
            else {
              const later = now + (decision?.retryAfterSeconds ?? 0) * 1000;
              expect(((later - at) * size) / (seconds * 1000) + tokens).toBeGreaterThanOrEqual(0.98);
              expect(left(decision)[group]?.t).toBe(decision?.retryAfterSeconds);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('an expensive request', () => {
  test('takes one token for every 5 ms of its cost', () => {
    const limits = createLimits({});
    limits.take('c', 'ordering_reads', 0);
    limits.charge('c', 'ordering_reads', 50, 0);
    expect(left(limits.take('c', 'ordering_reads', 0))['ordering_reads']?.r).toBe(300 - 10 - 1);
  });

  test('takes one token when it cost up to 5 ms', () => {
    const limits = createLimits({});
    limits.take('c', 'ordering_reads', 0);
    limits.charge('c', 'ordering_reads', 5, 0);
    expect(left(limits.take('c', 'ordering_reads', 0))['ordering_reads']?.r).toBe(298);
  });

  test('may overdraw its bucket by at most the bucket’s size', () => {
    const limits = createLimits({});
    limits.charge('c', 'ordering_reads', 60_000, 0);
    expect(limits.take('c', 'ordering_reads', 0)).toMatchObject({ retryAfterSeconds: 16 });
    expect(passed(limits.take('c', 'ordering_reads', 15_000))).toBe(false);
    expect(passed(limits.take('c', 'ordering_reads', 15_050))).toBe(true);
  });

  test('takes the extra tokens of an order from ordering reads, not from writes', () => {
    const limits = createLimits({});
    limits.charge('c', 'writes', 100, 0);
    expect(left(limits.take('c', 'writes', 0))['writes']?.r).toBe(59);
    expect(left(limits.take('c', 'ordering_reads', 0))['ordering_reads']?.r).toBe(300 - 19 - 1);
  });

  test('takes no token where limits are off or its group is `none`', () => {
    const off = createLimits({ scale: 0 });
    off.charge('c', 'ordering_reads', 60_000, 0);
    const on = createLimits({});
    on.charge('c', 'none', 60_000, 0);
    expect([off.size(), on.size()]).toEqual([0, 0]);
  });
});
