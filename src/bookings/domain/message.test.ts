import { describe, expect, test } from 'vitest';
import { textOf } from '../../messaging/domain/template.ts';
import { BOOKING_STATUSES } from './booking.ts';
import {
  bookingMessage,
  guestsText,
  obsoleteReason,
  reminderTime,
  timeText,
  type BookingEvent,
  type BookingFacts,
} from './message.ts';

const START = Date.parse('2026-11-21T17:00:00Z');
const FACTS: BookingFacts = {
  ...{ language: 'en', shopName: 'Qahwa House', branchName: 'Zamalek', zone: 'Africa/Cairo' },
  ...{ startsAt: START, partySize: 2 },
};
const EVENTS: readonly BookingEvent[] = ['confirmed', 'changed', 'reminder', 'cancelled'];

describe('a time', () => {
  test.each([
    ['2026-11-21T17:00:00Z', 'Africa/Cairo', 'Saturday 21 November, 7:00 PM', 'السبت 21 نوفمبر، 7:00 م'],
    ['2026-11-21T22:30:00Z', 'Africa/Cairo', 'Sunday 22 November, 12:30 AM', 'الأحد 22 نوفمبر، 12:30 ص'],
    ['2026-11-21T10:05:00Z', 'Africa/Cairo', 'Saturday 21 November, 12:05 PM', 'السبت 21 نوفمبر، 12:05 م'],
    ['2026-07-03T08:45:00Z', 'Asia/Dubai', 'Friday 3 July, 12:45 PM', 'الجمعة 3 يوليو، 12:45 م'],
    [
      '2026-01-01T00:00:00Z',
      'America/New_York',
      'Wednesday 31 December, 7:00 PM',
      'الأربعاء 31 ديسمبر، 7:00 م',
    ],
  ])('%s in %s is %s', (instant, zone, english, arabic) => {
    expect(timeText('en', zone, Date.parse(instant))).toBe(english);
    expect(timeText('ar', zone, Date.parse(instant))).toBe(arabic);
  });
});

describe('a party', () => {
  test.each([
    [1, '1 guest', 'ضيف واحد'],
    [2, '2 guests', 'ضيفان'],
    [5, '5 guests', '5 ضيوف'],
    [11, '11 guests', '11 ضيفًا'],
    [100, '100 guests', '100 ضيف'],
    [103, '103 guests', '103 ضيوف'],
  ])('of %i has the plural of the language', (count, english, arabic) => {
    expect([guestsText(count, 'en'), guestsText(count, 'ar')]).toEqual([english, arabic]);
  });
});

describe('a message', () => {
  test.each(EVENTS)('of %s has shop, branch, time and party, and no link', (event) => {
    const { template, parameters, language } = bookingMessage(event, FACTS);
    expect(parameters).toEqual(['Qahwa House', 'Zamalek', 'Saturday 21 November, 7:00 PM', '2 guests']);
    expect(textOf(template, language, [...parameters, 'https://ahwa.example/manage/1'])).not.toContain('{{');
  });

  test.each(EVENTS)('of %s is true in one state of the booking, before its start', (event) => {
    const message = bookingMessage(event, FACTS);
    const reason = (changed: object, now = START - 1): string | null =>
      obsoleteReason(message, { ...FACTS, status: 'confirmed', ...changed }, now);
    const truths = BOOKING_STATUSES.filter((status) => reason({ status }) === null);
    expect(truths).toEqual([event === 'cancelled' ? 'cancelled' : 'confirmed']);
    const [status] = truths;
    expect(reason({ status }, START)).toBe('the start of the booking is past');
    expect(reason({ status, startsAt: START + 1 })).toBe('the booking was changed since');
    expect(reason({ status, partySize: 3 })).toBe('the booking was changed since');
  });
});

describe('a reminder', () => {
  const LEAD = 120 * 60_000;

  test.each([
    ['falls due the branch’s minutes before the start', 120, START - LEAD - 1, START - LEAD],
    ['is none when it would be due already', 120, START - LEAD, null],
    ['is none where the branch has set no minutes', null, START - LEAD - 1, null],
  ])('%s', (_, lead, now, expected) => {
    expect(reminderTime(START, lead, now)).toBe(expected);
  });
});

test('in an hour that comes twice the time has its offset', () => {
  const at = (iso: string): string => timeText('en', 'Africa/Cairo', Date.parse(iso));
  expect(['19:30', '20:30', '21:30', '22:30'].map((time) => at(`2027-10-28T${time}:00Z`))).toEqual([
    'Thursday 28 October, 10:30 PM',
    'Thursday 28 October, 11:30 PM (UTC+03:00)',
    'Thursday 28 October, 11:30 PM (UTC+02:00)',
    'Friday 29 October, 12:30 AM',
  ]);
  expect(at('2027-04-29T22:30:00Z')).toBe('Friday 30 April, 1:30 AM');
  expect(timeText('ar', 'Africa/Cairo', Date.parse('2027-10-28T21:30:00Z'))).toBe(
    'الخميس 28 أكتوبر، 11:30 م (UTC+02:00)',
  );
});
