/** Health, readiness and metrics. */
import { createServer } from 'node:net';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { withoutDatabase } from '../support/programs/database-line.ts';
import { httpRequest } from '../support/server/http-client.ts';
import { freePort } from '../support/programs/free-port.ts';
import { emptyDatabase } from '../support/database/test-database.ts';
import { useProgram, urlOf } from '../support/programs/program.ts';

const bench = useProgram('test', 'shared');

/** A port of another program. */
const takenPort = async (port = 0): Promise<number> => {
  const other: TcpServer = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
};

test('a server without tables is up but not ready until `ahwa migrate` has run', async () => {
  const database = await emptyDatabase();
  onTestFinished(() => database.release());
  const settings = { DATABASE_URL: urlOf(database.connection), MIGRATE_ON_START: 'false', DEMO: 'true' };
  const server = await bench.serve(settings);
  expect((await server.get('/health')).body).toEqual({ status: 'up' });
  const early = await server.get('/ready');
  expect([early.status, Object.keys(early.body as object)]).toEqual([503, ['error']]);
  expect(early.headers['retry-after']).toMatch(/^\d+$/);

  const refused = await bench.ahwa(['export', 'zawya'], settings);
  expect([refused.code, withoutDatabase(refused.stderr)]).toEqual([
    1,
    expect.stringMatching(/^ahwa: There are no tables of Ahwa in .+; `ahwa migrate`, .+ make them\.\n$/),
  ]);
  const migrated = await bench.ahwa(['migrate'], settings);
  expect([migrated.code, withoutDatabase(migrated.stderr)]).toEqual([
    0,
    expect.stringMatching(
      /^ahwa: migration 0001_\w+\n(ahwa: migration .*\n)*ahwa: the tables are up to date\n$/,
    ),
  ]);
  expect((await server.get('/ready')).body).toEqual({ status: 'ready' });
});

test('metrics are served on their own port only', async () => {
  const port = await freePort();
  const server = await bench.serve({ METRICS_PORT: String(port) });
  await server.get('/health');
  await fetch(`http://127.0.0.1:${server.port}/public/otp/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '0100 123 4567' }),
  });
  const metrics = await httpRequest(port, '/metrics');
  expect(metrics.status).toBe(200);
  expect(metrics.text).toMatch(/^ahwa_message_budget_spent\{budget="\+20"\} 1$/m);
  expect(metrics.text).toMatch(/^ahwa_message_budget_limit\{budget="shop"\} 500$/m);
  expect(metrics.text).toMatch(/^ahwa_seating_undecided_total\{use="booking"\} 0$/m);
  expect(metrics.text).toMatch(/^ahwa_seating_decided_total\{use="ahead"\} 0$/m);
  expect(metrics.text).toMatch(/^ahwa_http_requests_total\{operation="health",status="200"\} 1$/m);
  expect((await httpRequest(port, '/health')).status).toBe(404);
  expect((await server.get('/metrics')).status).toBe(404);
});

test('a taken default port of the metrics is skipped; a taken METRICS_PORT stops the start', async () => {
  await takenPort(9464).catch(() => undefined);
  const server = await bench.serve({ METRICS_PORT: '' });
  expect(server.stderr()).toMatch(
    /^ahwa: no metrics: 127\.0\.0\.1:9464 is taken by another program; set METRICS_PORT to another\.$/m,
  );
  expect(server.log().at(-1)).toMatchObject({ metrics_port: null });

  const port = await takenPort();
  const refused = await bench.launch({ METRICS_PORT: String(port) }).ended;
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `ahwa: 127.0.0.1:${port} is taken by another program; set METRICS_PORT to another.\n`,
  ]);
  expect((await server.get('/ready')).status).toBe(200);
});

test('an address of another machine stops the start with a message', async () => {
  const { code, stderr } = await bench.launch({ HOST: '192.0.2.1' }).ended;
  expect([code, stderr]).toEqual([
    1,
    'ahwa: 192.0.2.1:0 is not an address of this machine; set HOST to another.\n',
  ]);
});
