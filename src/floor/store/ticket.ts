/** Tickets, the checks that they belong to, and the tables that checks have. */
import { sql, type Insertable, type Kysely, type RawBuilder, type Updateable } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Instant, LocalDate } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { DiscountCut } from '../../menu/domain/menubook.ts';
import type { OpenedVia, PaidBill, TicketState, TicketStatus, TicketTerms } from '../domain/ticket.ts';

type Db = Kysely<Database>;

export interface StoredTicket extends TicketState {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly checkId: Uuid;
  readonly tableId: Uuid | null;
  readonly reference: string;
  readonly splitOf: Uuid | null;
  readonly mergedInto: Uuid | null;
  /** The sale of a ticket that a device settled; null: it has the id of the ticket, or there is none. */
  readonly saleId: Uuid | null;
  readonly openedAt: Instant;
  readonly openedBy: Uuid;
  /** Null: a guest. */
  readonly openedByName: string | null;
  readonly openedVia: OpenedVia;
  readonly guestCount: number | null;
  readonly customerName: string | null;
  readonly customerPhone: string | null;
  readonly notes: string | null;
  readonly bookingId: Uuid | null;
  /** The booking is of the guests at the table to which the ticket was moved, and not the ticket’s elsewhere. */
  readonly isBookedByMove: boolean;
  readonly cardId: Uuid | null;
  readonly customerId: Uuid | null;
  readonly discountId: Uuid | null;
  readonly discountShare: Uuid | null;
  readonly discountName: string | null;
  readonly discountType: DiscountCut['dtype'] | null;
  readonly discountRate: string | null;
  readonly discountAmount: number | null;
  readonly serviceRate: string;
  readonly serviceTaxable: boolean;
  readonly taxRate: string;
  readonly taxInclusive: boolean;
  readonly rounds: number;
  /** Into how many equal parts the guests share it. */
  readonly parts: number | null;
  /** Paid in parts so far. */
  readonly prepaid: Piastres;
  /** Payments in parts came to all of it. */
  readonly isPaidUp: boolean;
  /** Null: it is not settled. */
  readonly settledBill: PaidBill | null;
  readonly settledAt: Instant | null;
  readonly voidedAt: Instant | null;
  readonly voidReason: string | null;
  readonly voidNote: string | null;
  readonly zone: string;
}

export const selectTickets = (
  orgId: Uuid,
  which: RawBuilder<unknown>,
): RawBuilder<StoredTicket> => sql<StoredTicket>`
  select t.org_id as "orgId", t.id, t.branch_id as "branchId", t.check_id as "checkId", t.table_id as "tableId",
         t.ticket_ref as reference, t.status, t.revision, t.split_of as "splitOf", t.merged_into as "mergedInto", t.sale_id as "saleId",
         t.opened_at as "openedAt", t.opened_by as "openedBy", s.name as "openedByName", t.opened_via as "openedVia",
         t.guest_count as "guestCount", t.customer_name as "customerName", t.customer_phone as "customerPhone", t.notes, t.booking_id as "bookingId", t.booking_by_move as "isBookedByMove",
         t.card_id as "cardId", l.customer_id as "customerId", t.discount_id as "discountId",
         t.discount_share as "discountShare", t.discount_name as "discountName", t.discount_type as "discountType",
         t.discount_rate::text as "discountRate", t.discount_amount as "discountAmount",
         t.service_rate::text as "serviceRate", t.service_taxable as "serviceTaxable", t.tax_rate::text as "taxRate",
         t.tax_inclusive as "taxInclusive", t.rounds, t.parts,
         (select coalesce(sum(p.amount), 0)::bigint from part_payment p where p.org_id = ${orgId} and p.bill_id = t.id and p.given_back_at is null) as prepaid,
         t.is_paid_up as "isPaidUp",
         t.paid as "settledBill", t.settled_at as "settledAt", t.voided_at as "voidedAt",
         t.void_reason as "voidReason", t.void_note as "voidNote", b.time_zone as zone
  from ticket t
  join branch b on b.org_id = ${orgId} and b.id = t.branch_id
  left join staff s on s.org_id = ${orgId} and s.id = t.opened_by
  left join loyalty_card l on l.org_id = ${orgId} and l.id = t.card_id
  where t.org_id = ${orgId} and ${which}`;

export const ticketById = async (db: Db, orgId: Uuid, id: Uuid): Promise<StoredTicket | null> => {
  const { rows } = await selectTickets(orgId, sql`t.id = ${id}`).execute(db);
  return rows[0] ?? null;
};

