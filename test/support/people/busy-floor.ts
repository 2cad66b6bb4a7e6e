/** Everything that the floor of a branch does at once, over two processes. */
import { aMember, aProgramme } from './reward-members.ts';
import { bookedByStaff, soon, walkIn } from './staff-bookings.ts';
import { aStaffedShop, setCredentials, signInAs, type SignedIn } from './staff.ts';
import { aFreeTable, asksTableOrder } from './table-guests.ts';
import { coffees, ticketsBy, type Ticket } from './tickets.ts';
import { aCounterSale, anOpenTill } from './tills.ts';
import type { Reply } from '../server/http-client.ts';
import { done, post } from '../server/requests.ts';
import { makeWorld, type World } from '../server/world.ts';
import { aMenu, branchId, openShops } from '../shops/cafe.ts';

const WIDE = 100_000;

export interface BusyFloor {
  /** Of one database. */
  readonly worlds: readonly [World, World];
  readonly owner: SignedIn;
  close(): Promise<void>;
}

export const openBusyFloor = async (): Promise<BusyFloor> => {
  const first = await makeWorld({ limitScale: WIDE });
  const second = await makeWorld({ limitScale: WIDE, database: first.database });
  const { categories = [], items = [] } = aMenu();
  const availability = [{ branch: 'zamalek', stock: 100_000 }];
  const menu = { categories, items: items.map((item) => ({ ...item, availability })) };
  await openShops(first, aStaffedShop(undefined, { menu, loyalty: aProgramme() }));
  await setCredentials(first);
  const owner = await signInAs(first, 'owner');
  await anOpenTill(first, 'owner');
  return {
    ...{ worlds: [first, second], owner },
    close: async () => {
      await second.close();
      await first.close();
    },
  };
};

/** What a client knows: the newest ticket of each guest party, and the member who comes with it. */
export interface Party {
  readonly booking: string;
  readonly member: string;
  readonly table: string;
  /** Its tickets, of which some may have ended. */
  readonly tickets: string[];
}

/** Guests with a booking, at a table of their own, with a ticket of nine coffees. */
export const aParty = async ({ worlds: [world], owner }: BusyFloor): Promise<Party> => {
  const [booking, member, table] = [
    await bookedByStaff(world, soon(world)),
    await aMember(world, 1_000),
    await aFreeTable(world),
  ];
  const floor = ticketsBy(world, owner);
  const ticket = await floor.open({ booking_id: booking.id, table_id: table, items: coffees(9) });
  await floor.change(ticket, { member_id: member.cardId });
  return { booking: booking.id, member: member.cardId, table, tickets: [ticket.id] };
};

interface Turn {
  readonly world: World;
  readonly owner: SignedIn;
  readonly ticket: Ticket;
  readonly party: Party;
  readonly other: Party;
}

type Act = (turn: Turn) => Promise<Reply | null>;

const liveLine = ({ items }: Ticket) => items.find(({ voided, accepted }) => !voided && accepted);
const at = ({ world, owner, ticket: { id, revision } }: Turn, what: string, body: object): Promise<Reply> =>
  post(world, `/staff/tickets/${id}/${what}`, { revision, ...body }, owner);

/** Each takes other locks in another order, were the order not one. */
export const ACTS: Readonly<Record<string, Act>> = {
  'a round': ({ world, owner, ticket: { id } }) =>
    post(world, `/staff/tickets/${id}/rounds`, { items: coffees(2) }, owner),
  'a split': async (turn) => {
    const line = liveLine(turn.ticket);
    const items = [{ item_id: line?.id ?? '', units: 1 }];
    const reply = line === undefined ? null : await at(turn, 'split', { items });
    if (reply?.status === 201) turn.party.tickets.push(done('splitTicket', reply).id);
    return reply;
  },
  'a part-payment': (turn) => {
    const amount = Math.min(1_000, turn.ticket.due);
    return at(turn, 'payments', { method: 'cash', amount });
  },
  'a guest’s round with the decision on it': async ({ world, owner, ticket, party }) => {
    const reply = await asksTableOrder(world, party.table);
    if (reply.status !== 201) return reply;
    const { id, items } = done('orderAtTable', reply);
    const what = ticket.revision % 2 === 0 ? 'accept' : 'reject';
    return post(world, `/staff/tickets/${id}/rounds/${items.at(-1)?.round_number}/${what}`, {}, owner);
  },
  'a settlement': (turn) => {
    const { due } = turn.ticket;
    return at(turn, 'settle', { payments: due === 0 ? [] : [{ method: 'cash', amount: due }] });
  },
  'a voided line': async (turn) => {
    const line = liveLine(turn.ticket);
    const body = { units: 1, reason: 'mistake' };
    return line === undefined ? null : at(turn, `items/${line.id}/void`, body);
  },
  'a merge': (turn) => at(turn, 'merge', { ticket_id: turn.other.tickets.at(-1) ?? '' }),
  'a void': (turn) => at(turn, 'void', { reason: 'mistake' }),
  'a refunded counter sale': async ({ world, owner, party: { member } }) => {
    const sale = await post(world, '/staff/sales', { ...aCounterSale(), member_id: member }, owner);
    const { id } = done('sellOverCounter', sale);
    return post(world, `/staff/sales/${id}/refund`, { all: true, method: 'cash', reason: 'quality' }, owner);
  },
};

/**
 * The n-th turn of a client of three or more parties: something happens to a ticket, and a party whose ticket has ended
 * sits down again. Returns the answer.
 */
export const takeTurn = async (
  { worlds, owner }: BusyFloor,
  parties: readonly Party[],
  client: number,
  n: number,
): Promise<Reply | null> => {
  const world = worlds[client % 2] ?? worlds[0];
  const [party, other] = [parties[(client + n) % parties.length], parties[(client + n + 1) % parties.length]];
  if (party === undefined || other === undefined) return null;
  const id = party.tickets[(client * n) % party.tickets.length] ?? '';
  const ticket = await ticketsBy(world, owner).get(id);
  const acts = Object.values(ACTS);
  const reply = await acts[(client * 7 + n * 5) % acts.length]?.({ world, owner, ticket, party, other });
  if (ticket.status === 'open') return reply ?? null;
  await post(world, '/staff/bookings', { ...walkIn(world), table_ids: [party.table] }, owner);
  const body = { branch_id: branchId(), items: coffees(9), table_id: party.table };
  const opened = await post(world, '/staff/tickets', body, owner);
  if (opened.status === 201) party.tickets.push(done('openTicket', opened).id);
  return reply ?? null;
};
