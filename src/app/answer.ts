import type { Scope } from '../domain/change.ts';
import type { Uuid } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';

/**
 * An answer with what a cache must know to keep it: whose it is, what it depends on, the shop's change number
 * it was read at, and the moment at which it changes by itself (null: never).
 */
export interface Answer<T> {
  readonly body: T;
  readonly orgId: Uuid;
  readonly scopes: readonly Scope[];
  readonly version: number;
  readonly validUntil: Instant | null;
}
