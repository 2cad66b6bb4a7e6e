/** Guests' phones over all shops: whether their owner is known, and what a phone that was only typed is told of. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { GuestPhone } from '../domain/guest-phone.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

/**
 * The statement that locks a phone's row, made where there is none, as a part of another; of no phone, no row. It changes
 * no column that an index has, so that the new version of the row is a heap-only tuple.
 */
export const lockingPhone = (phone: Phone | null, now: Instant): RawBuilder<GuestPhone> => sql`
  insert into guest_phone (phone, updated_at)
  select ${phone}::text, ${at(now)} where ${phone !== null}
  on conflict (phone) do update set told_at = guest_phone.told_at
  returning known_at as "knownAt", told_at as "toldAt"`;

/** What a phone is told of. */
export interface ToldPhone {
  readonly phone: Phone;
  readonly toldAt: readonly Instant[];
}

/** The statement that writes what a locked phone is told of, as a part of another; null: nothing changes. */
export const savingTold = (told: ToldPhone | null, now: Instant): RawBuilder<unknown> => sql`
  update guest_phone
  set told_at = ${(told?.toldAt ?? []).map((moment) => new Date(moment).toISOString())}::timestamptz[],
      updated_at = ${at(now)}
  where phone = ${told?.phone ?? null}`;

/** Its owner was met: by a code that was entered, or when an order was handed over. */
export const meetOwner = async (tx: Db, phone: Phone, now: Instant): Promise<void> => {
  await sql`
    insert into guest_phone (phone, known_at, updated_at) values (${phone}, ${at(now)}, ${at(now)})
    on conflict (phone) do update
    set known_at = excluded.known_at, told_at = '{}', updated_at = excluded.updated_at
  `.execute(tx);
};
