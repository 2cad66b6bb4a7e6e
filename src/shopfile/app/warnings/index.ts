/** Warnings about valid values that look like mistakes. */
import type { ShopRows } from '../../store/tables.ts';
import { dealWarnings } from './deals.ts';
import { greetingWarnings } from './greetings.ts';
import { unusedGroupWarnings, duplicateNameWarnings } from './items.ts';
import { loyaltyWarnings } from './loyalty.ts';
import { phoneWarnings } from './phones.ts';
import { priceJumps, priceWarnings } from './prices.ts';
import type { Warning } from './warning.ts';

const CHECKS: readonly ((rows: ShopRows) => Warning[])[] = [
  ...[priceWarnings, dealWarnings, duplicateNameWarnings, unusedGroupWarnings, phoneWarnings],
  loyaltyWarnings,
  greetingWarnings,
];

const warningsIn = (rows: ShopRows): Warning[] => CHECKS.flatMap((check) => check(rows));

/** Sentences about mistakes that `after` has and `before` had not. */
export const newWarnings = (before: ShopRows, after: ShopRows): string[] => {
  const found = warningsIn(after);
  const known = found.length === 0 ? new Set() : new Set(warningsIn(before).map(({ key }) => key));
  const added = found.filter(({ key }) => !known.has(key));
  const reported = new Set(added.map(({ key }) => key));
  const jumps = priceJumps(before, after).filter(({ key }) => !reported.has(key));
  return [...added, ...jumps].map(({ text }) => text);
};
