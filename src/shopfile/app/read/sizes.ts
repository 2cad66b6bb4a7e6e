/** Resolves sizes by their label in the main language; sizes have no ids. */
import { entryPath, fieldPath } from '../../domain/json.ts';
import { didYouMean } from '../../domain/text.ts';
import { normalizedName } from '../entity-ids.ts';
import { mainText } from '../localized.ts';
import { entryIndex, type ItemEntry, type ReadContext } from './context.ts';

export const itemAt = ({ file }: ReadContext, path: string): ItemEntry | null =>
  file.menu.items?.[entryIndex(path)] ?? null;

export const sizeLabels = ({ main }: ReadContext, item: ItemEntry): string[] =>
  (item.sizes ?? []).map(({ label }) => mainText(label, main));

/** A size of the item may be missing, because of an invalid entry. */
const hasInvalidSizes = ({ entityIndex }: ReadContext, item: ItemEntry, path: string): boolean => {
  const sizes = fieldPath(path, 'sizes');
  return (
    entityIndex.isInvalid(sizes) ||
    (item.sizes ?? []).some((_, index) => entityIndex.isInvalid(fieldPath(entryPath(sizes, index), 'label')))
  );
};

/** The label as the item writes it; null, with a fault at `path`, if no size matches. */
export const resolveSize = (
  context: ReadContext,
  item: { readonly entry: ItemEntry; readonly path: string },
  reference: string,
  path: string,
): string | null => {
  if (context.entityIndex.isInvalid(path)) return null;
  const labels = sizeLabels(context, item.entry);
  const found = labels.find((label) => normalizedName(label) === normalizedName(reference));
  if (found !== undefined) return found;
  if (!hasInvalidSizes(context, item.entry, item.path)) {
    const problem = labels.length === 0 ? 'names a size, but the item has none' : 'names no size of the item';
    context.faults.add(path, `${problem}: ‘${reference}’${didYouMean(reference, labels)}`);
  }
  return null;
};
