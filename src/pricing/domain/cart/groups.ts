import type { Uuid } from '../../../kernel/ids.ts';
import type { ModifierGroup, PlainItem } from '../../../menu/domain/menubook.ts';
import type { CartFaults } from './faults.ts';

/** Units of an add-on that an item's groups offer. */
export interface ChosenOption {
  readonly addonId: Uuid;
  readonly quantity: number;
}

/** A group with the choices that count in it. */
interface Tray {
  readonly group: ModifierGroup;
  readonly max: number;
  readonly held: Map<Uuid, number>;
}

const trayOf = (group: ModifierGroup): Tray => {
  const max = group.maxSelections ?? Infinity;
  return { group, max: group.selectionType === 'single' ? Math.min(1, max) : max, held: new Map() };
};

/** Quantities count (Decisions 7.1). */
const countIn = (tray: Tray): number => [...tray.held.values()].reduce((sum, units) => sum + units, 0);

const put = (tray: Tray, addonId: Uuid, units: number): void => {
  tray.held.set(addonId, (tray.held.get(addonId) ?? 0) + units);
};

const takeOne = (tray: Tray, addonId: Uuid): void => {
  const units = (tray.held.get(addonId) ?? 0) - 1;
  if (units > 0) tray.held.set(addonId, units);
  else tray.held.delete(addonId);
};

/**
 * A required group wants one at least. One that is not may be skipped; once something is in it that no other group
 * offers, it is begun and has its minimum.
 */
const leastOf = ({ group, held }: Tray): number => {
  if (group.isRequired) return Math.max(1, group.minSelections);
  return held.size > 0 ? group.minSelections : 0;
};

/**
 * Puts one unit into a tray that offers it and has room; if none has, others make way where they can go elsewhere
 * (an augmenting path, by which no tray loses a unit). False when there is no way at all.
 */
const place = (
  trays: readonly Tray[],
  addonId: Uuid,
  roomOf: (tray: Tray) => number,
  tried = new Set<Tray>(),
): boolean => {
  const homes = trays.filter((tray) => tray.group.addonIds.includes(addonId) && !tried.has(tray));
  const open = homes.find((tray) => countIn(tray) < roomOf(tray));
  if (open !== undefined) {
    put(open, addonId, 1);
    return true;
  }
  for (const tray of homes) {
    tried.add(tray);
    const leaving = [...tray.held.keys()].find((other) => place(trays, other, roomOf, tried));
    if (leaving === undefined) continue;
    takeOne(tray, leaving);
    put(tray, addonId, 1);
    return true;
  }
  return false;
};

/** An option of several groups, and how many units of it count in none yet. */
interface Shared {
  readonly addonId: Uuid;
  readonly home: Tray;
  left: number;
}

/** Places as many units as there is room for; where one unit of an add-on has no way, no other has. */
const placeAll = (
  trays: readonly Tray[],
  shared: readonly Shared[],
  roomOf: (tray: Tray) => number,
): void => {
  for (const option of shared)
    while (option.left > 0 && place(trays, option.addonId, roomOf)) option.left -= 1;
};

/**
 * Every unit counts in one group. An option of one group alone counts there; one that several offer (two scoops,
 * each of any flavour) counts where it helps: what groups need is filled first, then what they have room for. So
 * a choice is accepted whenever some way of counting it satisfies every group. What fits nowhere overfills the first
 * group that offers it. Answers what each tray must hold.
 */
const fill = (trays: readonly Tray[], options: readonly ChosenOption[]): readonly number[] => {
  const shared: Shared[] = [];
  for (const { addonId, quantity } of options) {
    const [home, ...others] = trays.filter((tray) => tray.group.addonIds.includes(addonId));
    if (home === undefined) continue;
    if (others.length === 0) put(home, addonId, quantity);
    else shared.push({ addonId, home, left: quantity });
  }
  const least = new Map(trays.map((tray) => [tray, leastOf(tray)]));
  placeAll(trays, shared, (tray) => least.get(tray) ?? 0);
  placeAll(trays, shared, (tray) => tray.max);
  for (const { home, addonId, left } of shared) if (left > 0) put(home, addonId, left);
  return [...least.values()];
};

/** Refuses, group by group, too few and too many choices (Decisions 7.1); `options`: each add-on once. */
export const checkGroups = (
  item: PlainItem,
  options: readonly ChosenOption[],
  path: string,
  faults: CartFaults,
): void => {
  const trays = item.groups.map(trayOf);
  const least = fill(trays, options);
  for (const [index, tray] of trays.entries()) {
    const { group, max } = tray;
    const min = least[index] ?? 0;
    const got = countIn(tray);
    const about = { group_id: group.id, group: group.name };
    const names = { group: group.nameTranslations };
    if (got < min) faults.refuse(path, 'MODIFIER_TOO_FEW', { ...about, min, got }, names);
    else if (got > max) faults.refuse(path, 'MODIFIER_TOO_MANY', { ...about, max, got }, names);
  }
};
