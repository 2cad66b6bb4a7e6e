/** A part of a check, and its bill (Decisions 12). */
import type { Uuid } from '../../kernel/ids.ts';
import type { Millionths, Piastres } from '../../kernel/money.ts';
import type { Deal, DiscountCut } from '../../menu/domain/menubook.ts';
import type { DealUnits } from '../../pricing/domain/deals/types.ts';

/** As they were in force when the ticket was opened. */
export interface CheckTerms {
  readonly serviceRate: Millionths;
  readonly serviceTaxable: boolean;
  readonly taxRate: Millionths;
  readonly taxInclusive: boolean;
}

export interface CheckLine {
  readonly id: Uuid;
  /** Before deals, without units that rewards pay for. */
  readonly total: Piastres;
  /** Null: no unit counts in deals. */
  readonly units: Omit<DealUnits, 'line'> | null;
  /** The deals on offer when it was fired. */
  readonly offers: readonly Deal[];
}

export interface PartAmounts {
  readonly dealDiscount: Piastres;
  readonly discount: Piastres;
  readonly service: Piastres;
  readonly tax: Piastres;
}

export interface CheckPart {
  readonly id: Uuid;
  readonly isAtTable: boolean;
  /** The live ones. */
  readonly lines: readonly CheckLine[];
  /** Parts with one `id` share one discount. */
  readonly discount: { readonly id: Uuid; readonly cut: DiscountCut } | null;
  /** What it has paid; null: it is open. */
  readonly settled: PartAmounts | null;
  /** What was paid of it in parts. */
  readonly prepaid: Piastres;
  /** It was all that the part came to. */
  readonly isPaidUp: boolean;
}

export interface LineDeal {
  readonly deal: Deal;
  readonly lineId: Uuid;
  readonly units: number;
  readonly discount: Piastres;
}

export interface PartBill extends PartAmounts {
  readonly id: Uuid;
  readonly subtotal: Piastres;
  readonly total: Piastres;
  readonly deals: readonly LineDeal[];
  /** How often each deal applies, in the first part of the check that has a share in it. */
  readonly timesOf: ReadonlyMap<Deal, number>;
}
