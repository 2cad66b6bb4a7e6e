/** From a file of good form to the rows it describes; every fault of meaning is reported on the way. */
import type { ShopFile } from '../../contract/shopfile.ts';
import type { Instant } from '../../../kernel/time.ts';
import { noRows, type ShopRows } from '../../store/tables.ts';
import type { Faults } from '../faults.ts';
import { registerThings, type Register } from '../register.ts';
import { readBranches } from './branch.ts';
import { readCombos } from './combos.ts';
import { readDeals, readDiscounts } from './deals.ts';
import { readItems } from './items.ts';
import { readAddons, readCategories, readGroups } from './menu.ts';
import type { Reading } from './reading.ts';
import { readShop } from './shop.ts';
import { readStaff } from './staff.ts';
import { checkTexts } from './values.ts';

/** In an order in which each finds what it refers to. */
const TOPICS: readonly ((reading: Reading) => void)[] = [
  readShop,
  readBranches,
  readStaff,
  readCategories,
  readAddons,
  readGroups,
  readItems,
  readCombos,
  readDeals,
  readDiscounts,
];

/** `malformed` holds the paths whose form was at fault, and which are no longer what the owner wrote. */
export const readShopFile = (
  file: ShopFile,
  malformed: ReadonlySet<string>,
  faults: Faults,
  now: Instant,
): { readonly register: Register; readonly rows: ShopRows } => {
  const wrong = new Set([...malformed, ...checkTexts(file, '', faults)]);
  const register = registerThings(file, wrong, faults);
  const rows = noRows();
  const reading: Reading = { file, main: register.main, register, faults, now, rows };
  for (const read of TOPICS) read(reading);
  return { register, rows };
};
