/** A full disk under a running program: reported, refused, and recovered. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { canaryGuest } from '../support/shops/busy-shop.ts';
import { aBranch, aShopFile } from '../support/shops/cafe.ts';
import { dataFolder, removeDataFolder } from '../support/programs/data-folder.ts';
import { httpRequest, type Reply } from '../support/server/http-client.ts';
import { anOrder } from '../support/people/guests.ts';
import { useProgram, connectTo, eventually, processesOf, type Server } from '../support/programs/program.ts';

const bench = useProgram('test', 'embedded');

/** Whether this process may mount a file system. */
const canMount = ((): boolean => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
})();

/** A file system so small that a database fills it; its processes end with the test. */
const smallDisk = (): string => {
  const folder = dataFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'none', folder]);
  onTestFinished(async () => {
    for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL');
    await eventually(() => (processesOf(folder).length === 0 ? true : null), 'PostgreSQL to end');
    execFileSync('umount', ['--lazy', folder]);
    removeDataFolder(folder);
  });
  return folder;
};

const fillUp = (folder: string): (() => void) => {
  const file = join(folder, 'ballast');
  const descriptor = openSync(file, 'w');
  for (const size of [1024 * 1024, 4096])
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size, 1));
    } catch (fault) {
      expect((fault as { code?: string }).code).toBe('ENOSPC');
    }
  closeSync(descriptor);
  return () => rmSync(file);
};

const placed = (server: Server, n: number): Promise<Reply> =>
  httpRequest(server.port, '/public/delivery-orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `order-${n}` },
    body: JSON.stringify(anOrder({ customer_phone: canaryGuest(n).typed })),
  });

const linesOf = (server: Server, check: string): unknown[] =>
  server
    .log()
    .filter((line) => line['check'] === check)
    .map(({ msg }) => msg);

test.runIf(canMount)(
  'on a full disk /ready and orders are 503, no order is partial, and the service recovers',
  async () => {
    const DATA_DIR = smallDisk();
    const server = await bench.serve({
      ...{ DATA_DIR, RATE_LIMIT_SCALE: '0', CLOCK_START: '2026-11-20T18:00:00Z' },
    });
    expect(
      (
        await bench.ahwa(
          ['import', '-'],
          { DATA_DIR },
          JSON.stringify(aShopFile({ branches: [aBranch({ otp_required: false })] })),
        )
      ).code,
    ).toBe(0);
    expect((await server.get('/ready')).body).toEqual({ status: 'ready' });
    const first = await placed(server, 0);
    expect([first.status, first.text]).toEqual([201, expect.any(String)]);

    const makeRoom = fillUp(DATA_DIR);
    const full = await server.get('/ready');
    expect([full.status, Object.keys(full.body as object)]).toEqual([503, ['error']]);
    const replies: Reply[] = [first];
    // Rows still fit into existing pages for a while.
    while (replies.at(-1)?.status !== 503 && replies.length < 900)
      replies.push(await placed(server, replies.length));
    expect(replies.at(-1)?.status).toBe(503);
    for (let more = 0; more < 20; more += 1) replies.push(await placed(server, replies.length));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 503]));
    expect((await server.get('/ready')).status).toBe(503);
    expect(linesOf(server, 'disk')).toEqual(['not ready: /ready answers 503']);
    expect(server.log().find((line) => line['check'] === 'disk')).toMatchObject({
      reason: expect.stringMatching(
        / has \d+ MB left; below 64 MB PostgreSQL may stop at any write$/,
      ) as string,
    });

    makeRoom();
    await eventually(async () => ((await server.get('/ready')).status === 200 ? true : null), 'readiness');
    expect(linesOf(server, 'disk')).toEqual([
      ...['not ready: /ready answers 503', 'the readiness check passes again'],
    ]);
    // Every client retries with the same key.
    const again: Reply[] = [];
    for (const n of replies.keys()) again.push(await placed(server, n));
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200, 201]));
    const idOf = ({ body }: Reply): unknown => (body as { id?: string }).id;
    for (const [n, reply] of replies.entries()) {
      if (reply.status !== 201) continue;
      expect([again[n]?.status, again[n] && idOf(again[n])]).toEqual([200, idOf(reply)]);
    }

    const client = await connectTo(DATA_DIR);
    const count = async (table: string, where = 'true'): Promise<unknown> =>
      (await client.query<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`)).rows[0]
        ?.n;
    expect(await count('delivery_order')).toBe(replies.length);
    expect(await count('idempotency_key')).toBe(replies.length);
    await client.end();
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
  },
);
