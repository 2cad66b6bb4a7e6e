/** The open tickets of guests who get other tables (Decisions 4, Booking; 12, Tickets). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { parseRate } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { MoveTickets } from '../../bookings/app/staff/seat-guests.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  lockChecks,
  occupyTable,
  openTicketAt,
  openTicketsElsewhere,
  ticketById,
  updateTicket,
  type StoredTicket,
} from '../store/ticket.ts';
import { tableChange, ticketChange } from './change.ts';
import { placeInKitchen } from './kitchen.ts';
import { freeTables } from './tables.ts';

type Tx = Kysely<Database>;

/** The oldest open ticket at a table that a check has. */
const ticketAt = async (tx: Tx, orgId: Uuid, tableId: Uuid): Promise<StoredTicket> => {
  const id = await openTicketAt(tx, orgId, tableId);
  const ticket = id === null ? null : await ticketById(tx, orgId, id);
  if (ticket === null) throw new Error('A table that a check has, has an open ticket.');
  return ticket;
};

/**
 * The first of the tables that the check has or can have. Null: other bills of the same guests have them, and this one
 * pays no service, which is for tables. Throws TABLE_TAKEN and BILLS_TO_MERGE.
 */
const tableFor = async (
  tx: Tx,
  { id, orgId, checkId, bookingId, serviceRate }: StoredTicket,
  tableIds: readonly Uuid[],
): Promise<Uuid | null> => {
  const there: StoredTicket[] = [];
  for (const tableId of tableIds) {
    if (await occupyTable(tx, orgId, tableId, checkId)) return tableId;
    there.push(await ticketAt(tx, orgId, tableId));
  }
  const other = there.find((ticket) => ticket.bookingId !== bookingId);
  if (other !== undefined) throw new Refusal('TABLE_TAKEN', { ticket_id: other.id });
  const [own] = there;
  if (own !== undefined && parseRate(serviceRate) > 0)
    throw new Refusal('BILLS_TO_MERGE', {}, { lists: { ticket_ids: [own.id, id] } });
  return null;
};

/** With their checks locked. Throws `ConcurrentChange` where one went to another check meanwhile. */
const lockElsewhere = async (
  tx: Tx,
  orgId: Uuid,
  bookingId: Uuid,
  tableIds: readonly Uuid[],
): Promise<readonly StoredTicket[]> => {
  const found = await openTicketsElsewhere(tx, orgId, bookingId, tableIds);
  const checks = await lockChecks(
    tx,
    orgId,
    found.map(({ id }) => id),
  );
  const tickets = await openTicketsElsewhere(tx, orgId, bookingId, tableIds);
  if (tickets.some(({ checkId }) => !checks.includes(checkId))) throw new ConcurrentChange();
  return tickets;
};

/**
 * A ticket without a table stays without. One that pays no service is at no table where other bills of its guests have
 * all of theirs. The booking is locked: no other ticket becomes its own meanwhile. Throws TABLE_TAKEN and BILLS_TO_MERGE.
 */
export const moveTicketsOf =
  (app: App): MoveTickets =>
  async ({ tx, log, actor }, { org_id: orgId, branch_id: branchId, id: bookingId }, tableIds) => {
    for (const ticket of await lockElsewhere(tx, orgId, bookingId, tableIds)) {
      const { id } = ticket;
      const tableId = await tableFor(tx, ticket, tableIds);
      await updateTicket(tx, ticket, { table_id: tableId });
      await freeTables({ tx, log }, ticket);
      await placeInKitchen({ tx, log, ticket }, [id]);
      await recordAudit(app, tx, {
        ...{ orgId, staffId: actor.staffId, deviceId: actor.deviceId, branchId, at: app.clock.now() },
        ...{ action: 'ticket.changed', subject: 'ticket', subjectId: id },
        detail: { table_id: tableId, booking_id: bookingId },
      });
      log.add(
        orgId,
        ticketChange(branchId, id),
        ...(tableId === null ? [] : [tableChange(branchId, tableId)]),
      );
    }
  };
