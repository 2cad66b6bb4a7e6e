/**
 * A load of waiters that repeat each request until it is answered, under the same key. What was acknowledged is recorded:
 * the server must have kept it.
 */
import { branchId, tableId } from '../shops/cafe.ts';
import { coffees, type Ticket } from '../people/tickets.ts';
import type { KitchenTicket } from '../people/kitchen.ts';
import type { RetryingClient } from './order-load.ts';

export interface Paid {
  readonly id: string;
  readonly total: number;
}

/** Of all waiters. */
export interface FloorRecord {
  readonly paid: Paid[];
  readonly refunded: { readonly id: string; readonly amount: number }[];
  /** Tickets that guests opened, whose round was accepted. */
  readonly accepted: string[];
  /** Tickets that ended in others. */
  readonly merged: { readonly id: string; readonly into: string }[];
  /** Of which one unit of a line was voided. */
  readonly voided: string[];
  readonly moved: { readonly id: string; readonly table: string }[];
  /** Kitchen tickets. */
  readonly bumped: string[];
  readonly closedTills: string[];
}

export const emptyRecord = (): FloorRecord => ({
  ...{ paid: [], refunded: [], accepted: [], merged: [], voided: [], moved: [], bumped: [], closedTills: [] },
});

export interface Waiter {
  /** The key of a table of `zamalek` that is theirs alone. */
  readonly table: string;
  readonly token: string;
}

/** More of one table within an hour are refused. */
const MAX_GUESTS = 10;
const PRICE = 4_500;
const TIP = 100;

/** Every request of one waiter has a key of its own. */
const hands = (client: RetryingClient, { table, token }: Waiter) => {
  const authorization = `Bearer ${token}`;
  let asked = 0;
  const ask = async <T = Ticket>(path: string, body: object): Promise<T> => {
    const headers = { authorization, 'idempotency-key': `${table}-${asked++}` };
    const { status, body: answer, text } = await client.postUntilAnswered(path, body, headers);
    if (status >= 300) throw new Error(`${path} was answered ${status}: ${text}`);
    // The shape was checked against the document.
    return answer as T;
  };
  const read = async <T>(path: string): Promise<T> => {
    const { status, body, text } = await client.untilAnswered('GET', path, undefined, { authorization });
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    return body as T;
  };
  /** It has no key: after a lost answer the ticket has moved, and stands at the table. */
  const move = async ({ id, revision }: Ticket, to: string): Promise<Ticket> => {
    const path = `/staff/tickets/${id}`;
    const reply = await client.untilAnswered('PATCH', path, { revision, table_id: to }, { authorization });
    const moved = reply.status === 200 ? (reply.body as Ticket) : await read<Ticket>(path);
    if (moved.table_id !== to || moved.revision !== revision + 1)
      throw new Error(`${path} was answered ${reply.status}: ${reply.text}`);
    return moved;
  };
  return { ask, read, move };
};

