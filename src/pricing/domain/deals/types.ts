/** What the deals engine takes and gives (Decisions 7.4). */
import type { Uuid } from '../../../kernel/ids.ts';
import type { Deal } from '../../../menu/domain/menubook.ts';
import type { Piastres } from '../../../kernel/money.ts';

/** The plain units of one cart line, as deals see them: a deal covers the size price only. */
export interface DealUnits {
  /** The line's place in the cart, from 0. */
  readonly line: number;
  readonly itemId: Uuid;
  readonly categoryId: Uuid | null;
  /** '' for an item without sizes. */
  readonly sizeLabel: string;
  /** The size's place as the item lists its sizes, from 0. */
  readonly sizeOrder: number;
  /** The size price of one unit. */
  readonly price: Piastres;
  readonly quantity: number;
}

/** What a deal took of a line. */
export interface DealShare {
  readonly line: number;
  /** Units of the line that count in the deal's applications, paid or rewarded. */
  readonly units: number;
  readonly discount: Piastres;
}

/** A deal that applies, with what it takes off. */
export interface AppliedDeal {
  readonly deal: Deal;
  /** Applications. */
  readonly times: number;
  readonly discount: Piastres;
  /** By line. */
  readonly lines: readonly DealShare[];
}

/** The best deals of a cart. */
export interface BestDeals {
  /** In the order of the deals: lower sort first, then lower id. */
  readonly applied: readonly AppliedDeal[];
  /** The sum of the discounts. */
  readonly saving: Piastres;
  /** True when no combination of applications saves more: proven, not believed. */
  readonly optimal: boolean;
  /** No combination saves more than this; equals `saving` when optimal. */
  readonly bound: Piastres;
  /** Units of work that the search counted; the same on every machine. */
  readonly work: number;
}
