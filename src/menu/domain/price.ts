import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Channel, OnlineChannel } from '../../shops/domain/shop.ts';
import type { ZoneId } from '../../kernel/time.ts';

/** Where, and to whom, something is sold: a branch, in its time zone, on one channel. */
export interface SalePoint {
  readonly branchId: Uuid;
  readonly zone: ZoneId;
  readonly channel: Channel;
}

/** What an entry is about; null = every branch, every channel. */
interface Reach {
  readonly branchId: Uuid | null;
  readonly channel: Channel | null;
}

export const concerns = (entry: Reach, point: SalePoint): boolean =>
  (entry.branchId === null || entry.branchId === point.branchId) &&
  (entry.channel === null || entry.channel === point.channel);

/** One rung of a thing's price ladder. */
export interface PriceEntry {
  /** Which of the item's sizes; '' = the thing itself. */
  readonly sizeLabel: string;
  readonly branchId: Uuid | null;
  /** Dine-in and tables have no prices of their own: branch, then catalogue. */
  readonly channel: OnlineChannel | null;
  readonly amount: Piastres;
}

/** Branch + channel price → channel price → branch price → catalogue price (Decisions 6). */
const rungOf = (entry: PriceEntry): number =>
  (entry.channel === null ? 0 : 2) + (entry.branchId === null ? 0 : 1);

/** The price of a thing, or of one of its sizes, at a sale point; null = it is not sold there. */
export const priceAt = (
  entries: readonly PriceEntry[],
  point: SalePoint,
  sizeLabel = '',
): Piastres | null => {
  let best: PriceEntry | null = null;
  for (const entry of entries) {
    if (entry.sizeLabel !== sizeLabel || !concerns(entry, point)) continue;
    if (best === null || rungOf(entry) > rungOf(best)) best = entry;
  }
  return best?.amount ?? null;
};
