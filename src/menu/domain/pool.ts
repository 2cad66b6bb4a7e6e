import type { Uuid } from '../../kernel/ids.ts';
import type { DealPoolEntry } from './menubook.ts';

/** What a pool looks at in a unit of an item. */
export interface PoolUnit {
  readonly itemId: Uuid;
  readonly categoryId: Uuid | null;
  /** '' for an item without sizes. */
  readonly sizeLabel: string;
}

/** An entry as rows have it, of which one id is set; none where neither is. */
export const poolEntry = (
  categoryId: Uuid | null | undefined,
  menuItemId: Uuid | null | undefined,
  sizeLabel: string | null | undefined,
): DealPoolEntry[] => {
  const size = { sizeLabel: sizeLabel ?? null };
  if (categoryId) return [{ categoryId, menuItemId: null, ...size }];
  return menuItemId ? [{ categoryId: null, menuItemId, ...size }] : [];
};

/** Whether a unit belongs to the pool (Shapes, DealPoolEntry). */
export const countsTowards = (unit: PoolUnit, entries: readonly DealPoolEntry[]): boolean =>
  entries.some(
    ({ categoryId, menuItemId, sizeLabel }) =>
      (categoryId === null ? menuItemId === unit.itemId : categoryId === unit.categoryId) &&
      (sizeLabel === null || sizeLabel === unit.sizeLabel),
  );
