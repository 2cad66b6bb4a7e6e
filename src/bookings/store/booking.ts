import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Arrival } from '../domain/seating/capacity.ts';
import type { TableClaim, JoinGroup, Table } from '../domain/seating/room.ts';
import type { Span } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

/** Tables and bookings that decide whether a party can be seated. */
export interface SeatingState {
  readonly tables: readonly Table[];
  readonly joins: readonly JoinGroup[];
  readonly claims: readonly TableClaim[];
  readonly arrivals: readonly Arrival[];
}

const tablesOf = async (db: Kysely<Database>, orgId: Uuid, branchId: Uuid): Promise<Table[]> => {
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

const joinsOf = async (db: Kysely<Database>, orgId: Uuid, branchId: Uuid): Promise<JoinGroup[]> => {
  const rows = await db
    .selectFrom('table_join')
    .select(['id', 'table_ids'])
    .where('org_id', '=', orgId)
    .where('branch_id', '=', branchId)
    .execute();
  return rows.map((row) => ({ id: row.id, tableIds: row.table_ids }));
};

const claimsWithin = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
  span: Span,
): Promise<TableClaim[]> => {
  const { rows } = await sql<{ table_id: Uuid; starts_at: number; ends_at: number }>`
    select table_id, lower(during) as starts_at, upper(during) as ends_at
    from booking_table
    where org_id = ${orgId} and branch_id = ${branchId} and during && tstzrange(${at(span.start)}, ${at(span.end)})
  `.execute(db);
  return rows.map((row) => ({ tableId: row.table_id, start: row.starts_at, end: row.ends_at }));
};

/** By arrival; without cancelled bookings and no-shows. */
const arrivalsWithin = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
  span: Span,
): Promise<Arrival[]> => {
  const rows = await db
    .selectFrom('booking')
    .select(['starts_at', 'party_size'])
    .where('org_id', '=', orgId)
    .where('branch_id', '=', branchId)
    .where('status', 'in', ['confirmed', 'seated', 'completed'])
    .where('starts_at', '>=', at(span.start))
    .where('starts_at', '<', at(span.end))
    .execute();
  return rows.map((row) => ({ startsAt: row.starts_at, partySize: row.party_size }));
};

export const seatingStateOf = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
  span: Span,
): Promise<SeatingState> => ({
  tables: await tablesOf(db, orgId, branchId),
  joins: await joinsOf(db, orgId, branchId),
  claims: await claimsWithin(db, orgId, branchId, span),
  arrivals: await arrivalsWithin(db, orgId, branchId, span),
});
