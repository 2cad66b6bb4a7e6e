import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Instant, ZoneId } from '../../kernel/time.ts';
import type { Birthday } from './birthday.ts';
import {
  birthdaysOn,
  dueGreeting,
  greetingDate,
  greetingDayOf,
  type GreetedMember,
  type GreetingRules,
} from './greeting.ts';

const CAIRO = 'Africa/Cairo';
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const at = (text: string): Instant => Date.parse(text);

const BOTH: GreetingRules = { areBirthdaysGreeted: true, awayDays: 60 };
const aMember = (facts: Partial<GreetedMember> = {}): GreetedMember => ({
  ...{ birthday: null, absentSince: null, isReachable: true },
  ...facts,
});

const dueAt = (
  now: string,
  member: Partial<GreetedMember>,
  rules: GreetingRules = BOTH,
  zone: ZoneId = CAIRO,
): ReturnType<typeof dueGreeting> => {
  const date = greetingDate(zone, at(now));
  return date === null ? null : dueGreeting(aMember(member), greetingDayOf(rules, zone, date));
};

describe('a day of greetings', () => {
  test('begins at 10:00 on the shop’s clock, in summer and in winter, and ends with its date', () => {
    expect(greetingDate(CAIRO, at('2026-11-20T08:00:00Z') - 1)).toBeNull();
    expect(greetingDate(CAIRO, at('2026-11-20T08:00:00Z'))).toBe('2026-11-20');
    expect(greetingDate(CAIRO, at('2026-11-20T22:00:00Z') - 1)).toBe('2026-11-20');
    expect(greetingDate(CAIRO, at('2026-11-20T22:00:00Z'))).toBeNull();
    expect(greetingDate(CAIRO, at('2026-07-20T07:00:00Z') - 1)).toBeNull();
    expect(greetingDate(CAIRO, at('2026-07-20T07:00:00Z'))).toBe('2026-07-20');
  });

  test('is there on the days on which Cairo’s clock changes', () => {
    expect(greetingDate(CAIRO, at('2026-04-24T07:00:00Z') - 1)).toBeNull();
    expect(greetingDate(CAIRO, at('2026-04-24T07:00:00Z'))).toBe('2026-04-24');
    expect(greetingDate(CAIRO, at('2026-10-29T07:00:00Z'))).toBe('2026-10-29');
    // The hour that Cairo doubles before midnight belongs to the day.
    expect(greetingDate(CAIRO, at('2026-10-29T22:00:00Z') - 1)).toBe('2026-10-29');
  });
});

describe('29 February', () => {
  const LEAP: Birthday = { month: 2, day: 29 };
  test('is kept on the 28th in years that have no 29th', () => {
    expect(birthdaysOn('2027-02-28')).toEqual([{ month: 2, day: 28 }, LEAP]);
    expect(birthdaysOn('2028-02-28')).toEqual([{ month: 2, day: 28 }]);
    expect(birthdaysOn('2028-02-29')).toEqual([LEAP]);
    expect(birthdaysOn('2100-02-28')).toEqual([{ month: 2, day: 28 }, LEAP]);
    expect(birthdaysOn('2027-03-01')).toEqual([{ month: 3, day: 1 }]);
  });
});

describe('an absence', () => {
  const absentSince = at('2026-09-20T21:30:00Z'); // 21 September 00:30 in Cairo

  test('is due once so many dates of the shop have passed since the last visit', () => {
    expect(dueAt('2026-11-19T10:00:00Z', { absentSince })).toBeNull();
    const due = { kind: 'win_back', occasion: '2026-09-21', isGreeted: true };
    expect(dueAt('2026-11-20T07:59:59Z', { absentSince })).toBeNull();
    expect(dueAt('2026-11-20T08:00:00Z', { absentSince })).toEqual(due);
    expect(dueAt('2027-03-01T09:00:00Z', { absentSince })).toEqual(due);
  });

  test('is passed over where the member cannot be reached', () => {
    expect(dueAt('2026-11-20T08:00:00Z', { absentSince, isReachable: false })).toMatchObject({
      isGreeted: false,
    });
  });

  test('that falls due on a birthday waits for the day after', () => {
    const birthday = { month: 11, day: 20 };
    expect(dueAt('2026-11-20T08:00:00Z', { absentSince, birthday })).toEqual({
      kind: 'birthday',
      occasion: '2026',
    });
    expect(dueAt('2026-11-21T08:00:00Z', { absentSince, birthday })?.kind).toBe('win_back');
    const noBirthdays = { ...BOTH, areBirthdaysGreeted: false };
    expect(dueAt('2026-11-20T08:00:00Z', { absentSince, birthday }, noBirthdays)?.kind).toBe('win_back');
  });
});

