import { expect, test } from 'vitest';
import { digitText, percentage, whenText } from './format.ts';
import type { Reader } from './reader.ts';

const ENGLISH: Reader = { language: 'en', digits: 'latn' };
const ARABIC: Reader = { language: 'ar', digits: 'arab' };
const CAIRO = 'Africa/Cairo';

/** Wall times of a winter in Cairo. */
const at = (time: string): number => Date.parse(`${time}:00+02:00`);

test.each([
  ['later today', '2026-11-20T08:00', '2026-11-20T10:00', '10:00 am', '١٠:٠٠ ص'],
  ['tomorrow, within 24 hours', '2026-11-20T23:30', '2026-11-21T10:00', 'tomorrow 10:00 am', 'غدًا ١٠:٠٠ ص'],
  ['after midnight, later that morning', '2026-11-21T00:30', '2026-11-21T10:00', '10:00 am', '١٠:٠٠ ص'],
  ['tomorrow, after 24 hours', '2026-11-20T08:00', '2026-11-21T10:00', 'tomorrow 10:00 am', 'غدًا ١٠:٠٠ ص'],
  [
    'a later day',
    '2026-11-20T23:30',
    '2026-11-22T10:00',
    'Sunday 22 November 10:00 am',
    'الأحد، ٢٢ نوفمبر ١٠:٠٠ ص',
  ],
])('a time that is %s', (_, now, time, english, arabic) => {
  expect(whenText(ENGLISH, CAIRO, at(time), at(now))).toBe(english);
  expect(whenText(ARABIC, CAIRO, at(time), at(now))).toBe(arabic);
});

test.each([
  [0.125, '12.5', '١٢٫٥'],
  [0.145, '14.5', '١٤٫٥'],
  [0.1, '10', '١٠'],
])('the rate %d in per cent', (rate, english, arabic) => {
  expect(percentage(ENGLISH, rate)).toBe(english);
  expect(percentage(ARABIC, rate)).toBe(arabic);
});

test('which day is today is said by the zone of the branch', () => {
  const [now, time] = [Date.parse('2026-11-20T22:30:00Z'), Date.parse('2026-11-21T08:00:00Z')];
  expect(whenText(ENGLISH, CAIRO, time, now)).toBe('10:00 am');
  expect(whenText(ENGLISH, 'UTC', time, now)).toBe('tomorrow 8:00 am');
});

test('a phone has the digits of the shop, in Arabic alone', () => {
  expect(digitText(ARABIC, '01001234567')).toBe('٠١٠٠١٢٣٤٥٦٧');
  expect(digitText({ ...ARABIC, digits: 'latn' }, '01001234567')).toBe('01001234567');
  expect(digitText(ENGLISH, '01001234567')).toBe('01001234567');
});
