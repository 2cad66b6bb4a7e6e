/** What an online order is made of, wherever it is looked at (Decisions 4, Online order). */
import type { Piastres } from '../../kernel/money.ts';
import type { Translations } from '../../kernel/names.ts';
import type { Instant } from '../../kernel/time.ts';

// ── Status ──────────────────────────────────────────────────────────────────────────────────────

/** The steps forward, then the other two ends. */
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

/** When each step happened; null for one that did not, or that was undone. */
export type StepTimes = Readonly<Record<TimedStep, Instant | null>>;

// ── Cart ────────────────────────────────────────────────────────────────────────────────────────

/** One frozen priced line of an order, as far as tracking shows it; `frozen-cart.ts` freezes the whole of it. */
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

// ── Why an order ended ──────────────────────────────────────────────────────────────────────────

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
export type CancelReason = keyof typeof CANCEL_REASONS;

/** Given by the service alone, when no one confirmed: whoever cancels by hand did look at the order. */
export type StaffCancelReason = Exclude<CancelReason, 'not_confirmed'>;

const isForStaff = (reason: string): reason is StaffCancelReason =>
  reason in CANCEL_REASONS && reason !== 'not_confirmed';

/** The reasons that staff choose from. */
export const STAFF_CANCEL_REASONS: readonly StaffCancelReason[] =
  Object.keys(CANCEL_REASONS).filter(isForStaff);

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
