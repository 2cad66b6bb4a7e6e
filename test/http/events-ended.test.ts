/** Boards of a sign-in that ends while they listen. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listen, told, type Listening } from '../support/board-client.ts';
import { branchId, openShops } from '../support/cafe.ts';
import type { SignedIn } from '../support/crew.ts';
import { placed } from '../support/guests.ts';
import { aShopAtWork, done, hire, pairedTill, signInAs } from '../support/shift.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aShopAtWork());
  await hire(world);
});
afterAll(() => world.close());

const boardOf = async (who: SignedIn): Promise<Listening> => {
  const board = await listen(world.port, `/staff/events?branch_id=${branchId()}`, { ...who });
  onTestFinished(() => board.close());
  return board;
};

/** None of these heard of the order that came last, and they have ended. */
const haveEnded = async (boards: readonly Listening[]): Promise<void> => {
  expect(await Promise.all(boards.map(({ ended }) => ended))).toEqual(boards.map(() => []));
};

test('whoever signs out hears nothing more, on none of their boards; they do where they are signed in still', async () => {
  const [here, there] = [await signInAs(world, 'teller'), await signInAs(world, 'teller')];
  const boards = [await boardOf(here), await boardOf(here)];
  const stays = await boardOf(there);
  done('staffSignOut', await world.send('POST', '/staff/sign-out', { ...here }));
  const { id } = await placed(world);
  await haveEnded(boards);
  expect(told(await stays.next())).toBe(`${id} received 1`);
});

test('a device that is revoked hears nothing more, whoever is signed in on it; another of the branch does', async () => {
  const [lost, kept] = [await pairedTill(world), await pairedTill(world)];
  const boards = [await boardOf(await lost.signIn('teller')), await boardOf(await lost.signIn('owner'))];
  const stays = await boardOf(await kept.signIn('teller'));
  const owner = await signInAs(world, 'owner');
  done('revokeDevice', await world.send('POST', `/staff/devices/${lost.id}/revoke`, { ...owner }));
  const { id } = await placed(world);
  await haveEnded(boards);
  expect(told(await stays.next())).toBe(`${id} received 1`);
});
