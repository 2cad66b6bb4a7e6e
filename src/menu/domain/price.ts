import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Channel, OnlineChannel } from '../../shops/domain/shop.ts';
import type { ZoneId } from '../../kernel/time.ts';

/** Branch and channel of a sale. */
export interface SalePoint {
  readonly branchId: Uuid;
  readonly zone: ZoneId;
  readonly channel: Channel;
  /** At a till, which sells at dine-in prices; absent: by the channel. */
  readonly toggle?: 'pos';
}

/** Null: all. */
interface SalePointFilter {
  readonly branchId: Uuid | null;
  readonly channel: Channel | null;
}

export const appliesAt = (entry: SalePointFilter, point: SalePoint): boolean =>
  (entry.branchId === null || entry.branchId === point.branchId) &&
  (entry.channel === null || entry.channel === point.channel);

/** A price and its scope. */
export interface PriceEntry {
  /** '': the subject without a size. */
  readonly sizeLabel: string;
  readonly branchId: Uuid | null;
  /** Dine-in has no channel prices. */
  readonly channel: OnlineChannel | null;
  readonly amount: Piastres;
}

/** Branch and channel, channel, branch, catalogue (Decisions 6). */
const specificityOf = (entry: PriceEntry): number =>
  (entry.channel === null ? 0 : 2) + (entry.branchId === null ? 0 : 1);

/** Null: not sold there. */
export const priceAt = (
  entries: readonly PriceEntry[],
  point: SalePoint,
  sizeLabel = '',
): Piastres | null => {
  let best: PriceEntry | null = null;
  for (const entry of entries) {
    if (entry.sizeLabel !== sizeLabel || !appliesAt(entry, point)) continue;
    if (best === null || specificityOf(entry) > specificityOf(best)) best = entry;
  }
  return best?.amount ?? null;
};
