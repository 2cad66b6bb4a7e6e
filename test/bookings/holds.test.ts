/** POST /public/branches/{id}/booking-holds: a start kept for five minutes. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ReplyOf } from '../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import { sweepingProcess } from '../support/background/sweeper.ts';
import { aBooking } from '../support/people/bookings.ts';
import {
  afterStep,
  aStaffBooking,
  bookedByStaff,
  changeBy,
  freeStarts,
  labelsOf,
  openDesk,
} from '../support/people/staff-bookings.ts';
import { signInAs } from '../support/people/staff.ts';
import { aTable, branchId, SLUG, tableId } from '../support/shops/cafe.ts';
import type { Reply } from '../support/server/http-client.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

type Hold = ReplyOf<EndpointOf<'holdStart'>>;

const MINUTE = 60_000;
const EVENING = '2026-11-21T17:00:00Z';
/** Starts of two guests that meet 19:00 to 20:30. */
const AROUND = ['18:00', '18:30', '19:00', '19:30', '20:00'];

let world: World;
beforeAll(async () => {
  world = await makeWorld({ trustedProxies: ['127.0.0.1'] });
});
beforeEach(async () => {
  world.now = Date.parse('2026-11-20T18:00:00Z');
  for (const table of ['booking', 'booking_hold', 'booking_block'] as const)
    await world.db.kysely.deleteFrom(table).execute();
  await openDesk(world, [aTable('t1', 2)]);
});
afterAll(() => world.close());

const from = (client: string) => ({ 'x-forwarded-for': client });

const hold = (client: string, overrides: object = {}): Promise<Reply> => {
  const body = { starts_at: EVENING, party_size: 2, ...overrides };
  return post(world, `/public/branches/${branchId()}/booking-holds`, body, from(client));
};

const held = async (client: string, overrides: object = {}): Promise<Hold> =>
  done('holdStart', await hold(client, overrides));

const book = (overrides: Parameters<typeof aBooking>[0] = {}): Promise<Reply> =>
  post(world, '/public/bookings', aBooking(overrides));

const rows = async (): Promise<Record<string, unknown>[]> =>
  (await sql<Record<string, unknown>>`select * from booking_hold`.execute(world.db.kysely)).rows;

