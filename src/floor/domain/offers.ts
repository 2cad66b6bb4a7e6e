/** The deals of a check, each for the lines that were fired while it was on offer (Decisions 12). */
import { groupBy } from '../../kernel/group-by.ts';
import type { Deal, DealPoolEntry } from '../../menu/domain/menubook.ts';
import type { DealUnits } from '../../pricing/domain/deals/types.ts';

/** The units of one line, and the deals that were on offer when they were fired. */
export interface OfferedUnits {
  readonly units: DealUnits;
  readonly offers: readonly Deal[];
}

export interface DealProblem {
  readonly units: readonly DealUnits[];
  readonly deals: readonly Deal[];
}

/** Two versions of a deal are two deals. */
const versionOf = ({ id, updatedAt }: Deal): string => `${id} ${updatedAt}`;

type Pools = Pick<Deal, 'pool' | 'rewardPool'>;

const union = (copies: readonly Deal[], pool: keyof Pools): readonly DealPoolEntry[] => {
  const entries = copies.flatMap((copy) => copy[pool]);
  return [...new Map(entries.map((entry) => [JSON.stringify(Object.entries(entry).sort()), entry])).values()];
};

/**
 * A round has a deal without the entries of its pools that nothing on the menu matched at that time. With those of all rounds
 * each unit counts as it did in its own.
 */
const merged = (copies: readonly Deal[]): readonly Deal[] =>
  copies.length === 1
    ? copies
    : copies.slice(0, 1).map((deal) => ({
        ...deal,
        pool: union(copies, 'pool'),
        rewardPool: union(copies, 'rewardPool'),
      }));

/** A unit counts in the deals that were on offer when it was fired. */
export const dealProblem = (lines: readonly OfferedUnits[]): DealProblem => {
  // The lines of a round share its deals.
  const copies = groupBy([...new Set(lines.flatMap(({ offers }) => offers))], versionOf);
  const all = new Map([...copies].flatMap(([version, own]) => merged(own).map((deal) => [version, deal])));
  const units = lines.map(({ units: own, offers }) => ({
    ...own,
    offered: new Set(offers.flatMap((deal) => all.get(versionOf(deal)) ?? [])),
  }));
  // Not by the order of rounds, where two versions would be equal.
  return { units, deals: [...all.values()].toSorted((a, b) => a.updatedAt - b.updatedAt) };
};
