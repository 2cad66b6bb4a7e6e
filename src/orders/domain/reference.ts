import type { LocalDate } from '../../kernel/time.ts';

/**
 * What an order is called aloud: `D-ZML-261204-0007`, the seventh of its branch on that business date, on every online
 * channel (Decisions 8). Beyond 9,999 the number grows.
 */
export const deliveryRef = (branchCode: string, date: LocalDate, number: number): string =>
  `D-${branchCode}-${date.slice(2).replaceAll('-', '')}-${String(number).padStart(4, '0')}`;

/** The number in a reference of that branch and date; null for any other text. */
export const numberInRef = (reference: string, branchCode: string, date: LocalDate): number | null => {
  const number = Number(/[0-9]+$/.exec(reference)?.[0] ?? 0);
  return deliveryRef(branchCode, date, number) === reference ? number : null;
};
