/** Bookings. */
import { sql, type Insertable, type Kysely, type Selectable, type Updateable } from 'kysely';
import type { BookingStatus } from '../domain/booking.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/names.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant, LocalDate } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';
import { apart } from '../../platform/store/nodes/apart.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import { lockDays } from './claims.ts';

type Db = Kysely<Database>;

export type StoredBooking = Selectable<Database['booking']> & {
  readonly status: BookingStatus;
  readonly language: Language;
};
export type NewBooking = Insertable<Database['booking']>;

export const bookingById = async (db: Db, orgId: Uuid, id: Uuid): Promise<StoredBooking | null> => {
  const { rows } = await sql<StoredBooking>`
    select * from booking where org_id = ${orgId} and id = ${id}
  `.execute(db);
  return rows[0] ?? null;
};

/**
 * Locks the booking's date, the other dates, and its row, which is returned as it is now: while its date is locked, nobody
 * moves it to other tables. Throws `ConcurrentChange` where it has another date since it was read.
 */
export const lockBooking = async (
  tx: Db,
  { org_id: orgId, id, branch_id: branchId, service_date: date }: StoredBooking,
  others: readonly LocalDate[] = [],
): Promise<StoredBooking> => {
  await lockDays(tx, orgId, branchId, [date, ...others]);
  const { rows } = await sql<StoredBooking>`
    select * from booking where org_id = ${orgId} and id = ${id} for no key update
  `.execute(tx);
  const [row] = rows;
  if (row?.service_date !== date) throw new ConcurrentChange();
  return row;
};

/** Locks the rows until the transaction ends, by id. */
export const lockBookings = async (tx: Db, orgId: Uuid, ids: readonly Uuid[]): Promise<void> => {
  await sql`
    select from booking where org_id = ${orgId} and id = any(${[...ids]}::uuid[]) order by id for no key update
  `.execute(tx);
};

