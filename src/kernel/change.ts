import type { Uuid } from './ids.ts';
import type { LocalDate } from './time.ts';

/** What a change concerns, and what an answer depends on: an answer is stale once one of its scopes has changed. */
export type Scope = string & { readonly scope?: never };

export const shopScope: Scope = 'shop';
export const branchScope = (branchId: Uuid): Scope => `branch:${branchId}`;
/** Who works in a shop. */
export const staffScope: Scope = 'staff';
/** The bookings of a branch on one service date. */
export const dayScope = (branchId: Uuid, date: LocalDate): Scope => `day:${branchId}:${date}`;
export const orderScope = (orderId: Uuid): Scope => `order:${orderId}`;

/** One row of the change log: what others must learn of. */
export interface Change {
  readonly scope: Scope;
  readonly type: string;
  readonly id: Uuid;
  readonly op: 'upsert' | 'delete';
}
