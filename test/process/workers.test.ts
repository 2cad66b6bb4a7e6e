/** `WORKERS`: several processes answer on one port, each is replaced when it ends, and the launcher outlives them all. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { Agent, get as request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anOrder } from '../support/people/guests.ts';
import { freePort } from '../support/programs/free-port.ts';
import { retryingClient } from '../support/programs/order-load.ts';
import {
  connectTo,
  eventually,
  postgresOf,
  processesOf,
  useProgram,
  type Server,
  type Settings,
} from '../support/programs/program.ts';
import { ends, gone, serveWorkers, workersOf } from '../support/programs/workers.ts';
import { httpRequest } from '../support/server/http-client.ts';
import { aBranch, aShopFile, branchId } from '../support/shops/cafe.ts';

const bench = useProgram('test', 'embedded');
/** Orders without a code. */
const SHOP = aShopFile({ branches: [aBranch({ otp_required: false })] });
/** The café is open. */
const CLOCK_START = '2030-01-01T10:00:00Z';
const MENU = `/public/branches/${branchId()}/menu`;

const serve = (settings: Settings = {}): Promise<Server> => serveWorkers(bench, { CLOCK_START, ...settings });

const importShop = async (): Promise<void> => {
  const { code, stderr } = await bench.ahwa(['import', '-'], {}, JSON.stringify(SHOP));
  expect([code, stderr]).toEqual([0, expect.anything()]);
};

/** An answer that waits for a locked table until it is released: its status, or that it was cut off. */
const heldAnswer = async (server: Server) => {
  const held = await connectTo(bench.dataDir());
  onTestFinished(() => held.end().catch(() => undefined));
  await importShop();
  await held.query('begin');
  await held.query('lock table branch in access exclusive mode');
  const answered = server.get(MENU).then(
    ({ status }) => status,
    () => 'cut off',
  );
  await eventually(async () => {
    await held.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await held.query(
      `select from pg_locks l join pg_stat_activity a using (pid)
       where not l.granted and a.application_name <> 'ahwa background'`,
    );
    return rowCount === 0 ? null : true;
  }, 'an answer to be under way');
  const release = async (): Promise<void> => {
    await held.query('commit');
    await held.end();
  };
  return { answered, release };
};

