/** The brake on orders (Decisions 8): how many orders one phone may have under way at a shop, and place there in a rolling day. */
import type { Instant } from '../../kernel/time.ts';

/** Null: as many as they like. */
export interface BrakeLimits {
  readonly openOrders: number | null;
  readonly ordersPerDay: number | null;
}

export const STANDARD_BRAKE = { openOrders: 5, ordersPerDay: 20 } as const satisfies BrakeLimits;
export const BRAKED_MS = 24 * 60 * 60_000;

/** What the phone has ordered at the shop. */
export interface PhoneOrders {
  readonly open: number;
  /** When orders of the last day were placed. */
  readonly placedAt: readonly Instant[];
}

/** Nobody can tell when an order will be handed over: a usual wait until it is worth trying again. */
const OPEN_WAIT_SECONDS = 5 * 60;

/** The limits at the scale of the request limits; at 0 nothing is limited. */
export const scaledBrake = ({ openOrders, ordersPerDay }: BrakeLimits, scale: number): BrakeLimits => {
  const scaled = (limit: number | null): number | null =>
    limit === null || scale === 0 ? null : Math.max(1, Math.round(limit * scale));
  return { openOrders: scaled(openOrders), ordersPerDay: scaled(ordersPerDay) };
};

export const isBraking = ({ openOrders, ordersPerDay }: BrakeLimits): boolean =>
  openOrders !== null || ordersPerDay !== null;

const dayWaitSeconds = (placedAt: readonly Instant[], limit: number, now: Instant): number => {
  const counted = placedAt.filter((moment) => now - moment < BRAKED_MS).sort((a, b) => a - b);
  const leaving = counted.at(-limit);
  return leaving === undefined ? 0 : Math.ceil((leaving + BRAKED_MS - now) / 1000);
};

/** Seconds until the phone may order here again; 0: it may now. */
export const brakeWaitSeconds = (limits: BrakeLimits, orders: PhoneOrders, now: Instant): number => {
  const { openOrders, ordersPerDay } = limits;
  const isFull = openOrders !== null && orders.open >= openOrders;
  const day = ordersPerDay === null ? 0 : dayWaitSeconds(orders.placedAt, ordersPerDay, now);
  return Math.max(isFull ? OPEN_WAIT_SECONDS : 0, day);
};
