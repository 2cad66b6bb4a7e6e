/** Open orders of an archived branch. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openBoard, summaryOf } from '../support/server/board-client.ts';
import { branchId, openShops, SLUG, thingId } from '../support/shops/cafe.ts';
import {
  aMember,
  aStaffedShop,
  changed,
  setCredentials,
  type SignedIn,
  signInAs,
} from '../support/people/staff.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { done, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MAADI = branchId('maadi');

let world: World;
let owner: SignedIn;
let orderId: string;
beforeAll(async () => {
  world = await makeWorld();
  const file = aStaffedShop();
  await openShops(world, file);
  await setCredentials(world);
  orderId = (await placed(world, anOrder({ branch_id: MAADI }))).id;
  const branches = file.branches.filter(({ key }) => key !== 'maadi');
  const staff = [aMember('owner', 'owner'), aMember('teller', 'teller', { branches: ['zamalek'] })];
  await openShops(world, { ...file, branches, staff });
  owner = await signInAs(world, 'owner', SLUG);
});
afterAll(() => world.close());

test('the menu of an archived branch is 404', async () => {
  const { status } = await world.get(`/public/branches/${MAADI}/menu?channel=pickup`);
  expect(status).toBe(404);
});

test('staff list and end open orders of an archived branch, and its board receives the events', async () => {
  const list = async () =>
    done('listOrders', await world.get(`/staff/orders?branch_id=${MAADI}`, { ...owner }));
  expect((await list()).map(({ id }) => id)).toEqual([orderId]);
  const board = await openBoard(world.port, `/staff/events?branch_id=${MAADI}`, { ...owner });
  onTestFinished(() => board.close());
  expect(board.status).toBe(200);
  await changed(world, owner, orderId, 'move', { to: 'ready', from: 'received' });
  expect(summaryOf(await board.next())).toBe(`${orderId} ready 2`);
  await changed(world, owner, orderId, 'finalize', { payment_method: 'cash', from: 'ready' });
  expect(summaryOf(await board.next())).toBe(`${orderId} delivered 3`);
  expect(await list()).toEqual([]);
});

test('channel modes and snoozes at an archived branch are 404', async () => {
  const put = (address: string, body: object) =>
    world.send('PUT', address, { ...owner, 'content-type': 'application/json' }, JSON.stringify(body));
  const branch = `/staff/branches/${MAADI}`;
  const item = thingId('item', 'turkish');
  for (const reply of [
    await put(`${branch}/channels/pickup`, { mode: 'closed' }),
    await put(`${branch}/items/${item}/availability`, { available: false }),
  ])
    expect(refusalOf(reply)).toMatchObject({ status: 404 });
});

test('staff of another branch get 404 for an archived branch', async () => {
  const teller = await signInAs(world, 'teller', SLUG);
  for (const address of ['/staff/orders', '/staff/events'])
    expect((await world.get(`${address}?branch_id=${MAADI}`, { ...teller })).status).toBe(404);
});
