/** A start and party, as asked for by a guest, within the rules of the branch (Decisions 5, 9). */
import { bookableDateOf, stayFrom, type DateBounds, type StartFault } from '../domain/slots.ts';
import type { CodedFault } from '../../kernel/refusal.ts';
import type { Instant, LocalDate, Span } from '../../kernel/time.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { boundsOf, dateFault, partyFaults, rulesOf } from './branch-rules.ts';
import { NO_MOMENT } from './input.ts';

const FAULTS: Readonly<Record<StartFault, (branch: Branch, bounds: DateBounds) => CodedFault>> = {
  DATE_OUT_OF_RANGE: (_, bounds) => dateFault('starts_at', bounds),
  TIME_NOT_OFFERED: () => ({ path: 'starts_at', refusal: 'TIME_NOT_OFFERED', figures: {} }),
  TOO_SOON: ({ booking }) => ({
    ...{ path: 'starts_at', refusal: 'TOO_SOON', figures: { lead_time_minutes: booking.leadTimeMinutes } },
  }),
};

/** A start and party that the rules allow; whether tables are free is another question. */
export interface StayRequest {
  readonly date: LocalDate;
  readonly stay: Span;
  readonly partySize: number;
}

interface Asked {
  readonly startsAt: Instant | null;
  readonly partySize: number;
}

export const stayRequestOf = (
  branch: Branch,
  { startsAt, partySize }: Asked,
  now: Instant,
): { readonly requested: StayRequest } | { readonly faults: readonly CodedFault[] } => {
  const { booking, zone } = branch;
  const { hours } = booking;
  const bounds = boundsOf(branch, now);
  const rules = rulesOf(branch);
  const faults: CodedFault[] = [];
  const start = startsAt === null ? null : bookableDateOf({ rules, hours, zone, bounds }, startsAt, now);
  if (start === null) faults.push({ path: 'starts_at', refusal: 'INVALID_INPUT', figures: {}, ...NO_MOMENT });
  else if ('fault' in start) faults.push(FAULTS[start.fault](branch, bounds));
  faults.push(...partyFaults(branch, partySize));
  if (startsAt === null || start === null || 'fault' in start || faults.length > 0) return { faults };
  return { requested: { date: start.date, stay: stayFrom(rules, startsAt), partySize } };
};