describe('two workers', () => {
  test('are processes of their own on one port, which end with the launcher and leave nothing', async () => {
    const server = await serve();
    const workers = workersOf(server);
    expect(new Set([server.pid, ...workers]).size).toBe(3);
    expect(new Set(server.log().flatMap(({ msg, port }) => (msg === 'listening' ? [port] : [])))).toEqual(
      new Set([server.port]),
    );
    expect((await server.get('/ready')).status).toBe(200);
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
    await gone(workers);
    expect(ends(server)).toEqual([]);
    expect(processesOf(bench.dataDir())).toEqual([]);
  });

  test('one that is killed in a rush loses nothing, and another takes its place', async () => {
    const server = await serve();
    await importShop();
    const client = retryingClient(() => server.port);
    const placed = Array.from({ length: 60 }, async (_, n) => {
      if (n === 20) process.kill(workersOf(server)[n % 2] ?? 0, 'SIGKILL');
      return client.postUntilAnswered('/public/delivery-orders', anOrder(), {
        'idempotency-key': `rush ${n}`,
      });
    });
    const orders = await Promise.all(placed);
    expect(orders.map(({ status }) => status).filter((status) => status !== 201 && status !== 200)).toEqual(
      [],
    );
    await eventually(() => (workersOf(server).length === 3 ? true : null), 'the replacement');
    expect(ends(server)).toMatchObject([{ level: 'warn', signal: 'SIGKILL', replaced_in_ms: 100 }]);
    const ids = orders.map(({ body }) => (body as { id: string }).id);
    expect(new Set(ids).size).toBe(60);
    for (const id of ids) expect((await server.get(`/public/delivery-orders/${id}/track`)).status).toBe(200);
    const database = await connectTo(bench.dataDir());
    onTestFinished(() => database.end());
    const { rows } = await database.query('select id from delivery_order');
    expect(rows.map(({ id }) => String(id)).sort()).toEqual(ids.toSorted());
  });

  test('one that ends again and again is replaced later each time, and the other answers', async () => {
    const server = await serve();
    const [, second = 0] = workersOf(server);
    let victim = second;
    for (let deaths = 1; deaths <= 4; deaths += 1) {
      process.kill(victim, 'SIGKILL');
      await eventually(() => (workersOf(server).length === 2 + deaths ? true : null), 'the replacement');
      expect((await server.get('/health')).status).toBe(200);
      victim = workersOf(server).at(-1) ?? 0;
    }
    expect(ends(server).map(({ replaced_in_ms: ms }) => ms)).toEqual([100, 200, 400, 800]);
  });

  test('print their figures together, and what a worker has counted stays when it ends', async () => {
    const metricsPort = await freePort();
    const server = await serve({ METRICS_PORT: String(metricsPort) });
    const figureOf = async (name: string): Promise<number> => {
      const { text } = await httpRequest(metricsPort, '/metrics');
      const line = text.split('\n').find((one) => one.startsWith(`${name} `)) ?? '';
      return Number(line.slice(name.length));
    };
    const answered = () => figureOf('ahwa_http_requests_total{operation="health",status="200"}');
    for (let n = 0; n < 20; n += 1) await server.get('/health');
    expect([await figureOf('ahwa_workers'), await answered()]).toEqual([2, 20]);
    process.kill(workersOf(server)[1] ?? 0, 'SIGKILL');
    await eventually(() => (workersOf(server).length === 3 ? true : null), 'the replacement');
    await server.get('/health');
    await eventually(async () => ((await figureOf('ahwa_workers')) === 2 ? true : null), 'the new worker');
    expect(await answered()).toBe(21);
  });

  test('the first is replaced by one that does its work: sweeps, outbox', async () => {
    const server = await serve({ OTP_SENDER: 'file', OTP_FILE: `${bench.dataDir()}/messages.jsonl` });
    await importShop();
    process.kill(workersOf(server)[0] ?? 0, 'SIGKILL');
    await eventually(() => (workersOf(server).length === 3 ? true : null), 'the replacement');
    const client = retryingClient(() => server.port);
    const { status } = await client.postUntilAnswered('/public/delivery-orders', anOrder(), {
      'idempotency-key': 'after the first',
    });
    expect(status).toBe(201);
    await eventually(async () => {
      const { stdout } = await bench.ahwa(['outbox', 'list']);
      return stdout.includes('waiting') ? null : true;
    }, 'the outbox to be sent');
  });
});

describe('without its launcher', () => {
  test('a worker finishes its answers and ends, and PostgreSQL with the last one', async () => {
    const server = await serve();
    const workers = workersOf(server);
    expect(postgresOf(bench.dataDir())).not.toBeNull();
    const { answered, release } = await heldAnswer(server);
    server.signal('SIGKILL');
    await release();
    expect(await answered).toBe(200);
    await gone(workers);
    await eventually(() => (processesOf(bench.dataDir()).length === 0 ? true : null), 'PostgreSQL to end');
  });

  test('workers that are still starting end too, and PostgreSQL with them', async () => {
    const server = bench.launch({ WORKERS: '2' });
    await eventually(() => (postgresOf(bench.dataDir()) === null ? null : true), 'PostgreSQL to start');
    const client = await eventually(
      () => connectTo(bench.dataDir()).catch(() => null),
      'PostgreSQL to answer',
    );
    const workers = `select from pg_stat_activity where application_name like 'ahwa%' and pid <> pg_backend_pid()`;
    await eventually(async () => ((await client.query(workers)).rowCount === 0 ? null : true), 'a worker');
    await client.end();
    server.signal('SIGKILL');
    await eventually(
      () => (processesOf(bench.dataDir()).length === 0 ? true : null),
      'PostgreSQL to end',
      60_000,
    );
  });
});

