/** Channel modes and sold-out items, set by staff (Decisions 12). */
import { backAt, availabilityStatusAt, type AvailabilityEntry } from './availability.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, type Words } from '../../kernel/refusal.ts';
import type { ChannelMode } from '../../shops/domain/shop.ts';
import { parseInstant, type Instant, type ZoneId } from '../../kernel/time.ts';

/** Latest end, because people forget to reset a mode; without an end it applies until it is changed. */
export const MAX_UNTIL_DAYS = 30;

const MAX_UNTIL_MS = MAX_UNTIL_DAYS * 24 * 60 * 60 * 1_000;

export interface ChannelModeUntil {
  readonly mode: ChannelMode;
  /** Null: no end. */
  readonly until: Instant | null;
}

export const AUTO_MODE: ChannelModeUntil = { mode: 'auto', until: null };

// ── Parsing ─────────────────────────────────────────────────────────────────────────────────────

const refused = ({ en, ar }: Words): Error => invalidInput({ path: 'until', problem: en, arabic: ar });

/** Null: no end. Throws INVALID_INPUT. */
const parseEnd = (text: string | null | undefined, now: Instant): Instant | null => {
  if (text === null || text === undefined) return null;
  const end = parseInstant(text);
  if (end === null)
    throw refused({
      en: 'must be a moment with its offset, such as `2026-12-04T17:30:00Z`',
      ar: 'اكتب until لحظة كاملة بفرق توقيتها، مثل 2026-12-04T17:30:00Z',
    });
  if (end <= now) throw refused({ en: 'must be later than now', ar: 'يجب أن يكون until بعد الآن' });
  if (end > now + MAX_UNTIL_MS)
    throw refused({
      en: `must be within ${MAX_UNTIL_DAYS} days; leave it out for what does not end by itself`,
      ar: `أقصى مدة هي ${MAX_UNTIL_DAYS} يومًا؛ اترك until إن كان لا ينتهي من نفسه`,
    });
  return end;
};

/** Throws INVALID_INPUT. */
export const parseChannelMode = (
  { mode, until }: { readonly mode: ChannelMode; readonly until?: string | null | undefined },
  now: Instant,
): ChannelModeUntil => {
  if (mode === 'auto' && until !== null && until !== undefined)
    throw refused({
      en: 'is not for `auto`: a channel left to its hours has no end',
      ar: 'لا يُكتب until مع auto: القناة متروكة لمواعيدها بلا نهاية',
    });
  return { mode, until: parseEnd(until, now) };
};

/** `Infinity`: without end; null: available. Throws INVALID_INPUT. */
export const parseSoldOutUntil = (
  { available, until }: { readonly available: boolean; readonly until?: string | null | undefined },
  now: Instant,
): Instant | null => {
  if (!available) return parseEnd(until, now) ?? Infinity;
  if (until !== null && until !== undefined)
    throw refused({
      en: 'is only for `available: false`',
      ar: 'لا يُكتب until إلا مع available: false',
    });
  return null;
};

export const isSameChannelMode = (a: ChannelModeUntil, b: ChannelModeUntil): boolean =>
  a.mode === b.mode && a.until === b.until;

// ── Availability ────────────────────────────────────────────────────────────────────────────────

/** An item, combo or add-on at a branch. */
export interface SellableAtBranch {
  readonly branchId: Uuid;
  readonly zone: ZoneId;
  /** Neither archived nor switched off for the shop. */
  readonly isLive: boolean;
  readonly availability: readonly AvailabilityEntry[];
}

export interface BranchAvailability {
  readonly available: boolean;
  /** Null: available, or back only by a change of staff. */
  readonly backAt: Instant | null;
}

/** Ignores entries of single channels, and sale windows: outside its window an item is not sold out. */
export const availabilityAtBranch = (subject: SellableAtBranch, now: Instant): BranchAvailability => {
  const { branchId, zone, isLive } = subject;
  const entries = subject.availability.filter(({ channel }) => channel === null);
  // Entries of all channels apply to dine-in as well.
  const point = { branchId, zone, channel: 'dine_in' } as const;
  return {
    available: isLive && availabilityStatusAt(entries, point, now) === 'on',
    backAt: isLive ? backAt(entries, point, now) : null,
  };
};
