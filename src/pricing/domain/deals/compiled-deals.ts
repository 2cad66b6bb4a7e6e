import { compareIds } from '../../../kernel/ids.ts';
import type { DealPoolEntry } from '../../../menu/domain/menubook.ts';
import type { PoolUnit } from '../../../menu/domain/pool.ts';
import type { DealRule, DealUnits } from './types.ts';

export const bySortAndId = (a: DealRule, b: DealRule): number => a.sort - b.sort || compareIds(a.id, b.id);

/** The deals in which a unit counts, as indices of `CompiledDeals.deals`, ascending. Equal roles are one object. */
export interface UnitRoles {
  /** As a paid unit, or as one of a bundle. */
  readonly paid: readonly number[];
  readonly rewarded: readonly number[];
}

/** The deals and sizes in which one item or category is named: bit 0 of a part says "reward pool". */
interface Mention {
  readonly part: number;
  readonly sizeLabel: string | null;
}

const addTo = <K>(mentions: Map<K, Mention[]>, key: K, mention: Mention): void => {
  const known = mentions.get(key);
  if (known === undefined) mentions.set(key, [mention]);
  else known.push(mention);
};

let serials = 0;

/** Deals whose pools are indexed by item and category. */
export class CompiledDeals<D extends DealRule> {
  /** By sort, then id. */
  readonly deals: readonly D[];
  /** No other compiled deals of this process have it. */
  readonly serial = serials++;
  readonly #byItem = new Map<string, Mention[]>();
  readonly #byCategory = new Map<string, Mention[]>();
  readonly #sizes = new Set<string>();
  /** By what pools name of the unit, and by key: bounded by the entries of the pools, and by what was on offer. */
  readonly #byNames = new Map<string, UnitRoles>();
  readonly #byKey = new Map<string, UnitRoles>();

  constructor(deals: readonly D[]) {
    this.deals = deals.toSorted(bySortAndId);
    this.deals.forEach(({ terms, pool, rewardPool }, index) => {
      this.#index(pool, 2 * index);
      if (terms.kind === 'buy_get') this.#index(rewardPool.length === 0 ? pool : rewardPool, 2 * index + 1);
    });
  }

  rolesOf(unit: PoolUnit & Pick<DealUnits, 'offered'>): UnitRoles {
    const { offered } = unit;
    const roles = this.#rolesInPools(unit);
    if (offered === undefined) return roles;
    const offeredIn = (own: ReadonlySet<DealRule>, all: readonly number[]): readonly number[] =>
      all.filter((index) => {
        const deal = this.deals[index];
        return deal !== undefined && own.has(deal);
      });
    return this.#rolesIn(offeredIn(offered.paid, roles.paid), offeredIn(offered.rewarded, roles.rewarded));
  }

  #rolesInPools({ itemId, categoryId, sizeLabel }: PoolUnit): UnitRoles {
    const ofItem = this.#byItem.get(itemId);
    const ofCategory = categoryId === null ? undefined : this.#byCategory.get(categoryId);
    const size = this.#sizes.has(sizeLabel) ? sizeLabel : null;
    const names = `${ofItem ? itemId : ''}\n${ofCategory ? categoryId : ''}\n${size === null ? '' : `of ${size}`}`;
    const known = this.#byNames.get(names);
    if (known !== undefined) return known;
    const roles = this.#roles([...(ofItem ?? []), ...(ofCategory ?? [])], size);
    this.#byNames.set(names, roles);
    return roles;
  }

  #index(entries: readonly DealPoolEntry[], part: number): void {
    for (const { categoryId, menuItemId, sizeLabel } of entries) {
      if (sizeLabel !== null) this.#sizes.add(sizeLabel);
      if (categoryId === null) addTo(this.#byItem, menuItemId, { part, sizeLabel });
      else addTo(this.#byCategory, categoryId, { part, sizeLabel });
    }
  }

  #roles(mentions: readonly Mention[], size: string | null): UnitRoles {
    const own = mentions.filter(({ sizeLabel }) => sizeLabel === null || sizeLabel === size);
    const parts = [...new Set(own.map(({ part }) => part))].sort((a, b) => a - b);
    const dealsOf = (rewarded: number): readonly number[] =>
      parts.filter((part) => part % 2 === rewarded).map((part) => (part - rewarded) / 2);
    return this.#rolesIn(dealsOf(0), dealsOf(1));
  }

  #rolesIn(paid: readonly number[], rewarded: readonly number[]): UnitRoles {
    const key = `${paid.join(' ')}/${rewarded.join(' ')}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const roles = { paid, rewarded };
    this.#byKey.set(key, roles);
    return roles;
  }
}

const compiled = new WeakMap<readonly DealRule[], CompiledDeals<DealRule>>();

/** Compiles a list of deals once: a price book keeps its list. */
export const compiledDeals = <D extends DealRule>(deals: readonly D[]): CompiledDeals<D> => {
  // What is compiled of a list holds that list's deals.
  const known = compiled.get(deals) as CompiledDeals<D> | undefined;
  if (known !== undefined) return known;
  const made = new CompiledDeals(deals);
  compiled.set(deals, made);
  return made;
};
