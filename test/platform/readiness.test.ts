/** The checks of /ready and their log lines. */
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { diskCheck } from '../../src/adapters/disk.ts';
import { systemTimers } from '../../src/adapters/timers.ts';
import { createReadiness, type ReadinessCheck } from '../../src/platform/app/readiness.ts';
import { asOwner, withAdmin } from '../support/database/test-database.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const recordingLog = () => {
  const lines: object[] = [];
  const note = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, ...fields, message });
  return { lines, log: { info: note('info'), warn: note('warn') } };
};

test('/ready is 503 while the database is read-only, and 200 afterwards', async () => {
  const { connection } = world.database;
  const name = 'url' in connection ? new URL(connection.url).pathname.slice(1) : connection.database;
  await asOwner(world.database, `alter database ${name} set default_transaction_read_only = on`);
  // Existing sessions keep the old setting.
  const other = await makeWorld({ database: world.database });
  expect((await other.get('/ready')).status).toBe(503);
  const lines = other.logged.map((line) => JSON.parse(line) as object);
  expect(lines.filter((line) => 'check' in line)).toEqual([
    {
      ...{ level: 'warn', check: 'writes', message: 'not ready: /ready answers 503' },
      reason: 'the database takes no writes: it is a standby, or set read-only',
    },
  ]);
  await other.close();
  await withAdmin(inject('testServer'), (client) =>
    client.query(`alter database ${name} reset default_transaction_read_only`),
  );
  const again = await makeWorld({ database: world.database });
  expect((await again.get('/ready')).body).toEqual({ status: 'ready' });
  await again.close();
});

test('a readiness check is logged once when it fails and once when it passes again', async () => {
  const { lines, log } = recordingLog();
  const fault: { says: () => string | null } = { says: () => null };
  const checks: readonly ReadinessCheck[] = [
    { name: 'steady', fault: () => null },
    { name: 'gauge', fault: () => fault.says() },
  ];
  const sending = { silence: () => Promise.resolve(null) };
  const time = { ms: 0 };
  const monotonic = (): number => (time.ms += 1_000);
  const readiness = createReadiness({ checks, sending, log, monotonic, timers: systemTimers });
  expect((await readiness.check()).failing).toEqual([]);
  fault.says = () => 'it has not come back to zero';
  expect((await Promise.all([readiness.check(), readiness.check()])).map(({ failing }) => failing)).toEqual([
    ['gauge'],
    ['gauge'],
  ]);
  fault.says = () => {
    throw new Error('nobody answers');
  };
  expect((await readiness.check()).failing).toEqual(['gauge']);
  fault.says = () => null;
  expect((await readiness.check()).failing).toEqual([]);
  expect(lines).toEqual([
    {
      ...{ level: 'warn', check: 'gauge', message: 'not ready: /ready answers 503' },
      reason: 'it has not come back to zero',
    },
    { level: 'info', check: 'gauge', message: 'the readiness check passes again' },
  ]);
});

test('concurrent readiness checks are coalesced into one run every 100 ms', async () => {
  const time = { ms: 0, asked: 0 };
  const waits: { ms: number; go: () => void }[] = [];
  const readiness = createReadiness({
    checks: [{ name: 'counted', fault: () => ((time.asked += 1) > 0 ? null : 'never') }],
    sending: { silence: () => Promise.resolve(null) },
    log: recordingLog().log,
    monotonic: () => time.ms,
    timers: { after: (ms, go) => (waits.push({ ms, go }), () => undefined) },
  });
  const manyRequests = () => Promise.all(Array.from({ length: 300 }, () => readiness.check()));
  await manyRequests();
  expect(time.asked).toBe(1);
  time.ms = 40;
  const second = manyRequests();
  while (waits.length === 0) await new Promise((turn) => setImmediate(turn));
  expect([time.asked, waits.map(({ ms }) => ms)]).toEqual([1, [60]]);
  waits[0]?.go();
  await second;
  expect(time.asked).toBe(2);
});

test('the disk check fails below its minimum of free space', async () => {
  expect(await diskCheck('/', 1).fault()).toBeNull();
  expect(await diskCheck('/', Number.MAX_SAFE_INTEGER).fault()).toMatch(
    /^the disk of \/ has \d+ MB left; below \d+ MB/,
  );
  await expect(diskCheck('/nowhere').fault()).rejects.toThrow('ENOENT');
});