describe('a held start', () => {
  test('is kept for its holder for five minutes, and offered again by itself', async () => {
    const all = await freeStarts(world);
    const { hold_token, ...mine } = await held('203.0.113.1');
    expect(mine).toEqual({
      ...{ branch_id: branchId(), party_size: 2 },
      ...{ expires_at: '2026-11-20T18:05:00.000Z', expires_in_seconds: 300 },
      ...{ starts_at: '2026-11-21T17:00:00.000Z', ends_at: '2026-11-21T18:30:00.000Z' },
    });
    expect(hold_token).toMatch(/^hld_[\w-]{43}$/);
    expect(await freeStarts(world)).toEqual(all.filter((start) => !AROUND.includes(start)));
    expect(refusalOf(await book()).code).toBe('SLOT_TAKEN');
    expect(refusalOf(await hold('203.0.113.2')).code).toBe('SLOT_TAKEN');
    world.now += 5 * MINUTE - 1;
    expect(await freeStarts(world)).not.toContain('19:00');
    world.now += 1;
    expect(await freeStarts(world)).toEqual(all);
    expect((await book()).status).toBe(201);
  });

  test('is booked by its holder, and ends with the booking', async () => {
    const { hold_token } = await held('203.0.113.1');
    expect((await book({ hold_token })).status).toBe(201);
    expect(await rows()).toEqual([]);
    expect(refusalOf(await book({ hold_token })).code).toBe('SLOT_TAKEN');
  });

  test('lets its holder book another start instead', async () => {
    const { hold_token } = await held('203.0.113.1');
    expect((await book({ hold_token, starts_at: '2026-11-21T17:30:00Z' })).status).toBe(201);
    expect(await rows()).toEqual([]);
  });

  test('does not outlive its five minutes for its holder either, who then books like anybody', async () => {
    const { hold_token } = await held('203.0.113.1');
    world.now += 5 * MINUTE;
    expect((await book()).status).toBe(201);
    expect(refusalOf(await book({ hold_token })).code).toBe('SLOT_TAKEN');
  });

  test('moves to another table when that makes room, as a booking does', async () => {
    await openDesk(world, [aTable('t1', 4), aTable('t2', 2)]);
    const { hold_token } = await held('203.0.113.1');
    await held('203.0.113.2', { party_size: 4 });
    expect(refusalOf(await book({ party_size: 1 })).code).toBe('SLOT_TAKEN');
    expect((await book({ hold_token })).status).toBe(201);
  });

  test('is released by its holder, and offered again; a second release finds none', async () => {
    const all = await freeStarts(world);
    const { hold_token } = await held('203.0.113.1');
    const release = (token: string): Promise<Reply> =>
      post(world, `/public/branches/${branchId()}/booking-holds/release`, { hold_token: token });
    expect(done('releaseHold', await release('hld_another'))).toEqual({ released: false });
    expect(await freeStarts(world)).not.toEqual(all);
    expect(done('releaseHold', await release(hold_token))).toEqual({ released: true });
    expect(await freeStarts(world)).toEqual(all);
    expect(done('releaseHold', await release(hold_token))).toEqual({ released: false });
  });

  test('counts towards the covers of its start', async () => {
    await openDesk(world, [aTable('t1', 2), aTable('t2', 2)], { max_covers_per_slot: 3 });
    await held('203.0.113.1');
    expect(refusalOf(await book()).code).toBe('SLOT_TAKEN');
  });

  test('is stored without its token and without the address of its holder', async () => {
    const { hold_token } = await held('203.0.113.77');
    const stored = JSON.stringify(await rows());
    expect(stored).not.toContain(hold_token);
    expect(stored).not.toContain('203.0.113.77');
  });
});

describe('a device and an address', () => {
  test('have one hold at a shop: a new one ends the one before', async () => {
    const { hold_token } = await held('203.0.113.1');
    await held('203.0.113.1', { starts_at: '2026-11-21T18:30:00Z' });
    expect(await rows()).toHaveLength(1);
    const elsewhere = await held('203.0.113.2');
    await held('203.0.113.9', { hold_token: elsewhere.hold_token });
    expect(await rows()).toHaveLength(2);
    expect(refusalOf(await book({ hold_token })).code).toBe('SLOT_TAKEN');
  });

  test('keep the hold that they have when a new one is refused', async () => {
    const { hold_token } = await held('203.0.113.1');
    await held('203.0.113.2', { starts_at: '2026-11-21T18:30:00Z' });
    expect(refusalOf(await hold('203.0.113.1', { starts_at: '2026-11-21T18:00:00Z' })).code).toBe(
      'SLOT_TAKEN',
    );
    expect((await book({ hold_token })).status).toBe(201);
  });

  test('hold at most one start, of twenty on many dates that one address asks for at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        hold('203.0.113.1', { starts_at: `2026-11-${21 + (at % 7)}T${at % 2 ? '17:00' : '18:30'}:00Z` }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await rows()).toHaveLength(1);
  });
});

test('of twenty addresses that hold the last table one gets it', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => hold(`203.0.113.${n + 1}`)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
});

