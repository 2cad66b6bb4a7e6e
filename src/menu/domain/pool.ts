import type { Uuid } from '../../kernel/ids.ts';
import type { DealPoolEntry } from './menubook.ts';

/** What a pool looks at in a unit of an item. */
export interface PoolUnit {
  readonly itemId: Uuid;
  readonly categoryId: Uuid | null;
  /** '' for an item without sizes. */
  readonly sizeLabel: string;
}

/** Whether a unit belongs to the pool (Shapes, DealPoolEntry). */
export const countsTowards = (unit: PoolUnit, entries: readonly DealPoolEntry[]): boolean =>
  entries.some(
    ({ categoryId, menuItemId, sizeLabel }) =>
      (categoryId === null ? menuItemId === unit.itemId : categoryId === unit.categoryId) &&
      (sizeLabel === null || sizeLabel === unit.sizeLabel),
  );
