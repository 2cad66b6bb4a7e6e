/** What a menu import says of how it read the table, besides what changes. */
import type { Group } from './groups.ts';
import type { Found } from './known.ts';
import type { Merged as Sized } from './sizes.ts';

/** The rows of one item, with what was made of them. */
export interface Merging {
  readonly group: Group;
  readonly found: Found;
  readonly sized: Sized;
  /** In the main language. */
  readonly name: string;
}

const NAMED = 3;

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** `row 2 ‘x’, row 5 ‘y’ and 7 more`. */
const rowsNamed = (all: readonly Merging[]): string => {
  const shown = all.slice(0, NAMED).map(({ group, name }) => `row ${group.first.row} ‘${name}’`);
  return `${shown.join(', ')}${all.length > NAMED ? ` and ${all.length - NAMED} more` : ''}`;
};

const sizesNote = ({ group, found, name, sized }: Merging, removeMissing: boolean): string => {
  const [added, ...more] = sized.added;
  const isRename = found.by === 'id' && more.length === 0 && sized.missing.length === 1;
  if (!removeMissing && added !== undefined && isRename)
    return (
      `row ${group.first.row}: ‘${name}’ sells both ‘${sized.missing.join('')}’ and ‘${added}’, which looks like a rename; ` +
      '--remove-missing-sizes takes the first out'
    );
  const sizes = sized.missing.map((label) => `‘${label}’`).join(', ');
  return removeMissing
    ? `row ${group.first.row}: ‘${name}’ loses ${sizes}, which the file does not name`
    : `row ${group.first.row}: ‘${name}’ keeps ${sizes}, which the file does not name; --remove-missing-sizes takes them out`;
};

export const mergeNotes = (
  all: readonly Merging[],
  itemsBefore: number,
  removeMissing: boolean,
): string[] => {
  const alone = all.filter(({ found }) => found.by === 'name alone');
  const known = all.filter(({ found }) => found.by !== 'none').length;
  const left = itemsBefore - known;
  return [
    ...(alone.length === 0
      ? []
      : [`found by name alone: ${rowsNamed(alone)}; with an id or a category there can be no mistake`]),
    ...all.filter(({ sized }) => sized.missing.length > 0).map((one) => sizesNote(one, removeMissing)),
    ...(left === 0
      ? []
      : [
          `${counted(left, 'item is', 'items are')} not in the file, and ${left === 1 ? 'stays as it is' : 'stay as they are'}`,
        ]),
  ];
};
