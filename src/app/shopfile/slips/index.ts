/** What a file makes of a shop that is allowed and looks like a slip. */
import type { ShopRows } from '../../../store/shopfile/tables.ts';
import { dealSlips } from './deals.ts';
import { phoneSlips } from './phones.ts';
import { priceSlips } from './prices.ts';
import type { Slip } from './slip.ts';

const slipsIn = (rows: ShopRows): Slip[] => [...priceSlips(rows), ...dealSlips(rows), ...phoneSlips(rows)];

/** Sentences about what looks like a slip in `after` and was not there in `before`. */
export const newSlips = (before: ShopRows, after: ShopRows): string[] => {
  const found = slipsIn(after);
  if (found.length === 0) return [];
  const known = new Set(slipsIn(before).map(({ key }) => key));
  return found.filter(({ key }) => !known.has(key)).map(({ text }) => text);
};
