/** Guests order from the QR code of their table (Decisions 12, Table QR). */
import type { Kysely } from 'kysely';
import { multiLine, singleLine } from '../../kernel/free-text.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { bookingSeatedAt, linkTicket, lockingBookings } from '../../bookings/app/staff/with-ticket.ts';
import { phoneIn } from '../../identity/app/otp.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { type ChangeLog } from '../../platform/app/commit.ts';
import { onceUnder, requestKey, type RequestKey } from '../../platform/app/request-key.ts';
import { retrying } from '../../platform/app/retrying.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { BodyOf, HeadersOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import { claimKey } from '../../platform/store/idempotency.ts';
import type { Database } from '../../platform/store/schema.ts';
import { branchById, tableByCode, type NamedTable } from '../../shops/app/shared.ts';
import { takesTableOrders } from '../../shops/domain/shop.ts';
import type * as contract from '../contract/table-orders.ts';
import { type OpenedVia } from '../domain/ticket.ts';
import { roundsOfGuests } from '../store/ticket-item.ts';
import {
  insertCheck,
  lockChecks,
  occupyTable,
  openTicketAt,
  ticketById,
  updateTicket,
  type StoredTicket,
} from '../store/ticket.ts';
import { loadTickets, type TicketWithItems } from './check.ts';
import { checkChanges, reviewPrepaid, tableChange } from './change.ts';
import { guestReply } from './guest-reply.ts';
import { fireRound, priceRound, ticketTerms, type PricedRound } from './rounds.ts';
import { viewOf } from './ticket-reply.ts';
import { insertedTicket, insertNumbered } from './insert-ticket.ts';
import type { FloorParts } from './parts.ts';

type Tx = Kysely<Database>;
type Reply = ReplyOf<typeof contract.orderAtTable>;
type Body = BodyOf<typeof contract.orderAtTable>;

/** Rounds of one table in an hour; somebody far away with a picture of the code sends no more. */
const MAX_ROUNDS = 10;
const HOUR_MS = 60 * 60 * 1_000;

/** Throws RATE_LIMITED for the 11th round within an hour. */
const refuseTooMany = async (tx: Tx, { orgId, id }: NamedTable, now: Instant): Promise<void> => {
  const oldest = (await roundsOfGuests(tx, orgId, id, MAX_ROUNDS))[MAX_ROUNDS - 1];
  const waitMs = oldest === undefined ? 0 : oldest + HOUR_MS - now;
  if (waitMs > 0) throw new Refusal('RATE_LIMITED', { retry_after_seconds: Math.ceil(waitMs / 1_000) });
};

/** The bill that a round joins. */
interface Joined {
  /** Who opened it: one that staff opened sells what tills sell. */
  readonly via: OpenedVia;
  /** It is a new one. */
  readonly isNew: boolean;
  /** Of a new one: of the guests who sit at the table. */
  readonly bookingId: Uuid | null;
}

/** What is fired, and who of the guests said what. */
interface GuestRound {
  readonly table: NamedTable;
  /** For which it was priced. */
  readonly bill: Joined;
  readonly round: PricedRound;
  readonly name: string | null;
  readonly phone: string | null;
  readonly notes: string | null;
}

interface Writing {
  readonly parts: FloorParts;
  readonly caller: JobContext;
  readonly tx: Tx;
  readonly log: ChangeLog;
  readonly now: Instant;
}

/** The ticket that the round joins, with its check locked; null: none is open at the table. */
const liveTicket = async (
  tx: Tx,
  { orgId, id: tableId }: NamedTable,
): Promise<{ readonly ticket: StoredTicket; readonly tickets: readonly TicketWithItems[] } | null> => {
  const id = await openTicketAt(tx, orgId, tableId);
  if (id === null) return null;
  const checks = await lockChecks(tx, orgId, [id]);
  const ticket = await ticketById(tx, orgId, id);
  // It was settled, moved or merged meanwhile.
  const isStill = ticket?.status === 'open' && ticket.tableId === tableId && checks.includes(ticket.checkId);
  if (!isStill) throw new ConcurrentChange();
  return { ticket, tickets: await loadTickets(tx, orgId, checks) };
};

/** Opens a ticket for the round on the free table. */
const openByGuest = async (
  { parts: { app }, tx, log, now }: Writing,
  { table, bill: { bookingId }, round, name, phone, notes }: GuestRound,
): Promise<StoredTicket> => {
  const { orgId, branchId, id: tableId } = table;
  const [id, checkId] = [app.random.uuid(), app.random.uuid()];
  const { branch } = round.sale;
  await insertCheck(tx, orgId, branchId, checkId);
  if (!(await occupyTable(tx, orgId, tableId, checkId))) throw new ConcurrentChange();
  // Guests were seated there meanwhile, or have left.
  if ((await bookingSeatedAt(tx, orgId, tableId)) !== bookingId) throw new ConcurrentChange();
  const row = {
    ...{ org_id: orgId, id, branch_id: branchId, check_id: checkId, table_id: tableId },
    ...{ opened_by: tableId, opened_via: 'qr', rounds: 1, booking_id: bookingId },
    ...{ customer_name: name, customer_phone: phone, notes },
  };
  await insertNumbered(tx, row, { branch, terms: ticketTerms(round.sale), now });
  if (bookingId !== null) await linkTicket(tx, orgId, bookingId);
  log.add(orgId, tableChange(branchId, tableId));
  return insertedTicket(tx, orgId, id);
};

