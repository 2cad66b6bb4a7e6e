/** The tracking page of an order: what the link shows, and until when it shows personal data. */
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import { firstWord, type Translations } from '../../kernel/names.ts';
import type { Mode } from '../../loyalty/domain/programme.ts';
import type { CartLine, CartReward, GuestText, OrderStatus, StepTimes, StoredEarning } from './order.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import type { Instant, ZoneId } from '../../kernel/time.ts';

export interface TrackedOrder {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly slug: string;
  readonly shopName: string;
  readonly shopNameTranslations: Translations;
  readonly branchId: Uuid;
  readonly branchName: string;
  readonly branchNameTranslations: Translations;
  /** Of the branch. */
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
  readonly rewards: readonly CartReward[];
  /** Null: without a card, or the order ended undelivered. */
  readonly loyalty: OrderEarning | null;
}

export interface OrderEarning {
  readonly mode: Mode;
  /** As foreseen when it was placed. */
  readonly earns: number;
  readonly earned: number | null;
}

/** What an order earns, or earned. */
export const orderEarning = (
  status: OrderStatus,
  foreseen: Pick<StoredEarning, 'mode' | 'earns'> | null,
  earned: { readonly mode: Mode; readonly amount: number } | null,
): OrderEarning | null => {
  if (earned !== null) {
    // A programme that changed its mode between order and delivery earned in the mode of the delivery.
    const earns = foreseen?.mode === earned.mode ? foreseen.earns : earned.amount;
    return { mode: earned.mode, earns, earned: earned.amount };
  }
  const isOver = status === 'delivered' || status === 'cancelled' || status === 'rejected';
  return foreseen === null || isOver ? null : { mode: foreseen.mode, earns: foreseen.earns, earned: null };
};

export interface OrderAddress {
  readonly addressLine: string | null;
  readonly floor: string | null;
  readonly unitNumber: string | null;
  readonly placeName: string | null;
}

const NO_ADDRESS: OrderAddress = { addressLine: null, floor: null, unitNumber: null, placeName: null };

/** After its end, an order shows personal data for this long (Decisions 3, DeliveryTracking). */
const PERSONAL_DATA_SHOWN_MS = 24 * 60 * 60 * 1000;

type Ends = Pick<StepTimes, 'delivered' | 'cancelled' | 'rejected'>;

/** Null: still open. */
const redactionTime = ({ delivered, cancelled, rejected }: Ends): Instant | null => {
  const ended = delivered ?? cancelled ?? rejected;
  return ended === null ? null : ended + PERSONAL_DATA_SHOWN_MS;
};

/** When the tracking page will hide personal data; null: never without another change, or already hidden. */
export const redactsAt = ({ stepTimes }: Pick<TrackedOrder, 'stepTimes'>, now: Instant): Instant | null => {
  const until = redactionTime(stepTimes);
  return until === null || until <= now ? null : until;
};

export const isRedacted = (ends: Ends, now: Instant): boolean => {
  const until = redactionTime(ends);
  return until !== null && until <= now;
};

export const trackingView = (order: TrackedOrder, now: Instant): TrackedOrder =>
  isRedacted(order.stepTimes, now)
    ? { ...order, customerName: firstWord(order.customerName), address: NO_ADDRESS }
    : order;
