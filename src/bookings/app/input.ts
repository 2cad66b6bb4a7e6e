/** Faults of what guests and staff enter, in their words. */
import type { Fault } from '../../kernel/refusal.ts';
import { addMinutes, type Instant, type Span } from '../../kernel/time.ts';
import { STAFF_BOUNDS } from '../domain/booking.ts';

export const NO_MOMENT = {
  problem: 'must be a moment with its offset, such as `2026-12-04T19:00:00+02:00`',
  arabic: 'اكتب الموعد لحظة كاملة بفرق توقيتها، مثل 2026-12-04T19:00:00+02:00',
} as const;

export const NO_NAME = { problem: 'is required', arabic: 'الاسم مطلوب' } as const;

const IS_OVER = { problem: 'must end in the future', arabic: 'يجب أن ينتهي الموعد في المستقبل' } as const;
const TOO_FAR = {
  problem: `must be at most ${STAFF_BOUNDS.maxDaysAhead} days ahead`,
  arabic: `يجب ألا يتجاوز الموعد ${STAFF_BOUNDS.maxDaysAhead} يومًا من الآن`,
} as const;

const HAS_BEGUN = {
  problem: `must be at most ${STAFF_BOUNDS.maxMinutesPast} minutes ago`,
  arabic: `يجب ألا يكون الموعد قبل أكثر من ${STAFF_BOUNDS.maxMinutesPast} دقيقة`,
} as const;

interface TimeOptions {
  readonly path?: string;
  /** The start is chosen now. */
  readonly isNew?: boolean;
}

/** Of a time that the staff enter; null: it is no moment. */
export const timeFaults = (
  span: Span | null,
  now: Instant,
  { path = 'starts_at', isNew = false }: TimeOptions = {},
): Fault[] => {
  if (span === null) return [{ path, ...NO_MOMENT }];
  if (span.end <= now) return [{ path, ...IS_OVER }];
  if (isNew && span.start < addMinutes(now, -STAFF_BOUNDS.maxMinutesPast)) return [{ path, ...HAS_BEGUN }];
  const latest = addMinutes(now, STAFF_BOUNDS.maxDaysAhead * 24 * 60);
  return span.start > latest ? [{ path, ...TOO_FAR }] : [];
};
