/** What a file makes of a shop that is allowed and looks like a slip. */
import type { ShopRows } from '../../store/tables.ts';
import { dealSlips } from './deals.ts';
import { choiceSlips, twinSlips } from './items.ts';
import { phoneSlips } from './phones.ts';
import { priceJumps, priceSlips } from './prices.ts';
import type { Slip } from './slip.ts';

const SLIPS: readonly ((rows: ShopRows) => Slip[])[] = [
  ...[priceSlips, dealSlips, twinSlips, choiceSlips, phoneSlips],
];

const slipsIn = (rows: ShopRows): Slip[] => SLIPS.flatMap((look) => look(rows));

/** Sentences about what looks like a slip in `after` and was not there in `before`. */
export const newSlips = (before: ShopRows, after: ShopRows): string[] => {
  const found = slipsIn(after);
  const known = found.length === 0 ? new Set() : new Set(slipsIn(before).map(({ key }) => key));
  const fresh = found.filter(({ key }) => !known.has(key));
  const told = new Set(fresh.map(({ key }) => key));
  const jumps = priceJumps(before, after).filter(({ key }) => !told.has(key));
  return [...fresh, ...jumps].map(({ text }) => text);
};