/** What a waiter does with one guest after the other, each step acknowledged before the next. */
const steps = (client: RetryingClient, waiter: Waiter, record: FloorRecord) => {
  const { ask, read, move } = hands(client, waiter);
  const table = tableId(waiter.table);
  const settle = async ({ id, revision }: Ticket, total: number): Promise<void> => {
    const payments = [{ method: 'cash', amount: total, tip: TIP }];
    const settled = await ask(`/staff/tickets/${id}/settle`, { revision, payments });
    record.paid.push({ id, total: settled.bill?.total ?? 0 });
  };
  return {
    /** Three coffees for guests who order by the code of their table, and pay at once. */
    serveTable: async (): Promise<void> => {
      const sent = await ask('/public/table-orders', { table_id: table, items: coffees(3) });
      const taken = await ask(`/staff/tickets/${sent.id}/rounds/1/accept`, {});
      record.accepted.push(sent.id);
      await settle(taken, 3 * PRICE);
    },
    /** Three coffees and one. */
    openAndFire: async (): Promise<Ticket> => {
      const opened = await ask('/staff/tickets', { branch_id: branchId(), items: coffees(3) });
      return ask(`/staff/tickets/${opened.id}/rounds`, { items: coffees(1) });
    },
    void: ({ id, revision }: Ticket) => ask(`/staff/tickets/${id}/void`, { revision, reason: 'mistake' }),
    /** With another ticket of three coffees. */
    merge: async ({ id, revision }: Ticket): Promise<Ticket> => {
      const other = await ask('/staff/tickets', { branch_id: branchId(), items: coffees(3) });
      const merged = await ask(`/staff/tickets/${id}/merge`, { revision, ticket_id: other.id });
      record.merged.push({ id: other.id, into: id });
      return merged;
    },
    moveToTable: async (ticket: Ticket): Promise<Ticket> => {
      const moved = await move(ticket, table);
      record.moved.push({ id: ticket.id, table });
      return moved;
    },
    bump: async ({ id }: Ticket): Promise<void> => {
      const board = `/staff/kitchen?branch_id=${branchId()}&source_id=${id}`;
      const [shown] = (await read<{ tickets: KitchenTicket[] }>(board)).tickets;
      if (shown === undefined) throw new Error('the kitchen has nothing of the ticket');
      await ask<KitchenTicket>(`/staff/kitchen/${shown.id}/bump`, {});
      record.bumped.push(shown.id);
    },
    /** One unit of its first line. */
    voidUnit: async ({ id, revision, items }: Ticket): Promise<Ticket> => {
      const body = { revision, units: 1, reason: 'quality' };
      const left = await ask(`/staff/tickets/${id}/items/${items[0]?.id}/void`, body);
      record.voided.push(id);
      return left;
    },
    /** One unit of its first line on a bill of its own, 40.00 by card and the rest in cash. */
    payInParts: async (ticket: Ticket): Promise<void> => {
      const { id, revision, due } = ticket;
      const line = ticket.items.find(({ voided }) => !voided);
      const split = { revision, items: [{ item_id: line?.id, units: 1 }] };
      await settle(await ask(`/staff/tickets/${id}/split`, split), PRICE);
      const piece = { revision: revision + 1, method: 'card', amount: 4_000 };
      await settle(await ask(`/staff/tickets/${id}/payments`, piece), due - PRICE - 4_000);
    },
    sellAndRefund: async (): Promise<void> => {
      const payments = [{ method: 'card', amount: 2 * PRICE }];
      const sold = await ask<Paid>('/staff/sales', { branch_id: branchId(), items: coffees(2), payments });
      record.paid.push({ id: sold.id, total: sold.total });
      const back = { lines: [{ index: 0, units: 1 }], method: 'cash', reason: 'quality' };
      await ask(`/staff/sales/${sold.id}/refund`, back);
      record.refunded.push({ id: sold.id, amount: PRICE });
    },
    openTill: () => ask<{ id: string }>('/staff/tills', { branch_id: branchId(), opening_float: 0 }),
    closeTill: async ({ id }: { readonly id: string }): Promise<void> => {
      await ask(`/staff/tills/${id}/close`, { counted: { cash: 0 } });
      record.closedTills.push(id);
    },
  };
};

const GUESTS_OF_TILL = 2;

/** Until `isStopped`; the till is closed then. */
export const waiterAtWork = async (
  client: RetryingClient,
  waiter: Waiter,
  record: FloorRecord,
  isStopped: () => boolean,
): Promise<void> => {
  const by = steps(client, waiter, record);
  const serve = async (n: number): Promise<void> => {
    if (n < MAX_GUESTS) await by.serveTable();
    let ticket = await by.openAndFire();
    if (n % 4 === 0) {
      await by.void(ticket);
      return;
    }
    if (n % 4 === 1) ticket = await by.merge(ticket);
    if (n % 4 === 2) ticket = await by.moveToTable(ticket);
    await by.bump(ticket);
    await by.payInParts(await by.voidUnit(ticket));
    await by.sellAndRefund();
  };
  for (let n = 0; !isStopped();) {
    const till = await by.openTill();
    for (const last = n + GUESTS_OF_TILL; n < last && !isStopped(); n += 1) await serve(n);
    await by.closeTill(till);
  }
};
