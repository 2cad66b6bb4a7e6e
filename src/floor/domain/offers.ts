/** The deals of a check, each for the lines that were fired while it was on offer (Decisions 12). */
import { compareIds, type Uuid } from '../../kernel/ids.ts';
import type { Deal, DealPoolEntry } from '../../menu/domain/menubook.ts';
import { countsTowards } from '../../menu/domain/pool.ts';
import type { DealUnits } from '../../pricing/domain/deals/types.ts';

/** The units of one line, and the deals that were on offer when they were fired. */
export interface OfferedUnits {
  readonly units: DealUnits;
  readonly offers: readonly Deal[];
}

export interface DealProblem {
  readonly units: readonly DealUnits[];
  readonly deals: readonly Deal[];
  /** The deal as it was on offer. */
  readonly originalOf: (deal: Deal) => Deal;
}

/** Two versions of a deal are two deals. */
const versionOf = ({ id, updatedAt }: Deal): string => `${id} ${updatedAt}`;

const byVersion = (lines: readonly OfferedUnits[]): ReadonlyMap<string, Deal> =>
  new Map(lines.flatMap(({ offers }) => offers.map((deal) => [versionOf(deal), deal] as const)));

/** Lines with the same offers count in the same deals. */
const offersKey = ({ offers }: OfferedUnits): string => offers.map(versionOf).sort().join();

interface Kind {
  readonly id: Uuid;
  readonly itemId: Uuid;
  readonly categoryId: Uuid | null;
  readonly versions: ReadonlySet<string>;
}

/** The pool by item, of the kinds that were fired while the deal was on offer. */
const poolFor = (
  pool: readonly DealPoolEntry[],
  version: string,
  kinds: readonly Kind[],
): readonly DealPoolEntry[] =>
  kinds
    .filter(({ versions }) => versions.has(version))
    .flatMap(({ id, itemId, categoryId }) =>
      pool
        .filter((entry) => countsTowards({ itemId, categoryId, sizeLabel: entry.sizeLabel ?? '' }, [entry]))
        .map(({ sizeLabel }) => ({ categoryId: null, menuItemId: id, sizeLabel })),
    );

/**
 * A unit counts in the deals that were on offer when it was fired. Where lines differ in them, each combination of item,
 * category and offers becomes an item of its own, and pools name those.
 */
export const dealProblem = (lines: readonly OfferedUnits[]): DealProblem => {
  const all = byVersion(lines);
  const keys = [...new Set(lines.map(offersKey))].sort(compareIds);
  const units = lines.map((line) => line.units);
  if (keys.length <= 1) return { units, deals: [...all.values()], originalOf: (deal) => deal };
  const idOf = (line: OfferedUnits): Uuid =>
    `${line.units.itemId} ${keys.indexOf(offersKey(line))} ${line.units.categoryId}`;
  const kinds = new Map(
    lines.map((line): [Uuid, Kind] => {
      const { itemId, categoryId } = line.units;
      return [
        idOf(line),
        { id: idOf(line), itemId, categoryId, versions: new Set(line.offers.map(versionOf)) },
      ];
    }),
  );
  const narrowed = new Map(
    [...all].flatMap(([version, deal]): [Deal, Deal][] => {
      const pool = poolFor(deal.pool, version, [...kinds.values()]);
      const rewardPool = poolFor(deal.rewardPool, version, [...kinds.values()]);
      // An empty reward pool means the pool: a deal with rewards of which none was ordered does not apply.
      if (pool.length === 0 || (deal.rewardPool.length > 0 && rewardPool.length === 0)) return [];
      return [[{ ...deal, pool, rewardPool }, deal]];
    }),
  );
  return {
    units: lines.map((line) => ({ ...line.units, itemId: idOf(line), categoryId: null })),
    deals: [...narrowed.keys()],
    originalOf: (deal) => narrowed.get(deal) ?? deal,
  };
};
