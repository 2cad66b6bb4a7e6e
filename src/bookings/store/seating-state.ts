import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Arrival } from '../domain/seating/capacity.ts';
import { claimsBy, type JoinGroup, type Party, type Table, type TableClaim } from '../domain/seating/room.ts';
import { earliest, type Instant, type LocalDate, type Span } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';
import { blocksWithin } from './block.ts';
import { holdsWithin } from './hold.ts';

type Db = Kysely<Database>;

export interface BookedParty extends Party {
  readonly kind: 'booking' | 'hold';
  readonly serviceDate: LocalDate;
}

/** Tables and bookings that decide whether a party can be seated. */
export interface SeatingState {
  readonly tables: readonly Table[];
  readonly joins: readonly JoinGroup[];
  /** Confirmed bookings and holds within the span: their tables may be changed while their date is locked. */
  readonly parties: readonly BookedParty[];
  /** All other claims that overlap the span: they stay. */
  readonly claims: readonly TableClaim[];
  readonly arrivals: readonly Arrival[];
  /** When guests can book no table at all. */
  readonly closures: readonly Span[];
  /** When the first hold expires; null: there is none. */
  readonly heldUntil: Instant | null;
  /** Tables with an open bill, for the staff: nobody knows until when. */
  readonly inUse: readonly Uuid[];
}

export interface SeatingQuestion {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly span: Span;
  readonly now: Instant;
  /** Holds and blocks of the whole branch never stand in the staff's way. */
  readonly viewer: 'guest' | 'staff';
  /** A booking or hold that counts as absent. */
  readonly without: Uuid | null;
}

type Room = Pick<SeatingState, 'tables' | 'joins'>;

const roomOf = async (db: Db, { orgId, branchId }: SeatingQuestion): Promise<Room> => {
  const { rows } = await sql<Room>`
    select coalesce((select json_agg(json_build_object('id', id, 'seatsMin', seats_min, 'seatsMax', seats_max,
                                                       'bookable', bookable))
                     from dining_table
                     where org_id = ${orgId} and branch_id = ${branchId} and archived_at is null), '[]') as tables,
           coalesce((select json_agg(json_build_object('id', id, 'tableIds', table_ids))
                     from table_join where org_id = ${orgId} and branch_id = ${branchId}), '[]') as joins
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('A select of one row has one.');
  return row;
};

interface BookingRow {
  readonly id: Uuid;
  readonly status: string;
  readonly is_pinned: boolean;
  readonly service_date: LocalDate;
  readonly party_size: number;
  readonly starts_at: Instant;
  /** Since when guests who are seated have their tables. */
  readonly held_from: Instant;
  readonly ends_at: Instant;
  /** Empty: its claims were given up. */
  readonly table_ids: Uuid[];
}

/** Those of which guests or claims overlap the span; without cancelled ones and no-shows. */
const bookingsWithin = async (
  db: Db,
  { orgId, branchId, span, without }: SeatingQuestion,
): Promise<readonly BookingRow[]> => {
  const { rows } = await sql<BookingRow>`
    select b.id, b.status, b.is_pinned, b.service_date, b.party_size, b.starts_at, b.ends_at,
           case when b.status = 'seated' then coalesce(b.seated_at, b.starts_at) else b.starts_at end as held_from,
           array(select t.table_id from booking_table t
                 where t.org_id = ${orgId} and t.booking_id = b.id order by t.table_id) as table_ids
    from booking b
    where b.org_id = ${orgId} and b.branch_id = ${branchId} and b.status in ('confirmed', 'seated', 'completed')
      and b.starts_at < ${at(span.end)} and b.ends_at > ${at(span.start)} and b.id is distinct from ${without}
    order by b.starts_at, b.id
  `.execute(db);
  return rows;
};

type PartyRow = Pick<
  BookingRow,
  'id' | 'service_date' | 'party_size' | 'starts_at' | 'ends_at' | 'table_ids'
>;

/** A booking that reaches beyond the span stays: bookings that it meets there were not read. */
const isWithin = ({ starts_at, ends_at }: PartyRow, span: Span): boolean =>
  span.start <= starts_at && ends_at <= span.end;

const isMovable = (row: BookingRow, span: Span): boolean =>
  row.status === 'confirmed' && !row.is_pinned && isWithin(row, span);

const partyOf =
  (kind: BookedParty['kind']) =>
  (row: PartyRow): BookedParty => ({
    ...{ kind, id: row.id, size: row.party_size, tableIds: row.table_ids, serviceDate: row.service_date },
    ...{ start: row.starts_at, end: row.ends_at },
  });

/** Guests who stay longer than booked still sit there: the staff seat nobody else at their tables now. */
const stayOf = (row: BookingRow, { viewer, now }: SeatingQuestion) => ({
  tableIds: row.table_ids,
  start: row.held_from,
  end: viewer === 'staff' && row.status === 'seated' ? Math.max(row.ends_at, now + 1) : row.ends_at,
});

const tablesInUse = async (db: Db, { orgId, branchId }: SeatingQuestion): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    select t.id from table_occupancy o join dining_table t on t.org_id = ${orgId} and t.id = o.table_id
    where o.org_id = ${orgId} and t.branch_id = ${branchId}
    order by t.id
  `.execute(db);
  return rows.map(({ id }) => id);
};

export const seatingStateOf = async (db: Db, question: SeatingQuestion): Promise<SeatingState> => {
  const { span, viewer } = question;
  const room = await roomOf(db, question);
  const bookings = await bookingsWithin(db, question);
  const blocks = await blocksWithin(db, question);
  const holds = viewer === 'guest' ? await holdsWithin(db, question) : [];
  const isThere = (id: Uuid): boolean => room.tables.some((table) => table.id === id);
  // A party whose table was removed has none: it must find another.
  const movable = bookings
    .filter((row) => isMovable(row, span))
    .map((row) => (row.table_ids.every(isThere) ? row : { ...row, table_ids: [] }))
    .map(partyOf('booking'));
  const staying = bookings.filter((row) => !isMovable(row, span)).map((row) => stayOf(row, question));
  const heldBeyond = holds.filter((row) => !isWithin(row, span)).map(partyOf('hold'));
  const blocked = blocks.map((row) => ({
    ...{ tableIds: row.table_ids, start: row.starts_at, end: row.ends_at },
  }));
  return {
    ...room,
    parties: [...movable, ...holds.filter((row) => isWithin(row, span)).map(partyOf('hold'))],
    claims: [...staying, ...heldBeyond, ...blocked].flatMap(claimsBy),
    arrivals: [...bookings, ...holds].map((row) => ({ startsAt: row.starts_at, partySize: row.party_size })),
    closures: viewer === 'guest' ? blocked.filter(({ tableIds }) => tableIds.length === 0) : [],
    heldUntil: earliest(holds.map((row) => row.expires_at)),
    inUse: viewer === 'staff' ? await tablesInUse(db, question) : [],
  };
};
