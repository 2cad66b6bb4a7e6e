import type { Uuid } from './ids.ts';
import type { Piastres } from './money.ts';
import type { Translations } from './names.ts';
import type { OnlineChannel } from './shop.ts';
import type { Instant, ZoneId } from './time.ts';

/** Decisions 4, Online order: the steps forward, then the other two ends. */
export const ORDER_STATUSES = [
  'received',
  'confirmed',
  'preparing',
  'ready',
  'out_for_delivery',
  'delivered',
  'cancelled',
  'rejected',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The steps that have a time of their own; `received` is the moment of creation. */
export type TimedStep = Exclude<OrderStatus, 'received'>;

/** One frozen priced line of an order, as far as tracking shows it (Decisions 3, cart). */
export interface CartLine {
  readonly name: string;
  readonly name_translations: Translations;
  readonly size_label: string | null;
  readonly size_translations?: Translations;
  readonly quantity: number;
  /** The whole line, after deals. */
  readonly line_total: Piastres;
}

/** The frozen cart, as it is stored and given back. */
export interface StoredCart {
  readonly lines: readonly CartLine[];
  readonly deals: readonly unknown[];
}

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
  readonly stepTimes: Readonly<Record<TimedStep, Instant | null>>;
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

/** What a guest is told about an order that will not come; the staff's own note is never shown (Decisions 3). */
export const CANCEL_REASONS = {
  guest_asked: { ar: 'أُلغي بناءً على طلبك', en: 'Cancelled at your request' },
  sold_out: { ar: 'صنف من الطلب نفد', en: 'Something in the order is sold out' },
  too_busy: { ar: 'الفرع مزدحم جدًا الآن', en: 'The branch is too busy right now' },
  closed: { ar: 'الفرع مغلق', en: 'The branch is closed' },
  cannot_reach: { ar: 'تعذر الوصول إلى العنوان', en: 'The address could not be reached' },
  no_answer: { ar: 'لم نتمكن من التواصل معك', en: 'We could not reach you' },
  not_confirmed: { ar: 'لم يؤكد الفرع الطلب في الوقت المحدد', en: 'The branch did not confirm in time' },
  other: { ar: 'لم نتمكن من إتمام الطلب', en: 'The order could not be completed' },
} as const satisfies Record<string, Readonly<{ ar: string; en: string }>>;

/** A text of ours in one language, with its translations. */
export interface GuestText {
  readonly text: string;
  readonly translations: Translations;
}

/** The guest's text of a stored reason: Arabic first for a shop whose main language it is, else English. */
export const cancelReasonText = (stored: string, language: string): GuestText => {
  const { ar, en } =
    Object.entries(CANCEL_REASONS).find(([key]) => key === stored)?.[1] ?? CANCEL_REASONS.other;
  return language === 'ar' ? { text: ar, translations: { en } } : { text: en, translations: { ar } };
};

/** How long after its end an order still shows where it went and to whom (Decisions 3, DeliveryTracking). */
export const ADDRESS_SHOWN_MS = 24 * 60 * 60 * 1000;

/** When the order ended; null while it is under way. */
const endedAt = (order: TrackedOrder): Instant | null =>
  order.stepTimes.delivered ?? order.stepTimes.cancelled ?? order.stepTimes.rejected;

/** When the tracking view loses the person; null when it never will by itself, or has already. */
export const forgetsAt = (order: TrackedOrder, now: Instant): Instant | null => {
  const ended = endedAt(order);
  return ended === null || ended + ADDRESS_SHOWN_MS <= now ? null : ended + ADDRESS_SHOWN_MS;
};

const firstWord = (name: string): string => name.trim().split(/\s+/u)[0] ?? '';

/** The view whoever holds the link may see now: a day after its end the address and all but the first name are gone. */
export const asTrackedAt = (order: TrackedOrder, now: Instant): TrackedOrder => {
  const ended = endedAt(order);
  if (ended === null || now < ended + ADDRESS_SHOWN_MS) return order;
  return { ...order, customerName: firstWord(order.customerName), address: NO_ADDRESS };
};
