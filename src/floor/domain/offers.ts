/** The deals of a check, each for the lines that were fired while it was on offer (Decisions 12). */
import { groupBy } from '../../kernel/group-by.ts';
import type { Deal, DealPoolEntry } from '../../menu/domain/menubook.ts';
import { compiledDeals } from '../../pricing/domain/deals/compiled-deals.ts';
import type { DealUnits, OfferedDeals } from '../../pricing/domain/deals/types.ts';

/** The units of one line, and the deals that were on offer when they were fired. */
export interface OfferedUnits {
  readonly units: DealUnits;
  readonly offers: readonly Deal[];
}

export interface DealProblem {
  readonly units: readonly DealUnits[];
  readonly deals: readonly Deal[];
}

/**
 * A deal whose terms were changed is another deal from then on; one that got another name, place in the list, other
 * hours or other items in its pools is the same.
 */
const ruleOf = ({ id, terms, qty, maxPerOrder, rewardPool }: Deal): string =>
  JSON.stringify([id, Object.entries(terms).sort(), qty, maxPerOrder, rewardPool.length > 0]);

type Pools = Pick<Deal, 'pool' | 'rewardPool'>;

const union = (copies: readonly Deal[], pool: keyof Pools): readonly DealPoolEntry[] => {
  const entries = copies.flatMap((copy) => copy[pool]);
  return [...new Map(entries.map((entry) => [JSON.stringify(Object.entries(entry).sort()), entry])).values()];
};

/** The latest, with the pools of all: a round has a deal without what nothing on the menu matched at that time. */
const merged = (copies: readonly Deal[]): readonly Deal[] =>
  copies
    .toSorted((a, b) => b.updatedAt - a.updatedAt || a.sort - b.sort)
    .slice(0, 1)
    .map((deal) =>
      copies.length === 1
        ? deal
        : { ...deal, pool: union(copies, 'pool'), rewardPool: union(copies, 'rewardPool') },
    );

/** As it counted in its round: another round may have had it in another pool of a deal. */
const offeredTo = (
  units: DealUnits,
  offers: readonly Deal[],
  ofCopies: ReadonlyMap<Deal, Deal>,
): OfferedDeals => {
  const compiled = compiledDeals(offers);
  const roles = compiled.rolesOf(units);
  const dealsAt = (places: readonly number[]): ReadonlySet<Deal> =>
    new Set(
      places.flatMap((place) => {
        const copy = compiled.deals[place];
        return copy === undefined ? [] : (ofCopies.get(copy) ?? []);
      }),
    );
  return { paid: dealsAt(roles.paid), rewarded: dealsAt(roles.rewarded) };
};

/** A unit counts in the deals that were on offer for it when it was fired. */
export const dealProblem = (lines: readonly OfferedUnits[]): DealProblem => {
  // The lines of a round share its deals.
  const copies = groupBy([...new Set(lines.flatMap(({ offers }) => offers))], ruleOf);
  const ofCopies = new Map(
    [...copies.values()].flatMap((own) =>
      merged(own).flatMap((deal) => own.map((copy) => [copy, deal] as const)),
    ),
  );
  const units = lines.map(({ units: own, offers }) => ({
    ...own,
    offered: offeredTo(own, offers, ofCopies),
  }));
  // Not by the order of rounds, where two versions would be equal.
  const deals = [...new Set(ofCopies.values())].toSorted((a, b) => a.updatedAt - b.updatedAt);
  return { units, deals };
};
