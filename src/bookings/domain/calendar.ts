/** A booking as a calendar file (RFC 5545). */
import type { Language } from '../../kernel/names.ts';
import { isoInstant, type Instant, type Span } from '../../kernel/time.ts';
import type { BookingStatus } from './booking.ts';

export interface CalendarEvent {
  /** Stays the same for all versions of the event. */
  readonly uid: string;
  /** Grows with each change. */
  readonly sequence: number;
  readonly status: BookingStatus;
  readonly writtenAt: Instant;
  readonly stay: Span;
  readonly language: Language;
  readonly summary: string;
  readonly description: string;
  readonly location: string;
  readonly url: string;
}

const STATUS: Readonly<Record<BookingStatus, 'CONFIRMED' | 'CANCELLED'>> = {
  confirmed: 'CONFIRMED',
  seated: 'CONFIRMED',
  completed: 'CONFIRMED',
  no_show: 'CANCELLED',
  cancelled: 'CANCELLED',
};

/** RFC 5545, 3.3.11. Other control characters than a line break are not allowed in a text. */
export const textValue = (text: string): string =>
  text
    .replace(/\r\n?|\u0085|\u2028|\u2029/g, '\n')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replace(/\p{Cc}/gu, ' ');

/** In UTC: `20261121T170000Z`. */
const dateTime = (instant: Instant): string => isoInstant(instant).replace(/[-:]|\.\d+/g, '');

const MAX_OCTETS = 75;

/** In UTF-8. */
const octetsOf = (character: string): number => {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
};

/** A line of at most 75 octets, then as many that begin with a space; no character is split (RFC 5545, 3.1). */
export const folded = (line: string): string => {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character);
    if (octets + size > MAX_OCTETS) {
      lines.push(current);
      [current, octets] = [' ', 1];
    }
    current += character;
    octets += size;
  }
  return [...lines, current].join('\r\n');
};

export const calendarFile = (event: CalendarEvent): string => {
  const text = (name: string, value: string): string =>
    `${name};LANGUAGE=${event.language}:${textValue(value)}`;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Ahwa//Bookings//EN',
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${dateTime(event.writtenAt)}`,
    `DTSTART:${dateTime(event.stay.start)}`,
    `DTEND:${dateTime(event.stay.end)}`,
    `STATUS:${STATUS[event.status]}`,
    text('SUMMARY', event.summary),
    text('DESCRIPTION', event.description),
    text('LOCATION', event.location),
    `URL:${event.url}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
};
