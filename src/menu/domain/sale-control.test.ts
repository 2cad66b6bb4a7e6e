import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AvailabilityEntry } from './availability.ts';
import { Refusal } from '../../kernel/refusal.ts';
import {
  availabilityAtBranch,
  isSameChannelMode,
  MAX_UNTIL_DAYS,
  parseChannelMode,
  parseSoldOutUntil,
  type SellableAtBranch,
} from './sale-control.ts';
import { isoInstant } from '../../kernel/time.ts';

const DAY = 24 * 60 * 60 * 1_000;
const NOW = Date.parse('2026-12-04T17:00:00Z');
const [BRANCH, ELSEWHERE] = ['branch-here', 'branch-elsewhere'];

/** The refused field and problem. */
const refusedFor = (work: () => unknown): string => {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Refusal)
      return thrown.faults.map(({ path, problem }) => `${path} ${problem}`).join();
    throw thrown;
  }
  return 'nothing';
};

describe('the end of a channel mode or snooze', () => {
  test('is accepted within 30 days, with any UTC offset', () => {
    expect(parseChannelMode({ mode: 'closed', until: '2026-12-04T19:30:00+02:00' }, NOW)).toEqual({
      mode: 'closed',
      until: Date.parse('2026-12-04T17:30:00Z'),
    });
    expect(parseSoldOutUntil({ available: false, until: '2026-12-04t17:00:00.001z' }, NOW)).toBe(NOW + 1);
    expect(parseSoldOutUntil({ available: false, until: isoInstant(NOW + MAX_UNTIL_DAYS * DAY) }, NOW)).toBe(
      NOW + MAX_UNTIL_DAYS * DAY,
    );
  });

  test('is unlimited when until is null or absent', () => {
    for (const until of [null, undefined]) {
      expect(parseChannelMode({ mode: 'open', until }, NOW)).toEqual({ mode: 'open', until: null });
      expect(parseSoldOutUntil({ available: false, until }, NOW)).toBe(Infinity);
    }
  });

  test.each([
    ['now', isoInstant(NOW), 'later than now'],
    ['long past', '1999-01-01T00:00:00Z', 'later than now'],
    ['a moment more than 30 days away', isoInstant(NOW + MAX_UNTIL_DAYS * DAY + 1), 'within 30 days'],
    ['a date', '2026-12-05', 'a moment with its offset'],
    ['a moment without its offset', '2026-12-05T10:00:00', 'a moment with its offset'],
    ['a day that is in no calendar', '2026-12-32T10:00:00Z', 'a moment with its offset'],
    ['an hour that is on no clock', '2026-12-05T25:00:00Z', 'a moment with its offset'],
    ['words', 'tomorrow', 'a moment with its offset'],
  ])('is refused when it is %s', (_, until, problem) => {
    expect(refusedFor(() => parseChannelMode({ mode: 'closed', until }, NOW))).toContain(problem);
    expect(refusedFor(() => parseSoldOutUntil({ available: false, until }, NOW))).toContain(problem);
  });

  test('is refused with mode: auto and with available: true', () => {
    const until = isoInstant(NOW + DAY);
    expect(refusedFor(() => parseChannelMode({ mode: 'auto', until }, NOW))).toContain('not for `auto`');
    expect(refusedFor(() => parseSoldOutUntil({ available: true, until }, NOW))).toContain('only for');
    expect(parseChannelMode({ mode: 'auto', until: null }, NOW)).toEqual({ mode: 'auto', until: null });
    expect(parseSoldOutUntil({ available: true, until: null }, NOW)).toBeNull();
  });

  test('is accepted from the next millisecond to 30 days ahead, and refused otherwise', () => {
    fc.assert(
      fc.property(fc.integer({ min: -40 * DAY, max: 40 * DAY }), (distance) => {
        const until = isoInstant(NOW + distance);
        const isFine = distance > 0 && distance <= MAX_UNTIL_DAYS * DAY;
        const read = () => parseChannelMode({ mode: 'closed', until }, NOW);
        if (isFine) expect(read()).toEqual({ mode: 'closed', until: NOW + distance });
        else expect(refusedFor(read)).not.toBe('nothing');
      }),
    );
  });
});

test('two channel modes are the same when mode and end are equal', () => {
  const half = { mode: 'closed', until: NOW } as const;
  expect(isSameChannelMode(half, { ...half })).toBe(true);
  expect(isSameChannelMode(half, { ...half, until: null })).toBe(false);
  expect(isSameChannelMode(half, { ...half, mode: 'open' })).toBe(false);
});

describe('the availability of an item at a branch', () => {
  const entry = (facts: Partial<AvailabilityEntry>): AvailabilityEntry => ({
    ...{ branchId: BRANCH, channel: null, isOn: true, soldOutUntil: null, stock: null },
    ...facts,
  });
  const availabilityOf = (
    entries: readonly Partial<AvailabilityEntry>[],
    facts: Partial<SellableAtBranch> = {},
  ) =>
    availabilityAtBranch(
      { branchId: BRANCH, zone: 'Africa/Cairo', isLive: true, availability: entries.map(entry), ...facts },
      NOW,
    );
  const there = { available: true, backAt: null };
  const gone = { available: false, backAt: null };

  test.each<[string, readonly Partial<AvailabilityEntry>[], object]>([
    ['nothing is said', [], there],
    ['units are left', [{ stock: 1 }], there],
    ['the snooze has run out', [{ soldOutUntil: NOW }], there],
    ['it is sold out for an hour', [{ soldOutUntil: NOW + 60 }], { available: false, backAt: NOW + 60 }],
    ['it is sold out without an end', [{ soldOutUntil: Infinity }], gone],
    ['no unit is left', [{ stock: 0 }], gone],
    ['no unit is left, and it is snoozed', [{ stock: 0, soldOutUntil: NOW + 60 }], gone],
    ['it is switched off here', [{ isOn: false }], gone],
    ['it is switched off everywhere', [{ branchId: null, isOn: false }], gone],
    ['it is switched off at another branch', [{ branchId: ELSEWHERE, isOn: false }], there],
    ['it is switched off on one channel', [{ channel: 'dine_in', isOn: false }], there],
  ])('when %s', (_, entries, expected) => {
    expect(availabilityOf(entries)).toEqual(expected);
  });

  test('is false when the item is switched off for the whole shop', () => {
    expect(availabilityOf([], { isLive: false })).toEqual(gone);
    expect(availabilityOf([{ soldOutUntil: NOW + 60 }], { isLive: false })).toEqual(gone);
  });
});