describe('the staff', () => {
  test('take the tables of a hold, which ends; its holder is refused', async () => {
    const { hold_token } = await held('203.0.113.1');
    await bookedByStaff(world, aStaffBooking(world, SLUG, { starts_at: EVENING }));
    expect(await rows()).toEqual([]);
    expect(refusalOf(await book({ hold_token })).code).toBe('SLOT_TAKEN');
  });

  test('leave a hold its start where another table is free', async () => {
    await openDesk(world, [aTable('t1', 2), aTable('t2', 2)]);
    const { hold_token } = await held('203.0.113.1');
    await bookedByStaff(
      world,
      aStaffBooking(world, SLUG, { starts_at: EVENING, table_ids: [tableId('t1')] }),
    );
    expect((await book({ hold_token })).status).toBe(201);
  });

  test('end no hold by moving a booking elsewhere', async () => {
    await openDesk(world, [aTable('t1', 2), aTable('t2', 2), aTable('t3', 2)]);
    const booking = await bookedByStaff(world, aStaffBooking(world, SLUG, { starts_at: EVENING }));
    const holds = [await held('203.0.113.1'), await held('203.0.113.2')];
    for (const label of ['t2', 't3', 't1'])
      booking.revision = (
        await afterStep(world, booking, 'tables', { table_ids: [tableId(label)] })
      ).revision;
    for (const { hold_token } of holds) expect((await book({ hold_token })).status).toBe(201);
  });

  test('move a booking to another time and to chosen tables, whatever is held there', async () => {
    await openDesk(world, [aTable('n1', 2), aTable('h1', 4)]);
    const later = '2026-11-21T18:30:00Z';
    const of = (starts_at: string, more = {}) =>
      bookedByStaff(world, aStaffBooking(world, SLUG, { starts_at, ...more }));
    const chosen = await of(later, { table_ids: [tableId('n1')] });
    const booking = await of('2026-11-21T16:30:00Z');
    await held('203.0.113.1', { starts_at: later, party_size: 4 });
    const moved = done('changeStaffBooking', await changeBy(world, booking, { starts_at: later }));
    expect([labelsOf(chosen), labelsOf(moved), await rows()]).toEqual([['N1'], ['H1'], []]);
    const other = await of('2026-11-21T16:30:00Z');
    await held('203.0.113.1', { starts_at: '2026-11-21T16:00:00Z', party_size: 4 });
    expect(labelsOf(await afterStep(world, other, 'tables', { table_ids: [tableId('h1')] }))).toEqual(['H1']);
    expect(await rows()).toEqual([]);
    expect((await world.db.kysely.selectFrom('booking_table').select('table_id').execute()).length).toBe(3);
  });

  test('end the holds of a time that they block', async () => {
    const { hold_token } = await held('203.0.113.1');
    const block = { branch_id: branchId(), starts_at: EVENING, ends_at: '2026-11-21T20:00:00Z' };
    const lines = { ...(await signInAs(world, 'owner')) };
    done(
      'blockTimes',
      await post(world, '/staff/booking-blocks', { ...block, table_ids: [tableId('t1')] }, lines),
    );
    expect(await rows()).toEqual([]);
    expect(refusalOf(await book({ hold_token })).code).toBe('SLOT_TAKEN');
  });
});

describe('a hold is refused', () => {
  test.each([
    ['TIME_NOT_OFFERED', { starts_at: '2026-11-21T17:07:00Z' }],
    ['DATE_OUT_OF_RANGE', { starts_at: '2027-11-21T17:00:00Z' }],
    ['PARTY_SIZE_OUT_OF_RANGE', { party_size: 13 }],
    ['SLOT_TAKEN', { party_size: 3 }],
  ])('with %s as the booking would be', async (code, wrong) => {
    expect(refusalOf(await hold('203.0.113.1', wrong)).code).toBe(code);
    expect(await rows()).toEqual([]);
  });

  test('where bookings are off', async () => {
    await openDesk(world, [aTable('t1', 2)], { enabled: false });
    expect(refusalOf(await hold('203.0.113.1')).status).toBe(404);
  });
});

test('expired holds are deleted', async () => {
  await held('203.0.113.1');
  world.now += 5 * MINUTE;
  const process = sweepingProcess(world);
  await process.sweeper.sweep();
  await process.close();
  expect(await rows()).toEqual([]);
});
