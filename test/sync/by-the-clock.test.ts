/** What leaves the devices of a branch, and the change log, by the clock (Decisions 13). */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepTogether } from '../support/background/sweeper.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { bookedByStaff, openDesk, soon } from '../support/people/staff-bookings.ts';
import { pairedTill, signInAs, type SignedIn } from '../support/people/staff.ts';
import { aFreeTable } from '../support/people/table-guests.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { aCounterSale, anOpenTill } from '../support/people/tills.ts';
import { openBoard } from '../support/server/board-client.ts';
import { done, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aTable, branchId, shopId } from '../support/shops/cafe.ts';
import { freshReplica, pull, type Change, type HowToPull, type Replica } from '../support/sync/replica.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

let world: World;
let device: Readonly<Record<string, string>>;
let how: HowToPull;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 100_000 });
  await openDesk(world, [aTable('t1', 4), aTable('t2', 4)], { auto_no_show_minutes: null });
  ({ device } = await pairedTill(world));
  how = { branchId: branchId(), device };
  await sweepTogether(world);
});
afterAll(() => world.close());

const passes = async (ms: number): Promise<void> => {
  world.now += ms;
  await sweepTogether(world);
};

const idsOf = (replica: Replica, type: Change['type']): unknown[] => replica.of(type).map(({ id }) => id);

/** As it is now, and as a new device has it. */
const after = async (replica: Replica): Promise<Replica> => {
  await replica.catchUp();
  expect(replica.rows).toEqual((await freshReplica(world, how)).rows);
  return replica;
};

const owner = (): Promise<SignedIn> => signInAs(world, 'owner');
const sold = async (who: SignedIn): Promise<string> =>
  done('sellOverCounter', await post(world, '/staff/sales', aCounterSale(), who)).id;

test('a sale and its till leave two days after the sale, and two days after the close', async () => {
  const who = await owner();
  const till = await anOpenTill(world, 'owner');
  const early = await sold(who);
  const replica = await freshReplica(world, how);
  await passes(2 * DAY + HOUR);
  expect(idsOf(await after(replica), 'sale'), 'its till is open').toEqual([early]);
  const again = await owner();
  const late = await sold(again);
  await post(world, `/staff/tills/${till}/close`, { counted: { cash: 0 } }, again);
  await passes(HOUR);
  expect(idsOf(await after(replica), 'sale')).toEqual([late]);
  expect(replica.of('till')).toMatchObject([
    { id: till, status: 'closed', z_number: 1, figures: { sales_count: 2 } },
  ]);
  await passes(2 * DAY);
  expect(idsOf(await after(replica), 'sale')).toEqual([]);
  expect(idsOf(replica, 'till')).toEqual([]);
});

test('what nobody has made leaves the kitchen a day after it was fired', async () => {
  const floor = ticketsBy(world, await owner());
  const { id } = await floor.open({ items: coffees(1) });
  const replica = await freshReplica(world, how);
  expect(replica.of('kitchen_ticket').map(({ source_id: source }) => source)).toContain(id);
  await passes(DAY + HOUR);
  expect(idsOf(await after(replica), 'kitchen_ticket')).toEqual([]);
  expect(idsOf(replica, 'open_ticket'), 'an open bill stays').toEqual([id]);
});

test('a booking whose guests never came leaves a day after its end', async () => {
  const { id } = await bookedByStaff(world, soon(world));
  const replica = await freshReplica(world, how);
  expect(idsOf(replica, 'booking')).toEqual([id]);
  await passes(12 * HOUR);
  expect(idsOf(await after(replica), 'booking')).toEqual([id]);
  await passes(DAY);
  expect(idsOf(await after(replica), 'booking')).toEqual([]);
});

test('a guest leaves 90 days after the last order', async () => {
  await placed(world, anOrder());
  const replica = await freshReplica(world, how);
  const [guest] = idsOf(replica, 'customer');
  await passes(60 * DAY);
  ({ device } = await pairedTill(world));
  how = { ...how, device };
  const later = await freshReplica(world, how);
  await placed(world, anOrder());
  await passes(40 * DAY);
  expect(idsOf(await after(later), 'customer'), 'who came again stays').toEqual([guest]);
  await passes(45 * DAY);
  ({ device } = await pairedTill(world));
  how = { ...how, device };
  const last = await freshReplica(world, how);
  expect(idsOf(last, 'customer')).toEqual([guest]);
  await passes(6 * DAY);
  const { resync_required, changes } = await pull(world, how, { since: last.since ?? 0 });
  expect(resync_required).toBeUndefined();
  expect(changes).toContainEqual(expect.objectContaining({ type: 'customer', id: guest, op: 'delete' }));
  expect(idsOf(await after(last), 'customer')).toEqual([]);
});

test('changes are kept for 30 days; a device that comes later begins anew', async () => {
  const { next } = await pull(world, how);
  await ticketsBy(world, await owner()).open({ table_id: await aFreeTable(world), items: coffees(1) });
  await passes(29 * DAY);
  expect((await pull(world, how, { since: next })).resync_required).toBeUndefined();
  await passes(2 * DAY);
  const late = await pull(world, how, { since: next });
  expect(late).toMatchObject({ full: false, resync_required: true, changes: [] });
  const { rows } = await sql<{ trimmed: number; first: number }>`
    select trimmed, (select min(seq) from change where org_id = ${shopId()}) as first from change_counter
    where org_id = ${shopId()}
  `.execute(world.db.kysely);
  expect(rows).toEqual([{ trimmed: rows[0]?.trimmed, first: (rows[0]?.trimmed ?? 0) + 1 }]);
  const kept = await pull(world, how, { since: rows[0]?.trimmed ?? 0 });
  expect(kept.resync_required).toBeUndefined();
  const address = `/staff/events?branch_id=${branchId()}`;
  const board = await openBoard(world.port, address, { ...(await owner()), 'last-event-id': String(next) });
  expect((await board.next()).event, 'a board that comes later reads everything anew').toBe('reset');
  board.close();
  await board.ended;
});