test('nothing is due where the shop greets nobody', () => {
  const rules: GreetingRules = { areBirthdaysGreeted: false, awayDays: null };
  const member = { birthday: { month: 11, day: 20 }, absentSince: 0 };
  expect(dueAt('2026-11-20T09:00:00Z', member, rules)).toBeNull();
});

// ── An oracle that reads the wall clock of every hour ───────────────────────────────────────────

interface Wall {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
}

const formats = new Map<ZoneId, Intl.DateTimeFormat>();
const wallAt = (zone: ZoneId, instant: Instant): Wall => {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const;
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...fields });
  formats.set(zone, format);
  const parts = format.formatToParts(instant);
  const read = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value);
  return { year: read('year'), month: read('month'), day: read('day'), hour: read('hour') };
};

/** Days counted one by one on the calendar of the zone. */
const dayNumber = ({ year, month, day }: Wall): number => Date.UTC(year, month - 1, day) / DAY;

const hasLeapDay = (year: number): boolean => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;

const expectedKind = (member: GreetedMember, zone: ZoneId, now: Instant, awayDays: number): string | null => {
  const wall = wallAt(zone, now);
  if (wall.hour < 10) return null;
  const { birthday, absentSince } = member;
  if (birthday !== null) {
    const isMoved = birthday.month === 2 && birthday.day === 29 && !hasLeapDay(wall.year);
    if (birthday.month === wall.month && (isMoved ? 28 : birthday.day) === wall.day) return 'birthday';
  }
  if (absentSince === null) return null;
  return dayNumber(wall) - dayNumber(wallAt(zone, absentSince)) >= awayDays ? 'win_back' : null;
};

const ZONES = [
  CAIRO,
  'Africa/Casablanca',
  'Europe/London',
  'America/Havana',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'UTC',
];
const HOUR_0 = at('2024-01-01T00:00:00Z') / HOUR;
const anHour = fc.integer({ min: 0, max: 12 * 366 * 24 }).map((hours) => (HOUR_0 + hours) * HOUR);
const aBirthday = fc
  .integer({ min: 0, max: 365 })
  .map((day) => new Date(Date.UTC(2024, 0, 1 + day)))
  .map((date) => ({ month: date.getUTCMonth() + 1, day: date.getUTCDate() }));

test('any member in any zone and year is due what a reading of the wall clock says', () => {
  fc.assert(
    fc.property(
      fc.record({
        zone: fc.constantFrom(...ZONES),
        absentSince: fc.option(anHour),
        birthday: fc.option(aBirthday),
        awayDays: fc.integer({ min: 1, max: 90 }),
        later: fc.integer({ min: 0, max: 100 * 24 }),
        now: anHour,
      }),
      ({ zone, absentSince, birthday, awayDays, later, now: other }) => {
        const member = aMember({ absentSince, birthday });
        // Near the end of the absence, or anywhere.
        const now = absentSince === null ? other : absentSince + later * HOUR;
        const date = greetingDate(zone, now);
        const rules = { areBirthdaysGreeted: true, awayDays };
        const due = date === null ? null : dueGreeting(member, greetingDayOf(rules, zone, date));
        expect(due?.kind ?? null).toBe(expectedKind(member, zone, now, awayDays));
      },
    ),
    { numRuns: 2000 },
  );
});

test('every birthday has one date in each of 130 years', () => {
  const kept = new Map<string, number>();
  for (let day = Date.UTC(1990, 0, 1); day < Date.UTC(2120, 0, 1); day += DAY) {
    const date = new Date(day).toISOString().slice(0, 10);
    for (const { month, day: dayOfMonth } of birthdaysOn(date)) {
      const key = `${date.slice(0, 4)} ${month} ${dayOfMonth}`;
      kept.set(key, (kept.get(key) ?? 0) + 1);
    }
  }
  expect(kept.size).toBe(130 * 366);
  expect([...kept.values()].every((dates) => dates === 1)).toBe(true);
});
