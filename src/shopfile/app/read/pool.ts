/** Reads pools: lists of items and categories that a deal or a reward covers. */
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { didYouMean } from '../../domain/text.ts';
import { normalizedName } from '../entity-ids.ts';
import type { Entity } from '../entity-index.ts';
import type { DealEntry, ReadContext } from './context.ts';
import { itemAt, resolveSize, sizeLabels } from './sizes.ts';

type PoolEntry = DealEntry['pool'][number];

export interface PoolRow {
  readonly sort: number;
  readonly category_id: Uuid | null;
  readonly menu_item_id: Uuid | null;
  readonly size_label: string | null;
}

/** Reports and skips entries that name nothing. */
export const readPool = (
  context: ReadContext,
  entries: readonly PoolEntry[],
  path: string,
): readonly PoolRow[] =>
  entries.flatMap((entry, sort) => {
    const at = entryPath(path, sort);
    if ((entry.category === undefined) === (entry.item === undefined))
      context.faults.rule(at, '', 'needs `category` or `item`, and not both');
    const target = poolTarget(context, entry, at);
    if (target === null) return [];
    const size =
      entry.size === undefined ? null : poolSize(context, target, entry.size, fieldPath(at, 'size'));
    return [
      {
        sort,
        category_id: target.kind === 'category' ? target.id : null,
        menu_item_id: target.kind === 'item' ? target.id : null,
        size_label: size,
      },
    ];
  });

/** A pool covers plain items, not combos (Decisions 7.4). */
const poolTarget = (
  { entityIndex }: ReadContext,
  { category, item }: PoolEntry,
  path: string,
): Entity | null => {
  const named =
    category === undefined ? null : entityIndex.resolve('category', category, fieldPath(path, 'category'));
  const single = item === undefined ? null : entityIndex.resolve('item', item, fieldPath(path, 'item'));
  return named ?? single;
};

/** The item, or some item of the category, must have the size. */
const poolSize = (context: ReadContext, target: Entity, reference: string, path: string): string | null => {
  const { file, rows, entityIndex, faults } = context;
  if (target.kind === 'item') {
    const entry = itemAt(context, target.path);
    return entry === null ? null : resolveSize(context, { entry, path: target.path }, reference, path);
  }
  const inCategory = new Set(
    rows.menu_item.filter((row) => row.category_id === target.id && row.kind === 'item').map((row) => row.id),
  );
  const items = (file.menu.items ?? []).filter((_, index) =>
    inCategory.has(entityIndex.idAt(entryPath('menu.items', index))),
  );
  const labels = items.flatMap((item) => sizeLabels(context, item));
  const found = labels.find((label) => normalizedName(label) === normalizedName(reference));
  if (found === undefined && !entityIndex.isInvalid(path) && !entityIndex.isIncomplete('item'))
    faults.add(
      path,
      `names no size of any item of the category: ‘${reference}’${didYouMean(reference, labels)}`,
    );
  return found ?? null;
};