/** The tickets of these checks that were not voided, in one order. */
export const ticketsOfChecks = async (
  db: Db,
  orgId: Uuid,
  checkIds: readonly Uuid[],
): Promise<readonly StoredTicket[]> => {
  const { rows } = await sql<StoredTicket>`
    ${selectTickets(orgId, sql`t.check_id = any(${[...checkIds]}::uuid[]) and t.status <> 'voided'`)}
    order by t.opened_at, t.id
  `.execute(db);
  return rows;
};

export interface TicketListing {
  readonly branchId: Uuid;
  readonly status: TicketStatus;
  readonly limit: number;
  /** Last ticket of the previous page. */
  readonly after: Uuid | null;
}

/** Newest first. */
export const ticketsAt = async (
  db: Db,
  orgId: Uuid,
  { branchId, status, limit, after }: TicketListing,
): Promise<readonly StoredTicket[]> => {
  const follows =
    after === null
      ? sql``
      : sql`and (t.opened_at, t.id) < (select opened_at, id from ticket where org_id = ${orgId} and id = ${after})`;
  const { rows } = await sql<StoredTicket>`
    ${selectTickets(orgId, sql`t.branch_id = ${branchId} and t.status = ${status} ${follows}`)}
    order by t.opened_at desc, t.id desc
    limit ${limit}
  `.execute(db);
  return rows;
};

/** The open tickets of a booking that are at other tables than these: its own before those that it has by a move. */
export const openTicketsElsewhere = async (
  db: Db,
  orgId: Uuid,
  bookingId: Uuid,
  tableIds: readonly Uuid[],
): Promise<readonly StoredTicket[]> => {
  const { rows } = await sql<StoredTicket>`
    ${selectTickets(
      orgId,
      sql`t.booking_id = ${bookingId} and t.status = 'open'
                        and t.table_id <> all(${[...tableIds]}::uuid[])`,
    )}
    order by t.booking_by_move, t.opened_at, t.id
  `.execute(db);
  return rows;
};

/** Whether the guests of the booking have paid a ticket. */
export const hasSettledTicket = async (db: Db, orgId: Uuid, bookingId: Uuid): Promise<boolean> => {
  const { rows } = await sql`
    select from ticket where org_id = ${orgId} and booking_id = ${bookingId} and status = 'settled' limit 1
  `.execute(db);
  return rows.length > 0;
};

// ── Changes ─────────────────────────────────────────────────────────────────────────────────────

