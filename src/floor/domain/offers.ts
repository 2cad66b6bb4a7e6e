/** The deals of a check, each for the lines that were fired while it was on offer (Decisions 12). */
import type { Deal } from '../../menu/domain/menubook.ts';
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

/** A unit counts in the deals that were on offer when it was fired. */
export const dealProblem = (lines: readonly OfferedUnits[]): DealProblem => {
  const all = new Map(lines.flatMap(({ offers }) => offers.map((deal) => [versionOf(deal), deal] as const)));
  const units = lines.map(({ units: own, offers }) => ({
    ...own,
    offered: new Set(offers.flatMap((deal) => all.get(versionOf(deal)) ?? [])),
  }));
  return { units, deals: [...all.values()] };
};
