/** What goes wrong around the events of devices (Decisions 13): parents that never come, other branches, writes under a snapshot. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sweepTogether } from '../support/background/sweeper.ts';
import { newId } from '../support/database/ids.ts';
import { aStaffedWorld, pairedTill, signInAs, type SignedIn } from '../support/people/staff.ts';
import { done, post } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId } from '../support/shops/cafe.ts';
import {
  eventsOf,
  outcomesOf,
  paid,
  recordedCoffees,
  recordedLine,
  replayed,
  type DeviceEvent,
} from '../support/sync/device-events.ts';
import { freshReplica, Replica } from '../support/sync/replica.ts';
import { reviewsBy } from '../support/sync/reviews.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

let world: World;
let owner: SignedIn;
let device: SignedIn;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
});
afterAll(() => world.close());
/** The session of before may have ended. */
beforeEach(async () => {
  owner = await signInAs(world, 'owner');
  ({ device } = await pairedTill(world));
});

const saleOf = async (id: string) => done('getSale', await world.get(`/staff/sales/${id}`, owner));

/** A coffee that the owner sold, into this till. */
const aSale = (till: string, more: object = {}): DeviceEvent => {
  const sale = { sale_id: newId(), items: recordedCoffees(1), total: 4_500, payments: paid(4_500) };
  return eventsOf(world, 'owner')('sale', { ...sale, till_id: till, ...more }, world.now - 60_000);
};
const idOf = ({ data }: DeviceEvent): string => (data as { readonly sale_id: string }).sale_id;

test('a round whose ticket never comes waits, without the words of its guest after a day, until a person closes it', async () => {
  const ticket = newId();
  const event = eventsOf(world, 'owner', world.now - HOUR);
  const open = event('ticket_open', { ticket_id: ticket });
  const items = [{ ...recordedLine(1), notes: 'لهدى' }];
  const round = event('round', { ticket_id: ticket, round_id: newId(), items });
  expect(outcomesOf(await replayed(world, device, [round]))).toEqual(['waiting']);
  world.now += 25 * DAY;
  await sweepTogether(world);
  owner = await signInAs(world, 'owner');
  const [listed] = await reviewsBy(world, owner);
  expect(listed).toMatchObject({ id: round.id, outcome: 'waiting', reasons: [{ code: 'parent_missing' }] });
  expect(listed?.data).toMatchObject({ ticket_id: ticket });
  expect(JSON.stringify(listed)).not.toContain('لهدى');
  done('closeReview', await post(world, `/staff/reviews/${round.id}/close`, { note: 'سُجّل يدويا' }, owner));
  expect(await reviewsBy(world, owner)).toEqual([]);
  expect(outcomesOf(await replayed(world, device, [open, round]))).toEqual(['applied', 'already']);
  const { items: fired } = done('getTicket', await world.get(`/staff/tickets/${ticket}`, owner));
  expect(fired).toHaveLength(1);
});

test('an event that could not be recorded is kept without the words of its guest after a day', async () => {
  const items = recordedCoffees(1).map((line) => ({ ...line, notes: 'لسلمى، بلا سكر' }));
  const sale = aSale(newId(), { customer_name: 'سلمى', items });
  await replayed(world, device, [sale]);
  // As a fault of the server leaves it.
  const left = { outcome: 'review', waits_for: null };
  await world.db.kysely.updateTable('replay_event').set(left).where('id', '=', sale.id).execute();
  const namedIn = async () => JSON.stringify(await reviewsBy(world, owner)).includes('سلمى');
  expect(await namedIn()).toBe(true);
  world.now += DAY + HOUR;
  await sweepTogether(world);
  owner = await signInAs(world, 'owner');
  expect(await namedIn()).toBe(false);
  const [kept] = (await reviewsBy(world, owner)).filter(({ id }) => id === sale.id);
  expect(kept?.data).toMatchObject({ items: recordedCoffees(1), total: 4_500 });
});

test('a device that moved to another branch: what it sold into its old till is in the books of the new branch', async () => {
  const till = newId();
  const open = eventsOf(world, 'owner')('till_open', { till_id: till, opening_float: 0 });
  expect(outcomesOf(await replayed(world, device, [open]))).not.toContain('refused');
  const moved = await pairedTill(world, 'maadi');
  const sale = aSale(till);
  const branch = branchId('maadi');
  expect(outcomesOf(await replayed(world, moved.device, [sale], { branch }))).toEqual([
    'review: till_unknown',
  ]);
  expect(await saleOf(idOf(sale))).toMatchObject({ total: 4_500, branch_id: branch, till_id: null });
  // Its own branch takes the same event no second time.
  expect(outcomesOf(await replayed(world, device, [sale]))).toEqual(['already']);
});

test('two hundred writes between the pages of a snapshot are in the copy of the device', async () => {
  const how = { branchId: branchId(), device, limit: 10 };
  const replica = new Replica(world, how);
  const till = newId();
  const open = eventsOf(world, 'teller')('till_open', { till_id: till, opening_float: 0 });
  await replayed(world, device, [open]);
  let pages = 0;
  await replica.begin(async () => {
    pages += 1;
    if (pages > 4) return;
    const event = eventsOf(world, 'teller', world.now - DAY + pages * 60_000);
    const writes = Array.from({ length: 25 }, () => {
      const ticket_id = newId();
      return [aSale(till), event('ticket_open', { ticket_id, guest_count: 2 })];
    });
    const results = await replayed(world, device, writes.flat());
    expect(results.map(({ outcome }) => outcome)).not.toContain('refused');
  });
  expect(pages).toBeGreaterThanOrEqual(4);
  await replica.catchUp();
  expect(replica.rows).toEqual((await freshReplica(world, { branchId: branchId(), device })).rows);
});
