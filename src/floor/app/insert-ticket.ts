/** A new ticket, with its number of the day (Decisions 12, Tickets). */
import type { Kysely } from 'kysely';
import { businessDate } from '../../kernel/business-date.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { ticketReference, type TicketTerms } from '../domain/ticket.ts';
import { drawTicketNumber, insertTicket, ticketById, type StoredTicket } from '../store/ticket.ts';

type Tx = Kysely<Database>;

interface NewTicket {
  readonly branch: Pick<Branch, 'zone' | 'dayStartsAt'>;
  readonly terms: TicketTerms;
  readonly now: Instant;
}

/** `row`: all but its number, its rates and when it was opened. */
export const insertNumbered = async (
  tx: Tx,
  row: Omit<
    Parameters<typeof insertTicket>[1],
    'ticket_ref' | 'opened_at' | 'service_rate' | 'service_taxable' | 'tax_rate' | 'tax_inclusive'
  >,
  { branch, terms, now }: NewTicket,
): Promise<void> => {
  const date = businessDate(branch.zone, now, branch.dayStartsAt);
  const number = await drawTicketNumber(tx, row.org_id, row.branch_id, date);
  await insertTicket(tx, {
    ...{ ...row, ticket_ref: ticketReference(number), opened_at: at(now) },
    ...{ service_rate: terms.serviceRate, service_taxable: terms.serviceTaxable },
    ...{ tax_rate: terms.taxRate, tax_inclusive: terms.taxInclusive },
  });
};

/** As it was inserted in this transaction. */
export const insertedTicket = async (tx: Tx, orgId: Uuid, id: Uuid): Promise<StoredTicket> => {
  const ticket = await ticketById(tx, orgId, id);
  if (ticket === null) throw new Error('A ticket that was inserted is there.');
  return ticket;
};
