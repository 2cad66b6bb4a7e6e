/** Notes of the report: how a menu table was matched and merged. */
import type { Group } from './row-groups.ts';
import type { Match } from './existing-menu.ts';
import type { MergedSizes } from './sizes.ts';

export interface MergedGroup {
  readonly group: Group;
  readonly match: Match;
  readonly sized: MergedSizes;
  /** In the main language. */
  readonly name: string;
}

const MAX_NAMED = 3;

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** `row 2 ‘x’, row 5 ‘y’ and 7 more`. */
const rowsNamed = (all: readonly MergedGroup[]): string => {
  const shown = all.slice(0, MAX_NAMED).map(({ group, name }) => `row ${group.first.row} ‘${name}’`);
  return `${shown.join(', ')}${all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : ''}`;
};

const sizesNote = ({ group, match, name, sized }: MergedGroup, removeMissing: boolean): string => {
  const [added, ...more] = sized.added;
  const isRename = match.by === 'id' && more.length === 0 && sized.missing.length === 1;
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
  all: readonly MergedGroup[],
  itemsBefore: number,
  removeMissing: boolean,
): string[] => {
  const byNameAlone = all.filter(({ match }) => match.by === 'name alone');
  const matched = all.filter(({ match }) => match.by !== 'none').length;
  const untouched = itemsBefore - matched;
  return [
    ...(byNameAlone.length === 0
      ? []
      : [`found by name alone: ${rowsNamed(byNameAlone)}; with an id or a category there can be no mistake`]),
    ...all.filter(({ sized }) => sized.missing.length > 0).map((one) => sizesNote(one, removeMissing)),
    ...(untouched === 0
      ? []
      : [
          `${counted(untouched, 'item is', 'items are')} not in the file, and ${untouched === 1 ? 'stays as it is' : 'stay as they are'}`,
        ]),
  ];
};
