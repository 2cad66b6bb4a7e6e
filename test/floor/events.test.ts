/** Tickets on the staff's event stream (Decisions 12). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aStaffedWorld, signInAs, type SignedIn } from '../support/people/staff.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { openBoard, receive } from '../support/server/board-client.ts';
import type { World } from '../support/server/world.ts';
import { branchId, tableId } from '../support/shops/cafe.ts';

let world: World;
let owner: SignedIn;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  owner = await signInAs(world, 'owner');
});
afterAll(() => world.close());

const listen = (branch: string, more: Readonly<Record<string, string>> = {}) =>
  openBoard(world.port, `/staff/events?branch_id=${branchId(branch)}`, { ...owner, ...more });

test('a ticket and its table are told to the boards of their branch, and resumed after a break', async () => {
  const floor = ticketsBy(world, owner);
  const [here, elsewhere] = [await listen('zamalek'), await listen('maadi')];
  const ticket = await floor.open({ table_id: tableId('t1') });
  const told = (await receive(here, 3)).map(({ data }) => [data.type, data.id]);
  expect(told).toEqual([
    ['kitchen_ticket', expect.any(String)],
    ['ticket', ticket.id],
    ['table', tableId('t1')],
  ]);
  const lastId = here.lastId();
  here.close();
  const settled = await floor.void(await floor.fire(ticket));
  const again = await listen('zamalek', { 'last-event-id': lastId });
  const resumed = (await receive(again, 4)).map(({ data }) => data);
  expect(resumed.filter(({ type }) => type !== 'kitchen_ticket')).toEqual([
    { type: 'table', id: tableId('t1') },
    { type: 'ticket', id: settled.id },
  ]);
  again.close();
  elsewhere.close();
  expect((await elsewhere.ended).filter(({ event }) => event === 'ticket')).toEqual([]);
});

test('whoever has a part of a bill hears of every change of the others, which may change what it comes to', async () => {
  const floor = ticketsBy(world, owner);
  const ticket = await floor.open({ items: coffees(2) });
  const part = await floor.split(ticket, [{ item_id: ticket.items[0]?.id ?? '', units: 1 }]);
  const board = await listen('zamalek');
  await floor.fire(ticket);
  const heard = (await receive(board, 3)).map(({ data }) => data);
  board.close();
  expect(
    heard
      .filter(({ type }) => type === 'ticket')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([ticket.id, part.id].toSorted());
});

test('a table that is taken leaves menus and prices of the branch alone', async () => {
  const floor = ticketsBy(world, owner);
  const menu = async () => (await world.get(`/public/branches/${branchId()}/menu`)).headers['etag'];
  const versions = () =>
    world.db.kysely
      .selectFrom('change')
      .select(['seq'])
      .where('scope', 'in', ['shop', `branch:${branchId()}`])
      .execute();
  const before = [await menu(), await versions()];
  await floor.void(await floor.open({ table_id: tableId('t2') }));
  expect([await menu(), await versions()]).toEqual(before);
});
