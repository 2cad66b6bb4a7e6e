/** After a process is killed, acknowledged data stays and the rest recovers. */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { withLock } from '../../src/adapters/embedded-postgres/bakery-lock.ts';
import { aShopFile, branchId } from '../support/shops/cafe.ts';
import { useProgram, connectTo, eventually, postgresOf, processesOf } from '../support/programs/program.ts';

const bench = useProgram('file', 'embedded');
const MENU = `/public/branches/${branchId()}/menu`;
const OTHER = `${MENU}?channel=pickup&preview=true`;
const BRAND = '/public/orgs/brand?slug=beit-el-bunn';

beforeAll(async () => {
  const { code } = await bench.ahwa(['import', '-'], {}, JSON.stringify(aShopFile()));
  expect(code).toBe(0);
});

test('after kill -9 of the server the next start adopts its PostgreSQL with the same data', async () => {
  const first = await bench.serve();
  const before = await first.get(MENU);
  const postgres = postgresOf(bench.dataDir());
  first.signal('SIGKILL');
  expect((await first.ended).signal).toBe('SIGKILL');
  const second = await bench.serve();
  expect((await second.get(MENU)).text).toBe(before.text);
  expect(postgresOf(bench.dataDir())).toBe(postgres);
  second.signal('SIGTERM');
  expect((await second.ended).code).toBe(0);
  expect(postgresOf(bench.dataDir())).toBeNull();
});

test('kill -9 of server and PostgreSQL during an import leaves no part of the import', async () => {
  const server = await bench.serve();
  const client = await connectTo(bench.dataDir());
  await client.query('begin');
  await client.query('lock table change in access exclusive mode');
  const file = aShopFile({ name: { ar: 'اسم آخر', en: 'Another name' } });
  const command = bench.command(['import', '-'], {}, JSON.stringify(file));
  await eventually(
    async () =>
      (await client.query('select 1 from pg_locks where not granted')).rowCount === 0 ? null : true,
    'the import to write',
  );
  const postgres = postgresOf(bench.dataDir());
  for (const pid of [postgres, server.pid, command.pid]) if (pid !== null) process.kill(pid, 'SIGKILL');
  await Promise.all([server.ended, command.ended]);
  const next = await bench.serve();
  expect((await next.get(BRAND)).body).toMatchObject({ name: 'بيت البن' });
  next.signal('SIGTERM');
  await next.ended;
});

test('while PostgreSQL is down, cached answers are served and others are 503', async () => {
  const server = await bench.serve();
  const kept = await server.get(MENU);
  const postgres = postgresOf(bench.dataDir());
  if (postgres === null) throw new Error('PostgreSQL runs below the server');
  // The holder of the lock may start PostgreSQL; while the test holds it, PostgreSQL stays down.
  await withLock(join(bench.dataDir(), 'run', 'turns'), async () => {
    process.kill(postgres, 'SIGKILL');
    // Its sessions may answer once more before they see that it has gone.
    await eventually(() => (processesOf(bench.dataDir()).length === 0 ? true : null), 'its sessions to end');
    const away = await server.get(OTHER);
    expect([away.status, Object.keys(away.body as object)]).toEqual([503, ['error']]);
    expect(away.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(away.headers['cache-control']).toBe('no-store');
    expect((await server.get(MENU)).text).toBe(kept.text);
    expect((await server.get('/health')).status).toBe(200);
    expect((await server.get('/ready')).status).toBe(503);
  });

  await eventually(async () => ((await server.get('/ready')).status === 200 ? true : null), 'the recovery');
  expect((await server.get(OTHER)).status).toBe(200);
  expect(server.stderr()).toContain('ahwa: PostgreSQL has ended unexpectedly; starting it again\n');
  expect(server.hasEnded()).toBe(false);
});
