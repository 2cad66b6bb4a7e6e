/** A ticket that a device opened (Decisions 13). */
import { singleLine } from '../../../kernel/free-text.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { ApplyEvent, ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import type { TicketEventData } from '../../contract/events.ts';
import { insertCheck, labelOfTable, occupyTable, openTicketAt, ticketById } from '../../store/ticket.ts';
import { tableChange, ticketChange } from '../change.ts';
import { insertNumbered } from '../insert-ticket.ts';
import { ticketTerms } from '../rounds.ts';
import { auditStep } from './audit-step.ts';
import type { DeviceFloorParts } from './parts.ts';

interface Seated {
  readonly tableId: Uuid | null;
  readonly reasons: readonly ReviewReason[];
}

const NOWHERE: Seated = { tableId: null, reasons: [] };

/** A table has one bill; another one there is looked at. */
const seated = async (
  { tx, orgId, branchId }: ReplayContext,
  tableId: Uuid | null | undefined,
  checkId: Uuid,
): Promise<Seated> => {
  if (!tableId) return NOWHERE;
  if ((await labelOfTable(tx, orgId, branchId, tableId)) === null)
    return { tableId: null, reasons: [reason('table_unknown', { table_id: tableId })] };
  if (await occupyTable(tx, orgId, tableId, checkId)) return { tableId, reasons: [] };
  const other = await openTicketAt(tx, orgId, tableId);
  return { tableId, reasons: [reason('table_taken', { table_id: tableId, ticket_id: other })] };
};

interface NewTicket {
  readonly id: Uuid;
  readonly tableId?: Uuid | null | undefined;
  readonly guestCount?: number | null | undefined;
  readonly customerName?: string | null | undefined;
}

/** Opened at the moment of the event, under the rates of the branch. */
export const openTicketOfDevice = async (
  { app, recorded }: DeviceFloorParts,
  context: ReplayContext,
  { id, tableId, guestCount, customerName }: NewTicket,
): Promise<readonly ReviewReason[]> => {
  const { tx, log, orgId, branchId, staffId, at } = context;
  const checkId = app.random.uuid();
  await insertCheck(tx, orgId, branchId, checkId);
  const sale = await recorded.saleAt(tx, { orgId, branchId, at, items: [] });
  const { tableId: table, reasons } = await seated(context, tableId, checkId);
  const row = {
    ...{ org_id: orgId, id, branch_id: branchId, check_id: checkId, table_id: table },
    ...{ opened_by: staffId, opened_via: 'staff', booking_id: null, notes: null },
    ...{ guest_count: guestCount ?? null, customer_name: singleLine(customerName), rounds: 0 },
  };
  await insertNumbered(tx, row, { branch: sale.branch, terms: ticketTerms(sale), now: at });
  await auditStep({ app }, context, id, { step: 'opened', table_id: table });
  log.add(orgId, ticketChange(branchId, id), ...(table === null ? [] : [tableChange(branchId, table)]));
  return reasons;
};

export const recordOpening =
  (parts: DeviceFloorParts): ApplyEvent<TicketEventData['ticket_open']> =>
  async (context, { ticket_id: id, ...data }) => {
    if ((await ticketById(context.tx, context.orgId, id)) !== null) return 'known';
    const { table_id: tableId, guest_count: guestCount, customer_name: customerName } = data;
    return { reasons: await openTicketOfDevice(parts, context, { id, tableId, guestCount, customerName }) };
  };
