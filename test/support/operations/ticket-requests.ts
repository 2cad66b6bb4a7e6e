/** A valid request of every operation about tickets, by the owner of a shop. */
import { signInAs } from '../people/staff.ts';
import { coffees, ticketsBy, type Ticket } from '../people/tickets.ts';
import { done, post } from '../server/requests.ts';
import type { World } from '../server/world.ts';
import { aFreeTable, aWaitingRound } from '../people/table-guests.ts';
import { branchId, tableId } from '../shops/cafe.ts';
import type { Asked, Case } from './staff-requests.ts';

/** An open ticket of two lines, at no table. */
export const anOpenTicket = async (world: World, slug?: string): Promise<Ticket> => {
  const owner = await signInAs(world, 'owner', slug);
  const items = [...coffees(1, slug), ...coffees(2, slug)];
  return ticketsBy(world, owner).open({ branch_id: branchId('zamalek', slug), items });
};

type About = (ticket: Ticket, other: () => Promise<Ticket>) => object | Promise<object>;

const firstLine = ({ items }: Ticket): string => items[0]?.id ?? '';

/** What is sent to an address of a ticket; null: it is read. */
const REQUESTS = {
  getTicket: { to: () => '', body: null },
  getTicketBill: { to: () => '/bill', body: null },
  fireTicketRound: { to: () => '/rounds', body: (ticket: Ticket) => ({ items: inputsOf(ticket) }) },
  voidTicketLine: {
    to: (ticket: Ticket) => `/items/${firstLine(ticket)}/void`,
    body: ({ revision }: Ticket) => ({ revision, reason: 'mistake' }),
  },
  splitTicket: {
    to: () => '/split',
    body: (ticket: Ticket) => ({ revision: ticket.revision, items: [{ item_id: firstLine(ticket) }] }),
  },
  mergeTickets: {
    to: () => '/merge',
    body: async ({ revision }: Ticket, other: () => Promise<Ticket>) => ({
      ...{ revision, ticket_id: (await other()).id },
    }),
  },
  payTicketPart: {
    to: () => '/payments',
    body: ({ revision }: Ticket) => ({ revision, method: 'card', amount: 1_000 }),
  },
  settleTicket: {
    to: () => '/settle',
    body: ({ revision, bill }: Ticket) => ({
      revision,
      payments: [{ method: 'card', amount: bill?.total ?? 0 }],
    }),
  },
  voidTicket: {
    to: () => '/void',
    body: ({ revision }: Ticket) => ({ revision, reason: 'guest_changed' }),
  },
} as const satisfies Record<string, { to: (ticket: Ticket) => string; body: About | null }>;

const inputsOf = ({ items }: Ticket) =>
  items.map(({ menu_item_id: id, line }) => ({ menu_item_id: id, quantity: line.quantity }));

const asking =
  (name: keyof typeof REQUESTS) =>
  async (world: World, slug?: string): Promise<Asked> => {
    const ticket = await anOpenTicket(world, slug);
    const { to, body } = REQUESTS[name];
    const address = `/staff/tickets/${ticket.id}${to(ticket)}`;
    if (body === null) return { address };
    return { method: 'POST', address, body: await body(ticket, () => anOpenTicket(world, slug)) };
  };

/** Of a ticket that a teller took part of: the money is theirs to give back, or a manager's. */
const undoing = async (world: World, slug?: string): Promise<Asked> => {
  const { id, revision } = await anOpenTicket(world, slug);
  const teller = await signInAs(world, 'teller', slug);
  const part = { revision, method: 'card', amount: 1_000 };
  const paid = done('payTicketPart', await post(world, `/staff/tickets/${id}/payments`, part, teller));
  return {
    ...{ method: 'POST', address: `/staff/tickets/${id}/payments/${paid.payments[0]?.id}/undo` },
    body: { revision: paid.revision },
  };
};

const opening = (slug?: string): Asked => ({
  ...{ method: 'POST', address: '/staff/tickets' },
  body: { branch_id: branchId('zamalek', slug), items: coffees(1, slug) },
});

const changing = async (world: World, slug?: string): Promise<Asked> => {
  const { id, revision } = await anOpenTicket(world, slug);
  return { method: 'PATCH', address: `/staff/tickets/${id}`, body: { revision, guest_count: 3 } };
};

const listing = (slug?: string): Asked => ({
  address: `/staff/tickets?branch_id=${branchId('zamalek', slug)}`,
});

