import type { DealEntry } from '../read/context.ts';
import type { PoolRow } from '../read/pool.ts';
import { byOrder, ifPresent, refer, type WriteContext } from './context.ts';

/** Entries whose target was archived are left out. */
export const writePool = (context: WriteContext, rows: readonly PoolRow[] = []): DealEntry['pool'] =>
  byOrder(rows).flatMap((row) => {
    const target = {
      ...ifPresent('category', refer(context, row.category_id)),
      ...ifPresent('item', refer(context, row.menu_item_id)),
    };
    return Object.keys(target).length === 0 ? [] : [{ ...target, ...ifPresent('size', row.size_label) }];
  });
