import type { Uuid } from '../../../kernel/ids.ts';
import type { ModifierGroup, PlainItem } from '../../../menu/domain/menubook.ts';
import type { CartFaults } from './faults.ts';

export interface ChosenOption {
  readonly addonId: Uuid;
  readonly quantity: number;
}

/** A group with the units assigned to it. */
interface Assignment {
  readonly group: ModifierGroup;
  readonly max: number;
  readonly units: Map<Uuid, number>;
}

const emptyAssignment = (group: ModifierGroup): Assignment => {
  const max = group.maxSelections ?? Infinity;
  return { group, max: group.selectionType === 'single' ? Math.min(1, max) : max, units: new Map() };
};

/** Units, not options (Decisions 7.1). */
const countIn = (assignment: Assignment): number =>
  [...assignment.units.values()].reduce((sum, units) => sum + units, 0);

const put = (assignment: Assignment, addonId: Uuid, units: number): void => {
  assignment.units.set(addonId, (assignment.units.get(addonId) ?? 0) + units);
};

const takeOne = (assignment: Assignment, addonId: Uuid): void => {
  const units = (assignment.units.get(addonId) ?? 0) - 1;
  if (units > 0) assignment.units.set(addonId, units);
  else assignment.units.delete(addonId);
};

/**
 * At least 1 if required. An optional group has its minimum only once it holds an option that no other group offers.
 */
const minimumOf = ({ group, units }: Assignment): number => {
  if (group.isRequired) return Math.max(1, group.minSelections);
  return units.size > 0 ? group.minSelections : 0;
};

/** Assigns one unit by an augmenting path: a full group may move another unit elsewhere. False when no path exists. */
const assign = (
  assignments: readonly Assignment[],
  addonId: Uuid,
  roomOf: (assignment: Assignment) => number,
  tried = new Set<Assignment>(),
): boolean => {
  const offering = assignments.filter(
    (assignment) => assignment.group.addonIds.includes(addonId) && !tried.has(assignment),
  );
  const open = offering.find((assignment) => countIn(assignment) < roomOf(assignment));
  if (open !== undefined) {
    put(open, addonId, 1);
    return true;
  }
  for (const assignment of offering) {
    tried.add(assignment);
    const moved = [...assignment.units.keys()].find((other) => assign(assignments, other, roomOf, tried));
    if (moved === undefined) continue;
    takeOne(assignment, moved);
    put(assignment, addonId, 1);
    return true;
  }
  return false;
};

/** An option of several groups; `left`: units not assigned yet. */
interface Shared {
  readonly addonId: Uuid;
  readonly first: Assignment;
  left: number;
}

/** Assigns as many units as fit. If one unit of an add-on has no path, no other unit of it has. */
const assignAll = (
  assignments: readonly Assignment[],
  shared: readonly Shared[],
  roomOf: (assignment: Assignment) => number,
): void => {
  for (const option of shared)
    while (option.left > 0 && assign(assignments, option.addonId, roomOf)) option.left -= 1;
};

/**
 * Assigns every unit to one group, minimums first, so that a choice is accepted whenever some assignment satisfies
 * every group (an option may be in several: two scoops, each of any flavour). A unit that fits nowhere overfills the
 * first group that offers it. Returns the minimum of each group.
 */
const fill = (assignments: readonly Assignment[], options: readonly ChosenOption[]): readonly number[] => {
  const shared: Shared[] = [];
  for (const { addonId, quantity } of options) {
    const [first, ...others] = assignments.filter((assignment) =>
      assignment.group.addonIds.includes(addonId),
    );
    if (first === undefined) continue;
    if (others.length === 0) put(first, addonId, quantity);
    else shared.push({ addonId, first, left: quantity });
  }
  const minimums = new Map(assignments.map((assignment) => [assignment, minimumOf(assignment)]));
  assignAll(assignments, shared, (assignment) => minimums.get(assignment) ?? 0);
  assignAll(assignments, shared, (assignment) => assignment.max);
  for (const { first, addonId, left } of shared) if (left > 0) put(first, addonId, left);
  return [...minimums.values()];
};

/** Faults of too few and too many choices, by group (Decisions 7.1); `options`: each add-on once. */
export const checkGroups = (
  item: PlainItem,
  options: readonly ChosenOption[],
  path: string,
  faults: CartFaults,
): void => {
  const assignments = item.groups.map(emptyAssignment);
  const minimums = fill(assignments, options);
  for (const [index, assignment] of assignments.entries()) {
    const { group, max } = assignment;
    const min = minimums[index] ?? 0;
    const got = countIn(assignment);
    const about = { group_id: group.id, group: group.name };
    const names = { group: group.nameTranslations };
    if (got < min) faults.refuse(path, 'MODIFIER_TOO_FEW', { ...about, min, got }, names);
    else if (got > max) faults.refuse(path, 'MODIFIER_TOO_MANY', { ...about, max, got }, names);
  }
};
