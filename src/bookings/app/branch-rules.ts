/** What a branch's settings say of a start and a party, for slots and bookings alike (Decisions 9). */
import { dateBounds, serviceDateOf, type DateBounds, type SlotRules } from '../domain/slots.ts';
import { Refusal, type CodedFault } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { branchById } from '../../shops/app/shared.ts';
import { takesBookings, type Branch } from '../../shops/domain/shop.ts';
import type { App } from '../../platform/app/app.ts';

export const rulesOf = ({ booking }: Branch): SlotRules => ({
  slotMinutes: booking.slotMinutes,
  durationMinutes: booking.defaultDurationMinutes,
  leadMinutes: booking.leadTimeMinutes,
  blackoutDates: booking.blackoutDates,
});

/** The dates that can be booked now. */
export const boundsOf = ({ booking, zone }: Branch, now: Instant): DateBounds =>
  dateBounds(serviceDateOf(booking.hours, zone, now), booking.horizonDays);

export const dateFault = (path: string, { first, last }: DateBounds): CodedFault => ({
  ...{ path, refusal: 'DATE_OUT_OF_RANGE', figures: { first, last } },
});

/** None, or that the branch takes no party of this size. */
export const partyFaults = ({ booking }: Branch, partySize: number): readonly CodedFault[] => {
  const { minParty: min, maxParty: max } = booking;
  return partySize >= min && partySize <= max
    ? []
    : [{ path: 'party_size', refusal: 'PARTY_SIZE_OUT_OF_RANGE', figures: { min, max } }];
};

/** Throws NOT_FOUND, also where bookings are off (Decisions 9). */
export const bookableBranch = async (app: Pick<App, 'db'>, branchId: string): Promise<Branch> => {
  const branch = await branchById(app.db.kysely, branchId.toLowerCase());
  if (branch === null || !takesBookings(branch)) throw new Refusal('NOT_FOUND');
  return branch;
};
