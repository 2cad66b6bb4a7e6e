import type { LocalDate } from '../../kernel/time.ts';

/**
 * `D-ZML-261204-0007`: the seventh order of the branch on that business date, over all online channels
 * (Decisions 8). The number grows beyond four digits.
 */
export const deliveryRef = (branchCode: string, date: LocalDate, number: number): string =>
  `D-${branchCode}-${date.slice(2).replaceAll('-', '')}-${String(number).padStart(4, '0')}`;

/** Whether the text has the form of a reference. */
export const isDeliveryRef = (text: string): boolean => /^D-[A-Z0-9]{1,8}-\d{6}-\d{4,9}$/.test(text);

/** Null: not a reference of that branch and date. */
export const numberInRef = (reference: string, branchCode: string, date: LocalDate): number | null => {
  const number = Number(/[0-9]+$/.exec(reference)?.[0] ?? 0);
  return deliveryRef(branchCode, date, number) === reference ? number : null;
};
