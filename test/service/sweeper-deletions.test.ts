/** Rows that the sweeper deletes and rows that it retains, by age. */
import { sql, type RawBuilder } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { insert, insertShop, type Row } from '../support/database/rows.ts';
import { sweepingProcess, type SweepingProcess } from '../support/background/sweeper.ts';
import { asOwner } from '../support/database/test-database.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ORG = '0a000000-0000-4000-8000-000000000001';
const BRANCH = '0a000000-0000-4000-8000-000000000002';
const PERSON = '0a000000-0000-4000-8000-000000000003';
const DEVICE = '0a000000-0000-4000-8000-000000000004';

let world: World;
let processes: SweepingProcess[] = [];

beforeAll(async () => {
  world = await makeWorld();
  await insertShop(world.db.kysely, ORG, 'beans');
  await insert(world.db.kysely, 'branch', { org_id: ORG, id: BRANCH, name: 'الزمالك', code: 'ZML' });
  await insert(world.db.kysely, 'staff', {
    ...{ org_id: ORG, id: PERSON, name: 'أمينة', role: 'owner', is_active: true },
    created_at: '2026-01-01T00:00:00Z',
  });
  await insert(world.db.kysely, 'staff_device', {
    ...{ org_id: ORG, id: DEVICE, branch_id: BRANCH, label: 'till', pin_failures: 0 },
    ...{ created_at: '2026-01-01T00:00:00Z', paired_at: '2026-01-01T00:00:00Z' },
  });
});
afterAll(() => world.close());

beforeEach(() => {
  processes = [sweepingProcess(world), sweepingProcess(world)];
});
afterEach(() => Promise.all(processes.map((one) => one.close())));

const sweep = async (): Promise<void> => {
  await Promise.all(processes.map(({ sweeper }) => sweeper.sweep()));
};

/** The time `ms` ago; negative values are in the future. */
const ago = (ms: number): string => new Date(world.now - ms).toISOString();

const minuteOf = (moment: string): number => Math.floor(Date.parse(moment) / MINUTE);

