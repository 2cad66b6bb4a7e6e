/** Input and result of the deals engine (Decisions 7.4). */
import type { Uuid } from '../../../kernel/ids.ts';
import type { Deal } from '../../../menu/domain/menubook.ts';
import type { Piastres } from '../../../kernel/money.ts';

/** What an order must have for a deal, and what it saves. */
export type DealRule = Pick<Deal, 'id' | 'sort' | 'terms' | 'qty' | 'maxPerOrder' | 'pool' | 'rewardPool'>;

/** Of the deals of a ticket, those in which a unit may count. */
export interface OfferedDeals {
  /** As a paid unit, or as one of a bundle. */
  readonly paid: ReadonlySet<DealRule>;
  readonly rewarded: ReadonlySet<DealRule>;
}

/** The plain units of one cart line. A deal covers the size price only. */
export interface DealUnits {
  /** Index of the line in the cart. */
  readonly line: number;
  readonly itemId: Uuid;
  readonly categoryId: Uuid | null;
  /** '' for an item without sizes. */
  readonly sizeLabel: string;
  /** Index of the size in the item's list. */
  readonly sizeOrder: number;
  /** The size price of one unit. */
  readonly price: Piastres;
  readonly quantity: number;
  /** Undefined: all deals of the cart. */
  readonly offered?: OfferedDeals;
}

export interface DealShare {
  readonly line: number;
  /** Units of the line in the deal's applications, paid or rewarded. */
  readonly units: number;
  readonly discount: Piastres;
}

export interface AppliedDeal {
  readonly deal: Deal;
  /** Number of applications. */
  readonly times: number;
  readonly discount: Piastres;
  readonly lines: readonly DealShare[];
}

export interface BestDeals {
  /** By sort, then id. */
  readonly applied: readonly AppliedDeal[];
  readonly saving: Piastres;
  /** Whether it is proven that no combination of applications saves more. */
  readonly optimal: boolean;
  /** No combination saves more; equals `saving` when optimal. */
  readonly bound: Piastres;
  /** Counted operations; the same on every machine. */
  readonly work: number;
}
