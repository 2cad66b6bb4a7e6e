/** Where tables can be booked (Decisions 2). */
import type { Static } from 'typebox';
import type { PathOf, QueryOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/branches.ts';
import { branchScope, shopScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { byName } from '../../kernel/names.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { addDays, formatWallTime, type Instant, type LocalDate } from '../../kernel/time.ts';
import { directionsUrl, takesBookings, type BookingSettings, type Branch } from '../../shops/domain/shop.ts';
import { isClosedOn, nextServiceDateEdge, serviceDateOf } from '../domain/slots.ts';
import { boundsOf, rulesOf } from './branch-rules.ts';
import { branchById, branchesOf, brandOf, isActiveShop, linksOf } from '../../shops/app/shared.ts';
import { versionOf } from '../../platform/store/change-log.ts';
import type { Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';

const hoursReply = ({ hours }: BookingSettings): Static<typeof contract.HoursEntry>[] =>
  [...hours.weekly]
    .sort((a, b) => a.dow - b.dow || a.open - b.open)
    .map(({ dow, open, close }) => ({ dow, open: formatWallTime(open), close: formatWallTime(close) }));

const closedDates = (branch: Branch, now: Instant): LocalDate[] => {
  const { booking, zone } = branch;
  const { first } = boundsOf(branch, now);
  const dates = Array.from({ length: booking.horizonDays + 1 }, (_, days) => addDays(first, days));
  return dates.filter((date) => isClosedOn(rulesOf(branch), booking.hours, zone, date));
};

type BookingInfo = Static<typeof contract.PublicBookingInfo>;
type Contact = Pick<BookingInfo, 'address' | 'address_translations' | 'phone' | 'directions_url'>;

const HIDDEN: Contact = { address: null, phone: null, directions_url: null };

const contactOf = (branch: Branch): Contact => ({
  ...{ address: branch.address, address_translations: branch.addressTranslations },
  ...{ phone: branch.phone, directions_url: directionsUrl(branch) },
});

/** Throws NOT_FOUND. */
const readInfo = (
  app: App,
  branchId: Uuid,
  { isForItsGuest }: { readonly isForItsGuest: boolean },
): Promise<Answer<BookingInfo>> =>
  app.db.snapshot(async (tx) => {
    const branch = await branchById(tx, branchId);
    const brand = branch === null ? null : await brandOf(tx, branch.orgId);
    const links = branch === null ? null : await linksOf(tx, branch.orgId);
    if (branch === null || brand === null || links === null) throw new Refusal('NOT_FOUND');
    const { booking, zone, orgId } = branch;
    const now = app.clock.now();
    const isKnown = isForItsGuest || takesBookings(branch) || links.showBranches;
    return {
      body: {
        ...{ branch_id: branch.id, branch_name: branch.name },
        branch_name_translations: branch.nameTranslations,
        ...{ org_id: orgId, org_name: brand.name },
        ...(isKnown ? contactOf(branch) : HIDDEN),
        enabled: takesBookings(branch),
        timezone: zone,
        slot_minutes: booking.slotMinutes,
        default_duration_minutes: booking.defaultDurationMinutes,
        min_party: booking.minParty,
        max_party: booking.maxParty,
        lead_time_minutes: booking.leadTimeMinutes,
        horizon_days: booking.horizonDays,
        hold_minutes: booking.holdMinutes,
        require_otp: booking.requireOtp,
        hours: hoursReply(booking),
        blackout_dates: [...booking.blackoutDates],
        closed_dates: closedDates(branch, now),
        today: serviceDateOf(booking.hours, zone, now),
      },
      orgId,
      scopes: [shopScope, branchScope(branch.id)],
      version: await versionOf(tx, orgId),
      validUntil: nextServiceDateEdge(booking.hours, zone, now),
    };
  });

/** GET /public/branches/{id}/booking-info; also where bookings are off. Throws NOT_FOUND. */
export const getBookingInfo =
  (app: App) =>
  ({ path }: { path: PathOf<typeof contract.getBookingInfo> }): Promise<Answer<BookingInfo>> =>
    readInfo(app, path.id, { isForItsGuest: false });

/** For the guest of a booking, who must find the branch whatever the shop's links page shows. Throws NOT_FOUND. */
export const bookingInfoForItsGuest =
  (app: App) =>
  (branchId: Uuid): Promise<Answer<BookingInfo>> =>
    readInfo(app, branchId, { isForItsGuest: true });

/** GET /public/booking-branches. Throws NOT_FOUND for an unknown shop. */
export const listBookingBranches =
  (app: App) =>
  ({
    query,
  }: {
    query: QueryOf<typeof contract.listBookingBranches>;
  }): Promise<Answer<Static<typeof contract.PublicBookingBranch>[]>> =>
    app.db.snapshot(async (tx) => {
      const orgId = query.org_id;
      if (!(await isActiveShop(tx, orgId))) throw new Refusal('NOT_FOUND');
      const branches = (await branchesOf(tx, orgId)).sort(byName);
      return {
        body: branches.filter(takesBookings).map(({ id, name, nameTranslations, code }) => ({
          ...{ id, name, name_translations: nameTranslations, code },
        })),
        orgId,
        scopes: [shopScope, ...branches.map(({ id }) => branchScope(id))],
        version: await versionOf(tx, orgId),
        validUntil: null,
      };
    });
