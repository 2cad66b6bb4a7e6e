/** Devices that replay a bill while staff change it (Decisions 13): its money is in the books once. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { waitingForLocks } from '../support/database/test-database.ts';
import {
  aStaffedShop,
  pairedTill,
  setCredentials,
  signInAs,
  type SignedIn,
} from '../support/people/staff.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { done, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops, shopId } from '../support/shops/cafe.ts';
import { eventsOf, outcomesOf, paid, recordedLine, replayed } from '../support/sync/device-events.ts';

const HOUR = 60 * 60_000;
const COFFEE = 4_500;

let world: World;
let owner: SignedIn;
let device: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aStaffedShop());
  await setCredentials(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  owner = await signInAs(world, 'owner');
  floor = ticketsBy(world, owner);
  ({ device } = await pairedTill(world));
});

/** A coffee of the device on a bill of its own, and the event that settles it. */
const aBillOfDevice = async () => {
  const event = eventsOf(world, 'manager', world.now - HOUR);
  const [id, saleId] = [newId(), newId()];
  const open = event('ticket_open', { ticket_id: id });
  const items = [recordedLine(1, newId())];
  const round = event('round', { ticket_id: id, round_id: newId(), items });
  expect(outcomesOf(await replayed(world, device, [open, round]))).toEqual(['applied', 'applied']);
  const bill = { ticket_id: id, sale_id: saleId, total: COFFEE, payments: paid(COFFEE, 'card') };
  return { id, saleId, settle: event('ticket_settle', bill) };
};

test('a bill that is merged after a device read it, and before it is locked, is met as it is now', async () => {
  const other = await floor.open({ items: coffees(3) });
  const { id, settle } = await aBillOfDevice();
  const merge = { revision: other.revision, ticket_id: id };
  const requests = await world.db.kysely.transaction().execute(async (tx) => {
    await sql`
      select id from ticket_check
      where org_id = ${shopId()} and id = (select check_id from ticket where org_id = ${shopId()} and id = ${id})
      for update
    `.execute(tx);
    const merging = floor.ask(other.id, 'mergeTickets', merge);
    await waitingForLocks(world.db, 1);
    const replaying = replayed(world, device, [settle]);
    await waitingForLocks(world.db, 2);
    return { merging, replaying };
  });
  done('mergeTickets', await requests.merging);
  expect(outcomesOf(await requests.replaying)).toEqual(['review: bill_merged']);
  expect(await floor.get(other.id)).toMatchObject({ status: 'open', paid: COFFEE, due: 3 * COFFEE });
});

test('a bill that is merged and replayed at once is paid once', async () => {
  for (let round = 0; round < 12; round += 1) {
    const other = await floor.open({ items: coffees(3) });
    const { id, saleId, settle } = await aBillOfDevice();
    const again = { ...settle };
    const [merged, ...results] = await Promise.all([
      floor.ask(other.id, 'mergeTickets', { revision: other.revision, ticket_id: id }),
      ...[settle, again].map((event) => replayed(world, device, [event])),
    ]);
    const [first, second] = outcomesOf(results.flat()).toSorted();
    expect(first).toBe('already');
    const sale = await world.get(`/staff/sales/${saleId}`, owner);
    if (merged.status === 200) {
      expect([second, sale.status]).toEqual(['review: bill_merged', 404]);
      expect(await floor.get(other.id)).toMatchObject({ paid: COFFEE, due: 3 * COFFEE });
    } else {
      expect([refusalOf(merged).code, second]).toEqual(['TICKET_ENDED', 'applied']);
      expect(done('getSale', sale)).toMatchObject({
        total: COFFEE,
        payments: [{ amount: COFFEE, beyond: 0 }],
      });
      expect(await floor.get(other.id)).toMatchObject({ paid: 0, due: 3 * COFFEE });
    }
  }
});
