import type { Uuid } from './ids.ts';
import type { LocalDate } from './time.ts';

/**
 * A part of a shop's data. A change names one scope; a cached answer is stale once any of its scopes has
 * changed.
 */
export type Scope = string & { readonly scope?: never };

export const shopScope: Scope = 'shop';
export const branchScope = (branchId: Uuid): Scope => `branch:${branchId}`;
export const staffScope: Scope = 'staff';
/** The bookings of a branch on one service date. */
export const dayScope = (branchId: Uuid, date: LocalDate): Scope => `day:${branchId}:${date}`;
export const orderScope = (orderId: Uuid): Scope => `order:${orderId}`;

export interface Change {
  readonly scope: Scope;
  readonly type: string;
  readonly id: Uuid;
  readonly op: 'upsert' | 'delete';
}
