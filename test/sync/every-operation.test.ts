/** Whatever operation changes something, a device that follows the changes has what a new device would get. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '../../src/service/contract/endpoints.ts';
import { openCalls, type OpenCalls } from '../support/operations/all-calls.ts';
import { pairedTill, resetCredentials } from '../support/people/staff.ts';
import { aWalletOne } from '../support/people/wallets.ts';
import { JSON_BODY } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId } from '../support/shops/cafe.ts';
import { freshReplica, type HowToPull } from '../support/sync/replica.ts';

let world: World;
let open: OpenCalls;
let how: HowToPull;
beforeAll(async () => {
  world = await makeWorld({ walletOne: aWalletOne(), limitScale: 100_000 });
  open = await openCalls(world);
  how = { branchId: branchId(), device: (await pairedTill(world)).device };
});
afterAll(() => world.close());

const CHANGING = Object.values(allEndpoints).filter(
  ({ method, answers }) => method !== 'GET' && answers !== 'events',
);

test.each(CHANGING.map(({ id }) => id))('%s', async (id) => {
  const found = open.calls.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no call of ${id}`);
  // Some operations change the secrets of people.
  await resetCredentials(world);
  const { address, headers = {}, body } = await found.call();
  const replica = await freshReplica(world, how);
  const type = body === undefined ? {} : JSON_BODY;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const reply = await world.send(found.endpoint.method, address, { ...type, ...headers }, text);
  expect(reply.status, reply.text).toBeLessThan(300);
  await replica.catchUp();
  expect(replica.rows).toEqual((await freshReplica(world, how)).rows);
});