const uuidOf = (n: number): string => `0b000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const bytesOf = (n: number): string => `\\x${String(n).padStart(4, '0')}`;

const aSentMessage = (n: number, doneAgo: number | null, status: string): Row => ({
  ...{ org_id: ORG, id: uuidOf(n), kind: 'message', lane: `order:${n}`, subject_id: uuidOf(n), payload: {} },
  ...{ status, attempts: 1, created_at: ago(90 * DAY) },
  ...{ waiting_since: ago(90 * DAY), next_at: ago(90 * DAY) },
  done_at: doneAgo === null ? null : ago(doneAgo),
});

const aWrongPin = (n: number, lastAgo: number): Row => ({
  ...{ org_id: ORG, device_id: DEVICE, staff_id: uuidOf(n), failures: 9, last_at: ago(lastAgo) },
});

const aKnownDevice = (n: number, expiredAgo: number): Row => ({
  ...{ token_hash: bytesOf(n), org_id: ORG, staff_id: PERSON },
  ...{ created_at: ago(90 * DAY), expires_at: ago(expiredAgo) },
});

const aStreamToken = (n: number, expiredAgo: number): Row => ({
  ...{ token_hash: bytesOf(n), session_hash: bytesOf(9), branch_id: BRANCH, expires_at: ago(expiredAgo) },
});

const aDistance = (lat: number, age: number): Row => ({
  ...{ org_id: ORG, branch_id: BRANCH, lat, lng: 31, from_lat: 30, from_lng: 31, meters: 900 },
  ...{ source: 'osrm', measured_at: ago(age) },
});

const anApp = (n: number, createdAt: string, confirmedAt: string | null): Row => ({
  ...{ org_id: ORG, id: uuidOf(n), staff_id: PERSON, kind: 'totp', label: 'TOTP' },
  ...{ sealed_secret: bytesOf(n), key_id: 'key', created_at: createdAt, confirmed_at: confirmedAt },
});

/** Per table: rows to delete, rows to retain, and the column that identifies them. */
const TABLES: readonly {
  readonly what: string;
  readonly table: string;
  readonly column: string;
  readonly go: () => Row[];
  readonly stay: () => Row[];
}[] = [
  {
    what: 'expired device tokens',
    table: 'device_token',
    column: 'phone',
    go: () => [{ token_hash: bytesOf(1), phone: '201', issued_at: ago(90 * DAY), expires_at: ago(0) }],
    stay: () => [{ token_hash: bytesOf(2), phone: '202', issued_at: ago(0), expires_at: ago(-1) }],
  },
  {
    what: 'one-time-code states, 24 hours after the last request, unless a code is valid',
    table: 'otp_phone',
    column: 'phone',
    go: () => [{ phone: '201', updated_at: ago(DAY), code_hash: null, code_expires_at: null }],
    stay: () => [
      { phone: '202', updated_at: ago(DAY - 1), code_hash: null, code_expires_at: null },
      { phone: '203', updated_at: ago(DAY), code_hash: bytesOf(3), code_expires_at: ago(-MINUTE) },
    ],
  },
  {
    what: 'unproven phones after a day, proven phones after 90 days',
    table: 'guest_phone',
    column: 'phone',
    go: () => [
      { phone: '201', known_at: null, told_at: '{}', updated_at: ago(DAY) },
      { phone: '202', known_at: ago(90 * DAY), told_at: '{}', updated_at: ago(DAY) },
    ],
    stay: () => [
      { phone: '203', known_at: null, told_at: '{}', updated_at: ago(DAY - 1) },
      { phone: '204', known_at: ago(90 * DAY - 1), told_at: '{}', updated_at: ago(90 * DAY - 1) },
      { phone: '205', known_at: ago(90 * DAY), told_at: '{}', updated_at: ago(DAY - 1) },
    ],
  },
  {
    what: 'message budgets, two hours after the last use',
    table: 'message_budget',
    column: 'key',
    go: () => [{ key: 'shop:1', minute: minuteOf(ago(2 * HOUR)), counts: '{}', spent_minute: null }],
    stay: () => [
      { key: 'shop:2', minute: minuteOf(ago(2 * HOUR)) + 1, counts: '{}', spent_minute: null },
      { key: 'shop:3', minute: 0, counts: '{}', spent_minute: minuteOf(ago(HOUR)) },
    ],
  },
  {
    what: 'ended lifts of the order brake',
    table: 'order_brake_lift',
    column: 'phone',
    go: () => [{ org_id: ORG, phone: '201', until: ago(0) }],
    stay: () => [{ org_id: ORG, phone: '202', until: ago(-1) }],
  },
  {
    what: 'expired pairing codes, with their devices',
    table: 'staff_device',
    column: 'label',
    go: () => [
      {
        ...{ org_id: ORG, id: uuidOf(1), branch_id: BRANCH, label: 'unused', created_at: ago(HOUR) },
        ...{ pairing_hash: bytesOf(1), pairing_expires_at: ago(0), token_hash: null, paired_at: null },
        pin_failures: 0,
      },
    ],
    stay: () => [
      {
        ...{ org_id: ORG, id: uuidOf(2), branch_id: BRANCH, label: 'waiting', created_at: ago(0) },
        ...{ pairing_hash: bytesOf(2), pairing_expires_at: ago(-1), token_hash: null, paired_at: null },
        pin_failures: 0,
      },
      {
        ...{ org_id: ORG, id: uuidOf(3), branch_id: BRANCH, label: 'paired', created_at: ago(90 * DAY) },
        ...{ pairing_hash: null, pairing_expires_at: null, token_hash: bytesOf(3), paired_at: ago(80 * DAY) },
        pin_failures: 0,
      },
    ],
  },
  {
    what: 'expired staff sessions',
    table: 'staff_session',
    column: 'token_hash',
    go: () => [
      {
        ...{ token_hash: bytesOf(1), org_id: ORG, staff_id: PERSON },
        ...{ created_at: ago(DAY), expires_at: ago(0) },
      },
    ],
    stay: () => [
      {
        ...{ token_hash: bytesOf(2), org_id: ORG, staff_id: PERSON },
        ...{ created_at: ago(DAY), expires_at: ago(-1) },
      },
    ],
  },
  {
    what: 'expired passkey challenges',
    table: 'staff_challenge',
    column: 'challenge_hash',
    go: () => [
      {
        ...{ challenge_hash: bytesOf(1), org_id: ORG, staff_id: PERSON, purpose: 'sign_in' },
        expires_at: ago(0),
      },
    ],
    stay: () => [
      {
        ...{ challenge_hash: bytesOf(2), org_id: ORG, staff_id: PERSON, purpose: 'sign_in' },
        expires_at: ago(-1),
      },
    ],
  },
  {
    what: 'authenticator apps not confirmed within an hour',
    table: 'staff_factor',
    column: 'id',
    go: () => [anApp(1, ago(HOUR), null)],
    stay: () => [anApp(2, ago(200 * DAY), ago(0))],
  },
  {
    what: 'wrong passwords after 15 minutes',
    table: 'sign_in_failure',
    column: 'key_hash',
    go: () => [{ key_hash: bytesOf(1), failures: '{}', updated_at: ago(15 * MINUTE) }],
    stay: () => [{ key_hash: bytesOf(2), failures: '{}', updated_at: ago(15 * MINUTE - 1) }],
  },
  {
    what: 'wrong passwords of an account after 3 hours 45 minutes',
    table: 'account_failure',
    column: 'key_hash',
    go: () => [{ key_hash: bytesOf(1), failures: 15, updated_at: ago(15 * 15 * MINUTE) }],
    stay: () => [{ key_hash: bytesOf(2), failures: 1, updated_at: ago(15 * 15 * MINUTE - 1) }],
  },
  {
    what: 'wrong PINs of a person after a day',
    table: 'staff_pin_failure',
    column: 'staff_id',
    go: () => [aWrongPin(1, DAY)],
    stay: () => [aWrongPin(2, DAY - 1)],
  },
  {
    what: 'known devices after 90 days',
    table: 'known_device',
    column: 'token_hash',
    go: () => [aKnownDevice(1, 0)],
    stay: () => [aKnownDevice(2, -1)],
  },
  {
    what: 'stream tokens after their minute',
    table: 'stream_token',
    column: 'token_hash',
    go: () => [aStreamToken(1, 0)],
    stay: () => [aStreamToken(2, -1)],
  },
  {
    what: 'idempotency keys after 48 hours',
    table: 'idempotency_key',
    column: 'key',
    go: () => [anIdempotencyKey('old', 2 * DAY + 1)],
    stay: () => [anIdempotencyKey('kept', 2 * DAY)],
  },
  {
    what: 'distances by road after 24 hours',
    table: 'road_distance',
    column: 'lat',
    go: () => [aDistance(30.1, DAY)],
    stay: () => [aDistance(30.2, DAY - 1)],
  },
  {
    what: 'sent, dropped and parked outbox rows after 30 days, not waiting ones',
    table: 'outbox',
    column: 'id',
    go: () => [
      aSentMessage(1, 30 * DAY + 1, 'sent'),
      aSentMessage(2, 31 * DAY, 'dropped'),
      aSentMessage(3, 30 * DAY + 1, 'parked'),
    ],
    stay: () => [
      aSentMessage(4, 30 * DAY, 'sent'),
      aSentMessage(5, 30 * DAY, 'parked'),
      aSentMessage(6, null, 'waiting'),
    ],
  },
];

const anIdempotencyKey = (key: string, age: number): Row => ({
  ...{
    org_id: ORG,
    operation: 'order',
    key,
    body_hash: '\\x00',
    subject_id: uuidOf(1),
    created_at: ago(age),
  },
});

/** Remaining rows of a table, by one column. */
const leftIn = async (table: string, column: string): Promise<string[]> => {
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)}::text as value from ${sql.table(table)} order by 1
  `.execute(world.db.kysely);
  return rows.map(({ value }) => value);
};

