import type { Kysely } from 'kysely';
import { isKnown, mayNotify, notifiedAfter } from '../domain/guest-phone.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { lockPhone, saveNotified } from '../store/guest-phone.ts';

/** Whether a phone may be told of one more order or booking, which counts from now on. Locks the phone's row. */
export const countNotified = async (tx: Kysely<Database>, phone: Phone, now: Instant): Promise<boolean> => {
  const guestPhone = await lockPhone(tx, phone, now);
  if (!mayNotify(guestPhone, now)) return false;
  if (!isKnown(guestPhone, now))
    await saveNotified(tx, { phone, notifiedAt: notifiedAfter(guestPhone, now) }, now);
  return true;
};
