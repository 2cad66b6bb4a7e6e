/** A shop moves to another installation while guests order and staff work (docs/operations.md, "Moving a shop"). */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutDatabase } from '../support/programs/database-line.ts';
import { INCONSISTENT_ROWS } from '../support/database/inconsistent-rows.ts';
import { anOrder } from '../support/people/guests.ts';
import {
  orderLoad,
  orderStaff,
  retryingClient,
  stepsOf,
  type Acknowledged,
} from '../support/programs/order-load.ts';
import { connectTo, eventually, useProgram, type ProgramFixture } from '../support/programs/program.ts';
import { httpRequest } from '../support/server/http-client.ts';
import { aBusyShop, canaryGuest, MANAGER } from '../support/shops/busy-shop.ts';
import { branchId, SLUG } from '../support/shops/cafe.ts';
import { line } from '../support/shops/quoting-shop.ts';

const here = useProgram('file', 'embedded');
const there = useProgram('file', 'embedded');

const PASSWORD = 'a-password-of-tests-9417';
const A_FEW = 40;

const settingsOf = (bench: ProgramFixture) => ({
  ...{ OTP_SENDER: 'file', OTP_FILE: join(bench.dataDir(), 'messages.jsonl'), RATE_LIMIT_SCALE: '0' },
});

const command = async (
  bench: ProgramFixture,
  args: readonly string[],
  input?: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> => {
  const { code, stdout, stderr } = await bench.ahwa(args, {}, input);
  if (code !== 0) throw new Error(stderr);
  return { stdout, stderr: withoutDatabase(stderr) };
};

const rowsAt = async <T>(bench: ProgramFixture, sql: string): Promise<T[]> => {
  const client = await connectTo(bench.dataDir());
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
};

const ORDERS = `select o.id, k.key from delivery_order o
  join idempotency_key k on k.org_id = o.org_id and k.operation = 'order' and k.subject_id = o.id order by k.key`;

/** Template and phone of each message that left, by order. */
const messagesOf = (bench: ProgramFixture): string[] =>
  readFileSync(join(bench.dataDir(), 'messages.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as { readonly template?: string; readonly text?: string })
    .map(({ template = '', text = '' }) => `${/\/track\/([0-9a-f-]{36})/.exec(text)?.[1] ?? ''} ${template}`)
    .sort();

const signInAt = async (port: number): Promise<{ readonly status: number; readonly token: string }> => {
  const { status, body } = await httpRequest(port, '/staff/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: MANAGER, password: PASSWORD }),
  });
  return { status, token: (body as { token?: string }).token ?? '' };
};

test('a shop that moves while it orders loses no acknowledged order, and no message is sent twice', async () => {
  await command(here, ['import', '-'], JSON.stringify(aBusyShop()));
  await command(here, ['staff', 'password', SLUG, MANAGER], `${PASSWORD}\n`);
  const old = await here.serve(settingsOf(here));
  const keys = [there, here].map((bench) => join(bench.dataDir(), 'secret.key'));
  await command(there, ['migrate']);
  const SECRET_KEY = keys.map((key) => readFileSync(key, 'utf8').trim()).join();
  const next = await there.serve({ ...settingsOf(there), SECRET_KEY });

  const address = { port: old.port };
  const client = retryingClient(() => address.port);
  const { token } = await signInAt(old.port);
  // The session of the old place goes on at the new one.
  const staff = orderStaff(client, token, 4);
  const load = orderLoad({
    ...{ client, perSecond: 30 },
    orderOf: (n) =>
      anOrder({
        ...{ branch_id: branchId('open'), customer_phone: canaryGuest(n % 40).typed },
        items: [line('turkish')],
      }),
    onTaken: (taken) => {
      if (taken.n % 3 === 0) staff.take(taken);
    },
  });
  staff.begin();
  const more = (): Promise<readonly Acknowledged[]> => {
    const enough = load.acknowledged().length + A_FEW;
    return eventually(
      () => (load.acknowledged().length >= enough ? load.acknowledged() : null),
      'orders to be taken',
    );
  };
  await more();

  const file = join(here.dataDir(), 'shop.backup');
  const backup = await command(here, ['backup', '--org', SLUG, '--close', file]);
  const ofOld = await rowsAt(here, ORDERS);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(backup.stderr).toBe(
    `ahwa: ${SLUG} is closed: it takes no orders. \`ahwa shop open ${SLUG}\` opens it again.\n`,
  );
  const restore = await command(there, ['restore', file]);
  expect(restore.stdout).toMatch(new RegExp(`^restored the shop ${SLUG} \\(\\S+\\): \\d+ tables and `));
  expect(await rowsAt(there, ORDERS)).toEqual(ofOld);
  await eventually(
    () => (client.refusals().some((text) => text.includes('SHOP_MOVING')) ? true : null),
    'an order to be refused at the old place',
  );
  expect((await command(there, ['shop', 'open', SLUG])).stdout).toMatch(new RegExp(`^${SLUG} is open\\.`));
  address.port = next.port;
  await more();
  await load.stop();
  await staff.stop();

  const taken = load.acknowledged();
  expect(load.refused()).toEqual([]);
  expect(await rowsAt(there, ORDERS)).toEqual(
    taken.map(({ order: { id }, key }) => ({ id, key })).sort((a, b) => (a.key < b.key ? -1 : 1)),
  );
  expect(await rowsAt(here, ORDERS)).toEqual(ofOld);
  expect(ofOld.length).toBeGreaterThanOrEqual(A_FEW);
  expect(taken.length).toBeGreaterThanOrEqual(ofOld.length + A_FEW);
  // The change log begins anew.
  expect(
    await rowsAt(
      there,
      `select * from (${INCONSISTENT_ROWS}) rows where what <> 'change of an order not logged once'`,
    ),
  ).toEqual([]);
  await eventually(
    async () =>
      (await rowsAt(there, `select from outbox where status = 'waiting'`)).length === 0 ? true : null,
    'the last messages to be sent',
  );
  const moved = new Set(staff.moved().map((one) => one.taken));
  expect([...messagesOf(here), ...messagesOf(there)].sort()).toEqual(
    taken
      .flatMap((one) => [
        `${one.order.id} order_received`,
        ...(moved.has(one)
          ? stepsOf(one).flatMap(({ notifies }) => (notifies === null ? [] : `${one.order.id} ${notifies}`))
          : []),
      ])
      .sort(),
  );
  // By the key of the old place.
  expect((await signInAt(next.port)).status).toBe(200);
});
