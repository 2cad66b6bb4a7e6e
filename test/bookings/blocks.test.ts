/** Times that the staff keep free of bookings. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ReplyOf } from '../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import { booked } from '../support/people/bookings.ts';
import {
  aStaffBooking,
  bookedByStaff,
  dayOf,
  freeStarts,
  labelsOf,
  openDesk,
} from '../support/people/staff-bookings.ts';
import { signInAs } from '../support/people/staff.ts';
import { aTable, branchId, SLUG, tableId } from '../support/shops/cafe.ts';
import type { Reply } from '../support/server/http-client.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  for (const table of ['booking', 'booking_block'] as const)
    await world.db.kysely.deleteFrom(table).execute();
  await openDesk(world, [aTable('t1', 2), aTable('t2', 4)]);
});
afterAll(() => world.close());

/** Saturday, 20:00 to 21:00 in Cairo. */
const HOUR = { starts_at: '2026-11-21T18:00:00Z', ends_at: '2026-11-21T19:00:00Z' };

const asOwner = async (address: string, body: object): Promise<Reply> =>
  post(world, address, body, await signInAs(world, 'owner'));

const tryToBlock = (overrides: object = {}): Promise<Reply> =>
  asOwner('/staff/booking-blocks', { branch_id: branchId(), ...HOUR, ...overrides });

const blocked = async (overrides: object = {}): Promise<ReplyOf<EndpointOf<'blockTimes'>>> =>
  done('blockTimes', await tryToBlock(overrides));

test('a blocked branch offers guests no stay that meets the time, and the staff still book', async () => {
  await booked(world, { starts_at: HOUR.starts_at });
  const block = await blocked({ reason: 'عيد ميلاد' });
  expect(await freeStarts(world)).toEqual(['18:00', '18:30']);
  const staff = await bookedByStaff(world, aStaffBooking(world, SLUG, { starts_at: HOUR.starts_at }));
  expect(labelsOf(staff)).toEqual(['T2']);
  expect((await dayOf(world, '2026-11-21')).blocks).toEqual([block]);
  expect(block).toMatchObject({ reason: 'عيد ميلاد', tables: [], lifted_at: null });
});

test('a block that is lifted, also twice, opens its time again', async () => {
  const { id } = await blocked();
  const lifted = await asOwner(`/staff/booking-blocks/${id}/lift`, {});
  const again = await asOwner(`/staff/booking-blocks/${id}/lift`, {});
  expect([lifted.status, again.status, again.body]).toEqual([200, 200, lifted.body]);
  expect(await freeStarts(world)).toContain('20:00');
  expect((await dayOf(world, '2026-11-21')).blocks).toEqual([]);
});

test('a blocked table is given to nobody: confirmed guests there get another', async () => {
  const guest = await booked(world, { starts_at: HOUR.starts_at });
  const { tables } = await blocked({ table_ids: [tableId('t1')] });
  expect(tables).toEqual([{ id: tableId('t1'), label: 'T1' }]);
  const { bookings } = await dayOf(world, '2026-11-21');
  expect(bookings.filter(({ id }) => id === guest.id).map(labelsOf)).toEqual([['T2']]);
  expect(await freeStarts(world)).toEqual(['18:00', '18:30']);
  const wanted = aStaffBooking(world, SLUG, { starts_at: HOUR.starts_at, table_ids: [tableId('t1')] });
  expect(refusalOf(await asOwner('/staff/bookings', wanted)).code).toBe('SLOT_TAKEN');
});

test('a table whose guests can go nowhere else is not blocked', async () => {
  await booked(world, { starts_at: HOUR.starts_at, party_size: 4 });
  expect(refusalOf(await tryToBlock({ table_ids: [tableId('t2')] })).code).toBe('SLOT_TAKEN');
  expect((await dayOf(world, '2026-11-21')).blocks).toEqual([]);
});

test('a table where guests are seated is not blocked', async () => {
  const now = { starts_at: new Date(world.now).toISOString(), ends_at: '2026-11-20T20:00:00Z' };
  const walkIn = { source: 'walk_in' as const, table_ids: [tableId('t2')] };
  await bookedByStaff(world, aStaffBooking(world, SLUG, walkIn));
  expect(refusalOf(await tryToBlock({ ...now, table_ids: [tableId('t2')] })).code).toBe('SLOT_TAKEN');
});

test('a repeated request under one key blocks once', async () => {
  const lines = { ...(await signInAs(world, 'owner')), 'idempotency-key': 'block' };
  const body = { branch_id: branchId(), ...HOUR, table_ids: [tableId('t1')] };
  const replies = [];
  for (let n = 0; n < 2; n += 1) replies.push(await post(world, '/staff/booking-blocks', body, lines));
  expect(replies.map(({ status }) => status)).toEqual([201, 200]);
  expect((await dayOf(world, '2026-11-21')).blocks).toEqual([replies[0]?.body]);
  const other = await post(world, '/staff/booking-blocks', { ...body, reason: 'x' }, lines);
  expect(refusalOf(other).code).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('a block over midnight meets the night’s stays on both dates', async () => {
  await openDesk(world, [aTable('t1', 2)], { hours: [{ open: '18:00', close: '03:00' }] });
  await blocked({ starts_at: '2026-11-21T21:00:00Z', ends_at: '2026-11-21T23:00:00Z' });
  const starts = await freeStarts(world);
  expect([starts.at(-1), starts.includes('21:30'), starts.includes('22:00')]).toEqual(['01:30', true, false]);
});

test.each([
  ['ends_at', { ends_at: HOUR.starts_at }],
  ['ends_at', { ends_at: '2027-01-21T19:00:00Z' }],
  ['ends_at', { ends_at: 'later' }],
  ['starts_at', { starts_at: '2026-11-19T18:00:00Z', ends_at: '2026-11-19T19:00:00Z' }],
  ['table_ids[0]', { table_ids: [tableId('t1', 'maadi')] }],
])('a fault in %s is refused, and nothing is blocked', async (path, fault) => {
  const refused = refusalOf(await tryToBlock(fault));
  expect([refused.status, refused.fields?.map((each) => each.path)]).toEqual([400, [path]]);
  expect((await dayOf(world, '2026-11-21')).blocks).toEqual([]);
});
