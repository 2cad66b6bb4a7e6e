import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BOOKING_STATUSES } from './booking.ts';
import { calendarFile, folded, textValue, type CalendarEvent } from './calendar.ts';

const EVENT: CalendarEvent = {
  ...{ uid: 'a1b2', sequence: 3, status: 'confirmed', language: 'ar' },
  writtenAt: Date.parse('2026-11-20T18:00:00.789Z'),
  stay: { start: Date.parse('2026-11-21T17:00:00Z'), end: Date.parse('2026-11-21T18:30:00Z') },
  ...{
    summary: 'حجز طاولة',
    description: 'ضيفان',
    location: 'الزمالك',
    url: 'https://ahwa.example/manage/1',
  },
};

/** Texts of long, wide and special characters. */
const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom(',', ';', '\\', '\n', 'ض', '☕', '👨‍👩‍👧', 'n'), fc.string()),
});

const unescaped = (value: string): string =>
  value.replace(/\\([\\;,n])/g, (_, character: string) => (character === 'n' ? '\n' : character));

describe('a folded line', () => {
  test('unfolds to itself, in lines of at most 75 octets and of whole characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = text.replace(/[\r\n]/g, '');
        const wire = Buffer.from(folded(line)).toString('binary');
        const lines = wire.split('\r\n');
        expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(75);
        // Fatal: a split character is no UTF-8.
        const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
        const decoded = lines.map((each) => decoder.decode(Buffer.from(each, 'binary')));
        expect(decoded.slice(1).every((each) => each.startsWith(' '))).toBe(true);
        expect(decoded.map((each, index) => (index === 0 ? each : each.slice(1))).join('')).toBe(line);
      }),
    );
  });

  test.each([
    [75, 1],
    [76, 2],
    [149, 2],
    [150, 3],
  ])('of %i octets has %i parts', (octets, parts) => {
    expect(folded('x'.repeat(octets)).split('\r\n ')).toHaveLength(parts);
  });
});

describe('a text', () => {
  test('is read back as it was, on one line', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const clean = text.replace(/[^\P{Cc}\n]|[\u2028\u2029]/gu, '');
        const value = textValue(clean);
        expect(value).not.toMatch(/[\r\n]/);
        expect(unescaped(value)).toBe(clean);
      }),
    );
  });

  test('has every kind of line break as `\\n`, and no other control characters', () => {
    expect(textValue('a\r\nb\rc\u2028d\0e;f,g\\h')).toBe('a\\nb\\nc\\nd e\\;f\\,g\\\\h');
  });
});

describe('a calendar file', () => {
  test('has its lines in order, each ended by CR and LF, with times in UTC', () => {
    expect(calendarFile(EVENT)).toBe(
      [
        ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Ahwa//Bookings//EN', 'BEGIN:VEVENT'],
        ...['UID:a1b2', 'SEQUENCE:3', 'DTSTAMP:20261120T180000Z'],
        ...['DTSTART:20261121T170000Z', 'DTEND:20261121T183000Z', 'STATUS:CONFIRMED'],
        ...['SUMMARY;LANGUAGE=ar:حجز طاولة', 'DESCRIPTION;LANGUAGE=ar:ضيفان', 'LOCATION;LANGUAGE=ar:الزمالك'],
        ...['URL:https://ahwa.example/manage/1', 'END:VEVENT', 'END:VCALENDAR', ''],
      ].join('\r\n'),
    );
  });

  test('is cancelled once the booking is cancelled or nobody came', () => {
    const cancelled = BOOKING_STATUSES.filter((status) =>
      calendarFile({ ...EVENT, status }).includes('STATUS:CANCELLED'),
    );
    expect(cancelled).toEqual(['no_show', 'cancelled']);
  });
});
