/** The copy of a branch that a device keeps in a storage of its own (Decisions 13). */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '../../src/client/client.ts';
import { BranchCopy } from '../../src/client/till/branch-copy.ts';
import { createDeviceClient, type DeviceClient } from '../../src/client/till/device-client.ts';
import { TillQuotes } from '../../src/client/till/quote.ts';
import { FEED_TYPES } from '../../src/platform/domain/feed.ts';
import { aStaffedWorld, deviceAt, signInAs, type SignedIn } from '../support/people/staff.ts';
import { ticketsBy } from '../support/people/tickets.ts';
import { post } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId, tableId, thingId } from '../support/shops/cafe.ts';
import { freshReplica } from '../support/sync/replica.ts';

let world: World;
let device: Readonly<Record<string, string>>;
let deviceId: string;
let server: DeviceClient;
let owner: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  owner = await signInAs(world, 'owner');
  ({ id: deviceId, device } = await deviceAt(world, owner, branchId()));
  const token = (device['authorization'] ?? '').replace('Bearer ', '');
  server = createDeviceClient({ baseUrl: world.baseUrl, fetch, token });
  floor = ticketsBy(world, owner);
});
afterAll(() => world.close());

const step = async (copy: BranchCopy, limit = 2_000): Promise<void> =>
  copy.apply(await server.pull({ branch_id: copy.branchId, limit, ...copy.next() }));

const catchUp = async (copy: BranchCopy, limit?: number): Promise<BranchCopy> => {
  do await step(copy, limit);
  while (!copy.isCurrent);
  return copy;
};

/** By type and id. */
const rowsOf = (copy: BranchCopy): unknown =>
  FEED_TYPES.map((type) => [...copy.rows(type)].sort((a, b) => (a.id < b.id ? -1 : 1)));
const fresh = async (): Promise<unknown> =>
  rowsOf((await freshReplica(world, { branchId: branchId(), device })).copy);

test('is the same in pages of any size, and the device prices carts with it', async () => {
  const copy = await catchUp(new BranchCopy(branchId()), 3);
  expect(copy.isUsable).toBe(true);
  expect(rowsOf(copy)).toEqual(await fresh());
  const rows = copy.tillRows();
  if (rows === null) throw new Error('a copy has settings of its branch');
  const items = [{ menu_item_id: thingId('item', 'turkish'), quantity: 2 }];
  expect(new TillQuotes(rows).quote(items, world.now)).toMatchObject({ quote: { bill: { total: 9_000 } } });
});

test('begins anew where the server cannot read its cursor; its rows stand until the whole state is there', async () => {
  const copy = await catchUp(new BranchCopy(branchId()));
  copy.beginAnew();
  await step(copy, 3);
  const { cursor = '' } = copy.next();
  const cut = server.pull({ branch_id: copy.branchId, cursor: `of another ${cursor}` });
  await expect(cut).rejects.toMatchObject({ status: 400, body: { fields: [{ path: 'cursor' }] } });
  copy.beginAnew();
  expect([copy.next(), copy.isCurrent, copy.isUsable]).toEqual([{}, false, true]);
  expect(rowsOf(await catchUp(copy, 50))).toEqual(await fresh());
});

test('goes on from its stored text, and then has what has changed since', async () => {
  const copy = await catchUp(new BranchCopy(branchId()));
  const ticket = await floor.open({ table_id: tableId('t1') });
  const restored = new BranchCopy(branchId(), copy.saved());
  expect([restored.isUsable, restored.next()]).toEqual([true, copy.next()]);
  expect(restored.row('open_ticket', ticket.id)).toBeNull();
  await catchUp(restored);
  expect(restored.row('open_ticket', ticket.id)).toMatchObject({ id: ticket.id, table_id: tableId('t1') });
  await floor.void(ticket);
  expect(rowsOf(await catchUp(restored))).toEqual(await fresh());
});

const saved = (more: object): string =>
  JSON.stringify({ version: 1, branch_id: branchId(), since: 1, rows: [], ...more });

test.each([
  ['of another branch', saved({ branch_id: branchId('maadi') })],
  ['that is no JSON', 'rows'],
  ['that is null', 'null'],
  ['of another version', saved({ version: 2 })],
  ['without a number', saved({ since: null })],
  ['with rows that are none', saved({ rows: [['table', [1]]] })],
])('begins anew from a stored text %s', (_, text) => {
  const copy = new BranchCopy(branchId(), text);
  expect([copy.isUsable, copy.saved(), copy.next(), copy.tillRows()]).toEqual([false, null, {}, null]);
});

test('sells on with its old rows until a whole state that it must read again is complete', async () => {
  const copy = await catchUp(new BranchCopy(branchId()));
  const before = rowsOf(copy);
  const ticket = await floor.open();
  // The server has forgotten what was before now.
  await sql`update change_counter set trimmed = seq`.execute(world.db.kysely);
  await step(copy);
  expect([copy.next(), copy.isCurrent]).toEqual([{}, false]);
  await step(copy, 2);
  expect(copy.next().cursor).toBeDefined();
  expect([copy.isUsable, rowsOf(copy)]).toEqual([true, before]);
  await catchUp(copy, 2);
  expect(copy.row('open_ticket', ticket.id)).not.toBeNull();
  expect(rowsOf(copy)).toEqual(await fresh());
});

test('stays as it is on a device that was revoked, which is told so', async () => {
  const copy = await catchUp(new BranchCopy(branchId()));
  const before = rowsOf(copy);
  expect((await post(world, `/staff/devices/${deviceId}/revoke`, {}, owner)).status).toBe(200);
  const fault = await server
    .pull({ branch_id: branchId(), ...copy.next() })
    .catch((thrown: unknown) => thrown);
  expect(fault instanceof ApiError && fault.status).toBe(401);
  expect(rowsOf(copy)).toEqual(before);
});
