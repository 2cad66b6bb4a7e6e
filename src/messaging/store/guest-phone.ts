/**
 * Guests' phones over all shops: whether the owner is known, and the orders that an unproven phone gets
 * messages for.
 */
import { sql, type Kysely } from 'kysely';
import type { GuestPhone, LinkedPhone } from '../domain/guest-phone.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import { apartIfHeard, type ColumnTypes, type Query } from '../../platform/store/nodes/apart.ts';
import { isSpread } from '../../platform/store/nodes/spread.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

const PHONE_TYPES: ColumnTypes<GuestPhone> = { knownAt: 'timestamptz', notifiedAt: 'timestamptz[]' };

/** Without a lock; no row for null. */
export const phoneQuery = (phone: Phone | null): Query<GuestPhone> => ({
  query: sql`select known_at as "knownAt", told_at as "notifiedAt" from guest_phone where phone = ${phone}`,
  types: PHONE_TYPES,
  isEmpty: phone === null,
});

/**
 * Whether the node of a phone answers; always so on one server, which is not asked for the phone either. Outside the
 * transaction: it would end with a silent node, and must not wait for a second connection.
 */
export const phoneAnswers = async (
  db: Db,
  phoneOf: () => Phone | null | Promise<Phone | null>,
): Promise<boolean> => !(await isSpread(db)) || (await apartIfHeard(db, phoneQuery(await phoneOf()))).isHeard;

/**
 * Locks a phone's row, inserting it if missing; no row for null. It changes no indexed column, so that the new row
 * version is a heap-only tuple.
 */
export const phoneLockQuery = (phone: Phone | null, now: Instant): Query<LinkedPhone> => ({
  query: sql`
  insert into guest_phone (phone, updated_at)
  select ${phone}::text, ${at(now)} where ${phone !== null}
  on conflict (phone) do update set told_at = guest_phone.told_at
  returning known_at as "knownAt", told_at as "notifiedAt", card_link_at as "cardLinkAt"`,
  types: { ...PHONE_TYPES, cardLinkAt: 'timestamptz' },
  isEmpty: phone === null,
});

export interface NotifiedPhone {
  readonly phone: Phone;
  readonly notifiedAt: readonly Instant[];
}

/** Stores `notifiedAt` of a locked phone; null: no change. */
export const notifiedAtUpdate = (
  notified: NotifiedPhone | null,
  now: Instant,
): Query<Pick<NotifiedPhone, 'phone'>> => ({
  query: sql`
  update guest_phone
  set told_at = ${(notified?.notifiedAt ?? []).map((moment) => new Date(moment).toISOString())}::timestamptz[],
      updated_at = ${at(now)}
  where phone = ${notified?.phone ?? null}
  returning phone`,
  types: { phone: 'text' },
  isEmpty: notified === null,
});

export const markOwnerKnown = async (tx: Db, phone: Phone, now: Instant): Promise<void> => {
  await sql`
    insert into guest_phone (phone, known_at, updated_at) values (${phone}, ${at(now)}, ${at(now)})
    on conflict (phone) do update
    set known_at = excluded.known_at, told_at = '{}', updated_at = excluded.updated_at
  `.execute(tx);
};

/** Locks the phone's row until the transaction ends. */
export const lockPhone = async (tx: Db, phone: Phone, now: Instant): Promise<LinkedPhone> => {
  const { rows } = await phoneLockQuery(phone, now).query.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('An upsert that was not refused has a row.');
  return row;
};

/** Of a locked phone. */
export const saveCardLink = async (tx: Db, phone: Phone, now: Instant): Promise<void> => {
  await sql`update guest_phone set card_link_at = ${at(now)}, updated_at = ${at(now)} where phone = ${phone}`.execute(
    tx,
  );
};

export const saveNotified = async (tx: Db, notified: NotifiedPhone, now: Instant): Promise<void> => {
  await notifiedAtUpdate(notified, now).query.execute(tx);
};
