/** Statuses, lines and cancel reasons of an online order (Decisions 4, Online order). */
import type { Mode } from '../../loyalty/domain/programme.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Translations } from '../../kernel/names.ts';
import type { Instant } from '../../kernel/time.ts';

// ── Status ──────────────────────────────────────────────────────────────────────────────────────

/** The steps forward, then the two other final statuses. */
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
/** Of orders that have not ended. */
export const LIVE_STATUSES = [
  'received',
  'confirmed',
  'preparing',
  'ready',
  'out_for_delivery',
] as const satisfies readonly OrderStatus[];

/** `received` is the creation time. */
export type TimedStep = Exclude<OrderStatus, 'received'>;

/** Null: did not happen, or was undone. */
export type StepTimes = Readonly<Record<TimedStep, Instant | null>>;

// ── Cart ────────────────────────────────────────────────────────────────────────────────────────

/** An add-on or an optional. */
export interface CartExtra {
  readonly name: string;
  readonly name_translations: Translations;
  /** Of an add-on, per unit; an optional has none. */
  readonly quantity?: number;
}

interface CartMaking {
  readonly addons?: readonly CartExtra[];
  readonly optionals?: readonly CartExtra[];
}

export interface CartPart extends CartMaking {
  readonly name: string;
  readonly name_translations: Translations;
  readonly size_label: string | null;
  readonly size_translations: Translations;
  readonly quantity: number;
}

/** The fields of a priced line that tracking shows; `frozen-cart.ts` has all. */
export interface CartLine extends CartMaking {
  readonly name: string;
  readonly name_translations: Translations;
  readonly size_label: string | null;
  readonly size_translations?: Translations;
  readonly quantity: number;
  /** After deals. */
  readonly line_total: Piastres;
  readonly combo?: { readonly parts: readonly CartPart[] } | null;
  /** Of the quantity. */
  readonly reward_units?: number;
}

/** A reward of the order as its tracking link tells it. */
export interface CartReward {
  readonly name: string;
  readonly name_translations: Translations;
  readonly units: number;
  /** Of all units, in the programme's points or visits. */
  readonly cost: number;
}

/** What an order with a card was expected to earn when it was placed, and how far the next reward is then. */
export interface StoredEarning {
  readonly mode: Mode;
  readonly earns: number;
  readonly points_to_next_reward: number;
  readonly next_reward: {
    readonly name: string;
    readonly name_translations: Translations;
    readonly cost: number;
  } | null;
}

export interface StoredCart {
  readonly lines: readonly CartLine[];
  readonly deals: readonly unknown[];
  readonly rewards?: readonly CartReward[];
  readonly loyalty?: StoredEarning;
}

// ── Cancel reasons ──────────────────────────────────────────────────────────────────────────────

/** Texts for the guest; the staff's note is never shown (Decisions 3). */
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
export type CancelReason = keyof typeof CANCEL_REASONS;

/** `not_confirmed` is set by the service only. */
export type StaffCancelReason = Exclude<CancelReason, 'not_confirmed'>;

const isForStaff = (reason: string): reason is StaffCancelReason =>
  reason in CANCEL_REASONS && reason !== 'not_confirmed';

export const STAFF_CANCEL_REASONS: readonly StaffCancelReason[] =
  Object.keys(CANCEL_REASONS).filter(isForStaff);

export interface GuestText {
  readonly text: string;
  readonly translations: Translations;
}

/** The text is Arabic if the shop's main language is, else English. */
export const cancelReasonText = (stored: string, language: string): GuestText => {
  const { ar, en } =
    Object.entries(CANCEL_REASONS).find(([key]) => key === stored)?.[1] ?? CANCEL_REASONS.other;
  return language === 'ar' ? { text: ar, translations: { en } } : { text: en, translations: { ar } };
};
