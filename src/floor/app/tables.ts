/** Tables that checks take and leave (Decisions 12). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import { bookingSeatedAt, isSeated } from '../../bookings/app/staff/with-ticket.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  labelOfTable,
  leaveTables,
  occupyTable,
  openTicketAt,
  ticketById,
  type StoredTicket,
} from '../store/ticket.ts';
import { tableChange, type ChangeContext } from './change.ts';

type Tx = Kysely<Database>;

const NO_TABLE_HERE = {
  problem: 'is no table of this branch',
  arabic: 'ليست طاولة من طاولات هذا الفرع',
} as const;

interface Taking {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly tableId: Uuid;
  readonly checkId: Uuid;
}

const requireTable = async (db: Tx, { orgId, branchId, tableId }: Omit<Taking, 'checkId'>): Promise<void> => {
  if ((await labelOfTable(db, orgId, branchId, tableId)) === null)
    throw invalidInput({ path: 'table_id', ...NO_TABLE_HERE });
};

/** What `takeTable` throws, before the guests of a booking are seated there. `checkId`: null for a new one. */
export const refuseTaken = async (
  db: Tx,
  { checkId, ...place }: Omit<Taking, 'checkId'> & { readonly checkId: Uuid | null },
): Promise<void> => {
  await requireTable(db, place);
  const id = await openTicketAt(db, place.orgId, place.tableId);
  const ticket = id === null ? null : await ticketById(db, place.orgId, id);
  if (ticket !== null && ticket.checkId !== checkId)
    throw new Refusal('TABLE_TAKEN', { ticket_id: ticket.id });
};

/** The check has the table from now on. Throws INVALID_INPUT and TABLE_TAKEN. */
export const takeTable = async (tx: Tx, taking: Taking): Promise<void> => {
  await requireTable(tx, taking);
  const { orgId, tableId, checkId } = taking;
  if (await occupyTable(tx, orgId, tableId, checkId)) return;
  const id = await openTicketAt(tx, orgId, tableId);
  if (id === null) throw new Error('A table that a check has, has an open ticket.');
  throw new Refusal('TABLE_TAKEN', { ticket_id: id });
};

/**
 * The booking of a ticket at the table: its own, else that of the guests who sit there. Throws SLOT_TAKEN where those of
 * another do, and its own sit elsewhere.
 */
export const bookingAt = async (
  db: Tx,
  { orgId, bookingId }: Pick<StoredTicket, 'orgId' | 'bookingId'>,
  tableId: Uuid,
): Promise<Uuid | null> => {
  const sitting = await bookingSeatedAt(db, orgId, tableId);
  const isOthers = bookingId !== null && sitting !== null && sitting !== bookingId;
  if (isOthers && (await isSeated(db, orgId, bookingId))) throw new Refusal('SLOT_TAKEN');
  return bookingId ?? sitting;
};

/** Tables that the ticket has left may be free now. */
export const freeTables = async (
  { tx, log }: Pick<ChangeContext, 'tx' | 'log'>,
  ticket: StoredTicket,
): Promise<void> => {
  const { orgId, branchId } = ticket;
  const free = await leaveTables(tx, orgId, ticket);
  log.add(orgId, ...free.map((id) => tableChange(branchId, id)));
};
