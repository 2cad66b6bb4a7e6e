/** Everything that the floor of a branch does at once, over two processes, deadlocks nowhere (ARCHITECTURE.md, Changes). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aMemberWith, type CardMember } from '../support/people/identity.ts';
import { aMember, aProgramme } from '../support/people/reward-members.ts';
import { bookedByStaff, soon, walkIn } from '../support/people/staff-bookings.ts';
import { aStaffedShop, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { aFreeTable, asksTableOrder } from '../support/people/table-guests.ts';
import { coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { aCounterSale, anOpenTill } from '../support/people/tills.ts';
import type { Reply } from '../support/server/http-client.ts';
import { done, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aMenu, branchId, openShops } from '../support/shops/cafe.ts';

const WIDE = 100_000;
const CLIENTS = 12;
const TURNS = 16;

let worlds: readonly [World, World];
let owner: SignedIn;
beforeAll(async () => {
  const first = await makeWorld({ limitScale: WIDE });
  worlds = [first, await makeWorld({ limitScale: WIDE, database: first.database })];
  const { categories = [], items = [] } = aMenu();
  const availability = [{ branch: 'zamalek', stock: 100_000 }];
  const menu = { categories, items: items.map((item) => ({ ...item, availability })) };
  await openShops(first, aStaffedShop(undefined, { menu, loyalty: aProgramme() }));
  await setCredentials(first);
  owner = await signInAs(first, 'owner');
  await anOpenTill(first, 'owner');
});
afterAll(async () => {
  await worlds[1].close();
  await worlds[0].close();
});

/** What a client knows: the newest ticket of each guest party, and the member who comes with it. */
interface Party {
  readonly booking: string;
  readonly member: string;
  readonly table: string;
  /** Its tickets, of which some may have ended. */
  readonly tickets: string[];
}

const aParty = async (): Promise<Party> => {
  const [world] = worlds;
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

type Act = (world: World, ticket: Ticket, party: Party, other: Party) => Promise<Reply | null>;

const liveLine = ({ items }: Ticket) => items.find(({ voided, accepted }) => !voided && accepted);
const at = (world: World, { id, revision }: Ticket, what: string, body: object): Promise<Reply> =>
  post(world, `/staff/tickets/${id}/${what}`, { revision, ...body }, owner);

/** Each takes other locks in another order, were the order not one. */
const ACTS: Readonly<Record<string, Act>> = {
  'a round': (world, { id }) => post(world, `/staff/tickets/${id}/rounds`, { items: coffees(2) }, owner),
  'a split': async (world, ticket, party) => {
    const line = liveLine(ticket);
    const items = [{ item_id: line?.id ?? '', units: 1 }];
    const reply = line === undefined ? null : await at(world, ticket, 'split', { items });
    if (reply?.status === 201) party.tickets.push(done('splitTicket', reply).id);
    return reply;
  },
  'a part-payment': (world, ticket) => {
    const amount = Math.min(1_000, ticket.due);
    return at(world, ticket, 'payments', { method: 'cash', amount });
  },
  'a guest’s round with the decision on it': async (world, ticket, { table }) => {
    const reply = await asksTableOrder(world, table);
    if (reply.status !== 201) return reply;
    const { id, items } = done('orderAtTable', reply);
    const what = ticket.revision % 2 === 0 ? 'accept' : 'reject';
    return post(world, `/staff/tickets/${id}/rounds/${items.at(-1)?.round_number}/${what}`, {}, owner);
  },
  'a settlement': (world, ticket) => {
    const payments = ticket.due === 0 ? [] : [{ method: 'cash', amount: ticket.due }];
    return at(world, ticket, 'settle', { payments });
  },
  'a voided line': async (world, ticket) => {
    const line = liveLine(ticket);
    const body = { units: 1, reason: 'mistake' };
    return line === undefined ? null : at(world, ticket, `items/${line.id}/void`, body);
  },
  'a merge': (world, ticket, _party, { tickets }) =>
    at(world, ticket, 'merge', { ticket_id: tickets.at(-1) ?? '' }),
  'a void': (world, ticket) => at(world, ticket, 'void', { reason: 'mistake' }),
  'a refunded counter sale': async (world, _ticket, { member }) => {
    const sale = await post(world, '/staff/sales', { ...aCounterSale(), member_id: member }, owner);
    const { id } = done('sellOverCounter', sale);
    return post(world, `/staff/sales/${id}/refund`, { all: true, method: 'cash', reason: 'quality' }, owner);
  },
};

/** Of the database of this test alone. */
const deadlocks = async (): Promise<number> => {
  const { rows } = await sql<{ deadlocks: number }>`
    select pg_stat_force_next_flush(), deadlocks from pg_stat_database where datname = current_database()
  `.execute(worlds[0].db.kysely);
  return rows[0]?.deadlocks ?? 0;
};

/** Bookings that do not know how many open tickets their guests have. */
const miscountedBookings = async () => {
  const { rows } = await sql<{ status: string; known: number; open: number }>`
    select b.status, b.open_tickets as known, count(t.id)::int as open
    from booking b left join ticket t on t.org_id = b.org_id and t.booking_id = b.id and t.status = 'open'
    group by b.org_id, b.id having b.open_tickets <> count(t.id)
  `.execute(worlds[0].db.kysely);
  return rows;
};

test.each(Object.entries(ACTS))('%s succeeds when nobody else is about', async (_, act) => {
  const [world] = worlds;
  const [party, other] = [await aParty(), await aParty()];
  const ticket = await ticketsBy(world, owner).get(party.tickets[0] ?? '');
  expect((await act(world, ticket, party, other))?.status).toBeLessThan(300);
});

test('rounds, splits, merges, voids, payments, guests and sales of twelve people at once deadlock nowhere', async () => {
  const parties = await Promise.all(Array.from({ length: 3 }, aParty));
  const acts = Object.values(ACTS);
  const broken: string[] = [];
  const turn = async (client: number, n: number): Promise<void> => {
    const world = worlds[client % 2] ?? worlds[0];
    const [party, other] = [parties[(client + n) % 3], parties[(client + n + 1) % 3]];
    if (party === undefined || other === undefined) return;
    const id = party.tickets[(client * n) % party.tickets.length] ?? '';
    const ticket = await ticketsBy(world, owner).get(id);
    const reply = await acts[(client * 7 + n * 5) % acts.length]?.(world, ticket, party, other);
    if (reply && reply.status >= 500) broken.push(reply.text);
    // A party whose ticket has ended sits down again.
    if (ticket.status === 'open') return;
    await post(world, '/staff/bookings', { ...walkIn(world), table_ids: [party.table] }, owner);
    const body = { branch_id: branchId(), items: coffees(9), table_id: party.table };
    const opened = await post(world, '/staff/tickets', body, owner);
    if (opened.status === 201) party.tickets.push(done('openTicket', opened).id);
  };
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = 0; n < TURNS; n += 1) await turn(client, n);
    }),
  );
  expect(broken).toEqual([]);
  expect(await deadlocks()).toBe(0);
  expect(await miscountedBookings()).toEqual([]);
});

