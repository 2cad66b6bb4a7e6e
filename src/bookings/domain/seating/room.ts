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

export interface Room {
  readonly tables: readonly Table[];
  readonly joins: readonly JoinGroup[];
}

/** A confirmed booking that is not seated: it may be moved. */
export interface Party extends Span {
  readonly id: string;
  readonly size: number;
  /** Its current tables; empty: none yet. */
  readonly tableIds: readonly string[];
}

export const claimsBy = ({ tableIds, start, end }: Omit<Party, 'id' | 'size'>): TableClaim[] =>
  tableIds.map((tableId) => ({ tableId, start, end }));

export interface Newcomer extends Span {
  readonly size: number;
}
