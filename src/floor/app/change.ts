/** One change of a ticket: lock the check, decide, apply, save (Decisions 12). */
import type { Kysely } from 'kysely';
import { floorScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import { onceUnder, requestKey, type RequestKey } from '../../platform/app/request-key.ts';
import { retrying } from '../../platform/app/retrying.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import { claimKey } from '../../platform/store/idempotency.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Actor } from '../../staff/app/access.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import { refusesChange } from '../domain/ticket.ts';
import { itemsOf } from '../store/ticket-item.ts';
import { lockChecks, markPaidUp, ticketById, type StoredTicket } from '../store/ticket.ts';
import {
  billsOf,
  isUnchanged,
  loadTickets,
  overpaidOf,
  paidInParts,
  type Overpaid,
  type TicketWithItems,
} from './check.ts';
import type { FloorParts } from './parts.ts';
import { viewOf, type TicketReply } from './ticket-reply.ts';

type Tx = Kysely<Database>;

const floorChange =
  (type: 'ticket' | 'table') =>
  (branchId: Uuid, id: Uuid): Change => ({ scope: floorScope(branchId, id), type, id, op: 'upsert' });

export const ticketChange = floorChange('ticket');
/** A table is taken, or free again. */
export const tableChange = floorChange('table');

/** What a change works on: the tickets of its check, which no other transaction changes meanwhile. */
export interface ChangeContext {
  readonly tx: Tx;
  readonly log: ChangeLog;
  readonly now: Instant;
  readonly actor: Actor;
  readonly ticket: StoredTicket;
  readonly items: TicketWithItems['items'];
  /** All tickets of the locked checks that are not void. */
  readonly tickets: readonly TicketWithItems[];
}

/** Words for an id of a body that names none. */
export const NO_TICKET_HERE = {
  problem: 'is no ticket of this branch',
  arabic: 'ليست فاتورة من فواتير هذا الفرع',
} as const;

/** Throws NOT_FOUND for a ticket of another shop or branch. */
export const ownTicket = (actor: Actor, ticket: StoredTicket | null): StoredTicket => {
  if (ticket === null || !mayAtBranch(actor, ticket.branchId)) throw new Refusal('NOT_FOUND');
  return ticket;
};

/** Of a ticket and the open ones of its check: what one part orders can change what the others come to. */
export const checkChanges = (
  { id, branchId }: Pick<StoredTicket, 'id' | 'branchId'>,
  tickets: readonly TicketWithItems[],
): readonly Change[] => {
  const open = tickets.filter(({ ticket }) => ticket.status === 'open').map(({ ticket }) => ticket.id);
  return [...new Set([id, ...open])].map((one) => ticketChange(branchId, one));
};

/** The ticket may be changed. Throws TICKET_ENDED and TICKET_MOVED. */
export const requireOpen = (ticket: StoredTicket, revision: number | null): void => {
  const refused = refusesChange(ticket, revision);
  if (refused !== null) throw new Refusal(refused, { status: ticket.status, revision: ticket.revision });
};

/**
 * The check of a ticket that may be changed, before it is locked: lines are read after their tickets, so that a change
 * between the two shows in the revisions (`isUnchanged`). Throws `ConcurrentChange` where the ticket was changed since it
 * was read.
 */
export const openCheck = async (
  { app }: Pick<FloorParts, 'app'>,
  ticket: StoredTicket,
): Promise<readonly TicketWithItems[]> => {
  const tickets = await loadTickets(app.db.kysely, ticket.orgId, [ticket.checkId]);
  const own = tickets.find((one) => one.ticket.id === ticket.id);
  if (own?.ticket.revision !== ticket.revision) throw new ConcurrentChange();
  return tickets;
};

/**
 * Runs what may refuse a check that was read without a lock: a refusal counts only if the check is still as it was read.
 * Throws `ConcurrentChange` where it is not.
 */
