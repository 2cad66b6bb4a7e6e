/** A start and party, as asked for by a guest, within the rules of the branch (Decisions 5, 9). */
import { bookableDateOf, dateBounds, serviceDateOf, stayFrom, type StartFault } from '../domain/slots.ts';
import type { CodedFault } from '../../kernel/refusal.ts';
import type { Instant, LocalDate, Span } from '../../kernel/time.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { rulesOf } from './seating.ts';

const FAULTS: Readonly<
  Record<StartFault, (branch: Branch, bounds: { first: LocalDate; last: LocalDate }) => CodedFault>
> = {
  DATE_OUT_OF_RANGE: (_, { first, last }) => ({
    ...{ path: 'starts_at', refusal: 'DATE_OUT_OF_RANGE', figures: { first, last } },
  }),
  TIME_NOT_OFFERED: () => ({ path: 'starts_at', refusal: 'TIME_NOT_OFFERED', figures: {} }),
  TOO_SOON: ({ booking }) => ({
    ...{ path: 'starts_at', refusal: 'TOO_SOON', figures: { lead_time_minutes: booking.leadTimeMinutes } },
  }),
};

const NO_MOMENT = {
  problem: 'must be a moment with its offset, such as `2026-12-04T19:00:00+02:00`',
  arabic: 'اكتب الموعد لحظة كاملة بفرق توقيتها، مثل 2026-12-04T19:00:00+02:00',
} as const;

/** A start and party that the rules allow; whether tables are free is another question. */
export interface Wish {
  readonly date: LocalDate;
  readonly stay: Span;
  readonly partySize: number;
}

interface Asked {
  readonly startsAt: Instant | null;
  readonly partySize: number;
}

export const wishOf = (
  branch: Branch,
  { startsAt, partySize }: Asked,
  now: Instant,
): { readonly wish: Wish } | { readonly faults: readonly CodedFault[] } => {
  const { booking, zone } = branch;
  const { hours, horizonDays, minParty: min, maxParty: max } = booking;
  const bounds = dateBounds(serviceDateOf(hours, zone, now), horizonDays);
  const rules = rulesOf(branch);
  const faults: CodedFault[] = [];
  const start = startsAt === null ? null : bookableDateOf({ rules, hours, zone, bounds }, startsAt, now);
  if (start === null) faults.push({ path: 'starts_at', refusal: 'INVALID_INPUT', figures: {}, ...NO_MOMENT });
  else if ('fault' in start) faults.push(FAULTS[start.fault](branch, bounds));
  if (partySize < min || partySize > max)
    faults.push({ path: 'party_size', refusal: 'PARTY_SIZE_OUT_OF_RANGE', figures: { min, max } });
  if (startsAt === null || start === null || 'fault' in start || faults.length > 0) return { faults };
  return { wish: { date: start.date, stay: stayFrom(rules, startsAt), partySize } };
};
