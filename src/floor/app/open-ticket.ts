/** Opening a ticket, and firing more rounds on it (Decisions 12). */
import { multiLine, singleLine } from '../../kernel/free-text.ts';
import { idOrNull, type Uuid } from '../../kernel/ids.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { onceUnder, requestKey } from '../../platform/app/request-key.ts';
import { retrying } from '../../platform/app/retrying.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { BodyOf, HeadersOf, PathOf } from '../../platform/contract/endpoint.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import { claimKey } from '../../platform/store/idempotency.ts';
import type { Actor } from '../../staff/app/access.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import { bookingSeatedAt, linkingTicket } from '../../bookings/app/staff/with-ticket.ts';
import type * as contract from '../contract/tickets.ts';
import { insertCheck, updateTicket } from '../store/ticket.ts';
import { runChange, tableChange, ticketChange, ticketKey } from './change.ts';
import { fireRound, priceRound, refuseStaffDrinks, ticketTerms } from './rounds.ts';
import { viewOf, type TicketReply } from './ticket-reply.ts';
import { bookingAt, refuseTaken, takeTable } from './tables.ts';
import { insertedTicket, insertNumbered } from './insert-ticket.ts';
import type { FloorParts } from './parts.ts';

interface OpenRequest {
  readonly body: BodyOf<typeof contract.openTicket>;
  readonly headers: HeadersOf<typeof contract.openTicket>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/** The booking that is named, else that of the guests who sit at the table; null: there is none. */
const bookingOf = async (
  { app }: FloorParts,
  { body, actor }: Pick<OpenRequest, 'body' | 'actor'>,
): Promise<Uuid | null> => {
  const [named, tableId] = [idOrNull(body.booking_id), idOrNull(body.table_id)];
  if (named !== null || tableId === null) return named;
  return bookingSeatedAt(app.db.kysely, actor.orgId, tableId);
};

const open = async (parts: FloorParts, { body, headers, actor }: OpenRequest): Promise<Uuid> => {
  const { app } = parts;
  const { orgId, staffId, deviceId } = actor;
  const branchId = body.branch_id.toLowerCase();
  const tableId = idOrNull(body.table_id);
  const key = openKey({ body, headers, actor });
  refuseStaffDrinks(body.items);
  const round = await priceRound(parts, branchId, 'staff', body.items);
  const bookingId = await bookingOf(parts, { body, actor });
  if (bookingId !== null && tableId !== null)
    await refuseTaken(app.db.kysely, { orgId, branchId, tableId, checkId: null });
  const linking = { actor, branchId, bookingId, tableId, isNamed: idOrNull(body.booking_id) !== null };
  return linkingTicket(app, linking, async (tx, log) => {
    const now = app.clock.now();
    const [id, checkId] = [app.random.uuid(), app.random.uuid()];
    const { branch } = round.sale;
    await insertCheck(tx, orgId, branchId, checkId);
    if (tableId !== null) {
      await takeTable(tx, { orgId, branchId, tableId, checkId });
      // Guests were seated there meanwhile.
      if ((await bookingAt(tx, { orgId, bookingId }, tableId)) !== bookingId) throw new ConcurrentChange();
    }
    const row = {
      ...{ org_id: orgId, id, branch_id: branchId, check_id: checkId, table_id: tableId },
      ...{ opened_by: staffId, opened_via: 'staff', booking_id: bookingId },
      ...{ guest_count: body.guest_count ?? null, customer_name: singleLine(body.customer_name) },
      ...{ notes: multiLine(body.notes), rounds: 1 },
    };
    await insertNumbered(tx, row, { branch, terms: ticketTerms(round.sale), now });
    const ticket = await insertedTicket(tx, orgId, id);
    await fireRound(
      app,
      { tx, log, now, ticket, tickets: [], firedBy: staffId, via: 'staff', number: 1 },
      round,
    );
    await recordAudit(app, tx, {
      ...{
        orgId,
        staffId,
        deviceId,
        branchId,
        at: now,
        action: 'ticket.opened',
        subject: 'ticket',
        subjectId: id,
      },
      detail: { table_id: tableId, booking_id: bookingId, lines: body.items.length },
    });
    if (key !== null) await claimKey(tx, key, { subjectId: id, bodyHash: key.hash }, now);
    log.add(orgId, ticketChange(branchId, id), ...(tableId === null ? [] : [tableChange(branchId, tableId)]));
    return id;
  });
};

const openKey = ({ body, headers, actor }: Omit<OpenRequest, 'caller'>) =>
  requestKey(actor.orgId, 'ticket', headers['idempotency-key'], body);

/** POST /staff/tickets. */
export const openTicket =
  (parts: FloorParts) =>
  async (request: OpenRequest): Promise<TicketReply | Repeated<TicketReply>> => {
    const { app } = parts;
    const { actor, caller, body } = request;
    await ownBranch(app, actor, body.branch_id.toLowerCase());
    const view = (id: Uuid): Promise<TicketReply> =>
      viewOf(parts, { ...caller, isCommitted: true }, actor.orgId, id);
    return onceUnder(app, openKey(request), view, async () =>
      view(await retrying(() => open(parts, request))),
    );
  };

interface RoundRequest {
  readonly path: PathOf<typeof contract.fireTicketRound>;
  readonly body: BodyOf<typeof contract.fireTicketRound>;
  readonly headers: HeadersOf<typeof contract.fireTicketRound>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/** POST /staff/tickets/{id}/rounds. Two people may fire at once, so it names no revision. */
export const fireTicketRound =
  (parts: FloorParts) =>
  (request: RoundRequest): Promise<TicketReply | Repeated<TicketReply>> => {
    const { app } = parts;
    const { path, body, actor, caller } = request;
    const action = 'ticket.round_fired';
    const key = ticketKey(request, action);
    return runChange(
      parts,
      { id: path.id, actor, caller, revision: null, key, action },
      {
        prepare: async (ticket) => {
          refuseStaffDrinks(body.items);
          const round = await priceRound(parts, ticket.branchId, ticket.openedVia, body.items);
          return async ({ tx, log, now, ticket: locked, tickets }) => {
            const number = locked.rounds + 1;
            const fired = { firedBy: actor.staffId, via: 'staff', number } as const;
            await updateTicket(tx, locked, { rounds: number });
            await fireRound(app, { tx, log, now, ticket: locked, tickets, ...fired }, round);
            return { detail: { round: number, lines: body.items.length } };
          };
        },
      },
    );
  };
