/** Limits per phone and shop (Decisions 8): open orders, and orders in a rolling day. */
import type { Instant } from '../../kernel/time.ts';

/** Null: unlimited. */
export interface BrakeLimits {
  readonly openOrders: number | null;
  readonly ordersPerDay: number | null;
}

export const DEFAULT_BRAKE = { openOrders: 5, ordersPerDay: 20 } as const satisfies BrakeLimits;
export const BRAKE_WINDOW_MS = 24 * 60 * 60_000;

export interface PhoneOrders {
  readonly open: number;
  /** Within the last day. */
  readonly placedAt: readonly Instant[];
}

/** The end of an open order cannot be predicted; a typical wait. */
const OPEN_WAIT_SECONDS = 5 * 60;

/** Multiplies the limits, at least 1 each; scale 0 removes them. */
export const scaledBrake = ({ openOrders, ordersPerDay }: BrakeLimits, scale: number): BrakeLimits => {
  const scaled = (limit: number | null): number | null =>
    limit === null || scale === 0 ? null : Math.max(1, Math.round(limit * scale));
  return { openOrders: scaled(openOrders), ordersPerDay: scaled(ordersPerDay) };
};

export const hasLimit = ({ openOrders, ordersPerDay }: BrakeLimits): boolean =>
  openOrders !== null || ordersPerDay !== null;

const dayWaitSeconds = (placedAt: readonly Instant[], limit: number, now: Instant): number => {
  const counted = placedAt.filter((instant) => now - instant < BRAKE_WINDOW_MS).sort((a, b) => a - b);
  const oldest = counted.at(-limit);
  return oldest === undefined ? 0 : Math.ceil((oldest + BRAKE_WINDOW_MS - now) / 1000);
};

/** 0: the phone may order now. */
export const brakeWaitSeconds = (limits: BrakeLimits, orders: PhoneOrders, now: Instant): number => {
  const { openOrders, ordersPerDay } = limits;
  const isFull = openOrders !== null && orders.open >= openOrders;
  const day = ordersPerDay === null ? 0 : dayWaitSeconds(orders.placedAt, ordersPerDay, now);
  return Math.max(isFull ? OPEN_WAIT_SECONDS : 0, day);
};
