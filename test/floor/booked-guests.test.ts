/** Bookings whose guests have tickets (Decisions 4, Booking; 12, Tickets). */
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { bookedByStaff, soon, stepBy, walkIn } from '../support/people/staff-bookings.ts';
import { aStaffedShop, aStaffedWorld, signInAs, type SignedIn } from '../support/people/staff.ts';
import { aFreeTable, orderedAt, tableView } from '../support/people/table-guests.ts';
import { coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { anOpenTill } from '../support/people/tills.ts';
import type { Reply } from '../support/server/http-client.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId, openShops } from '../support/shops/cafe.ts';

let world: World;
let teller: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  teller = await signInAs(world, 'teller');
  await anOpenTill(world, 'teller');
  floor = ticketsBy(world, teller);
});
afterAll(() => world.close());

const asksSettle = ({ id, revision, due }: Ticket): Promise<Reply> => {
  const payments = [{ method: 'cash', amount: due }];
  return post(world, `/staff/tickets/${id}/settle`, { revision, payments }, teller);
};
const settle = async (ticket: Ticket): Promise<Ticket> => done('settleTicket', await asksSettle(ticket));

const bookingOf = async (id: string) =>
  done('getStaffBooking', await world.get(`/staff/bookings/${id}`, teller));
const statusOf = async (id: string) => (await bookingOf(id)).status;

