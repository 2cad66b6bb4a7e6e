/** How staff override what a branch sells now: a channel's hours, and what can be had (Decisions 12). */
import { backAt, standingAt, type AvailabilityEntry } from './availability.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, type Words } from '../../kernel/refusal.ts';
import type { ChannelMode } from '../../shops/domain/shop.ts';
import { parseLocalDate, type Instant, type ZoneId } from '../../kernel/time.ts';

/** The longest that anything is overridden until a moment: beyond it people forget. Without a moment it holds until they say otherwise. */
export const MOST_DAYS = 30;

const MOST_MS = MOST_DAYS * 24 * 60 * 60 * 1_000;

/** How a channel is overridden, or left to its hours. */
export interface Override {
  readonly mode: ChannelMode;
  /** When it is left to its hours again; null: not by itself. */
  readonly until: Instant | null;
}

export const LEFT_TO_ITS_HOURS: Override = { mode: 'auto', until: null };

// ── Reading what staff say ──────────────────────────────────────────────────────────────────────

const refused = ({ en, ar }: Words): Error => invalidInput({ path: 'until', problem: en, arabic: ar });

const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The moment that a text writes in ISO 8601, with its offset; null where it is none. */
const momentIn = (text: string): Instant | null => {
  const date = MOMENT.exec(text.toUpperCase())?.[1];
  if (date === undefined || parseLocalDate(date) === null) return null;
  const moment = Date.parse(text.toUpperCase());
  return Number.isNaN(moment) ? null : moment;
};

/** The end that staff gave; null where they gave none. */
const endIn = (text: string | null | undefined, now: Instant): Instant | null => {
  if (text === null || text === undefined) return null;
  const end = momentIn(text);
  if (end === null)
    throw refused({
      en: 'must be a moment with its offset, such as `2026-12-04T17:30:00Z`',
      ar: 'اكتب until لحظة كاملة بفرق توقيتها، مثل 2026-12-04T17:30:00Z',
    });
  if (end <= now) throw refused({ en: 'must be later than now', ar: 'يجب أن يكون until بعد الآن' });
  if (end > now + MOST_MS)
    throw refused({
      en: `must be within ${MOST_DAYS} days; leave it out for what does not end by itself`,
      ar: `أقصى مدة هي ${MOST_DAYS} يومًا؛ اترك until إن كان لا ينتهي من نفسه`,
    });
  return end;
};

/** What staff want of a channel. Throws INVALID_INPUT. */
export const overrideIn = (
  { mode, until }: { readonly mode: ChannelMode; readonly until?: string | null | undefined },
  now: Instant,
): Override => {
  if (mode === 'auto' && until !== null && until !== undefined)
    throw refused({
      en: 'is not for `auto`: a channel left to its hours has no end',
      ar: 'لا يُكتب until مع auto: القناة متروكة لمواعيدها بلا نهاية',
    });
  return { mode, until: endIn(until, now) };
};

/** Until when staff call a thing sold out: `Infinity` until they say otherwise, null not at all. Throws INVALID_INPUT. */
export const soldOutUntilIn = (
  { available, until }: { readonly available: boolean; readonly until?: string | null | undefined },
  now: Instant,
): Instant | null => {
  if (!available) return endIn(until, now) ?? Infinity;
  if (until !== null && until !== undefined)
    throw refused({
      en: 'is only for `available: false`',
      ar: 'لا يُكتب until إلا مع available: false',
    });
  return null;
};

export const isSameOverride = (a: Override, b: Override): boolean => a.mode === b.mode && a.until === b.until;

// ── What can be had ─────────────────────────────────────────────────────────────────────────────

/** A thing of a shop as one branch has it. */
export interface ThingAtBranch {
  readonly branchId: Uuid;
  readonly zone: ZoneId;
  /** Neither archived nor switched off for the whole shop. */
  readonly isLive: boolean;
  /** What is said of it. */
  readonly availability: readonly AvailabilityEntry[];
}

export interface Having {
  readonly available: boolean;
  /** When it comes back by itself; null: it is there, or only people bring it back. */
  readonly backAt: Instant | null;
}

/**
 * Whether a thing can be had at a branch at all: what is said of single channels is left aside, and so are sale windows,
 * which say when it is sold and not that it is gone.
 */
export const havingAt = (thing: ThingAtBranch, now: Instant): Having => {
  const { branchId, zone, isLive } = thing;
  const said = thing.availability.filter(({ channel }) => channel === null);
  // What is said of every channel is said of the tables too.
  const point = { branchId, zone, channel: 'dine_in' } as const;
  return {
    available: isLive && standingAt(said, point, now) === 'on',
    backAt: isLive ? backAt(said, point, now) : null,
  };
};
