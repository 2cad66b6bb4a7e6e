import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './schema.ts';
import { at } from './types.ts';

export interface Recipient {
  readonly phone: string;
  /** On the device that ordered. */
  readonly isProven: boolean;
  /** Messages of the shop that went to the phone since a moment, counted up to `most`. */
  readonly told: number;
}

/**
 * To whom an order's messages go; null once the person was erased, or when there is no such order. Messages that are on
 * their way at this moment are not counted. Orders are looked at that were taken up to a day before `since`, for a message
 * waits no longer.
 */
export const recipientOf = async (
  db: Kysely<Database>,
  { orgId, orderId, since, most }: { orgId: Uuid; orderId: Uuid; since: Instant; most: number },
): Promise<Recipient | null> => {
  const { rows } = await sql<Recipient>`
    select d.customer_phone as phone, d.otp_verified as "isProven",
           (
             select count(*)::int
             from (
               select from delivery_order other
               join outbox told on told.org_id = other.org_id and told.subject_id = other.id
               where other.org_id = d.org_id and other.customer_phone = d.customer_phone
                 and other.created_at > ${at(since)} - interval '24 hours'
                 and told.kind = 'message' and told.status = 'sent' and told.done_at > ${at(since)}
               limit ${most}
             ) counted
           ) as told
    from delivery_order d
    where d.org_id = ${orgId} and d.id = ${orderId} and d.customer_phone is not null
  `.execute(db);
  return rows[0] ?? null;
};
