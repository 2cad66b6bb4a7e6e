/** A restored copy beside the original: it sends and sweeps nothing until the operator allows it. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { endRestoredSilence, switchSendingOff, switchSendingOn } from '../../src/messaging/app/sending.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import { STALE_AFTER_MS } from '../../src/platform/domain/sending.ts';
import { backupOf, restored } from '../support/database/backups.ts';
import { KARIM, MONA } from '../support/people/guests.ts';
import { post } from '../support/server/requests.ts';
import { add, aMessage, anEvent, ORG, storedRow } from '../support/background/outbox.ts';
import { newId } from '../support/database/ids.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { sendingProcess, TAKEN, type SendingProcess } from '../support/background/outbox-worker.ts';
import { sweepingProcess, type SweepingProcess } from '../support/background/sweeper.ts';
import { insertShop } from '../support/database/rows.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;
const RESTORED_AT = Date.UTC(2026, 10, 20, 18);

let original: World;
let backup: Buffer;

beforeAll(async () => {
  original = await makeWorld({ now: '2026-11-20T17:00:00Z' });
  await insertShop(original.db.kysely, ORG, 'beit-el-bunn');
  await sql`
    insert into webhook_target (org_id, id, url, secret_hash, created_at)
    values (${ORG}, ${TARGET}, 'https://till.example/hooks', '\\x00', '2026-11-20T17:00:00Z')
  `.execute(original.db.kysely);
  await add(original.db, [WAITING, EVENT], original.now);
  await sql`
    insert into otp_phone (phone, updated_at) values (${KARIM.phone}, '2026-11-01T00:00:00Z')
  `.execute(original.db.kysely);
  backup = await backupOf(original.database.owner);
});

afterAll(() => original.close());

const TARGET = newId();
const WAITING = aMessage(newId());
const EVENT = anEvent(newId(), TARGET);

interface Copy {
  readonly database: TestDatabase;
  readonly world: World;
  readonly outbox: SendingProcess;
  readonly sweeping: SweepingProcess;
  readonly sent: Uuid[];
}
let copy: Copy;

beforeEach(async () => {
  const database = await emptyDatabase();
  await restored(database.connection, backup);
  const world = await makeWorld({ database, now: new Date(RESTORED_AT + MINUTE).toISOString() });
  const sent: Uuid[] = [];
  const outbox = sendingProcess(
    ({ id }) => {
      sent.push(id);
      return TAKEN;
    },
    { now: () => world.now },
    database.connection,
  );
  copy = { database, world, outbox, sweeping: sweepingProcess(world), sent };
});

afterEach(async () => {
  await copy.outbox.close();
  await copy.sweeping.close();
  await copy.world.close();
  await copy.database.release();
});

/** Expired phone rows, whose removal shows that the sweeper ran. */
const expiredPhones = async ({ db }: World): Promise<number> =>
  (await sql`select from otp_phone where updated_at < '2026-11-02T00:00:00Z'`.execute(db.kysely)).rows.length;

const ready = async (): Promise<unknown> => (await copy.world.get('/ready')).body;

const askCode = () => post(copy.world, '/public/otp/request', { phone: MONA.typed });

test('a restored copy neither sends nor sweeps, serves requests and has sending off in /ready', async () => {
  const { world, outbox, sweeping, sent } = copy;
  await outbox.worker.drain();
  await sweeping.sweeper.sweep();
  const code = await askCode();
  expect([code.status, code.headers['retry-after']]).toEqual([503, undefined]);
  expect(code.body).toMatchObject({ error: expect.stringMatching(/./) as string });
  expect([sent, world.phones.codes, await expiredPhones(world)]).toEqual([[], [], 1]);
  expect(await storedRow(world.db, WAITING)).toMatchObject({ status: 'waiting', attempts: 0 });
  expect(await ready()).toEqual({ status: 'ready', sending: 'off' });
  expect((await world.get('/public/orgs/brand?slug=beit-el-bunn')).status).toBe(200);

  expect((await original.get('/ready')).body).toEqual({ status: 'ready' });
  expect((await post(original, '/public/otp/request', { phone: MONA.typed })).status).toBe(200);
  expect(original.phones.codes).toHaveLength(1);
});

test('a restored copy that is switched on parks its restored rows and sends later ones', async () => {
  const { world, outbox, sweeping, sent } = copy;
  // Tried while it was silent, twenty minutes ago and just now.
  const [stale, fresh] = [aMessage(newId()), aMessage(newId())];
  world.now += 20 * MINUTE;
  await add(world.db, [stale], world.now - STALE_AFTER_MS);
  await add(world.db, [fresh], world.now - STALE_AFTER_MS + 1);
  expect(await switchSendingOn(world.app)).toMatchObject({ was: { reason: 'restored' }, parked: 3 });
  const next = aMessage(newId());
  await add(world.db, [next], world.now);
  await outbox.worker.drain();
  expect(sent.sort()).toEqual([fresh.id, next.id].sort());
  for (const row of [WAITING, EVENT, stale])
    expect(await storedRow(world.db, row)).toMatchObject({
      ...{ status: 'parked', attempts: 0, reason: 'it waited while sending was off' },
    });
  await sweeping.sweeper.sweep();
  expect(await expiredPhones(world)).toBe(0);
  expect((await askCode()).status).toBe(200);
  expect(await ready()).toEqual({ status: 'ready' });
  expect(await switchSendingOn(world.app)).toEqual({ was: null, parked: 0 });
});

test('restored rows are parked also when sending is switched on a minute after the restore', async () => {
  const { world, outbox, sent } = copy;
  await sql`update outbox set waiting_since = ${new Date(RESTORED_AT)}`.execute(world.db.kysely);
  expect((await switchSendingOn(world.app)).parked).toBe(2);
  await outbox.worker.drain();
  expect(sent).toEqual([]);
});

test('switched-off sending stops at once, and recent rows are sent after it is switched on', async () => {
  const { world, outbox, sent } = copy;
  await switchSendingOn(world.app);
  await switchSendingOff(world.app);
  await switchSendingOff(world.app);
  const row = aMessage(newId());
  await add(world.db, [row], world.now);
  world.now += 14 * MINUTE;
  await outbox.worker.drain();
  expect([sent, (await askCode()).status, await ready()]).toEqual([
    ...[[], 503, { status: 'ready', sending: 'off' }],
  ]);
  expect((await switchSendingOn(world.app)).was).toMatchObject({ reason: 'command' });
  await outbox.worker.drain();
  expect(sent).toEqual([row.id]);
});

test('a start with SENDING=on ends a restored copy’s silence, but not one set by command', async () => {
  const { app } = copy.world;
  expect((await endRestoredSilence(app)).was).toMatchObject({ reason: 'restored' });
  await switchSendingOff(app);
  expect(await endRestoredSilence(app)).toEqual({ was: null, parked: 0 });
  expect(await ready()).toEqual({ status: 'ready', sending: 'off' });
});

test('a copy restored from the backup of a copy that sends is silent', async () => {
  await switchSendingOn(copy.world.app);
  const other = await emptyDatabase();
  await restored(other.connection, await backupOf(copy.database.owner));
  const world = await makeWorld({ database: other });
  expect((await world.get('/ready')).body).toEqual({ status: 'ready', sending: 'off' });
  await world.close();
  await other.release();
});
