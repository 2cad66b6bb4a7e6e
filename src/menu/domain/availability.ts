import type { Uuid } from '../../kernel/ids.ts';
import { concerns, type SalePoint } from './price.ts';
import type { Channel } from '../../shops/domain/shop.ts';
import type { Instant } from '../../kernel/time.ts';
import { nextSaleEdge, onSale, type SaleWindow } from '../../kernel/windows.ts';

/** What is said of a thing's availability; null = every branch, every channel. */
export interface AvailabilityEntry {
  readonly branchId: Uuid | null;
  readonly channel: Channel | null;
  readonly isOn: boolean;
  /** Sold out before this moment; `Infinity`: until somebody says otherwise. */
  readonly soldOutUntil: Instant | null;
  /** Counted units left; null = not counted. */
  readonly stock: number | null;
}

/** `off`: not part of the menu here. `sold_out`: part of it, but not to be had now. */
export type Standing = 'on' | 'sold_out' | 'off';

const isSnoozed = (entry: AvailabilityEntry, now: Instant): boolean =>
  entry.soldOutUntil !== null && now < entry.soldOutUntil;

/**
 * Switched off at the branch or on the channel, "sold out until" a moment, or counted stock at zero
 * (Decisions 6). One entry that says no is enough: the row that counts stock does not switch anything on.
 */
export const standingAt = (
  entries: readonly AvailabilityEntry[],
  point: SalePoint,
  now: Instant,
): Standing => {
  const own = entries.filter((entry) => concerns(entry, point));
  if (own.some((entry) => !entry.isOn)) return 'off';
  return own.some((entry) => entry.stock === 0 || isSnoozed(entry, now)) ? 'sold_out' : 'on';
};

/** When a sold-out thing comes back by itself; null when it is not sold out, or only people bring it back. */
export const backAt = (
  entries: readonly AvailabilityEntry[],
  point: SalePoint,
  now: Instant,
): Instant | null => {
  const own = entries.filter((entry) => concerns(entry, point));
  if (own.some((entry) => !entry.isOn || entry.stock === 0)) return null;
  const ends = own.flatMap(({ soldOutUntil }) => (soldOutUntil === null ? [] : [soldOutUntil]));
  const end = Math.max(now, ...ends);
  return end > now && end < Infinity ? end : null;
};

/** What decides whether a thing is sold at a moment, its price apart. */
export interface Sold {
  /** Neither archived nor switched off for the whole shop. */
  readonly isLive: boolean;
  readonly availability: readonly AvailabilityEntry[];
  readonly windows: readonly SaleWindow[];
}

export const sellsAt = (thing: Sold, point: SalePoint, now: Instant): boolean =>
  thing.isLive &&
  standingAt(thing.availability, point, now) === 'on' &&
  onSale(thing.windows, point.branchId, point.zone, now);

/**
 * The next moment at which `sellsAt` may change by itself. A sold-out thing is looked at again when it
 * comes back: until then its windows change nothing.
 */
export const nextSaleChange = (thing: Sold, point: SalePoint, now: Instant): Instant | null => {
  if (!thing.isLive) return null;
  const standing = standingAt(thing.availability, point, now);
  if (standing !== 'on') return backAt(thing.availability, point, now);
  return nextSaleEdge(thing.windows, point.branchId, point.zone, now);
};
