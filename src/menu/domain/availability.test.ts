import { describe, expect, test } from 'vitest';
import {
  backAt,
  nextSaleChange,
  sellsAt,
  availabilityStatusAt,
  type AvailabilityEntry,
  type AvailabilityStatus,
} from './availability.ts';
import { availability, aWindow, BRANCH, DINE_IN, NOON, PICKUP } from './menu.test-support.ts';

const HOUR = 3_600_000;
const inOneHour = availability({ soldOutUntil: NOON + HOUR });

describe('the availability status', () => {
  test.each<
    [when: string, entries: AvailabilityEntry[], pickup: AvailabilityStatus, dineIn: AvailabilityStatus]
  >([
    ['nothing is said', [], 'on', 'on'],
    ['it is off at the branch', [availability({ isOn: false })], 'off', 'off'],
    ['it is off everywhere', [availability({ branchId: null, isOn: false })], 'off', 'off'],
    [
      'it is off on pickup, everywhere',
      [availability({ branchId: null, channel: 'pickup', isOn: false })],
      'off',
      'on',
    ],
    ['it is off on pickup, here', [availability({ channel: 'pickup', isOn: false })], 'off', 'on'],
    ['it is off for eating in', [availability({ channel: 'dine_in', isOn: false })], 'on', 'off'],
    ['it is off elsewhere', [availability({ branchId: 'maadi', isOn: false })], 'on', 'on'],
    [
      'it is off everywhere, and the branch counts stock',
      [availability({ branchId: null, isOn: false }), availability({ stock: 7 })],
      'off',
      'off',
    ],
    ['one unit is left', [availability({ stock: 1 })], 'on', 'on'],
    ['no unit is left', [availability({ stock: 0 })], 'sold_out', 'sold_out'],
    ['devices sold more than there was', [availability({ stock: -2 })], 'sold_out', 'sold_out'],
    ['no unit is left elsewhere', [availability({ branchId: 'maadi', stock: 0 })], 'on', 'on'],
    ['it is sold out for an hour', [inOneHour], 'sold_out', 'sold_out'],
    ['it was sold out until now', [availability({ soldOutUntil: NOON })], 'on', 'on'],
    [
      'it is sold out and off',
      [inOneHour, availability({ channel: 'pickup', isOn: false })],
      'off',
      'sold_out',
    ],
  ])('when %s', (_, entries, pickup, dineIn) => {
    expect(availabilityStatusAt(entries, PICKUP, NOON)).toBe(pickup);
    expect(availabilityStatusAt(entries, DINE_IN, NOON)).toBe(dineIn);
  });

  test('a snooze ends to the millisecond', () => {
    expect(availabilityStatusAt([inOneHour], PICKUP, NOON + HOUR - 1)).toBe('sold_out');
    expect(availabilityStatusAt([inOneHour], PICKUP, NOON + HOUR)).toBe('on');
  });
});

describe('the time at which a sold-out item is back', () => {
  test.each<[string, AvailabilityEntry[], number | null]>([
    ['a snooze has an end', [inOneHour], NOON + HOUR],
    ['one without end has none', [availability({ soldOutUntil: Infinity })], null],
    ['stock does not come back by itself', [availability({ stock: 0, soldOutUntil: NOON + HOUR })], null],
    ['what is off stays off', [inOneHour, availability({ channel: 'pickup', isOn: false })], null],
    ['what is on is there', [availability({ soldOutUntil: NOON - 1 })], null],
  ])('%s', (_, entries, back) => expect(backAt(entries, PICKUP, NOON)).toBe(back));
});

describe('the next change by the clock', () => {
  const breakfast = [aWindow({ startsAt: 7 * 60, endsAt: 13 * 60 })];
  const sold = (entries: AvailabilityEntry[], isLive = true) => ({
    isLive,
    availability: entries,
    windows: breakfast,
  });

  test('of a breakfast item at noon is at 13:00', () => {
    expect(sellsAt(sold([]), PICKUP, NOON)).toBe(true);
    expect(nextSaleChange(sold([]), PICKUP, NOON)).toBe(NOON + HOUR);
    expect(sellsAt(sold([]), PICKUP, NOON + HOUR)).toBe(false);
  });

  test('of a snoozed item skips a window edge inside the snooze', () => {
    const snoozed = sold([availability({ soldOutUntil: NOON + 3 * HOUR })]);
    expect(nextSaleChange(snoozed, PICKUP, NOON)).toBe(NOON + 3 * HOUR);
  });

  test.each([
    ['archived', sold([], false)],
    ['off', sold([availability({ isOn: false })])],
    ['out of stock', sold([availability({ stock: 0 })])],
    ['below zero', sold([availability({ stock: -2 })])],
  ])('of an item that is %s is null', (_, thing) => {
    expect(sellsAt(thing, PICKUP, NOON)).toBe(false);
    expect(nextSaleChange(thing, PICKUP, NOON)).toBeNull();
  });

  test('ignores the windows of another branch', () => {
    const theirs = {
      ...sold([]),
      windows: [aWindow({ branchId: 'maadi', startsAt: 0, endsAt: 60 })],
    };
    expect(sellsAt(theirs, PICKUP, NOON)).toBe(true);
    expect(sellsAt(theirs, { ...PICKUP, branchId: 'maadi' }, NOON)).toBe(false);
    expect(BRANCH).not.toBe('maadi');
  });
});
