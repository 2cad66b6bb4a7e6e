/** The times of a service date, as a guest reads them: by part of the day, on the clock of the branch. */
import type { Reply } from '../../../../client/client.ts';
import type { Instant, LocalDate, ZoneId } from '../../../../kernel/time.ts';

export type Slots = Reply<'getBookingSlots'>;
export type Slot = Slots['slots'][number];

/** `night`: after midnight, on the night of the date. */
const PARTS = ['morning', 'afternoon', 'evening', 'night'] as const;
export type PartOfDay = (typeof PARTS)[number];

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOON = 12 * 60;
const EVENING = 17 * 60;

const clocks = new Map<ZoneId, Intl.DateTimeFormat>();

const clockOf = (zone: ZoneId): Intl.DateTimeFormat => {
  const known =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone: zone, hourCycle: 'h23' },
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    });
  clocks.set(zone, known);
  return known;
};

/** What calendar and clock of a zone show. */
const wallOf = (zone: ZoneId, instant: Instant): { readonly date: LocalDate; readonly minutes: number } => {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    minutes: Number(part('hour')) * 60 + Number(part('minute')),
  };
};

export const localDate = (zone: ZoneId, instant: Instant): LocalDate => wallOf(zone, instant).date;

export const showSameTime = (one: ZoneId, other: ZoneId, instant: Instant): boolean =>
  clockOf(one).format(instant) === clockOf(other).format(instant);

const addDays = (date: LocalDate, days: number): LocalDate =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** From `first` to `last`, both included. */
export const datesBetween = (first: LocalDate, last: LocalDate): readonly LocalDate[] => {
  const dates: LocalDate[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) dates.push(date);
  return dates;
};

/** 0: the first day of the week in Egypt, Saturday. */
export const columnOf = (date: LocalDate): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 1) % 7;

/** By how much clocks are set back anywhere, in minutes. */
const SHIFTS = [60, 30, 120];

/** Which of two equal times of the clock it is, where the clock is set back; null: the time comes once. */
export const passOf = (zone: ZoneId, instant: Instant): 'first' | 'second' | null => {
  const shown = clockOf(zone).format(instant);
  const isShownAt = (minutes: number): boolean => clockOf(zone).format(instant + minutes * MINUTE) === shown;
  if (SHIFTS.some((minutes) => isShownAt(minutes))) return 'first';
  return SHIFTS.some((minutes) => isShownAt(-minutes)) ? 'second' : null;
};

const partOf = (zone: ZoneId, serviceDate: LocalDate, instant: Instant): PartOfDay => {
  const { date, minutes } = wallOf(zone, instant);
  if (date > serviceDate) return 'night';
  if (minutes < NOON) return 'morning';
  return minutes < EVENING ? 'afternoon' : 'evening';
};

/** Parts without a time are left out. */
export const byPart = ({
  date,
  timezone,
  slots,
}: Slots): readonly { readonly part: PartOfDay; readonly slots: readonly Slot[] }[] =>
  PARTS.map((part) => ({
    part,
    slots: slots.filter(({ starts_at }) => partOf(timezone, date, Date.parse(starts_at)) === part),
  })).filter((each) => each.slots.length > 0);

const MOST_NEAR = 4;

/** The free times nearest to one, by the clock. */
export const nearestTo = (start: string, { slots }: Slots): readonly Slot[] => {
  const distance = (slot: Slot): number => Math.abs(Date.parse(slot.starts_at) - Date.parse(start));
  return slots
    .filter(({ available, starts_at }) => available && starts_at !== start)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, MOST_NEAR)
    .sort((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at));
};