export const refusingAsRead = async <T>(
  { app }: Pick<FloorParts, 'app'>,
  { orgId, checkId }: StoredTicket,
  tickets: readonly TicketWithItems[],
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
    const now = await loadTickets(app.db.kysely, orgId, [checkId]);
    throw isUnchanged(tickets, now) ? fault : new ConcurrentChange();
  }
};

interface ChangeRequest {
  readonly id: Uuid;
  /** Of another ticket that is changed with it; null: none. */
  readonly otherId?: Uuid;
  readonly actor: Actor;
  readonly caller: JobContext;
  /** Null: the change names none. */
  readonly revision: number | null;
  /** The change itself refuses an ended ticket, where it has something to change. */
  readonly isOfEnded?: boolean;
  readonly key: RequestKey | null;
  /** In the audit log. */
  readonly action: `ticket.${string}`;
}

/** What the audit log keeps, and the ticket that is answered where it is another. */
interface Changed {
  readonly detail: Readonly<Record<string, unknown>>;
  readonly answeredId?: Uuid;
  /** No bill comes to less than what was paid of it, which the change has seen to. */
  readonly coversPaid?: true;
}

/** Null: the ticket is as it was asked for, and nothing is recorded. */
export type Apply = (context: ChangeContext) => Promise<Changed | null>;

/** A ticket with all of its check, which is locked until the transaction ends. */
interface Locked {
  readonly ticket: StoredTicket;
  readonly items: TicketWithItems['items'];
  readonly tickets: readonly TicketWithItems[];
}

/** With the check of `otherId` too. Throws NOT_FOUND, and `ConcurrentChange` where a ticket went to another check. */
const lockTickets = async (
  tx: Tx,
  actor: Actor,
  { id, otherId }: Pick<ChangeRequest, 'id' | 'otherId'>,
): Promise<Locked> => {
  const { orgId } = actor;
  const ids = otherId === undefined ? [id] : [id, otherId];
  const tickets = await loadTickets(tx, orgId, await lockChecks(tx, orgId, ids));
  const readOne = async (one: Uuid): Promise<StoredTicket | null> => {
    const found =
      tickets.find(({ ticket }) => ticket.id === one)?.ticket ?? (await ticketById(tx, orgId, one));
    const isOfCheck =
      found === null || found.status === 'voided' || tickets.some(({ ticket }) => ticket === found);
    if (!isOfCheck) throw new ConcurrentChange();
    return found;
  };
  if (otherId !== undefined) await readOne(otherId);
  const ticket = ownTicket(actor, await readOne(id));
  const own = tickets.find((one) => one.ticket === ticket);
  return { ticket, items: own?.items ?? (await itemsOf(tx, orgId, [id])), tickets };
};

/** Tickets of a check that come to what they have paid in parts are paid up. Answers what those have that come to less. */
export const reviewCheck = async (
  { app }: Pick<FloorParts, 'app'>,
  caller: JobContext,
  tx: Tx,
  { orgId, checkId }: { readonly orgId: Uuid; readonly checkId: Uuid },
): Promise<readonly Overpaid[]> => {
  const tickets = await loadTickets(tx, orgId, [checkId]);
  const prepaid = tickets.map(({ ticket }) => ticket).filter((ticket) => ticket.prepaid > 0);
  if (prepaid.length === 0) return [];
  const bills = await billsOf(app, caller, tickets);
  const paidUp = prepaid.filter(
    ({ id, prepaid: paid, isPaidUp }) => !isPaidUp && bills.get(id)?.amounts.total === paid,
  );
  await markPaidUp(
    tx,
    orgId,
    paidUp.map(({ id }) => id),
  );
  return overpaidOf(tickets, bills);
};

