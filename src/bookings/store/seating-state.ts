import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Arrival } from '../domain/seating/capacity.ts';
import { claimsBy, type JoinGroup, type Party, type Table, type TableClaim } from '../domain/seating/room.ts';
import type { Instant, LocalDate, Span } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

export interface BookedParty extends Party {
  readonly serviceDate: LocalDate;
}

/** Tables and bookings that decide whether a party can be seated. */
export interface SeatingState {
  readonly tables: readonly Table[];
  readonly joins: readonly JoinGroup[];
  /** Confirmed bookings within the span: their tables may be changed while their date is locked. */
  readonly parties: readonly BookedParty[];
  /** All other claims that overlap the span: they stay. */
  readonly claims: readonly TableClaim[];
  readonly arrivals: readonly Arrival[];
}

const tablesOf = async (db: Db, orgId: Uuid, branchId: Uuid): Promise<Table[]> => {
  const rows = await db
    .selectFrom('dining_table')
    .select(['id', 'seats_min', 'seats_max', 'bookable'])
    .where('org_id', '=', orgId)
    .where('branch_id', '=', branchId)
    .where('archived_at', 'is', null)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    seatsMin: row.seats_min,
    seatsMax: row.seats_max,
    bookable: row.bookable,
  }));
};

const joinsOf = async (db: Db, orgId: Uuid, branchId: Uuid): Promise<JoinGroup[]> => {
  const rows = await db
    .selectFrom('table_join')
    .select(['id', 'table_ids'])
    .where('org_id', '=', orgId)
    .where('branch_id', '=', branchId)
    .execute();
  return rows.map((row) => ({ id: row.id, tableIds: row.table_ids }));
};

interface BookingRow {
  readonly id: Uuid;
  readonly status: string;
  readonly service_date: LocalDate;
  readonly party_size: number;
  readonly starts_at: Instant;
  readonly ends_at: Instant;
  /** Empty: its claims were given up. */
  readonly table_ids: Uuid[];
}

/** Those of which guests or claims overlap the span; without cancelled ones and no-shows. */
const bookingsWithin = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  span: Span,
  without: Uuid | null,
): Promise<readonly BookingRow[]> => {
  const { rows } = await sql<BookingRow>`
    select b.id, b.status, b.service_date, b.party_size, b.starts_at, b.ends_at,
           array(select t.table_id from booking_table t
                 where t.org_id = b.org_id and t.booking_id = b.id order by t.table_id) as table_ids
    from booking b
    where b.org_id = ${orgId} and b.branch_id = ${branchId} and b.status in ('confirmed', 'seated', 'completed')
      and b.starts_at < ${at(span.end)} and b.ends_at > ${at(span.start)} and b.id is distinct from ${without}
    order by b.starts_at, b.id
  `.execute(db);
  return rows;
};

/** A booking that reaches beyond the span stays: bookings that it meets there were not read. */
const isMovable = ({ status, starts_at, ends_at }: BookingRow, span: Span): boolean =>
  status === 'confirmed' && span.start <= starts_at && ends_at <= span.end;

/** `without`: a booking that counts as absent. */
export const seatingStateOf = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  span: Span,
  without: Uuid | null = null,
): Promise<SeatingState> => {
  const [tables, joins] = [await tablesOf(db, orgId, branchId), await joinsOf(db, orgId, branchId)];
  const bookings = await bookingsWithin(db, orgId, branchId, span, without);
  const partyOf = (row: BookingRow): BookedParty => ({
    ...{ id: row.id, size: row.party_size, tableIds: row.table_ids, serviceDate: row.service_date },
    ...{ start: row.starts_at, end: row.ends_at },
  });
  return {
    tables,
    joins,
    parties: bookings.filter((row) => isMovable(row, span)).map(partyOf),
    claims: bookings
      .filter((row) => !isMovable(row, span))
      .map(partyOf)
      .flatMap(claimsBy),
    arrivals: bookings.map((row) => ({ startsAt: row.starts_at, partySize: row.party_size })),
  };
};
