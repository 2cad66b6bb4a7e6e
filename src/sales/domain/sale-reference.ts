import type { LocalDate } from '../../kernel/time.ts';

/** `ZML-261204-0007`: the seventh sale of the branch on that business date (Decisions 12, Sale). */
export const saleReference = (branchCode: string, date: LocalDate, number: number): string =>
  `${branchCode}-${date.slice(2).replaceAll('-', '')}-${String(number).padStart(4, '0')}`;
