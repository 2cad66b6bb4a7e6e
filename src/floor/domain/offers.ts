/** The deals of a check, each for the lines that were fired while it was on offer (Decisions 12). */
import { groupBy } from '../../kernel/group-by.ts';
import type { Deal, DealPoolEntry } from '../../menu/domain/menubook.ts';
import { compiledDeals } from '../../pricing/domain/deals/compiled-deals.ts';
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

/**
 * A deal whose terms were changed is another deal from then on; one that got another name, other hours or other items in its
 * pools is the same.
 */
const ruleOf = ({ id, terms, qty, maxPerOrder, sort, rewardPool }: Deal): string =>
  JSON.stringify([id, Object.entries(terms).sort(), qty, maxPerOrder, sort, rewardPool.length > 0]);

type Pools = Pick<Deal, 'pool' | 'rewardPool'>;

const union = (copies: readonly Deal[], pool: keyof Pools): readonly DealPoolEntry[] => {
  const entries = copies.flatMap((copy) => copy[pool]);
  return [...new Map(entries.map((entry) => [JSON.stringify(Object.entries(entry).sort()), entry])).values()];
};

/** The latest, with the pools of all: a round has a deal without what nothing on the menu matched at that time. */
const merged = (copies: readonly Deal[]): readonly Deal[] =>
  copies
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, 1)
    .map((deal) =>
      copies.length === 1
        ? deal
        : { ...deal, pool: union(copies, 'pool'), rewardPool: union(copies, 'rewardPool') },
    );

/** Of the deals of its round, those whose pools have the unit. */
const dealsOf = ({ units, offers }: OfferedUnits): readonly Deal[] => {
  const compiled = compiledDeals(offers);
  const { paid, rewarded } = compiled.rolesOf(units);
  return [...new Set([...paid, ...rewarded])].flatMap((index) => compiled.deals[index] ?? []);
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
  const units = lines.map((line) => ({
    ...line.units,
    offered: new Set(dealsOf(line).flatMap((copy) => ofCopies.get(copy) ?? [])),
  }));
  // Not by the order of rounds, where two versions would be equal.
  const deals = [...new Set(ofCopies.values())].toSorted((a, b) => a.updatedAt - b.updatedAt);
  return { units, deals };
};