/** One open ticket of its guests more or less; returns how many there are now. */
export const addTickets = async (tx: Db, orgId: Uuid, id: Uuid, more: 1 | -1): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    update booking set open_tickets = open_tickets + ${more} where org_id = ${orgId} and id = ${id}
    returning open_tickets as count
  `.execute(tx);
  return rows[0]?.count ?? 0;
};

/** Of a branch and service date, in order of their start. */
export const bookingsOfDay = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  date: LocalDate,
): Promise<StoredBooking[]> => {
  const { rows } = await sql<StoredBooking>`
    select * from booking where org_id = ${orgId} and branch_id = ${branchId} and service_date = ${date}::date
    order by starts_at, created_at, id
  `.execute(db);
  return rows;
};

export interface BookedTable {
  readonly booking_id: Uuid;
  readonly id: Uuid;
  readonly label: string;
}

/** The tables of each booking, in order of their labels. */
export const tablesOfBookings = async (
  db: Db,
  orgId: Uuid,
  bookingIds: readonly Uuid[],
): Promise<readonly BookedTable[]> => {
  const { rows } = await sql<BookedTable>`
    select b.booking_id, t.id, t.label
    from booking_table b
    join dining_table t on t.org_id = ${orgId} and t.id = b.table_id
    where b.org_id = ${orgId} and b.booking_id = any(${[...bookingIds]}::uuid[])
    order by t.label, t.id
  `.execute(db);
  return rows;
};

/** The booking whose guests sit at the table; null: none do. Of two the later one: others stay over their time. */
export const bookingSeatedAt = async (db: Db, orgId: Uuid, tableId: Uuid): Promise<Uuid | null> => {
  const { rows } = await sql<{ id: Uuid }>`
    select b.id from booking_table t
    join booking b on b.org_id = ${orgId} and b.id = t.booking_id
    where t.org_id = ${orgId} and t.table_id = ${tableId} and b.status = 'seated'
    order by b.seated_at desc, b.id limit 1
  `.execute(db);
  return rows[0]?.id ?? null;
};

const LINK = 'booking_link';

/** The locator's id of a manage link: the first half of the token's hash. */
const linkIdOf = (hash: Buffer): Uuid => hash.toString('hex', 0, 16);

/** From a link to its shop. */
type Lead = Pick<StoredBooking, 'org_id'>;

/** By the hash of its manage token; null where the shop is switched off. */
export const bookingByLink = async (db: Db, hash: Buffer): Promise<StoredBooking | null> => {
  const query = sql<Lead>`select org_id from locator where id = ${linkIdOf(hash)} and kind = ${LINK}`;
  const { rows } = await sql<StoredBooking>`
    select b.* from (${await apart(db, { query, types: { org_id: 'uuid' } })}) l
    join shop s on s.org_id = l.org_id and s.is_active
    join booking b on b.org_id = l.org_id and b.manage_hash = ${hash}
  `.execute(db);
  return rows[0] ?? null;
};

/** With the link by which its token finds it. */
export const insertBooking = async (
  tx: Db,
  booking: NewBooking & { readonly manage_hash: Buffer },
): Promise<StoredBooking> => {
  const columns = Object.keys(booking);
  const { rows } = await sql<StoredBooking>`
    with located as (
      insert into locator (id, org_id, kind) values (${linkIdOf(booking.manage_hash)}, ${booking.org_id}, ${LINK})
    )
    insert into booking (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(Object.values(booking))})
    returning *
  `.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('An insert that was not refused has a row.');
  return row;
};

export type BookingUpdate = Omit<
  Updateable<Database['booking']>,
  'org_id' | 'id' | 'revision' | 'updated_at'
>;

/** Counts the revision up. */
export const updateBooking = async (
  tx: Db,
  { org_id: orgId, id }: Pick<StoredBooking, 'org_id' | 'id'>,
  update: BookingUpdate,
  now: Instant,
): Promise<StoredBooking> => {
  const row = await tx
    .updateTable('booking')
    .set((eb) => ({ ...update, revision: eb('revision', '+', 1), updated_at: at(now) }))
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return row as StoredBooking;
};

// ── Personal data ───────────────────────────────────────────────────────────────────────────────

/** Oldest first. */
export const bookingsOfPhone = async (db: Db, orgId: Uuid, phone: Phone): Promise<StoredBooking[]> => {
  const { rows } = await sql<StoredBooking>`
    select * from booking where org_id = ${orgId} and guest_phone = ${phone} order by created_at, id
  `.execute(db);
  return rows;
};

interface OwnBooking extends Pick<StoredBooking, 'id' | 'branch_id' | 'service_date'> {
  readonly manageHash: Buffer | null;
  readonly isErased: boolean;
}

export interface ErasedBookings {
  readonly erased: readonly Pick<OwnBooking, 'id' | 'branch_id' | 'service_date'>[];
  /** Still to come or seated: they keep their guest. */
  readonly open: number;
}

/** Erases those that have ended or are past, with their links. */
export const eraseBookingsOfPhone = async (
  tx: Db,
  orgId: Uuid,
  phone: Phone,
  now: Instant,
): Promise<ErasedBookings> => {
  const { rows } = await sql<OwnBooking>`
    with own as (
      select id, branch_id, service_date, manage_hash,
             status not in ('confirmed', 'seated') or ends_at < ${at(now)} - interval '1 hour' as over
      from booking
      where org_id = ${orgId} and guest_phone = ${phone} order by id for no key update
    ), erased as (
      update booking b
      set guest_name = '', guest_phone = null, phone_proven = false, notes = null, manage_hash = null,
          revision = b.revision + 1, updated_at = ${at(now)}
      from own where own.over and b.org_id = ${orgId} and b.id = own.id
    )
    select id, branch_id, service_date, manage_hash as "manageHash", over as "isErased" from own order by id
  `.execute(tx);
  const erased = rows.filter(({ isErased }) => isErased);
  const links = erased.flatMap(({ manageHash }) => (manageHash === null ? [] : [linkIdOf(manageHash)]));
  await sql`
    delete from locator where id = any(${links}::uuid[]) and org_id = ${orgId} and kind = ${LINK}
  `.execute(tx);
  return { erased, open: rows.length - erased.length };
};
