/** Messages to the guest of a booking: whether there are any, each with its change, and who gets it. */
import type { Kysely } from 'kysely';
import { bookingMessage, obsoleteReason, type BookingEvent } from '../domain/message.ts';
import { nameIn } from '../../kernel/names.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { brandOf } from '../../shops/app/shared.ts';
import { messageRow, never, obsolete } from '../../messaging/domain/outbox.ts';
import { prefixOf } from '../../messaging/domain/budget.ts';
import type { RecipientOf } from '../../messaging/app/guest-message.ts';
import { addressLine, spendForAddress } from '../../messaging/app/message-budget.ts';
import { countNotified } from '../../messaging/app/guest-phone.ts';
import { addToOutbox } from '../../messaging/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import type { Database } from '../../platform/store/schema.ts';
import { bookingById, type StoredBooking } from '../store/booking.ts';

type Tx = Kysely<Database>;

/**
 * Whether the guest is told of a new booking, all its messages: an unproven phone is told of two orders or bookings in a
 * day over all shops (Decisions 8). Locks the phone until the transaction ends, so call it late, and only where
 * `phoneAnswers`.
 */
export const isGuestNotified = async (
  tx: Tx,
  { messenger, sending, messageBudgets }: Pick<App, 'messenger' | 'sending' | 'messageBudgets'>,
  phone: Phone,
  now: Instant,
): Promise<boolean> => {
  if (!messenger.isReady || sending.wasSilent()) return false;
  if (messageBudgets === null) return true;
  return prefixOf(phone, messageBudgets) !== null && countNotified(tx, phone, now);
};

/**
 * Charges the client address for messages to a phone that it does not prove (Decisions 8); refunded if the work fails.
 * `work` learns whether the address has any left.
 */
export const chargingAddress = async <T>(
  app: App,
  { client, isProven }: { readonly client: string; readonly isProven: boolean },
  work: (hasBudget: boolean) => Promise<T>,
): Promise<T> => {
  if (isProven || app.messageBudgets === null) return work(true);
  const refund = await spendForAddress(app, addressLine(app.messageBudgets, client), client);
  if (refund === null) return work(false);
  try {
    return await work(true);
  } catch (fault) {
    refund();
    throw fault;
  }
};

interface BookingNotification {
  readonly event: BookingEvent;
  readonly by: 'guest' | 'shop';
  /** As it is after the change, its row locked or new. */
  readonly booking: StoredBooking;
  readonly branch: Branch;
}

/** Adds the message to the outbox. What a guest without a proven phone changes is not told to that phone. */
export const notifyGuest = async (
  tx: Tx,
  app: Pick<App, 'clock' | 'random'>,
  { event, by, booking, branch }: BookingNotification,
): Promise<void> => {
  if (!booking.notified || booking.guest_phone === null || booking.manage_hash === null) return;
  if (by === 'guest' && event !== 'confirmed' && !booking.phone_proven) return;
  const { org_id: orgId, id: subjectId } = booking;
  const brand = await brandOf(tx, orgId);
  if (brand === null) return;
  const { language } = booking;
  const message = bookingMessage(event, {
    ...{
      language,
      shopName: nameIn(language, brand),
      branchName: nameIn(language, branch),
      zone: branch.zone,
    },
    ...{ startsAt: booking.starts_at, partySize: booking.party_size },
  });
  const row = messageRow({ orgId, id: app.random.uuid(), subject: 'booking', subjectId }, message);
  await addToOutbox(tx, [row], app.clock.now());
};

export const manageLink = ({ baseUrl }: Pick<App, 'baseUrl'>, token: string): string =>
  `${baseUrl}/manage/${token}`;

/** The phone of the booking and its link, whose token is derived again, while the message is true. */
export const bookingRecipient =
  (app: Pick<App, 'db' | 'clock' | 'tokens' | 'baseUrl'>): RecipientOf =>
  async ({ orgId, subjectId, payload }) => {
    const booking = await bookingById(app.db.kysely, orgId, subjectId);
    if (booking === null || booking.guest_phone === null || booking.manage_hash === null)
      return obsolete('the booking has no phone any more');
    if (!booking.notified) return obsolete('the phone of the booking is not told');
    const { status, starts_at: startsAt, party_size: partySize } = booking;
    const reason = obsoleteReason(payload, { status, startsAt, partySize }, app.clock.now());
    if (reason !== null) return obsolete(reason);
    const token = app.tokens.manageTokenOf(booking.id, booking.manage_hash);
    if (token === null) return never('its link was made with a key that SECRET_KEY no longer has');
    return { phone: booking.guest_phone, link: manageLink(app, token), isWhole: booking.phone_proven };
  };