/** Of a round that waits, at a table of its own. */
const deciding =
  (what: 'accept' | 'reject') =>
  async (world: World, slug?: string): Promise<Asked> => {
    const { id, round } = await aWaitingRound(world, slug);
    return { method: 'POST', address: `/staff/tickets/${id}/rounds/${round}/${what}`, body: {} };
  };

const newCode = (slug?: string): Asked => ({
  ...{ method: 'POST', address: `/staff/tables/${tableId('t1', 'zamalek', slug)}/new-code`, body: {} },
});

export const TICKET_REQUESTS = {
  openTicket: (_: World, slug?: string) => Promise.resolve(opening(slug)),
  listTickets: (_: World, slug?: string) => Promise.resolve(listing(slug)),
  changeTicket: changing,
  getTicket: asking('getTicket'),
  getTicketBill: asking('getTicketBill'),
  fireTicketRound: asking('fireTicketRound'),
  voidTicketLine: asking('voidTicketLine'),
  splitTicket: asking('splitTicket'),
  mergeTickets: asking('mergeTickets'),
  payTicketPart: asking('payTicketPart'),
  undoTicketPayment: undoing,
  settleTicket: asking('settleTicket'),
  voidTicket: asking('voidTicket'),
};

type TicketOperation =
  keyof typeof TICKET_REQUESTS | 'acceptTicketRound' | 'rejectTicketRound' | 'newTableCode';

/** Each changes its ticket, which it names by its revision. */
const of404 = (ask: Case['ask']): Case => ({ ask, otherShopStatus: 404, isOnce: true });

export const TICKET_CASES: Readonly<Record<TicketOperation, Case>> = {
  openTicket: of404(TICKET_REQUESTS.openTicket),
  listTickets: of404(TICKET_REQUESTS.listTickets),
  changeTicket: of404(TICKET_REQUESTS.changeTicket),
  getTicket: of404(TICKET_REQUESTS.getTicket),
  getTicketBill: of404(TICKET_REQUESTS.getTicketBill),
  fireTicketRound: of404(TICKET_REQUESTS.fireTicketRound),
  voidTicketLine: of404(TICKET_REQUESTS.voidTicketLine),
  splitTicket: of404(TICKET_REQUESTS.splitTicket),
  mergeTickets: of404(TICKET_REQUESTS.mergeTickets),
  payTicketPart: of404(TICKET_REQUESTS.payTicketPart),
  undoTicketPayment: of404(TICKET_REQUESTS.undoTicketPayment),
  acceptTicketRound: { ask: deciding('accept'), otherShopStatus: 404 },
  rejectTicketRound: { ask: deciding('reject'), otherShopStatus: 404 },
  newTableCode: { ask: (_, slug) => Promise.resolve(newCode(slug)), otherShopStatus: 404 },
  settleTicket: of404(TICKET_REQUESTS.settleTicket),
  voidTicket: of404(TICKET_REQUESTS.voidTicket),
};

/** One call of each, by the owner. */
export const ticketCalls = (world: World, headers: Readonly<Record<string, string>>) => {
  const call = (ask: (world: World, slug?: string) => Promise<Asked>) => async () => {
    const { address, body } = await ask(world);
    return { address, headers, ...(body === undefined ? {} : { body }) };
  };
  return {
    openTicket: call(TICKET_REQUESTS.openTicket),
    listTickets: call(TICKET_REQUESTS.listTickets),
    changeTicket: call(TICKET_REQUESTS.changeTicket),
    getTicket: call(TICKET_REQUESTS.getTicket),
    getTicketBill: call(TICKET_REQUESTS.getTicketBill),
    fireTicketRound: call(TICKET_REQUESTS.fireTicketRound),
    voidTicketLine: call(TICKET_REQUESTS.voidTicketLine),
    splitTicket: call(TICKET_REQUESTS.splitTicket),
    mergeTickets: call(TICKET_REQUESTS.mergeTickets),
    payTicketPart: call(TICKET_REQUESTS.payTicketPart),
    undoTicketPayment: call(TICKET_REQUESTS.undoTicketPayment),
    acceptTicketRound: call(deciding('accept')),
    rejectTicketRound: call(deciding('reject')),
    newTableCode: call((_, slug) => Promise.resolve(newCode(slug))),
    settleTicket: call(TICKET_REQUESTS.settleTicket),
    voidTicket: call(TICKET_REQUESTS.voidTicket),
  };
};

/** An order at a free table. */
export const tableOrderCall = async (world: World) => ({
  address: '/public/table-orders',
  body: { table_id: await aFreeTable(world), items: coffees(1), notes: 'من غير سكر' },
});