test('whoever settles, splits or voids the last ticket of a booking waits for the others, and deadlocks nowhere', async () => {
  for (let n = 0; n < 6; n += 1) {
    const { tickets } = await aParty();
    const ticket = await ticketsBy(worlds[0], owner).get(tickets[0] ?? '');
    const items = [{ item_id: ticket.items[0]?.id ?? '', units: 1 }];
    const replies = await Promise.all(
      Array.from({ length: CLIENTS }, (_, client) => {
        const world = worlds[client % 2] ?? worlds[0];
        if (client % 3 === 0) return at(world, ticket, 'void', { reason: 'mistake' });
        if (client % 3 === 1) return at(world, ticket, 'split', { items });
        return at(world, ticket, 'settle', { payments: [{ method: 'cash', amount: ticket.due }] });
      }),
    );
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
  }
  expect(await deadlocks()).toBe(0);
});

describe('a member whose bills and counter sales are paid at once', () => {
  /** What ends one of two members. */
  const ENDS: Readonly<Record<string, (kept: CardMember, lost: CardMember) => Promise<Reply>>> = {
    combined: (kept, lost) =>
      post(worlds[0], `/staff/customers/${kept.customerId}/merge`, { customer_id: lost.customerId }, owner),
    erased: (_kept, { typed }) => post(worlds[0], '/staff/people/erase', { phone: typed }, owner),
  };

  test.each(Object.entries(ENDS))('is %s meanwhile without a deadlock', async (_, end) => {
    const [world] = worlds;
    const floor = ticketsBy(world, owner);
    for (let n = 0; n < 4; n += 1) {
      const [kept, lost] = [
        await aMemberWith(world, { points: 100 }),
        await aMemberWith(world, { points: 100 }),
      ];
      const member = { member_id: lost.cardId };
      // An erasure keeps a card that has open tickets.
      const bills = n % 2 === 0 ? 8 : 0;
      const tickets = await Promise.all(
        Array.from({ length: bills }, async () =>
          floor.change(await floor.open({ items: coffees(1) }), member),
        ),
      );
      const settles = tickets.map((ticket, client) => {
        const payments = [{ method: 'cash', amount: ticket.due }];
        return at(worlds[client % 2] ?? world, ticket, 'settle', { payments });
      });
      const sales = Array.from({ length: CLIENTS - bills }, () =>
        post(worlds[1], '/staff/sales', { ...aCounterSale(), ...member }, owner),
      );
      const paying = [...settles, ...sales];
      // It begins with them, or once one has paid.
      if (n >= 2) expect((await Promise.race(paying)).status).toBeLessThan(300);
      const [ended, ...paid] = await Promise.all([end(kept, lost), ...paying]);
      expect(ended.status).toBe(200);
      expect(paid.filter(({ status }) => status >= 500)).toEqual([]);
    }
    expect(await deadlocks()).toBe(0);
  });
});