/** Locks the checks of these tickets until the transaction ends, by id; returns them. Unknown tickets have none. */
export const lockChecks = async (
  tx: Db,
  orgId: Uuid,
  ticketIds: readonly Uuid[],
): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    select c.id from ticket_check c
    where c.org_id = ${orgId}
      and c.id in (select check_id from ticket where org_id = ${orgId} and id = any(${[...ticketIds]}::uuid[]))
    order by c.id
    for update
  `.execute(tx);
  return rows.map(({ id }) => id);
};

export const insertCheck = async (tx: Db, orgId: Uuid, branchId: Uuid, id: Uuid): Promise<void> => {
  await tx.insertInto('ticket_check').values({ org_id: orgId, id, branch_id: branchId }).execute();
};

/** The number of the next ticket of the branch on the date; locked until the commit. */
export const drawTicketNumber = async (
  tx: Db,
  orgId: Uuid,
  branchId: Uuid,
  date: LocalDate,
): Promise<number> => {
  const { rows } = await sql<{ last: number }>`
    insert into ticket_number (org_id, branch_id, date, last) values (${orgId}, ${branchId}, ${date}, 1)
    on conflict (org_id, branch_id, date) do update set last = ticket_number.last + 1
    returning last
  `.execute(tx);
  return rows[0]?.last ?? 1;
};

export const insertTicket = async (tx: Db, row: Insertable<Database['ticket']>): Promise<void> => {
  await tx.insertInto('ticket').values(row).execute();
};

/** Every change of a ticket has a revision of its own. */
export const updateTicket = async (
  tx: Db,
  { orgId, id, revision }: Pick<StoredTicket, 'orgId' | 'id' | 'revision'>,
  change: Updateable<Database['ticket']>,
): Promise<void> => {
  await tx
    .updateTable('ticket')
    .set({ ...change, revision: revision + 1 })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};

/** What these come to stays as it is: no change that their revision would tell of. */
export const markPaidUp = async (tx: Db, orgId: Uuid, ids: readonly Uuid[]): Promise<void> => {
  if (ids.length === 0) return;
  await tx
    .updateTable('ticket')
    .set({ is_paid_up: true })
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .execute();
};

/** All tickets of the check `from` belong to another; those that are open come under its terms. */
export const joinChecks = async (
  tx: Db,
  orgId: Uuid,
  from: Uuid,
  { checkId, serviceRate, serviceTaxable, taxRate, taxInclusive }: TicketTerms & { readonly checkId: Uuid },
): Promise<void> => {
  const terms = {
    ...{ service_rate: serviceRate, service_taxable: serviceTaxable },
    ...{ tax_rate: taxRate, tax_inclusive: taxInclusive },
  };
  const isOf = tx.updateTable('ticket').where('org_id', '=', orgId).where('check_id', '=', from);
  await isOf
    .where('status', '=', 'open')
    .set(({ eb }) => ({ ...terms, revision: eb('revision', '+', 1) }))
    .execute();
  await isOf.set({ check_id: checkId }).execute();
  await tx
    .updateTable('table_occupancy')
    .set({ check_id: checkId })
    .where('org_id', '=', orgId)
    .where('check_id', '=', from)
    .execute();
  await tx.deleteFrom('ticket_check').where('org_id', '=', orgId).where('id', '=', from).execute();
};

// ── Tables ──────────────────────────────────────────────────────────────────────────────────────

/** The oldest open ticket at the table. */
export const openTicketAt = async (db: Db, orgId: Uuid, tableId: Uuid): Promise<Uuid | null> => {
  const { rows } = await sql<{ id: Uuid }>`
    select id from ticket where org_id = ${orgId} and table_id = ${tableId} and status = 'open'
    order by opened_at, id limit 1
  `.execute(db);
  return rows[0]?.id ?? null;
};

/** Whether the check has the table now: it was free, or the check's. Waits for who takes or leaves it. */
export const occupyTable = async (tx: Db, orgId: Uuid, tableId: Uuid, checkId: Uuid): Promise<boolean> => {
  const { rows } = await sql<{ checkId: Uuid }>`
    insert into table_occupancy as o (org_id, table_id, check_id) values (${orgId}, ${tableId}, ${checkId})
    on conflict (org_id, table_id) do update set check_id = o.check_id
    returning check_id as "checkId"
  `.execute(tx);
  return rows[0]?.checkId === checkId;
};

/** Tables of the check, and that of its ticket, at which there is no open ticket any more, are free. */
export const leaveTables = async (
  tx: Db,
  orgId: Uuid,
  { checkId, tableId }: Pick<StoredTicket, 'checkId' | 'tableId'>,
): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ tableId: Uuid }>`
    delete from table_occupancy o
    where o.org_id = ${orgId} and (o.check_id = ${checkId} or o.table_id = ${tableId})
      and not exists (select from ticket t where t.org_id = ${orgId} and t.table_id = o.table_id and t.status = 'open')
    returning o.table_id as "tableId"
  `.execute(tx);
  return rows.map(({ tableId }) => tableId);
};

/** The label of a table in use at the branch; null: there is none. */
export const labelOfTable = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  tableId: Uuid,
): Promise<string | null> => {
  const row = await db
    .selectFrom('dining_table')
    .select('label')
    .where('org_id', '=', orgId)
    .where('branch_id', '=', branchId)
    .where('id', '=', tableId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row?.label ?? null;
};

// ── Discounts ───────────────────────────────────────────────────────────────────────────────────

export interface TillDiscount {
  readonly id: Uuid;
  readonly name: string;
  readonly dtype: DiscountCut['dtype'];
  readonly rate: string;
  readonly amount: number;
}

/** An active discount that the tills of the branch offer on the date. */
export const tillDiscount = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  id: Uuid,
  date: LocalDate,
): Promise<TillDiscount | null> => {
  const { rows } = await sql<TillDiscount>`
    select d.id, d.name, d.dtype, d.rate::text as rate, d.amount
    from discount d
    where d.org_id = ${orgId} and d.id = ${id} and d.is_active and d.archived_at is null
      and (d.valid_from is null or d.valid_from <= ${date}) and (d.valid_to is null or d.valid_to >= ${date})
      and exists (select from channel_discount c
                  where c.org_id = ${orgId} and c.discount_id = d.id and c.channel = 'till'
                    and (c.branch_id is null or c.branch_id = ${branchId}))
  `.execute(db);
  return rows[0] ?? null;
};
