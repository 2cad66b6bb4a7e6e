import type { Span } from '../../../kernel/time.ts';

export interface Table {
  readonly id: string;
  /** Party sizes it takes alone. */
  readonly seatsMin: number;
  readonly seatsMax: number;
  /** False: walk-ins only. Default true. */
  readonly bookable?: boolean;
}

/** Any two or more may be joined (Decisions 9). */
export interface JoinGroup {
  readonly id: string;
  readonly tableIds: readonly string[];
}

/** A booked table for [start, end). */
export interface TableClaim extends Span {
  readonly tableId: string;
}
