/** Converts a file that satisfies the schema into rows, and reports every semantic fault. */
import type { ShopFile } from '../../contract/shopfile.ts';
import type { Instant } from '../../../kernel/time.ts';
import { noRows, type ShopRows } from '../../store/tables.ts';
import type { Faults } from '../faults.ts';
import { indexEntities, type EntityIndex } from '../entity-index.ts';
import { readBranches } from './branch.ts';
import { readCombos } from './combos.ts';
import { readDeals, readDiscounts } from './deals.ts';
import { readItems } from './items.ts';
import { readLoyalty } from './loyalty.ts';
import { readAddons, readCategories, readGroups } from './menu.ts';
import type { ReadContext } from './context.ts';
import { readShop } from './shop.ts';
import { readStaff } from './staff.ts';
import { checkTexts } from './values.ts';

/** Ordered so that referenced rows are read first. */
const READERS: readonly ((context: ReadContext) => void)[] = [
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
  readLoyalty,
];

/** `malformed`: paths that hold placeholders since the schema check. */
export const readShopFile = (
  file: ShopFile,
  malformed: ReadonlySet<string>,
  faults: Faults,
  now: Instant,
): { readonly entityIndex: EntityIndex; readonly rows: ShopRows } => {
  const invalidPaths = new Set([...malformed, ...checkTexts(file, '', faults)]);
  const entityIndex = indexEntities(file, invalidPaths, faults);
  const rows = noRows();
  const context: ReadContext = { file, main: entityIndex.main, entityIndex, faults, now, rows };
  for (const read of READERS) read(context);
  return { entityIndex, rows };
};
