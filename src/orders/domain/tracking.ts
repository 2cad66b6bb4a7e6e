/** What whoever holds the link of an order may see of it, and when the person is forgotten. */
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Translations } from '../../kernel/names.ts';
import type { CartLine, GuestText, OrderStatus, StepTimes } from './order.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import type { Instant, ZoneId } from '../../kernel/time.ts';

/** An online order as far as its tracking page needs it. */
export interface TrackedOrder {
  readonly id: Uuid;
  readonly orgId: Uuid;
  /** The shop's address name. */
  readonly slug: string;
  readonly shopName: string;
  readonly shopNameTranslations: Translations;
  readonly branchId: Uuid;
  readonly branchName: string;
  readonly branchNameTranslations: Translations;
  /** The branch's, on whose clock its times are told. */
  readonly zone: ZoneId;
  readonly channel: OnlineChannel;
  readonly status: OrderStatus;
  readonly createdAt: Instant;
  readonly stepTimes: StepTimes;
  readonly basePrepMinutes: number;
  readonly extraPrepMinutes: number;
  readonly subtotal: Piastres;
  readonly deliveryFee: Piastres;
  readonly discountAmount: Piastres;
  readonly taxAmount: Piastres;
  readonly taxRate: string;
  readonly taxInclusive: boolean;
  readonly total: Piastres;
  readonly customerName: string;
  readonly address: OrderAddress;
  readonly deliveryRef: string | null;
  readonly paymentMethodHint: string | null;
  readonly cancelReason: GuestText | null;
  readonly lines: readonly CartLine[];
}

export interface OrderAddress {
  readonly addressLine: string | null;
  readonly floor: string | null;
  readonly unitNumber: string | null;
  readonly placeName: string | null;
}

const NO_ADDRESS: OrderAddress = { addressLine: null, floor: null, unitNumber: null, placeName: null };

/** How long after its end an order still shows where it went and to whom (Decisions 3, DeliveryTracking). */
export const ADDRESS_SHOWN_MS = 24 * 60 * 60 * 1000;

type Ends = Pick<StepTimes, 'delivered' | 'cancelled' | 'rejected'>;

/** When an order loses its person for whoever holds its link; null while it is under way. */
const lastShownAt = ({ delivered, cancelled, rejected }: Ends): Instant | null => {
  const ended = delivered ?? cancelled ?? rejected;
  return ended === null ? null : ended + ADDRESS_SHOWN_MS;
};

/** When the tracking view loses the person; null when it never will by itself, or has already. */
export const forgetsAt = ({ stepTimes }: Pick<TrackedOrder, 'stepTimes'>, now: Instant): Instant | null => {
  const until = lastShownAt(stepTimes);
  return until === null || until <= now ? null : until;
};

/** Whether the view has lost the person: a day after the order's end. */
export const hasForgotten = (ends: Ends, now: Instant): boolean => {
  const until = lastShownAt(ends);
  return until !== null && until <= now;
};

/** What is left of a name in the view that has lost its person. */
export const firstWord = (name: string): string => name.trim().split(/\s+/u)[0] ?? '';

/** The view whoever holds the link may see now. */
export const asTrackedAt = (order: TrackedOrder, now: Instant): TrackedOrder =>
  hasForgotten(order.stepTimes, now)
    ? { ...order, customerName: firstWord(order.customerName), address: NO_ADDRESS }
    : order;
