/** Unused devices: their tokens expire after 90 days, and what counts as use. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { branchId } from '../support/shops/cafe.ts';
import {
  aStaffedWorld,
  emailOf,
  pairedTill,
  PASSWORD,
  personId,
  PIN,
  type SignedIn,
  signInAs,
  type Till,
} from '../support/people/staff.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import { openBoard } from '../support/server/board-client.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { sweepingProcess, type SweepingProcess } from '../support/background/sweeper.ts';
import type { World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

let world: World;
let processes: SweepingProcess[] = [];
beforeAll(async () => {
  world = await aStaffedWorld();
});
beforeEach(async () => {
  processes = [];
  for (const table of ['staff_session', 'staff_device'] as const)
    await world.db.kysely.deleteFrom(table).execute();
});
afterAll(() => world.close());

/** Two new sweepers at once; each sweeps everything. */
const sweep = async (): Promise<void> => {
  processes = [sweepingProcess(world), sweepingProcess(world)];
  await Promise.all(processes.map(({ sweeper }) => sweeper.sweep()));
  expect(processes.flatMap(({ logged }) => logged)).toEqual([]);
  await Promise.all(processes.map((one) => one.close()));
};

const page = (device: SignedIn): Promise<Reply> => world.get('/staff/pin', { ...device });
const byPin = (till: Till): Promise<Reply> =>
  post(world, '/staff/pin', { staff_id: personId('teller'), pin: PIN }, till.device);

const listed = async ({ id }: Till) => {
  const owner = await signInAs(world, 'owner');
  const devices = done('listDevices', await world.get('/staff/devices', { ...owner }));
  return devices.find((device) => device.id === id);
};

const usedAt = async ({ id }: Till): Promise<number | null> => {
  await world.app.backgroundTasks.settled();
  const { last_used_at } = await world.db.kysely
    .selectFrom('staff_device')
    .select('last_used_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return last_used_at;
};

/** Time passes, with a use of the device at this interval. */
const passing = async (ms: number, every: number, use: () => Promise<unknown>): Promise<void> => {
  for (let gone = 0; gone < ms; gone += every) {
    world.now += every;
    await use();
    await world.app.backgroundTasks.settled();
  }
};

describe('a device unused for 90 days', () => {
  test('a device unused for 90 days refuses sign-ins and is listed as expired', async () => {
    const till = await pairedTill(world);
    world.now += 90 * DAY - 1;
    expect(await listed(till)).toMatchObject({ expired: false });
    world.now += 1;
    for (const reply of [await page(till.device), await byPin(till)])
      expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'DEVICE_REVOKED' });
    expect(await listed(till)).toMatchObject({ expired: true, revoked_at: null });
    const anew = await pairedTill(world);
    expect((await byPin(anew)).status).toBe(200);
  });

  test('a device unused for 90 days is expired by the sweepers once, with its sessions', async () => {
    const [till, used] = [await pairedTill(world), await pairedTill(world)];
    world.now += 60 * DAY;
    expect((await page(used.device)).status).toBe(200);
    expect(await usedAt(used)).toBe(world.now);
    world.now += 30 * DAY;
    await sql`
      insert into staff_session (token_hash, org_id, staff_id, device_id, created_at, expires_at)
      select 'left'::bytea, org_id, ${personId('teller')}, id, paired_at, ${new Date(world.now + HOUR)}
      from staff_device where id = ${till.id}
    `.execute(world.db.kysely);
    const before = world.app.security.counts.device_revoked;
    await sweep();
    const ended = (await auditOf(world, till.id)).filter(({ action }) => action === 'device.expired');
    expect(ended).toMatchObject([{ staff_id: null, branch_id: branchId() }]);
    expect(world.app.security.counts.device_revoked).toBe(before + 1);
    const left = await world.db.kysely
      .selectFrom('staff_session')
      .select('staff_id')
      .where('device_id', '=', till.id)
      .execute();
    expect(left).toEqual([]);
    expect(await listed(till)).toMatchObject({ expired: true });
    expect(await listed(used)).toMatchObject({ expired: false });
    expect((await page(till.device)).status).toBe(401);
    expect((await page(used.device)).status).toBe(200);
  });

  test('a device unused for 90 days is no known device at a password sign-in', async () => {
    const till = await pairedTill(world);
    const known = { 'x-known-device': till.device.authorization.slice('Bearer '.length) };
    const body = { email: emailOf('owner'), password: PASSWORD };
    world.now += 90 * DAY;
    expect((await post(world, '/staff/sign-in', body, known)).status).toBe(200);
    expect(await usedAt(till)).toBe(world.now - 90 * DAY);
  });
});

describe('use of a device', () => {
  test('listing the PIN staff of a device counts as use', async () => {
    const till = await pairedTill(world);
    await passing(120 * DAY, 30 * DAY, () => page(till.device));
    expect((await byPin(till)).status).toBe(200);
  });

  test('requests of a session on the device count as use, written once a day', async () => {
    const till = await pairedTill(world);
    const paired = world.now;
    const written = new Set<number | null>();
    world.now += 20 * HOUR;
    const teller = await till.signIn('teller');
    for (let gone = 0; gone < 10 * HOUR; gone += HOUR / 4) {
      world.now += HOUR / 4;
      expect((await world.get('/staff/orders?branch_id=' + branchId(), { ...teller })).status).toBe(200);
      written.add(await usedAt(till));
    }
    expect([...written]).toEqual([paired, paired + DAY]);
  });

  test('an open board on the device counts as use', async () => {
    const till = await pairedTill(world);
    const teller = await till.signIn('teller');
    world.now += DAY;
    await sql`
      update staff_session set created_at = ${new Date(world.now)}, last_used_at = ${new Date(world.now)},
        expires_at = ${new Date(world.now + HOUR)}
      where device_id = ${till.id}
    `.execute(world.db.kysely);
    const board = await openBoard(world.port, `/staff/events?branch_id=${branchId()}`, { ...teller });
    expect(board.status).toBe(200);
    board.close();
    await board.ended;
    expect(await usedAt(till)).toBe(world.now);
  });
});

test('a device without a recorded use counts from the first sweep', async () => {
  const till = await pairedTill(world);
  await sql`update staff_device set last_used_at = null where id = ${till.id}`.execute(world.db.kysely);
  world.now += 400 * DAY;
  expect(await listed(till)).toMatchObject({ expired: false, last_used_at: null });
  await sweep();
  expect(await usedAt(till)).toBe(world.now);
  world.now += 90 * DAY - 1;
  expect(await listed(till)).toMatchObject({ expired: false });
  world.now += 1;
  expect((await page(till.device)).status).toBe(401);
});
