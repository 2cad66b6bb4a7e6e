/** The numbers of changes after a backup was restored (Decisions 13): no device takes another history for its own. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { backupOf, restoredFrom, streamed } from '../support/database/backups.ts';
import { newId } from '../support/database/ids.ts';
import { emptyDatabase } from '../support/database/test-database.ts';
import { aStaffedWorld, pairedTill, type SignedIn } from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId } from '../support/shops/cafe.ts';
import { eventsOf, outcomesOf, replayed } from '../support/sync/device-events.ts';
import { freshReplica, pull } from '../support/sync/replica.ts';

let world: World;
let device: SignedIn;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  ({ device } = await pairedTill(world));
});
afterAll(() => world.close());

/** A server on a new database with what is in the backup, restored so many minutes from now. */
const restoredWorld = async (backup: Buffer, minutes: number): Promise<World> => {
  const database = await emptyDatabase();
  const now = () => world.now + minutes * 60_000;
  await restoredFrom(database.connection, streamed(backup), { now });
  const copy = await makeWorld({ database, limitScale: 0 });
  onTestFinished(async () => {
    await copy.close();
    await database.release();
  });
  return copy;
};

const openTickets = async (server: World, count: number): Promise<void> => {
  const event = eventsOf(server, 'manager', server.now - 60_000);
  const tickets = Array.from({ length: count }, () => event('ticket_open', { ticket_id: newId() }));
  expect(outcomesOf(await replayed(server, device, tickets))).toEqual(tickets.map(() => 'applied'));
};

const isSentBack = async (server: World, since: number): Promise<boolean> =>
  (await pull(server, { branchId: branchId(), device }, { since })).resync_required === true;

test('a device that comes back after a restore begins anew, however far the branch has gone on, also after a second restore', async () => {
  const how = { branchId: branchId(), device };
  const backup = await backupOf(world.database.owner);
  const { next: before } = await pull(world, how);
  await openTickets(world, 3);
  const { next: behind } = await pull(world, how);

  const copy = await restoredWorld(backup, 0);
  await openTickets(copy, 5);
  expect([await isSentBack(copy, before), await isSentBack(copy, behind)]).toEqual([true, true]);
  const replica = await freshReplica(copy, how);
  await openTickets(copy, 1);
  await replica.catchUp();
  expect(replica.rows).toEqual((await freshReplica(copy, how)).rows);

  const { next: ofCopy } = await pull(copy, how);
  const again = await restoredWorld(backup, 1);
  await openTickets(again, 8);
  expect(await isSentBack(again, ofCopy)).toBe(true);
});