describe('a booking', () => {
  test('is seated by the ticket of its guests, and completed when the last one is settled', async () => {
    const booking = await bookedByStaff(world, soon(world));
    const ticket = await floor.open({ booking_id: booking.id });
    expect(await statusOf(booking.id)).toBe('seated');
    const part = await floor.split(ticket, [{ item_id: ticket.items[0]?.id ?? '', units: 1 }]);
    await settle(part);
    expect(await statusOf(booking.id)).toBe('seated');
    await settle(await floor.get(ticket.id));
    expect(await statusOf(booking.id)).toBe('completed');
  });

  test('of tickets that are settled at once is completed once', async () => {
    const booking = await bookedByStaff(world, soon(world));
    const ticket = await floor.open({ booking_id: booking.id });
    const part = await floor.split(ticket, [{ item_id: ticket.items[0]?.id ?? '', units: 1 }]);
    const replies = await Promise.all([asksSettle(part), asksSettle(await floor.get(ticket.id))]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await statusOf(booking.id)).toBe('completed');
  });

  test('of a ticket that many settle at once is completed once', async () => {
    const booking = await bookedByStaff(world, soon(world));
    const ticket = await floor.open({ booking_id: booking.id });
    const replies = await Promise.all(Array.from({ length: 20 }, () => asksSettle(ticket)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(refusalOf(reply).code).toBe('TICKET_ENDED');
    expect(await statusOf(booking.id)).toBe('completed');
  });

  test('goes with the ticket that is merged into one without', async () => {
    const booking = await bookedByStaff(world, soon(world));
    const [one, other] = [await floor.open(), await floor.open({ booking_id: booking.id })];
    const merged = await floor.merge(one, other.id);
    expect(merged.booking_id).toBe(booking.id);
    await settle(merged);
    expect(await statusOf(booking.id)).toBe('completed');
  });

  test('whose guests are seated moves to the table of the ticket in which theirs ends', async () => {
    const booking = await bookedByStaff(world, walkIn(world));
    const [taken, free] = [booking.tables[0]?.id ?? '', await aFreeTable(world)];
    const other = await floor.open({ table_id: taken });
    const merged = await floor.merge(await floor.open({ table_id: free }), other.id);
    expect((await bookingOf(booking.id)).tables.map(({ id }) => id)).toEqual([free]);
    await settle(merged);
    expect(await statusOf(booking.id)).toBe('completed');
  });

  test('has the tickets that are opened at its table once its guests are seated, by whomever', async () => {
    const [waited, ordered] = [
      await bookedByStaff(world, walkIn(world)),
      await bookedByStaff(world, walkIn(world)),
    ];
    const ticket = await floor.open({ table_id: waited.tables[0]?.id ?? '' });
    expect(ticket.booking_id).toBe(waited.id);
    const table = ordered.tables[0]?.id ?? '';
    const guests = await Promise.all(Array.from({ length: 5 }, () => orderedAt(world, table)));
    const bills = [...new Set(guests.map(({ id }) => id))];
    expect(bills).toHaveLength(1);
    await settle(ticket);
    await settle(await floor.fire(await floor.get(bills[0] ?? ''), coffees(1)));
    expect([await statusOf(waited.id), await statusOf(ordered.id)]).toEqual(['completed', 'completed']);
    // Also where they come with it, or with a part of one.
    const [joining, parted] = [
      await bookedByStaff(world, walkIn(world)),
      await bookedByStaff(world, walkIn(world)),
    ];
    const moved = await floor.change(await floor.open(), { table_id: joining.tables[0]?.id ?? '' });
    const whole = await floor.open({ items: coffees(2) });
    const splitting = {
      ...{ revision: whole.revision, table_id: parted.tables[0]?.id ?? '' },
      items: [{ item_id: whole.items[0]?.id ?? '', units: 1 }],
    };
    const part = done('splitTicket', await floor.ask(whole.id, 'splitTicket', splitting));
    expect([moved.booking_id, part.booking_id, whole.booking_id]).toEqual([joining.id, parted.id, null]);
    for (const one of [moved, part]) await settle(one);
    expect([await statusOf(joining.id), await statusOf(parted.id)]).toEqual(['completed', 'completed']);
    await floor.void(await floor.get(whole.id));
    // Who comes after them is somebody else.
    const next = await floor.open({ table_id: waited.tables[0]?.id ?? '' });
    expect(next.booking_id).toBeNull();
    await floor.void(next);
  });

  test('is completed when its last ticket ends in that of another booking, which stays seated', async () => {
    const [theirs, ours] = [await bookedByStaff(world, soon(world)), await bookedByStaff(world, soon(world))];
    const [ticket, other] = [
      await floor.open({ booking_id: ours.id }),
      await floor.open({ booking_id: theirs.id }),
    ];
    const part = await floor.split(other, [{ item_id: other.items[0]?.id ?? '', units: 1 }]);
    const once = await floor.merge(ticket, part.id);
    expect(await statusOf(theirs.id)).toBe('seated');
    const merged = await floor.merge(once, other.id);
    expect([await statusOf(theirs.id), await statusOf(ours.id)]).toEqual(['completed', 'seated']);
    await settle(merged);
    expect(await statusOf(ours.id)).toBe('completed');
  });

  test('is completed when its last ticket is void, if its guests have paid another', async () => {
    const [paid, unpaid] = [await bookedByStaff(world, soon(world)), await bookedByStaff(world, soon(world))];
    const ticket = await floor.open({ booking_id: paid.id });
    const part = await floor.split(ticket, [{ item_id: ticket.items[0]?.id ?? '', units: 1 }]);
    await settle(part);
    await floor.void(await floor.get(ticket.id));
    expect(await statusOf(paid.id)).toBe('completed');
    // These may still order.
    await floor.void(await floor.open({ booking_id: unpaid.id }));
    expect(await statusOf(unpaid.id)).toBe('seated');
    done('completeBooking', await stepBy(world, await bookingOf(unpaid.id), 'complete'));
  });

  test('is completed when the last ticket has nothing to pay, if its guests have paid another', async () => {
    for (const hasPaid of [true, false]) {
      const emptied = await bookedByStaff(world, soon(world));
      let ticket = await floor.open({ booking_id: emptied.id });
      const [line] = ticket.items;
      if (hasPaid) await settle(await floor.split(ticket, [{ item_id: line?.id ?? '', units: 1 }]));
      ticket = await floor.get(ticket.id);
      const left = done('voidTicketLine', await floor.asksVoid(ticket, line?.id ?? ''));
      expect((await settle(left)).status).toBe('voided');
      expect(await statusOf(emptied.id)).toBe(hasPaid ? 'completed' : 'seated');
      // The same with a round of theirs that is rejected.
      const rejected = await bookedByStaff(world, walkIn(world));
      const table = rejected.tables[0]?.id ?? '';
      if (hasPaid) {
        const first = await floor.open({ table_id: table });
        const other = await floor.open({ booking_id: rejected.id });
        await settle(first);
        await orderedAt(world, table);
        await floor.void(other);
      } else await orderedAt(world, table);
      const [round] = (await tableView(world, table)).bill?.rounds ?? [];
      const id = (await tableView(world, table)).bill?.ticket_id ?? '';
      done(
        'rejectTicketRound',
        await post(world, `/staff/tickets/${id}/rounds/${round?.number}/reject`, {}, teller),
      );
      expect(await statusOf(rejected.id)).toBe(hasPaid ? 'completed' : 'seated');
      if (!hasPaid)
        for (const { id: one } of [emptied, rejected]) await stepBy(world, await bookingOf(one), 'complete');
    }
  });

  test('that a colleague changes, or ends, at the moment of the ticket is read again', async () => {
    const [changed, ended] = [
      await bookedByStaff(world, soon(world)),
      await bookedByStaff(world, soon(world)),
    ];
    await floor.open({ booking_id: ended.id });
    const opening = { branch_id: branchId(), items: coffees(1) };
    const openedBeside = async (id: string, change: RawBuilder<unknown>): Promise<Reply | undefined> => {
      let opened: Promise<Reply> | undefined;
      await world.db.kysely.transaction().execute(async (tx) => {
        await sql`update booking set revision = revision + 1, ${change} where id = ${id}`.execute(tx);
        opened = floor.asksOpen({ ...opening, booking_id: id });
        await lockWait(world);
      });
      return opened;
    };
    const more = await openedBeside(changed.id, sql`guest_name = 'سالي'`);
    expect(more?.status).toBe(201);
    expect(await statusOf(changed.id)).toBe('seated');
    await stepBy(world, await bookingOf(changed.id), 'complete');
    const late = await openedBeside(ended.id, sql`status = 'completed'`);
    expect(late && refusalOf(late).code).toBe('BOOKING_ENDED');
  });

  /** How a ticket comes to a table. */
  const COMES: Readonly<Record<string, () => Promise<(table_id: string) => Promise<Ticket>>>> = {
    opened: () => Promise.resolve((table_id) => floor.open({ table_id })),
    moved: async () => {
      const ticket = await floor.open();
      return (table_id) => floor.change(ticket, { table_id });
    },
    'split off': async () => {
      const { id, revision, items } = await floor.open({ items: coffees(2) });
      const part = { revision, items: [{ item_id: items[0]?.id ?? '', units: 1 }] };
      return async (table_id) =>
        done('splitTicket', await floor.ask(id, 'splitTicket', { ...part, table_id }));
    },
    'ordered by themselves': () =>
      Promise.resolve(async (table_id) =>
        floor.fire(await floor.get((await orderedAt(world, table_id)).id), coffees(1)),
      ),
  };

  test.each(Object.entries(COMES))(
    'whose guests are seated while their ticket is %s has it',
    async (_, prepared) => {
      const booking = await bookedByStaff(world, walkIn(world));
      const table_id = booking.tables[0]?.id ?? '';
      await stepBy(world, booking, 'complete');
      const come = await prepared();
      const [coming, seated] = await world.db.kysely.transaction().execute(async (tx) => {
        await sql`lock table table_occupancy in exclusive mode`.execute(tx);
        const begun = come(table_id);
        await lockWait(world);
        return [begun, await bookedByStaff(world, { ...walkIn(world), table_ids: [table_id] })] as const;
      });
      const ticket = await coming;
      expect(ticket.booking_id).toBe(seated.id);
      await settle(ticket);
      expect(await statusOf(seated.id)).toBe('completed');
    },
  );

  test('keeps its other ticket where a round of its guests is rejected by many at once', async () => {
    const shop = aStaffedShop();
    const branches = shop.branches.map((branch) => ({ ...branch, confirm_table_orders: true }));
    await openShops(world, { ...shop, branches });
    const booking = await bookedByStaff(world, walkIn(world));
    const { id } = await orderedAt(world, booking.tables[0]?.id ?? '');
    const other = await floor.open({ booking_id: booking.id });
    const rejects = await Promise.all(
      Array.from({ length: 12 }, () => post(world, `/staff/tickets/${id}/rounds/1/reject`, {}, teller)),
    );
    expect(rejects.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect((await floor.get(id)).status).toBe('voided');
    expect(await statusOf(booking.id)).toBe('seated');
    await settle(other);
    expect(await statusOf(booking.id)).toBe('completed');
    await openShops(world, shop);
  });

  test('is not merged into a ticket at a table where the guests of another are seated', async () => {
    const ours = await bookedByStaff(world, walkIn(world));
    const table_id = await aFreeTable(world);
    const there = await floor.open({ table_id });
    const theirs = await bookedByStaff(world, { ...walkIn(world), table_ids: [table_id] });
    const whole = await floor.open({ booking_id: ours.id, items: coffees(2) });
    const part = await floor.split(whole, [{ item_id: whole.items[0]?.id ?? '', units: 1 }]);
    const merging = { revision: there.revision, ticket_id: part.id };
    expect(refusalOf(await floor.ask(there.id, 'mergeTickets', merging)).code).toBe('SLOT_TAKEN');
    for (const ticket of [part, await floor.get(whole.id), await floor.get(there.id)]) await settle(ticket);
    await stepBy(world, theirs, 'complete');
  });

  test('has no ticket at a table where the guests of another are seated', async () => {
    const [ours, theirs] = [
      await bookedByStaff(world, walkIn(world)),
      await bookedByStaff(world, walkIn(world)),
    ];
    const [own, table_id] = [ours.tables[0]?.id ?? '', theirs.tables[0]?.id ?? ''];
    const first = await floor.open({ booking_id: ours.id, table_id: own });
    const opening = { branch_id: branchId(), items: coffees(1), booking_id: ours.id, table_id };
    expect(refusalOf(await floor.asksOpen(opening)).code).toBe('SLOT_TAKEN');
    const { revision } = first;
    const fired = await floor.fire(first);
    // Whoever decided on an older ticket is told so, and of no table.
    const stale = refusalOf(await floor.asksChange({ id: first.id, revision }, { table_id }));
    expect(stale).toMatchObject({ code: 'TICKET_MOVED', vars: { revision: fired.revision } });
    // Nor with one of several tickets, or a part of one.
    const part = await floor.split(fired, [{ item_id: fired.items[0]?.id ?? '', units: 1 }]);
    expect(refusalOf(await floor.asksChange(part, { table_id })).code).toBe('SLOT_TAKEN');
    const rest = await floor.get(first.id);
    const items = [{ item_id: rest.items.at(-1)?.id ?? '', units: 1 }];
    const splitting = { revision: rest.revision, items, table_id };
    expect(refusalOf(await floor.ask(rest.id, 'splitTicket', splitting)).code).toBe('SLOT_TAKEN');
    for (const ticket of [part, rest]) await settle(ticket);
    await stepBy(world, theirs, 'complete');
  });

  test.each(['settled', 'merged', 'void'] as const)(
    'has a ticket more at the moment at which its last one is %s, and stays, or ended before',
    async (end) => {
      for (let n = 0; n < 10; n += 1) {
        const [ours, theirs] = [
          await bookedByStaff(world, soon(world)),
          await bookedByStaff(world, soon(world)),
        ];
        const paid = await floor.open({ booking_id: ours.id });
        const part = await floor.split(paid, [{ item_id: paid.items[0]?.id ?? '', units: 1 }]);
        await settle(part);
        const [last, other] = [await floor.get(paid.id), await floor.open({ booking_id: theirs.id })];
        const ends = {
          settled: () => asksSettle(last),
          merged: () => floor.ask(other.id, 'mergeTickets', { revision: other.revision, ticket_id: last.id }),
          void: () => floor.ask(last.id, 'voidTicket', { revision: last.revision, reason: 'mistake' }),
        };
        const more = { booking_id: ours.id, branch_id: branchId(), items: coffees(1) };
        const [opened, ended] = await Promise.all([floor.asksOpen(more), ends[end]()]);
        expect(ended.status).toBe(200);
        // Where the other was first, the booking has ended.
        const isOpened = opened.status === 201;
        if (!isOpened) expect(refusalOf(opened).code).toBe('BOOKING_ENDED');
        expect(await statusOf(ours.id)).toBe(isOpened ? 'seated' : 'completed');
        for (const { id } of [ours, theirs]) await stepBy(world, await bookingOf(id), 'complete');
      }
    },
  );

  test('of another branch seats nobody', async () => {
    const refused = refusalOf(
      await floor.asksOpen({ branch_id: branchId(), items: coffees(1), booking_id: newId() }),
    );
    expect(refused).toMatchObject({ status: 400, fields: [{ path: 'booking_id' }] });
  });
});
