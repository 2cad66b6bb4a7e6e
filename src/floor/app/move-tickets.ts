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

/**
 * The first of the tables that the check has or can have. Null: other bills of the same guests have them, and this one
 * pays no service, which is for tables. Throws TABLE_TAKEN.
 */
const tableFor = async (
  tx: Tx,
  { orgId, checkId, bookingId, serviceRate }: StoredTicket,
  tableIds: readonly Uuid[],
): Promise<Uuid | null> => {
  const others: Uuid[] = [];
  for (const id of tableIds) {
    if (await occupyTable(tx, orgId, id, checkId)) return id;
    const there = await openTicketAt(tx, orgId, id);
    if (there === null) throw new Error('A table that a check has, has an open ticket.');
    const isOwn = (await ticketById(tx, orgId, there))?.bookingId === bookingId;
    if (!isOwn || parseRate(serviceRate) > 0) others.push(there);
  }
  const [other] = others;
  if (other !== undefined) throw new Refusal('TABLE_TAKEN', { ticket_id: other });
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
 * Those without a table stay without, and one that finds only other bills of its guests at their tables is at none. The
 * booking is locked: no other ticket becomes its own meanwhile. Throws TABLE_TAKEN.
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
