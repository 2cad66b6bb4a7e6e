/** What goes wrong around the events of devices (Decisions 13): parents that never come, other branches, writes under a snapshot. */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { sweepTogether } from '../support/background/sweeper.ts';
import { asOwner } from '../support/database/test-database.ts';
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
const aSale = (till: string | null, more: object = {}): DeviceEvent => {
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

test('the notes on the picks of a combo in an event that waits are forgotten too', async () => {
  const price = { unit_price: 4_500 };
  const pick = { slot_id: newId(), menu_item_id: newId(), share: 4_500, surcharge: 0, notes: 'لليلى' };
  const line = { item_id: newId(), menu_item_id: newId(), quantity: 1, ...price, combo: { picks: [pick] } };
  const round = eventsOf(world, 'owner')('round', {
    ...{ ticket_id: newId(), round_id: newId(), items: [line] },
  });
  expect(outcomesOf(await replayed(world, device, [round]))).toEqual(['waiting']);
  world.now += DAY + HOUR;
  await sweepTogether(world);
  owner = await signInAs(world, 'owner');
  const kept = (await reviewsBy(world, owner)).find(({ id }) => id === round.id);
  const picks = [{ ...pick, notes: null }];
  expect(kept?.data).toMatchObject({ items: [{ ...line, combo: { picks } }] });
});

test('events that could not be recorded, at once or after they waited, are kept without the words of their guests after a day', async () => {
  await asOwner(world.database, 'alter table sale add constraint no_more check (total < 0) not valid');
  onTestFinished(() => asOwner(world.database, 'alter table sale drop constraint no_more'));
  const till = newId();
  const items = recordedCoffees(1).map((line) => ({ ...line, notes: 'لسلمى، بلا سكر' }));
  const [waits, sale] = [till, null].map((into) => aSale(into, { customer_name: 'سلمى', items }));
  const open = eventsOf(world, 'owner')('till_open', { till_id: till, opening_float: 0 });
  const sent = [waits, open, sale];
  for (const event of sent) await replayed(world, device, [event]);
  const kept = async () =>
    (await reviewsBy(world, owner)).filter(({ id }) => [waits?.id, sale?.id].includes(id));
  const failed = { outcome: 'review', reasons: [{ code: 'not_applied' }] };
  expect(await kept()).toMatchObject([failed, failed]);
  expect(JSON.stringify(await kept())).toContain('سلمى');
  world.now += DAY + HOUR;
  await sweepTogether(world);
  owner = await signInAs(world, 'owner');
  expect(JSON.stringify(await kept())).not.toContain('سلمى');
  const data = { items: recordedCoffees(1), total: 4_500 };
  expect(await kept()).toMatchObject([{ data }, { data }]);
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
