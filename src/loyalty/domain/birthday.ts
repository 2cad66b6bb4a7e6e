/** Birthdays without a year (Decisions 11). */

export interface Birthday {
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** Of each month, in a leap year: 29 February is a birthday. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

export const isBirthday = ({ month, day }: Birthday): boolean =>
  Number.isInteger(day) && day >= 1 && day <= (DAYS[month - 1] ?? 0);