/** Of the tickets that were paid in parts before the change, with all others of their checks. Throws PAID_IN_PARTS. */
export const reviewPrepaid = async (
  parts: Pick<FloorParts, 'app'>,
  caller: JobContext,
  tx: Tx,
  { orgId, tickets: before }: { readonly orgId: Uuid; readonly tickets: readonly TicketWithItems[] },
): Promise<void> => {
  const prepaid = before.map(({ ticket }) => ticket).filter((ticket) => ticket.prepaid > 0);
  const checks = new Set<Uuid>();
  for (const { id } of prepaid) {
    const ticket = await ticketById(tx, orgId, id);
    if (ticket?.status === 'voided' && ticket.prepaid > 0)
      throw new Refusal('PAID_IN_PARTS', { paid: ticket.prepaid, total: 0 });
    if (ticket !== null) checks.add(ticket.checkId);
  }
  for (const checkId of checks) {
    const [overpaid] = await reviewCheck(parts, caller, tx, { orgId, checkId });
    if (overpaid !== undefined) throw paidInParts(overpaid);
  }
};

/** Runs within a transaction. */
const applyChange = async (
  parts: FloorParts,
  tx: Tx,
  log: ChangeLog,
  { actor, caller, revision, isOfEnded = false, key, action, ...named }: ChangeRequest,
  apply: Apply,
): Promise<Uuid> => {
  const { app } = parts;
  const { orgId, staffId, deviceId } = actor;
  const { id } = named;
  const { ticket, items, tickets } = await lockTickets(tx, actor, named);
  if (!isOfEnded) requireOpen(ticket, revision);
  const now = app.clock.now();
  const changed = await apply({ tx, log, now, actor, ticket, items, tickets });
  if (changed === null) return id;
  const { detail, answeredId = id, coversPaid = false } = changed;
  if (!coversPaid) await reviewPrepaid(parts, caller, tx, { orgId, tickets });
  await recordAudit(app, tx, {
    ...{ orgId, staffId, deviceId, branchId: ticket.branchId, at: now },
    ...{ action, subject: 'ticket', subjectId: id, detail },
  });
  if (key !== null) await claimKey(tx, key, { subjectId: answeredId, bodyHash: key.hash }, now);
  log.add(orgId, ...checkChanges(ticket, tickets));
  return answeredId;
};

interface KeyedRequest {
  readonly path: { readonly id: string };
  readonly headers: { readonly 'idempotency-key'?: string | undefined };
  readonly body: unknown;
  readonly actor: Actor;
}

/** A key counts for one ticket, whatever is done to it, and whoever sends it again: people share a device. */
export const ticketKey = (
  { path, headers, body, actor }: KeyedRequest,
  action: ChangeRequest['action'],
): RequestKey | null =>
  requestKey(actor.orgId, `ticket:${path.id}`, headers['idempotency-key'], { action, body });

type Work = (tx: Tx, log: ChangeLog) => Promise<Uuid>;

/** The transaction of a change of more than tickets, and the ticket as it was before. */
export type RunChange = (work: Work, ticket: StoredTicket) => Promise<Uuid>;

interface HowToChange {
  /** Runs outside the transaction, again with every attempt; the ticket as it was before. */
  readonly prepare: (ticket: StoredTicket) => Apply | Promise<Apply>;
  readonly run?: RunChange;
}

/** The ticket as it stands after the change. */
export const runChange = async (
  parts: FloorParts,
  request: ChangeRequest,
  { prepare, run = (work) => commitAndPublish(parts.app, work) }: HowToChange,
): Promise<TicketReply | Repeated<TicketReply>> => {
  const { app } = parts;
  const { actor, caller, key } = request;
  const read = async (): Promise<StoredTicket> =>
    ownTicket(actor, await ticketById(app.db.kysely, actor.orgId, request.id));
  let known: StoredTicket | null = await read();
  const view = (id: Uuid): Promise<TicketReply> =>
    viewOf(parts, { ...caller, isCommitted: true }, actor.orgId, id);
  return onceUnder(app, key, view, async () => {
    const id = await retrying(async () => {
      const ticket = known ?? (await read());
      // It has changed meanwhile where this attempt is repeated.
      known = null;
      if (request.isOfEnded !== true) requireOpen(ticket, request.revision);
      const apply = await prepare(ticket);
      return run((tx, log) => applyChange(parts, tx, log, request, apply), ticket);
    });
    return view(id);
  });
};
