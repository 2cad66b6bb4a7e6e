/** Devices that pull while a branch works at full speed miss nothing, with pages of every size (Decisions 13). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aParty, openBusyFloor, takeTurn, type BusyFloor } from '../support/people/busy-floor.ts';
import { pairedTill } from '../support/people/staff.ts';
import { branchId } from '../support/shops/cafe.ts';
import { freshReplica, Replica, type HowToPull } from '../support/sync/replica.ts';

const CLIENTS = 8;
const TURNS = 14;

let floor: BusyFloor;
let how: HowToPull;
beforeAll(async () => {
  floor = await openBusyFloor();
  how = { branchId: branchId(), device: (await pairedTill(floor.worlds[0])).device };
});
afterAll(() => floor.close());

test.each([1, 2, 5, 60, 2_000])('with pages of %i rows, from the first page on', async (limit) => {
  const parties = await Promise.all(Array.from({ length: 3 }, () => aParty(floor)));
  let isWorking = true;
  const work = Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = 0; n < TURNS; n += 1) await takeTurn(floor, parties, client, n);
    }),
  ).finally(() => {
    isWorking = false;
  });
  const follow = async (world: BusyFloor['worlds'][number]): Promise<Replica> => {
    const replica = new Replica(world, { ...how, limit });
    await replica.begin();
    while (isWorking) {
      const before = replica.since ?? 0;
      const { changes, next } = await replica.step();
      const seqs = changes.map(({ seq }) => seq);
      expect(changes.length).toBeLessThanOrEqual(limit);
      expect(Math.min(...seqs), 'nothing below what was seen').toBeGreaterThan(before);
      expect(Math.max(before, ...seqs), 'nothing above what is said to be seen').toBeLessThanOrEqual(next);
    }
    return replica;
  };
  const [replicas] = await Promise.all([Promise.all(floor.worlds.map(follow)), work]);
  const { rows } = await freshReplica(floor.worlds[0], how);
  for (const replica of replicas) {
    await replica.catchUp();
    expect(replica.rows).toEqual(rows);
  }
});