/** Later guests add what the first one did not say. */
const wordsOf = (ticket: StoredTicket, { name, phone }: GuestRound) => ({
  ...(ticket.customerName === null ? { customer_name: name } : {}),
  ...(ticket.customerPhone === null ? { customer_phone: phone } : {}),
});

const write = async (writing: Writing, sent: GuestRound, key: RequestKey | null): Promise<Uuid> => {
  const { parts, caller, tx, log, now } = writing;
  const { table, round, notes } = sent;
  const { orgId, branchId } = table;
  const live = await liveTicket(tx, table);
  // A bill was opened meanwhile, or ended: another sells other things, has other deals, and may be of a booking.
  const isAsRead = live === null ? sent.bill.isNew : live.ticket.openedVia === sent.bill.via;
  if (!isAsRead) throw new ConcurrentChange();
  const ticket = live?.ticket ?? (await openByGuest(writing, sent));
  await refuseTooMany(tx, table, now);
  const number = live === null ? ticket.rounds : ticket.rounds + 1;
  if (live !== null) await updateTicket(tx, ticket, { rounds: number, ...wordsOf(ticket, sent) });
  const isWaiting = round.sale.branch.confirmTableOrders;
  const fired = { firedBy: table.id, via: 'qr', number, isWaiting, notes } as const;
  await fireRound(parts.app, { tx, log, now, ticket, tickets: live?.tickets ?? [], ...fired }, round);
  await reviewPrepaid(parts, caller, tx, { orgId, tickets: live?.tickets ?? [] });
  await recordAudit(parts.app, tx, {
    ...{ orgId, staffId: null, deviceId: null, branchId, at: now },
    ...{ action: 'ticket.round_ordered', subject: 'ticket', subjectId: ticket.id },
    detail: {
      ...{ round: number, table_id: table.id, lines: round.lines.length },
      ...(live === null ? { booking_id: ticket.bookingId } : {}),
    },
  });
  if (key !== null) await claimKey(tx, key, { subjectId: ticket.id, bodyHash: key.hash }, now);
  log.add(orgId, ...checkChanges(ticket, live?.tickets ?? []));
  return ticket.id;
};

const joined = async ({ app }: FloorParts, { orgId, id }: NamedTable): Promise<Joined> => {
  const live = await openTicketAt(app.db.kysely, orgId, id);
  const ticket = live === null ? null : await ticketById(app.db.kysely, orgId, live);
  if (ticket !== null) return { via: ticket.openedVia, isNew: false, bookingId: null };
  return { via: 'qr', isNew: true, bookingId: await bookingSeatedAt(app.db.kysely, orgId, id) };
};

/** Throws TABLE_ORDERS_OFF and the refusals of a cart. */
const prepared = async (parts: FloorParts, table: NamedTable, body: Body): Promise<GuestRound> => {
  const { app } = parts;
  const branch = await branchById(app.db.kysely, table.branchId);
  if (branch === null) throw new Refusal('NOT_FOUND');
  if (!takesTableOrders(branch, app.clock.now())) throw new Refusal('TABLE_ORDERS_OFF');
  const phone = body.customer_phone ? phoneIn(app, body.customer_phone, 'customer_phone') : null;
  const bill = await joined(parts, table);
  const round = await priceRound(parts, table.branchId, bill.via, body.items);
  const [name, notes] = [singleLine(body.customer_name), multiLine(body.notes)];
  return { table, bill, round, name, phone, notes };
};

interface OrderRequest {
  readonly body: Body;
  readonly headers: HeadersOf<typeof contract.orderAtTable>;
  readonly caller: JobContext;
}

/** POST /public/table-orders. */
export const orderAtTable =
  (parts: FloorParts) =>
  async ({ body, headers, caller }: OrderRequest): Promise<Reply | Repeated<Reply>> => {
    const { app } = parts;
    const table = await tableByCode(app.db.kysely, body.table_id.toLowerCase());
    if (table === null) throw new Refusal('NOT_FOUND');
    const { orgId, id } = table;
    const key = requestKey(orgId, `table-order:${id}`, headers['idempotency-key'], body);
    const view = async (ticketId: Uuid): Promise<Reply> =>
      guestReply(await viewOf(parts, { ...caller, isCommitted: true }, orgId, ticketId), table);
    return onceUnder(app, key, view, async () =>
      view(
        await retrying(async () => {
          const sent = await prepared(parts, table, body);
          const { bookingId } = sent.bill;
          return lockingBookings(app, orgId, bookingId === null ? [] : [bookingId], (tx, log) =>
            write({ parts, caller, tx, log, now: app.clock.now() }, sent, key),
          );
        }),
      ),
    );
  };
