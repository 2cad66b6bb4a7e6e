/** The open tickets of guests who get other tables (Decisions 4, Booking; 12, Tickets). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  lockChecks,
  occupyTable,
  openTicketAt,
  openTicketsElsewhere,
  updateTicket,
  type StoredTicket,
} from '../store/ticket.ts';
import { tableChange, ticketChange } from './change.ts';
import { placeInKitchen } from './kitchen.ts';
import { freeTables } from './tables.ts';

type Tx = Kysely<Database>;

interface SeatedBooking {
  readonly org_id: Uuid;
  readonly branch_id: Uuid;
  readonly id: Uuid;
}

/** The first of the tables that the check has or can have. Throws TABLE_TAKEN. */
const tableFor = async (
  tx: Tx,
  { orgId, checkId }: StoredTicket,
  tableIds: readonly Uuid[],
): Promise<Uuid> => {
  for (const id of tableIds) if (await occupyTable(tx, orgId, id, checkId)) return id;
  const [first] = tableIds;
  throw new Refusal('TABLE_TAKEN', {
    ticket_id: first === undefined ? null : await openTicketAt(tx, orgId, first),
  });
};

/**
 * Moves the open tickets of a booking that are at none of its tables to one of them; those without a table stay without.
 * The booking is locked: no other ticket becomes its own meanwhile. Throws TABLE_TAKEN.
 */
export const moveTicketsOf = async (
  tx: Tx,
  log: ChangeLog,
  { org_id: orgId, branch_id: branchId, id: bookingId }: SeatedBooking,
  tableIds: readonly Uuid[],
): Promise<void> => {
  const elsewhere = (): Promise<readonly StoredTicket[]> =>
    openTicketsElsewhere(tx, orgId, bookingId, tableIds);
  await lockChecks(
    tx,
    orgId,
    (await elsewhere()).map(({ id }) => id),
  );
  for (const ticket of await elsewhere()) {
    const tableId = await tableFor(tx, ticket, tableIds);
    await updateTicket(tx, ticket, { table_id: tableId });
    await freeTables({ tx, log }, ticket);
    await placeInKitchen({ tx, log, ticket }, [ticket.id]);
    log.add(orgId, tableChange(branchId, tableId), ticketChange(branchId, ticket.id));
  }
};
