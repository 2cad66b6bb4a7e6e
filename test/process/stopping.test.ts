/** Graceful shutdown: running answers finish and no process remains, for any signal at any time. */
import type pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { aShopFile, branchId } from '../support/shops/cafe.ts';
import { useProgram, connectTo, eventually, processesOf } from '../support/programs/program.ts';

const bench = useProgram('file', 'embedded');
const MENU = `/public/branches/${branchId()}/menu`;

beforeAll(async () => {
  const { code } = await bench.ahwa(['import', '-'], {}, JSON.stringify(aShopFile()));
  expect(code).toBe(0);
});

/** Requests and commands that wait for a lock, without the server's background work. */
const WAITING = `
  select from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and a.application_name <> 'ahwa background'`;

/** Blocks reads of branches until `unlock`. */
const holdBranches = async (): Promise<{ unlock: () => Promise<unknown>; waiting: () => Promise<true> }> => {
  const client: pg.Client = await connectTo(bench.dataDir());
  onTestFinished(() => client.end().catch(() => undefined));
  await client.query('begin');
  await client.query('lock table branch in access exclusive mode');
  const waiting = async (): Promise<true | null> => {
    // Within a transaction the list of sessions is cached.
    await client.query('select pg_stat_clear_snapshot()');
    return (await client.query(WAITING)).rowCount === 0 ? null : true;
  };
  return {
    unlock: () => client.query('commit'),
    waiting: () => eventually(waiting, 'an answer to be under way'),
  };
};

const expectNoProcess = (): void => expect(processesOf(bench.dataDir())).toEqual([]);

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s', (signal) => {
  test('lets a running answer finish, exits with code 0 and leaves no process', async () => {
    const server = await bench.serve();
    const held = await holdBranches();
    const answer = server.get(MENU);
    await held.waiting();
    server.signal(signal);
    await eventually(
      () => (server.stderr().includes(`ahwa: ${signal}: finishing`) ? true : null),
      'the signal',
    );
    await held.unlock();
    const { status, headers } = await answer;
    expect([status, headers.connection]).toEqual([200, 'close']);
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
    expectNoProcess();
  });
});

test('a signal during the start stops the server after the start', async () => {
  const server = bench.launch();
  await eventually(() => (processesOf(bench.dataDir()).length > 0 ? true : null), 'PostgreSQL to start');
  server.signal('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  expectNoProcess();
});

test('a second signal ends server and PostgreSQL at once', async () => {
  const server = await bench.serve();
  const held = await holdBranches();
  const answered = server.get(MENU).then(
    ({ status }) => status,
    () => 'cut off',
  );
  await held.waiting();
  server.signal('SIGINT');
  await eventually(() => (server.stderr().includes('finishing') ? true : null), 'the first signal');
  expect(server.hasEnded()).toBe(false);
  server.signal('SIGINT');
  expect(await server.ended).toMatchObject({ code: 1 });
  expect(['cut off', 503]).toContain(await answered);
  expectNoProcess();
});

test('an interrupted command changes no data and leaves no process', async () => {
  const file = aShopFile({ name: { ar: 'اسم آخر', en: 'Another name' } });
  const first = await bench.serve();
  const held = await holdBranches();
  const command = bench.command(['import', '-'], {}, JSON.stringify(file));
  await held.waiting();
  command.signal('SIGINT');
  expect(await command.ended).toMatchObject({ code: 130 });
  await held.unlock();
  const { body } = await first.get('/public/orgs/brand?slug=beit-el-bunn');
  expect(body).toMatchObject({ name: 'بيت البن' });
  first.signal('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0 });
  expectNoProcess();
});

test('a server with a closed output pipe still stops with code 0', async () => {
  const server = await bench.serve();
  server.closeOutput();
  server.signal('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  expectNoProcess();
});