test.each(TABLES)('the sweeper deletes: $what', async ({ table, column, go, stay }) => {
  await insert(world.db.kysely, table, ...stay());
  const kept = await leftIn(table, column);
  await insert(world.db.kysely, table, ...go());
  expect(await leftIn(table, column)).not.toEqual(kept);
  await sweep();
  expect(await leftIn(table, column)).toEqual(kept);
  expect(processes.flatMap(({ logged }) => logged)).toEqual([]);
});

/** Expired rows for each table; `n` counts them. */
const MANY: Readonly<Record<string, RawBuilder<unknown>>> = {
  device_token: sql`(token_hash, phone, issued_at, expires_at) select n::text::bytea, 'many', since, since`,
  otp_phone: sql`(phone, updated_at) select 'many-' || n, since`,
  guest_phone: sql`(phone, updated_at) select 'many-' || n, since`,
  message_budget: sql`(key, minute, counts) select 'many-' || n, 0, '{}'`,
  order_brake_lift: sql`(org_id, phone, until) select ${ORG}, 'many-' || n, since`,
  staff_device: sql`(org_id, id, branch_id, label, pairing_hash, pairing_expires_at, created_at)
    select ${ORG}, md5(n::text)::uuid, ${BRANCH}, 'many', n::text::bytea, since, since`,
  staff_session: sql`(token_hash, org_id, staff_id, created_at, expires_at)
    select n::text::bytea, ${ORG}, ${PERSON}, since, since`,
  staff_challenge: sql`(challenge_hash, org_id, staff_id, purpose, expires_at)
    select n::text::bytea, ${ORG}, ${PERSON}, 'sign_in', since`,
  // A person has at most one unconfirmed authenticator app, but any number of passkeys.
  staff_factor: sql`(org_id, id, staff_id, kind, label, credential_id, public_key, sign_count, transports, created_at)
    select ${ORG}, md5(n::text)::uuid, ${PERSON}, 'passkey', 'many', n::text::bytea, '\\x00', 0, '{}', since`,
  sign_in_failure: sql`(key_hash, updated_at) select n::text::bytea, since`,
  account_failure: sql`(key_hash, updated_at) select n::text::bytea, since`,
  staff_pin_failure: sql`(org_id, device_id, staff_id, failures, last_at)
    select ${ORG}, ${DEVICE}, md5(n::text)::uuid, 1, since`,
  known_device: sql`(token_hash, org_id, staff_id, created_at, expires_at)
    select n::text::bytea, ${ORG}, ${PERSON}, since, since`,
  stream_token: sql`(token_hash, session_hash, branch_id, expires_at)
    select n::text::bytea, '\\x00', ${BRANCH}, since`,
  idempotency_key: sql`(org_id, operation, key, body_hash, subject_id, created_at)
    select ${ORG}, 'order', n::text, '\\x00', ${ORG}, since`,
  road_distance: sql`(org_id, branch_id, lat, lng, from_lat, from_lng, meters, source, measured_at)
    select ${ORG}, ${BRANCH}, n / 100.0, 31, 30, 31, 900, 'osrm', since`,
  outbox: sql`(org_id, id, kind, lane, subject_id, payload, status, created_at, waiting_since, next_at, done_at)
    select ${ORG}, md5(n::text)::uuid, 'message', n::text, ${ORG}, '{}', 'parked', since, since, since, since`,
};

