import type { PathOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/guest-booking.ts';
import { calendarFile } from '../domain/calendar.ts';
import { guestsText } from '../domain/message.ts';
import { nameIn, type Language } from '../../kernel/names.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { brandOf } from '../../shops/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { bookingOfToken } from './booking-view.ts';
import { manageLink } from './notifications.ts';

const SUMMARY: Readonly<Record<Language, (shop: string) => string>> = {
  ar: (shop) => `حجز طاولة في ${shop}`,
  en: (shop) => `Table at ${shop}`,
};

const addressIn = (language: Language, { address, addressTranslations }: Branch): string | null =>
  addressTranslations[language] ?? address;

/** GET /public/bookings/{manage_token}/calendar.ics. */
export const getBookingCalendar =
  (app: App) =>
  async ({ path }: { path: PathOf<typeof contract.getBookingCalendar> }): Promise<string> => {
    const { booking, branch } = await bookingOfToken(app, path.manage_token);
    const brand = await brandOf(app.db.kysely, booking.org_id);
    if (brand === null) throw new Refusal('NOT_FOUND');
    const { language } = booking;
    const [shop, url] = [nameIn(language, brand), manageLink(app, path.manage_token)];
    const place = [shop, nameIn(language, branch), addressIn(language, branch)];
    return calendarFile({
      ...{ uid: booking.id, sequence: booking.revision, status: booking.status, writtenAt: app.clock.now() },
      stay: { start: booking.starts_at, end: booking.ends_at },
      ...{ language, summary: SUMMARY[language](shop), url },
      description: `${guestsText(booking.party_size, language)}\n${url}`,
      location: place.filter((part) => part !== null).join(language === 'ar' ? '، ' : ', '),
    });
  };
