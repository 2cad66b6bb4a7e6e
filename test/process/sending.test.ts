/** A restored copy as a program, with the provider listening: it sends nothing until released. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { aShopFile } from '../support/shops/cafe.ts';
import { httpRequest, type Reply } from '../support/server/http-client.ts';
import { KARIM, MONA } from '../support/people/guests.ts';
import { useProgram, eventually, type Server } from '../support/programs/program.ts';
import { openWhatsApp, sendingBy, type WhatsAppServer } from '../support/stand-ins/whatsapp.ts';

const bench = useProgram('file', 'embedded');
const copies = useProgram('test', 'new');
let backup = '';

beforeAll(async () => {
  backup = join(bench.dataDir(), 'ahwa.backup');
  await bench.ahwa(['import', '-'], {}, JSON.stringify(aShopFile()));
  expect((await bench.ahwa(['backup', backup])).code).toBe(0);
});

const provider = async (): Promise<WhatsAppServer> => {
  const whatsApp = await openWhatsApp();
  onTestFinished(() => whatsApp.stop());
  return whatsApp;
};

const askCode = (server: Server, phone = MONA.typed): Promise<Reply> =>
  httpRequest(server.port, '/public/otp/request', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone }),
  });

const freePort = async (): Promise<number> => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  other.close();
  await once(other, 'close');
  return port;
};

const outputOf = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await copies.ahwa(args);
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/^\s+at /m)]);
  return stdout;
};

const loggedOf = (server: Server, words: string): unknown[] =>
  server.log().filter(({ msg }) => typeof msg === 'string' && msg.startsWith(words));

test('a restored copy sends nothing until `ahwa sending on`; log, /ready and metrics report the silence', async () => {
  const whatsApp = await provider();
  expect(await outputOf('restore', backup)).toMatch(
    /^restored .*\nNothing is sent from this copy, and nothing in it is swept, before `ahwa sending on`\.\n/,
  );
  const METRICS_PORT = String(await freePort());
  const metric = async (): Promise<string | undefined> =>
    /^ahwa_sending (\d)$/m.exec((await httpRequest(Number(METRICS_PORT), '/metrics')).text)?.[1];
  const server = await copies.serve({ ...sendingBy(whatsApp), METRICS_PORT });
  expect(loggedOf(server, 'sending is off')).toMatchObject([{ reason: 'restored' }]);
  expect([(await server.get('/ready')).body, await metric()]).toEqual([
    ...[{ status: 'ready', sending: 'off' }, '0'],
  ]);
  expect((await askCode(server)).status).toBe(503);
  expect(whatsApp.requests).toBe(0);
  expect(await outputOf('sending')).toMatch(
    /^Sending is off since \S+Z: this database was restored from a backup, and nobody has said otherwise yet\.\n$/,
  );

  expect(await outputOf('sending', 'on')).toMatch(/^Sending is on\. 0 of what waited are parked: /);
  expect((await server.get('/ready')).body).toEqual({ status: 'ready' });
  expect((await askCode(server)).status).toBe(200);
  expect(whatsApp.taken.map(({ to }) => to)).toEqual([MONA.phone]);
  await eventually(async () => ((await metric()) === '1' ? true : null), 'the metric');
  expect(loggedOf(server, 'sending is on')).toHaveLength(1);
  expect(await outputOf('sending')).toBe('Sending is on.\n');

  expect(await outputOf('sending', 'off')).toMatch(
    /^Sending is off since \S+Z: `ahwa sending off` said so\.\n$/,
  );
  expect((await askCode(server, KARIM.typed)).status).toBe(503);
  expect(whatsApp.requests).toBe(1);
});

test('SENDING=off silences one process; SENDING=on ends the silence of a restore, not `ahwa sending off`', async () => {
  const whatsApp = await provider();
  await outputOf('restore', backup);
  const on = await copies.serve({ ...sendingBy(whatsApp), SENDING: 'on' });
  expect(loggedOf(on, 'SENDING=on has ended the silence')).toMatchObject([{ was: 'restored', parked: 0 }]);
  expect((await on.get('/ready')).body).toEqual({ status: 'ready' });
  await outputOf('sending', 'off');
  const again = await copies.serve({ ...sendingBy(whatsApp), SENDING: 'on' });
  expect((await again.get('/ready')).body).toEqual({ status: 'ready', sending: 'off' });
  await outputOf('sending', 'on');
  const off = await copies.serve({ ...sendingBy(whatsApp), SENDING: 'off' });
  expect(loggedOf(off, 'sending is off')).toMatchObject([{ reason: 'setting' }]);
  expect((await off.get('/ready')).body).toEqual({ status: 'ready', sending: 'off' });
  expect((await askCode(off)).status).toBe(503);
  expect(whatsApp.requests).toBe(0);
  expect((await askCode(on)).status).toBe(200);
  expect(whatsApp.requests).toBe(1);
});
