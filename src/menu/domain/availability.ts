import type { Uuid } from '../../kernel/ids.ts';
import { appliesAt, type SalePoint } from './price.ts';
import type { Channel } from '../../shops/domain/shop.ts';
import type { Instant } from '../../kernel/time.ts';
import { nextSaleWindowEdge, isInSaleWindow, type SaleWindow } from '../../kernel/sale-windows.ts';

/** Null branch or channel: all. */
export interface AvailabilityEntry {
  readonly branchId: Uuid | null;
  readonly channel: Channel | null;
  readonly isOn: boolean;
  /** Sold out until then; `Infinity`: without end. */
  readonly soldOutUntil: Instant | null;
  /** Units left, below zero where devices sold more without the server; null: not counted. */
  readonly stock: number | null;
}

/** `off`: not on the menu. `sold_out`: on the menu, but not available. */
export type AvailabilityStatus = 'on' | 'sold_out' | 'off';

/** Counted, and no unit is left. */
export const isOutOfStock = ({ stock }: Pick<AvailabilityEntry, 'stock'>): boolean =>
  stock !== null && stock <= 0;

const isSnoozed = (entry: AvailabilityEntry, now: Instant): boolean =>
  entry.soldOutUntil !== null && now < entry.soldOutUntil;

/** Decisions 6. One negative entry suffices: an entry that counts stock does not switch anything on. */
export const availabilityStatusAt = (
  entries: readonly AvailabilityEntry[],
  point: SalePoint,
  now: Instant,
): AvailabilityStatus => {
  const entriesHere = entries.filter((entry) => appliesAt(entry, point));
  if (entriesHere.some((entry) => !entry.isOn)) return 'off';
  return entriesHere.some((entry) => isOutOfStock(entry) || isSnoozed(entry, now)) ? 'sold_out' : 'on';
};

/** Null: not sold out, or back only by a change of staff. */
export const backAt = (
  entries: readonly AvailabilityEntry[],
  point: SalePoint,
  now: Instant,
): Instant | null => {
  const entriesHere = entries.filter((entry) => appliesAt(entry, point));
  if (entriesHere.some((entry) => !entry.isOn || isOutOfStock(entry))) return null;
  const ends = entriesHere.flatMap(({ soldOutUntil }) => (soldOutUntil === null ? [] : [soldOutUntil]));
  const end = Math.max(now, ...ends);
  return end > now && end < Infinity ? end : null;
};

/** Conditions of a sale besides the price. */
export interface SaleConditions {
  /** Neither archived nor switched off for the shop. */
  readonly isLive: boolean;
  readonly availability: readonly AvailabilityEntry[];
  readonly windows: readonly SaleWindow[];
}

export const sellsAt = (subject: SaleConditions, point: SalePoint, now: Instant): boolean =>
  subject.isLive &&
  availabilityStatusAt(subject.availability, point, now) === 'on' &&
  isInSaleWindow(subject.windows, point.branchId, point.zone, now);

/** The next time at which `sellsAt` may change. A sold-out subject has none before it is back. */
export const nextSaleChange = (subject: SaleConditions, point: SalePoint, now: Instant): Instant | null => {
  if (!subject.isLive) return null;
  const status = availabilityStatusAt(subject.availability, point, now);
  if (status !== 'on') return backAt(subject.availability, point, now);
  return nextSaleWindowEdge(subject.windows, point.branchId, point.zone, now);
};