test('a worker of a build for whose tables nobody has migrated takes no place', async () => {
  const server = await serve({ MIGRATE_ON_START: 'false' });
  const [first, second = 0] = workersOf(server);
  const database = await connectTo(bench.dataDir());
  onTestFinished(() => database.end());
  await database.query('delete from migration where id = (select max(id) from migration)');
  process.kill(second, 'SIGKILL');
  await eventually(() => (server.stderr().includes('run `ahwa migrate`') ? true : null), 'the refusal');
  expect(workersOf(server)).toEqual([first, second]);
  expect(await server.get('/health')).toMatchObject({ status: 200 });
});

describe('a stop', () => {
  test('goes before workers that wait for their idle connections', async () => {
    const server = await serve();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const idle = () =>
      new Promise((resolve) => {
        request({ port: server.port, path: '/health', agent }, (response) => {
          response.resume().once('end', resolve);
        }).once('error', resolve);
      });
    await Promise.all([idle(), idle(), idle(), idle()]);
    server.signal('SIGHUP');
    await eventually(() => (workersOf(server).length === 3 ? true : null), 'the first replacement');
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(server.log().filter(({ msg }) => msg === 'all workers are replaced')).toEqual([]);
    expect(processesOf(bench.dataDir())).toEqual([]);
  });

  test('that is asked for twice ends all at once, and PostgreSQL', async () => {
    const server = await serve();
    const { answered } = await heldAnswer(server);
    server.signal('SIGTERM');
    await eventually(() => (server.stderr().includes('finishing') ? true : null), 'the first signal');
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 1 });
    expect(['cut off', 503]).toContain(await answered);
    expect(processesOf(bench.dataDir())).toEqual([]);
  });
});

describe('a start', () => {
  test('whose first worker fails says why once, and ends', async () => {
    const { code, stderr } = await bench.launch({
      WORKERS: '2',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    }).ended;
    expect(code).toBe(1);
    expect(stderr.split('\n').filter((line) => line.includes('127.0.0.1:1'))).toHaveLength(1);
    expect(stderr).not.toContain('Error:');
  });

  test('another program that runs the server as its own cluster worker is told to use WORKERS', async () => {
    cluster.setupPrimary({ exec: 'dist/main.js', silent: true });
    const { process: worker } = cluster.fork({ DATA_DIR: bench.dataDir() });
    if (worker.stderr === null) throw new Error('A silent worker has a standard error of its own.');
    const ended = once(worker, 'exit') as Promise<[code: number]>;
    const stderr = await text(worker.stderr);
    const [code] = await ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('set WORKERS')]);
  });

  test('of a worker whose launcher is of a build with other messages asks for a restart', async () => {
    cluster.setupPrimary({ exec: 'dist/main.js', args: ['worker'], silent: true });
    const worker = cluster.fork({ DATA_DIR: bench.dataDir() });
    const { stderr } = worker.process;
    if (stderr === null) throw new Error('A silent worker has a standard error of its own.');
    worker.once('message', () => worker.send({ kind: 'start', port: 0, isFirst: true, isInitial: false }));
    const ended = once(worker, 'exit') as Promise<[code: number]>;
    const said = await text(stderr);
    expect([(await ended)[0], said]).toEqual([1, expect.stringContaining('restart the server')]);
  });

  test('that is interrupted ends with all of its workers', async () => {
    const server = bench.launch({ WORKERS: '3' });
    await eventually(() => (postgresOf(bench.dataDir()) === null ? null : true), 'PostgreSQL to start');
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(processesOf(bench.dataDir())).toEqual([]);
  });
});

test('the clock goes on from CLOCK_START when all workers have ended', async () => {
  const server = await serve();
  await importShop();
  const client = retryingClient(() => server.port);
  const placedAt = async (key: string): Promise<number> => {
    const { body } = await client.postUntilAnswered('/public/delivery-orders', anOrder(), {
      'idempotency-key': key,
    });
    return Date.parse((body as { created_at: string }).created_at);
  };
  const before = await placedAt('before');
  for (const pid of workersOf(server)) process.kill(pid, 'SIGKILL');
  await eventually(() => (workersOf(server).length === 4 ? true : null), 'the replacements');
  const after = await placedAt('after');
  expect(new Date(before).getUTCFullYear()).toBe(2030);
  expect(after).toBeGreaterThan(before);
});
