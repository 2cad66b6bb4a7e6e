import type { Uuid } from './ids.ts';
import type { LocalDate } from './time.ts';

/**
 * A part of a shop's data. A change names one scope; a cached answer is stale once any of its scopes has
 * changed.
 */
export type ChangeScope = string & { readonly scope?: never };

export const shopScope: ChangeScope = 'shop';
export const branchScope = (branchId: Uuid): ChangeScope => `branch:${branchId}`;
export const staffScope: ChangeScope = 'staff';
/** The bookings of a branch on one service date. */
export const dayScope = (branchId: Uuid, date: LocalDate): ChangeScope => `${dayScopesOf(branchId)}${date}`;
/** What the day scopes of a branch begin with. */
export const dayScopesOf = (branchId: Uuid): string => `day:${branchId}:`;
/** A loyalty card: its balance and its owner. */
export const cardScope = (cardId: Uuid): ChangeScope => `card:${cardId}`;
/** What is in a till; that it is open is of its branch. */
export const tillScope = (tillId: Uuid): ChangeScope => `till:${tillId}`;
/** What concerns the devices of branches alone: no cached answer depends on it, and no board shows it. */
export const feedScope: ChangeScope = 'feed';
/** A sale with its payments and refunds; no cached answer depends on it. */
export const saleScope = (saleId: Uuid): ChangeScope => `sale:${saleId}`;
/** A ticket, or who has a table: of the floor of a branch. Its menu does not depend on them. */
export const floorScope = (branchId: Uuid, id: Uuid): ChangeScope => `${floorScopesOf(branchId)}${id}`;
/** What the scopes of a branch's floor begin with. */
export const floorScopesOf = (branchId: Uuid): string => `floor:${branchId}:`;
export const orderScope = (orderId: Uuid): ChangeScope => `order:${orderId}`;

export interface Change {
  readonly scope: ChangeScope;
  readonly type: string;
  readonly id: Uuid;
  readonly op: 'upsert' | 'delete';
}

/** Changes of one shop: the number of the last one, and the scopes of all. */
export interface ScopedChanges {
  readonly orgId: Uuid;
  readonly version: number;
  readonly scopes: readonly ChangeScope[];
}
