/** Which greeting a member is due on a date of the shop (Decisions 11, Birthday and win-back). */
import {
  addDays,
  localDateOf,
  resolveStart,
  type Instant,
  type LocalDate,
  type ZoneId,
} from '../../kernel/time.ts';
import type { Birthday } from './birthday.ts';
import type { Programme } from './programme.ts';

export type GreetingKind = 'birthday' | 'win_back';

const GREETING_TIME = 10 * 60;

export const greetingTime = (zone: ZoneId, date: LocalDate): Instant =>
  resolveStart(zone, date, GREETING_TIME);

/** The date on the shop's clock from 10:00 until the end of the day; null before 10:00. */
export const greetingDate = (zone: ZoneId, now: Instant): LocalDate | null => {
  const date = localDateOf(zone, now);
  return now < greetingTime(zone, date) ? null : date;
};

const LEAP_DAY: Birthday = { month: 2, day: 29 };

/** The birthdays that are kept on the date: 29 February on the 28th, where the year has no 29th. */
export const birthdaysOn = (date: LocalDate): readonly Birthday[] => {
  const own = { month: Number(date.slice(5, 7)), day: Number(date.slice(8)) };
  const isShortFebruary = date.slice(5) === '02-28' && addDays(date, 1).endsWith('03-01');
  return isShortFebruary ? [own, LEAP_DAY] : [own];
};

/** What a shop greets. */
export interface GreetingRules {
  readonly areBirthdaysGreeted: boolean;
  /** Null: absences are not greeted. */
  readonly awayDays: number | null;
}

export const greetingRulesOf = ({
  isEnabled,
  birthday,
  winBack,
}: Pick<Programme, 'isEnabled' | 'birthday' | 'winBack'>): GreetingRules => ({
  areBirthdaysGreeted: isEnabled && birthday.isEnabled,
  awayDays: isEnabled && winBack.isEnabled ? winBack.afterDays : null,
});

/** Whom a shop greets on a date. */
export interface GreetingDay {
  readonly zone: ZoneId;
  readonly date: LocalDate;
  readonly birthdays: readonly Birthday[];
  /** A member who was last here before this has been away long enough; null: absences are not greeted. */
  readonly awayBefore: Instant | null;
}

export const greetingDayOf = (
  { areBirthdaysGreeted, awayDays }: GreetingRules,
  zone: ZoneId,
  date: LocalDate,
): GreetingDay => ({
  ...{ zone, date, birthdays: areBirthdaysGreeted ? birthdaysOn(date) : [] },
  awayBefore: awayDays === null ? null : resolveStart(zone, addDays(date, 1 - awayDays), 0),
});

export const birthdayOccasion = (date: LocalDate): string => date.slice(0, 4);

export interface GreetedMember {
  readonly birthday: Birthday | null;
  /** The last visit; null: that absence was greeted or passed over. */
  readonly absentSince: Instant | null;
  /** The phone is proven, and its owner wants such messages. */
  readonly isReachable: boolean;
}

export type DueGreeting =
  | { readonly kind: 'birthday'; readonly occasion: string }
  /** `isGreeted`: false for an absence that is passed over, since the member cannot be reached. */
  | { readonly kind: 'win_back'; readonly occasion: LocalDate; readonly isGreeted: boolean };

/** One message a day: an absence that falls due on a birthday is greeted the day after. Null: none is due. */
export const dueGreeting = (
  { birthday, absentSince, isReachable }: GreetedMember,
  { zone, date, birthdays, awayBefore }: GreetingDay,
): DueGreeting | null => {
  if (birthdays.some(({ month, day }) => month === birthday?.month && day === birthday.day))
    return isReachable ? { kind: 'birthday', occasion: birthdayOccasion(date) } : null;
  if (absentSince === null || awayBefore === null || absentSince >= awayBefore) return null;
  return { kind: 'win_back', occasion: localDateOf(zone, absentSince), isGreeted: isReachable };
};
