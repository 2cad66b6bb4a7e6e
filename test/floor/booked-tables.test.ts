/** The tables of bookings whose guests have tickets (Decisions 4, Booking; 12, Tickets). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { bookedByStaff, labelsOf, soon, stepBy, walkIn } from '../support/people/staff-bookings.ts';
import { aStaffedShop, aStaffedWorld, signInAs, type SignedIn } from '../support/people/staff.ts';
import { aFreeTable, orderedAt } from '../support/people/table-guests.ts';
import { coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { anOpenTill } from '../support/people/tills.ts';
import type { Reply } from '../support/server/http-client.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId, openShops, tableId, shopId } from '../support/shops/cafe.ts';
import type { BranchEntry } from '../support/shops/shop-file.ts';

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

/** Until the test has ended. */
const changeBranches = async (more: Partial<BranchEntry>): Promise<void> => {
  const shop = aStaffedShop();
  onTestFinished(() => openShops(world, aStaffedShop()));
  await openShops(world, { ...shop, branches: shop.branches.map((branch) => ({ ...branch, ...more })) });
};

const bookingOf = async (id: string) =>
  done('getStaffBooking', await world.get(`/staff/bookings/${id}`, teller));
const statusOf = async (id: string) => (await bookingOf(id)).status;

describe('a booking', () => {
  test('whose guests are seated moves to the table of their first ticket', async () => {
    const [seated, free] = [await bookedByStaff(world, walkIn(world)), await aFreeTable(world)];
    await settle(await floor.open({ booking_id: seated.id, table_id: free }));
    const again = await bookedByStaff(world, walkIn(world));
    const ticket = await floor.open({ booking_id: again.id, table_id: free });
    expect((await bookingOf(again.id)).tables.map(({ id }) => id)).toEqual([free]);
    await settle(ticket);
  });

  test('is seated at the table of its ticket, and keeps its own where that is one of them', async () => {
    const [theirs, free] = [await bookedByStaff(world, soon(world)), await aFreeTable(world)];
    const moved = await floor.open({ booking_id: theirs.id, table_id: free });
    expect((await bookingOf(theirs.id)).tables.map(({ id }) => id)).toEqual([free]);
    await settle(moved);
    const booked = await bookedByStaff(world, soon(world));
    const own = booked.tables.map(({ id }) => id);
    const there = await floor.open({ booking_id: booked.id, table_id: own[0] ?? '' });
    expect((await bookingOf(booked.id)).tables.map(({ id }) => id)).toEqual(own);
    await settle(there);
  });

  test('moves with the only ticket of its guests, and not where others are seated', async () => {
    const [ours, theirs] = [
      await bookedByStaff(world, walkIn(world)),
      await bookedByStaff(world, walkIn(world)),
    ];
    const ticket = await floor.open({ booking_id: ours.id, table_id: ours.tables[0]?.id ?? '' });
    const free = await aFreeTable(world);
    const moved = await floor.change(ticket, { table_id: free });
    expect((await bookingOf(ours.id)).tables.map(({ id }) => id)).toEqual([free]);
    const there = { table_id: theirs.tables[0]?.id ?? '' };
    expect(refusalOf(await floor.asksChange(moved, there)).code).toBe('SLOT_TAKEN');
    for (const table_id of [newId(), tableId('t1', 'maadi')])
      expect(refusalOf(await floor.asksChange(moved, { table_id }))).toMatchObject({
        ...{ status: 400, fields: [{ path: 'table_id' }] },
      });
    const bill = await floor.open(there);
    expect(refusalOf(await floor.asksChange(moved, there))).toMatchObject({
      ...{ code: 'TABLE_TAKEN', vars: { ticket_id: bill.id } },
    });
    expect(await floor.get(moved.id)).toEqual(moved);
    const opening = { booking_id: theirs.id, branch_id: branchId(), items: coffees(1) };
    for (const [table_id, refused] of [
      [newId(), { status: 400, fields: [{ path: 'table_id' }] }],
      [free, { code: 'TABLE_TAKEN', vars: { ticket_id: moved.id } }],
    ] as const)
      expect(refusalOf(await floor.asksOpen({ ...opening, table_id }))).toMatchObject(refused);
    await floor.void(bill);
    await settle(moved);
    await stepBy(world, theirs, 'complete');
  });

  test('whose guests the staff give other tables takes its bill there, and not where another bill is', async () => {
    const booking = await bookedByStaff(world, walkIn(world));
    const from = booking.tables[0]?.id ?? '';
    const ticket = await floor.open({ booking_id: booking.id, table_id: from });
    const [to, taken] = [await aFreeTable(world), await aFreeTable(world)];
    const other = await floor.open({ table_id: taken });
    const move = async (table: string): Promise<Reply> =>
      stepBy(world, await bookingOf(booking.id), 'tables', { table_ids: [table] });
    expect(refusalOf(await move(taken))).toMatchObject({
      ...{ status: 409, code: 'TABLE_TAKEN', vars: { ticket_id: other.id } },
    });
    expect((await floor.get(ticket.id)).table_id).toBe(from);
    expect((await move(to)).status).toBe(200);
    expect(await floor.get(ticket.id)).toMatchObject({ table_id: to, booking_id: booking.id });
    await floor.void(await floor.open({ table_id: from }));
    expect((await orderedAt(world, to)).id).toBe(ticket.id);
    for (const { id } of [ticket, other]) await floor.void(await floor.get(id));
  });

  test('that moved, or ended, at the moment of a ticket at its table has none there, and stays as it is', async () => {
    const [moved, ended] = [
      await bookedByStaff(world, walkIn(world)),
      await bookedByStaff(world, walkIn(world)),
    ];
    const free = await aFreeTable(world);
    for (const [booking, change] of [
      [moved, () => stepBy(world, moved, 'tables', { table_ids: [free] })],
      [ended, () => stepBy(world, ended, 'complete')],
    ] as const) {
      const opening = { branch_id: branchId(), items: coffees(1), table_id: booking.tables[0]?.id ?? '' };
      const [coming] = await world.db.kysely.transaction().execute(async (tx) => {
        await sql`lock table ticket in access exclusive mode`.execute(tx);
        const begun = floor.asksOpen(opening);
        await lockWait(world);
        expect((await change()).status).toBe(200);
        return [begun] as const;
      });
      const ticket = done('openTicket', await coming);
      expect(ticket.booking_id).toBeNull();
      await floor.void(ticket);
    }
    expect((await bookingOf(moved.id)).tables.map(({ id }) => id)).toEqual([free]);
    expect(await statusOf(ended.id)).toBe('completed');
    await stepBy(world, await bookingOf(moved.id), 'complete');
  });

  test('stays where its guests sit when a ticket that came to them by a move leaves', async () => {
    const seated = await bookedByStaff(world, walkIn(world));
    const table_id = seated.tables[0]?.id ?? '';
    const slipped = await floor.change(await floor.open(), { table_id });
    expect(slipped.booking_id).toBe(seated.id);
    const right = await floor.change(slipped, { table_id: await aFreeTable(world) });
    expect(right.booking_id).toBeNull();
    const again = await floor.change(right, { table_id });
    expect((await floor.change(again, { table_id: null })).booking_id).toBeNull();
    await settle(await floor.get(right.id));
    expect(await bookingOf(seated.id)).toMatchObject({ status: 'seated', tables: [{ id: table_id }] });
    const { rows } = await sql<{ detail: { readonly booking_id: string | null } }>`
      select detail from audit where subject_id = ${right.id} and action = 'ticket.changed'
    `.execute(world.db.kysely);
    const bookings = rows.map(({ detail }) => detail.booking_id);
    expect(bookings.toSorted()).toEqual([seated.id, seated.id, null, null]);
    await settle(await floor.open({ table_id }));
    expect(await statusOf(seated.id)).toBe('completed');
  });

  test('stays where its guests sit when a ticket that came to them by a move, or a part, is merged away', async () => {
    const [seated, ours] = [
      await bookedByStaff(world, walkIn(world)),
      await bookedByStaff(world, walkIn(world)),
    ];
    const table_id = seated.tables[0]?.id ?? '';
    const isStill = async (): Promise<void> =>
      expect(await bookingOf(seated.id)).toMatchObject({ status: 'seated', tables: [{ id: table_id }] });
    const bill = await floor.open({
      ...{ table_id: await aFreeTable(world), items: [...coffees(1), ...coffees(1)] },
    });
    const items = [{ item_id: bill.items[0]?.id ?? '', units: 1 }];
    const splitting = { revision: bill.revision, items, table_id };
    const part = done('splitTicket', await floor.ask(bill.id, 'splitTicket', splitting));
    expect(part.booking_id).toBe(seated.id);
    const merged = await floor.merge(await floor.get(bill.id), part.id);
    expect(merged.booking_id).toBeNull();
    await settle(merged);
    await isStill();
    const slipped = await floor.change(await floor.open(), { table_id });
    const own = await floor.merge(await floor.open({ booking_id: ours.id }), slipped.id);
    expect(own.booking_id).toBe(ours.id);
    await settle(own);
    expect(await statusOf(ours.id)).toBe('completed');
    await isStill();
    // Their own bill that ends in such a one makes it theirs.
    const real = await floor.open({ booking_id: seated.id });
    const whole = await floor.merge(await floor.change(await floor.open(), { table_id }), real.id);
    const moved = await floor.change(whole, { table_id: await aFreeTable(world) });
    expect(moved.booking_id).toBe(seated.id);
    await settle(moved);
    expect(await statusOf(seated.id)).toBe('completed');
  });

  test('with two bills is given one table, at which one of them is', async () => {
    const [a, b, c] = [await aFreeTable(world), await aFreeTable(world), await aFreeTable(world)];
    const seated = await bookedByStaff(world, { ...walkIn(world), table_ids: [a, b] });
    const bills = [
      await floor.open({ booking_id: seated.id, table_id: a }),
      await floor.open({ booking_id: seated.id, table_id: b }),
    ];
    const moving = stepBy(world, await bookingOf(seated.id), 'tables', { table_ids: [c] });
    expect((await moving).status).toBe(200);
    const after = await Promise.all(bills.map(({ id }) => floor.get(id)));
    expect(after.map(({ booking_id: booking }) => booking)).toEqual([seated.id, seated.id]);
    expect(new Set(after.map(({ table_id: table }) => table))).toEqual(new Set([c, null]));
    const moved = after.find(({ table_id: table }) => table === c);
    const { rows } = await sql<{ detail: unknown }>`
      select detail from audit where subject_id = ${moved?.id} and action = 'ticket.changed'
    `.execute(world.db.kysely);
    expect(rows).toEqual([{ detail: { table_id: c, booking_id: seated.id } }]);
    for (const bill of after) await settle(bill);
    expect(await statusOf(seated.id)).toBe('completed');
  });

  test('with two bills that pay service is given one table when they are merged', async () => {
    await changeBranches({ service_charge: { rate: 0.12 } });
    const [a, b, c] = [await aFreeTable(world), await aFreeTable(world), await aFreeTable(world)];
    const seated = await bookedByStaff(world, { ...walkIn(world), table_ids: [a, b] });
    const [one, other] = [
      await floor.open({ booking_id: seated.id, table_id: a }),
      await floor.open({ booking_id: seated.id, table_id: b }),
    ];
    const move = async (): Promise<Reply> =>
      stepBy(world, await bookingOf(seated.id), 'tables', { table_ids: [c] });
    const refused = refusalOf(await move());
    expect(refused).toMatchObject({ status: 409, code: 'BILLS_TO_MERGE' });
    expect(new Set(refused.vars?.['ticket_ids'] as string[])).toEqual(new Set([one.id, other.id]));
    expect([await floor.get(one.id), await floor.get(other.id)]).toEqual([one, other]);
    expect([one.table_id, other.table_id]).toEqual([a, b]);
    const merged = await floor.merge(one, other.id);
    expect((await move()).status).toBe(200);
    expect(await floor.get(merged.id)).toMatchObject({ table_id: c, due: merged.due });
    await settle(await floor.get(merged.id));
  });

  test('that is given one table has its own bill there, not one that came by a move', async () => {
    const [a, b, c] = [await aFreeTable(world), await aFreeTable(world), await aFreeTable(world)];
    const opened = await floor.open({ table_id: await aFreeTable(world) });
    world.now += 10 * 60_000;
    const seated = await bookedByStaff(world, { ...walkIn(world), table_ids: [a, b] });
    const own = await floor.open({ booking_id: seated.id, table_id: b });
    const slipped = await floor.change(opened, { table_id: a });
    const move = await stepBy(world, await bookingOf(seated.id), 'tables', { table_ids: [c] });
    expect(move.status).toBe(200);
    const after = [await floor.get(own.id), await floor.get(slipped.id)];
    expect(after.map(({ table_id }) => table_id)).toEqual([c, null]);
    for (const bill of after) await settle(bill);
    expect(await statusOf(seated.id)).toBe('completed');
  });

  test('has no part elsewhere of a ticket that came to it by a move', async () => {
    const seated = await bookedByStaff(world, walkIn(world));
    const table_id = seated.tables[0]?.id ?? '';
    const slipped = await floor.change(await floor.open({ items: coffees(2) }), { table_id });
    const splitting = {
      ...{ revision: slipped.revision, table_id: await aFreeTable(world) },
      items: [{ item_id: slipped.items[0]?.id ?? '', units: 1 }],
    };
    const part = done('splitTicket', await floor.ask(slipped.id, 'splitTicket', splitting));
    expect([part.booking_id, (await floor.get(slipped.id)).booking_id]).toEqual([null, seated.id]);
    await settle(part);
    await settle(await floor.get(slipped.id));
    expect(await statusOf(seated.id)).toBe('completed');
  });

  test('that has ended keeps its ticket from no table', async () => {
    const [ended, theirs] = [
      await bookedByStaff(world, walkIn(world)),
      await bookedByStaff(world, walkIn(world)),
    ];
    const ticket = await floor.open({ booking_id: ended.id });
    await stepBy(world, await bookingOf(ended.id), 'complete');
    const moved = await floor.change(ticket, { table_id: theirs.tables[0]?.id ?? '' });
    expect(moved.booking_id).toBe(ended.id);
    await settle(moved);
    expect(await statusOf(theirs.id)).toBe('seated');
    await stepBy(world, await bookingOf(theirs.id), 'complete');
  });

  test('goes with its ticket that is merged into one at a table that was removed', async () => {
    const [booking, table_id] = [await bookedByStaff(world, walkIn(world)), await aFreeTable(world)];
    const there = await floor.open({ table_id });
    await sql`update dining_table set archived_at = now() where id = ${table_id}`.execute(world.db.kysely);
    const merged = await floor.merge(there, (await floor.open({ booking_id: booking.id })).id);
    expect(merged.booking_id).toBe(booking.id);
    expect((await bookingOf(booking.id)).tables).toEqual(booking.tables);
    await settle(merged);
  });

  test('has no ticket less where the round that is rejected came to its guests at that moment', async () => {
    await changeBranches({ confirm_table_orders: true });
    const { id } = await orderedAt(world, await aFreeTable(world));
    const seated = await bookedByStaff(world, walkIn(world));
    const [rejecting] = await world.db.kysely.transaction().execute(async (tx) => {
      await sql`
        select from ticket_check c join ticket t on t.org_id = ${shopId()} and t.check_id = c.id
        where c.org_id = ${shopId()} and t.id = ${id} for update of c
      `.execute(tx);
      const begun = post(world, `/staff/tickets/${id}/rounds/1/reject`, {}, teller);
      await lockWait(world);
      await sql`update ticket set booking_id = ${seated.id}, revision = revision + 1 where id = ${id}`.execute(
        tx,
      );
      await sql`update booking set open_tickets = open_tickets + 1 where id = ${seated.id}`.execute(tx);
      return [begun] as const;
    });
    expect((await rejecting).status).toBe(200);
    const { rows } = await sql`select open_tickets from booking where id = ${seated.id}`.execute(
      world.db.kysely,
    );
    expect(rows).toEqual([{ open_tickets: 0 }]);
    await stepBy(world, await bookingOf(seated.id), 'complete');
  });

  test('of guests who come now is led to no table with an open bill, unless the staff name it', async () => {
    const first = await bookedByStaff(world, walkIn(world));
    const [table] = first.tables;
    await stepBy(world, first, 'complete');
    const ticket = await floor.open({ table_id: table?.id ?? '' });
    const second = await bookedByStaff(world, walkIn(world));
    expect(labelsOf(second)).not.toEqual(labelsOf(first));
    const named = await bookedByStaff(world, { ...walkIn(world), table_ids: [table?.id ?? ''] });
    expect(labelsOf(named)).toEqual(labelsOf(first));
    for (const booking of [second, named]) await stepBy(world, booking, 'complete');
    await floor.void(ticket);
    expect(labelsOf(await bookedByStaff(world, walkIn(world)))).toEqual(labelsOf(first));
  });
});