test.each(TABLES)(
  '2,500 expired rows are deleted in one round, at most 1,000 per statement: $what',
  async ({ table, column }) => {
    const kept = await leftIn(table, column);
    const since = ago(200 * DAY);
    await sql`
    insert into ${sql.table(table)} ${MANY[table] ?? sql``}
    from (select n, ${since}::timestamptz as since from generate_series(1, 2500) n) many
  `.execute(world.db.kysely);
    // The database rejects a statement that deletes more than 1,000 rows.
    await asOwner(
      world.database,
      `create function at_most_a_thousand() returns trigger language plpgsql as $$
    begin
      if (select count(*) from gone) > 1000 then raise exception 'too many rows for one statement'; end if;
      return null;
    end $$;
    create trigger bounded after delete on ${table} referencing old table as gone
    for each statement execute function at_most_a_thousand()`,
    );
    await sweep();
    await asOwner(world.database, 'drop function at_most_a_thousand cascade');
    expect(processes.flatMap(({ logged }) => logged)).toEqual([]);
    expect(await leftIn(table, column)).toEqual(kept);
  },
);

test('expired rows are deleted once an hour', async () => {
  await sweep();
  await insert(world.db.kysely, 'idempotency_key', anIdempotencyKey('later', 3 * DAY));
  const isThere = async () => (await leftIn('idempotency_key', 'key')).includes('later');
  world.now += HOUR - 1;
  await sweep();
  expect(await isThere()).toBe(true);
  world.now += 1;
  await sweep();
  expect(await isThere()).toBe(false);
});

test('a locked row is skipped without waiting and deleted in the next round', async () => {
  await insert(world.db.kysely, 'otp_phone', { phone: '209', updated_at: ago(2 * DAY) });
  await world.db.tx(async (tx) => {
    await sql`select from otp_phone where phone = '209' for update`.execute(tx);
    await sweep();
  });
  expect(await leftIn('otp_phone', 'phone')).toContain('209');
  world.now += HOUR;
  await sweep();
  expect(await leftIn('otp_phone', 'phone')).not.toContain('209');
});
