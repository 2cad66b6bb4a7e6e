/** The lock of a branch's dates, and the claims of bookings on tables. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { LocalDate, Span } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import { codeOf } from '../../platform/domain/fault-code.ts';

type Db = Kysely<Database>;

/** An exclusion, or the same claim twice. */
const CLAIMED = new Set(['23P01', '23505']);

/** Throws `ConcurrentChange` where the database refuses the work. */
const refusingClaims = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (fault) {
    throw CLAIMED.has(codeOf(fault)) ? new ConcurrentChange() : fault;
  }
};

/** Serializes the assignment of tables, until the transaction ends; in order of dates, so that no two wait for each other. */
export const lockDays = async (
  tx: Db,
  orgId: Uuid,
  branchId: Uuid,
  dates: readonly LocalDate[],
): Promise<void> => {
  await sql`
    insert into booking_day (org_id, branch_id, service_date)
    select ${orgId}::uuid, ${branchId}::uuid, day from unnest(${[...new Set(dates)].sort()}::date[]) as day
    on conflict (org_id, branch_id, service_date) do update set service_date = excluded.service_date
  `.execute(tx);
};

/** Of these bookings. */
export const lockDaysOf = async (tx: Db, orgId: Uuid, bookingIds: readonly Uuid[]): Promise<void> => {
  await sql`
    insert into booking_day (org_id, branch_id, service_date)
    select distinct ${orgId}::uuid, branch_id, service_date from booking
    where org_id = ${orgId} and id = any(${[...bookingIds]}::uuid[])
    order by branch_id, service_date
    on conflict (org_id, branch_id, service_date) do update set service_date = excluded.service_date
  `.execute(tx);
};

export const releaseTables = async (tx: Db, orgId: Uuid, bookingIds: readonly Uuid[]): Promise<void> => {
  await sql`
    delete from booking_table where org_id = ${orgId} and booking_id = any(${[...bookingIds]}::uuid[])
  `.execute(tx);
};

export interface Claim {
  readonly bookingId: Uuid;
  readonly tableIds: readonly Uuid[];
  readonly span: Span;
}

/** Throws `ConcurrentChange` where another claim on a table was committed. */
export const claimTables = async (
  tx: Db,
  orgId: Uuid,
  branchId: Uuid,
  claims: readonly Claim[],
): Promise<void> => {
  const rows = claims.flatMap(({ bookingId, tableIds, span }) =>
    tableIds.map((tableId) => ({
      booking_id: bookingId,
      table_id: tableId,
      starts_at: new Date(span.start).toISOString(),
      ends_at: new Date(span.end).toISOString(),
    })),
  );
  await refusingClaims(
    sql`
      insert into booking_table (org_id, booking_id, table_id, branch_id, during)
      select ${orgId}::uuid, c.booking_id, c.table_id, ${branchId}::uuid, tstzrange(c.starts_at, c.ends_at)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as c(booking_id uuid, table_id uuid, starts_at timestamptz, ends_at timestamptz)
    `.execute(tx),
  );
};
