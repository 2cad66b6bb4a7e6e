/** Everything that the floor of a branch does at once, over two processes, deadlocks nowhere (ARCHITECTURE.md, Changes). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MISFIRED_ROWS } from '../support/database/misfired-rows.ts';
import { ACTS, aParty, openBusyFloor, takeTurn, type BusyFloor } from '../support/people/busy-floor.ts';
import { aMemberWith, type CardMember } from '../support/people/identity.ts';
import type { SignedIn } from '../support/people/staff.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { aCounterSale } from '../support/people/tills.ts';
import type { Reply } from '../support/server/http-client.ts';
import { post } from '../support/server/requests.ts';

const CLIENTS = 12;
const TURNS = 16;

let floor: BusyFloor;
let worlds: BusyFloor['worlds'];
let owner: SignedIn;
beforeAll(async () => {
  floor = await openBusyFloor();
  ({ worlds, owner } = floor);
});
afterAll(() => floor.close());

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
  const [party, other] = [await aParty(floor), await aParty(floor)];
  const ticket = await ticketsBy(world, owner).get(party.tickets[0] ?? '');
  expect((await act({ world, owner, ticket, party, other }))?.status).toBeLessThan(300);
});

describe('rounds, splits, merges, voids, payments, guests and sales of twelve people at once', () => {
  const broken: string[] = [];
  beforeAll(async () => {
    const parties = await Promise.all(Array.from({ length: 3 }, () => aParty(floor)));
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let n = 0; n < TURNS; n += 1) {
          const reply = await takeTurn(floor, parties, client, n);
          if (reply !== null && reply.status >= 500) broken.push(reply.text);
        }
      }),
    );
  });

  test('deadlock nowhere', async () => {
    expect(broken).toEqual([]);
    expect(await deadlocks()).toBe(0);
    expect(await miscountedBookings()).toEqual([]);
  });

  test('fire each line that was ordered once, with its units and voids', async () => {
    const { kysely } = worlds[0].db;
    const { rows } = await sql<{ what: string }>`${sql.raw(MISFIRED_ROWS)}`.execute(kysely);
    expect(rows).toEqual([]);
    const { rows: ordered } = await sql<{ units: number }>`
      select distinct sum(quantity)::int as units from ticket_item group by origin_id, round_id order by 1
    `.execute(kysely);
    // A guest orders one coffee, a waiter two, and a party that sits down nine.
    expect(ordered).toEqual([{ units: 1 }, { units: 2 }, { units: 9 }]);
  });
});

test('whoever settles, splits or voids the last ticket of a booking waits for the others, and deadlocks nowhere', async () => {
  for (let n = 0; n < 6; n += 1) {
    const { tickets } = await aParty(floor);
    const ticket = await ticketsBy(worlds[0], owner).get(tickets[0] ?? '');
    const items = [{ item_id: ticket.items[0]?.id ?? '', units: 1 }];
    const replies = await Promise.all(
      Array.from({ length: CLIENTS }, (_, client) => {
        const world = worlds[client % 2] ?? worlds[0];
        const at = (what: string, body: object) =>
          post(world, `/staff/tickets/${ticket.id}/${what}`, { revision: ticket.revision, ...body }, owner);
        if (client % 3 === 0) return at('void', { reason: 'mistake' });
        if (client % 3 === 1) return at('split', { items });
        return at('settle', { payments: [{ method: 'cash', amount: ticket.due }] });
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
    const staff = ticketsBy(world, owner);
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
          staff.change(await staff.open({ items: coffees(1) }), member),
        ),
      );
      const settles = tickets.map((ticket, client) => {
        const payments = [{ method: 'cash', amount: ticket.due }];
        const body = { revision: ticket.revision, payments };
        return post(worlds[client % 2] ?? world, `/staff/tickets/${ticket.id}/settle`, body, owner);
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
