/** Sizes have no ids: within an item, a size is its label in the main language. */
import { entryPath, fieldPath } from '../../domain/json.ts';
import { didYouMean } from '../../domain/text.ts';
import { sameForm } from '../identity.ts';
import { mainText } from '../localized.ts';
import { indexIn, type ItemEntry, type Reading } from './reading.ts';

/** The item that stands at `path`. */
export const itemAt = ({ file }: Reading, path: string): ItemEntry | null =>
  file.menu.items?.[indexIn(path)] ?? null;

export const sizeLabels = ({ main }: Reading, item: ItemEntry): string[] =>
  (item.sizes ?? []).map(({ label }) => mainText(label, main));

/** Whether a size of the item that stands at `path` may be missing because its entry is at fault. */
const hasWrongSizes = ({ register }: Reading, item: ItemEntry, path: string): boolean => {
  const sizes = fieldPath(path, 'sizes');
  return (
    register.isWrong(sizes) ||
    (item.sizes ?? []).some((_, index) => register.isWrong(fieldPath(entryPath(sizes, index), 'label')))
  );
};

/** The label, as the item writes it, of the size that `reference` names; null, and a fault at `path`, for none. */
export const resolveSize = (
  reading: Reading,
  item: { readonly entry: ItemEntry; readonly path: string },
  reference: string,
  path: string,
): string | null => {
  if (reading.register.isWrong(path)) return null;
  const labels = sizeLabels(reading, item.entry);
  const found = labels.find((label) => sameForm(label) === sameForm(reference));
  if (found !== undefined) return found;
  if (!hasWrongSizes(reading, item.entry, item.path)) {
    const problem = labels.length === 0 ? 'names a size, but the item has none' : 'names no size of the item';
    reading.faults.add(path, `${problem}: ‘${reference}’${didYouMean(reference, labels)}`);
  }
  return null;
};
