/** Runs the examples as a developer would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/programs/free-port.ts';
import { aMember, PASSWORD, PIN, setCredentials } from '../support/people/staff.ts';
import { aBranch, aShopFile, aTable, openShops, SLUG } from '../support/shops/cafe.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ now: '2026-11-20T12:00:00Z' });
  const tables = [aTable('t1', 2)];
  const branch = aBranch({ code: 'ZML', tables, booking: { enabled: true } });
  const staff = [aMember('owner', 'owner'), aMember('manager', 'manager')];
  await openShops(world, aShopFile({ branches: [branch], staff }));
});
afterAll(() => world.close());

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Types in the code that was sent. */
const run = async (...args: readonly string[]): Promise<Ended> => {
  const child = spawn(process.execPath, args, { stdio: 'pipe', env: { ...process.env, PASSWORD, PIN } });
  let output = '';
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes.toString();
    if (output.endsWith('The code that was sent: '))
      child.stdin.end(`${world.phones.codeOf('201001234567')}\n`);
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
};

const outputOf = async (...args: readonly string[]): Promise<string> => {
  const { code, output } = await run(...args);
  expect([code, output]).toEqual([0, output]);
  return output;
};

test('examples/place-an-order.mjs places one order with a code and tracks it', async () => {
  const output = await outputOf('examples/place-an-order.mjs', world.baseUrl);
  expect(output).toContain('2 × قهوة تركي at الزمالك: 90.00 EGP');
  expect(output).toContain('Order D-ZML-261120-0001, 90.00 EGP\nIt is received; about 20 minutes.');
  const { length } = await world.db.kysely.selectFrom('delivery_order').select('id').execute();
  expect(length).toBe(1);
});

test('examples/book-a-table.mjs holds a start, books it once with a code, moves and cancels it', async () => {
  world.now += 60 * 60_000;
  const output = await outputOf('examples/book-a-table.mjs', world.baseUrl, SLUG);
  expect(output).toContain('Kept for five minutes: Saturday, November 21, 2026 at 12:00 PM, at الزمالك');
  expect(output).toContain('Booked: Saturday, November 21, 2026 at 12:00 PM, confirmed');
  expect(output).toContain('Moved: Saturday, November 21, 2026 at 12:30 PM\nIt is cancelled.');
  const bookings = await world.db.kysely.selectFrom('booking').select('status').execute();
  expect(bookings).toEqual([{ status: 'cancelled' }]);
});

test('examples/offline-till.mjs sells without the server, is killed, and comes to the same Z', async () => {
  await setCredentials(world, SLUG, ['owner', 'manager']);
  const output = await outputOf('examples/offline-till.mjs', world.baseUrl, SLUG);
  expect(output).toContain('It starts again: 8 events are unsent in its file.');
  expect(output).toContain('The same figures');
  const sales = await world.db.kysely.selectFrom('sale').select('total').execute();
  expect(sales).toHaveLength(17);
  const reviews = await world.db.kysely
    .selectFrom('replay_event')
    .select('id')
    .where('outcome', '<>', 'applied')
    .execute();
  expect(reviews).toEqual([]);
});

test.each(['place-an-order', 'book-a-table', 'offline-till'])(
  'examples/%s.mjs says in one sentence that no server answers',
  async (name) => {
    const address = `http://127.0.0.1:${await freePort()}`;
    const { code, output } = await run(`examples/${name}.mjs`, address, SLUG);
    const sentence = `No server answers at ${address}: start one with "npm start", or name its address.\n`;
    expect({ code, output }).toEqual({ code: 1, output: sentence });
  },
);

describe('while the shop is closed', () => {
  let day: number;
  beforeAll(() => {
    day = world.now;
    // 01:00 in Cairo, on a later day.
    world.now = Date.parse('2026-11-23T23:00:00Z');
  });
  afterAll(() => {
    world.now = day;
  });

  test('examples/place-an-order.mjs says when it opens, and reads its menu', async () => {
    const { code, output } = await run('examples/place-an-order.mjs', world.baseUrl);
    expect(output).toBe(
      'الزمالك is closed until 2026-11-24T07:00:00.000Z (UTC): order from then on. ' +
        'Its menu can be read now, with preview=true: 1 items.\n',
    );
    expect(code).toBe(1);
  });

  test('examples/offline-till.mjs says when it opens, and sells', async () => {
    const output = await outputOf('examples/offline-till.mjs', world.baseUrl, SLUG);
    expect(output).toContain(
      'Until 2026-11-24T07:00:00.000Z (UTC) the shop is closed for guests; a till sells all the same.',
    );
    expect(output).toContain('The same figures');
  });
});

test('examples/verify-webhook.mjs without its secret says so in one sentence and ends with 2', async () => {
  const { code, output } = await run('examples/verify-webhook.mjs');
  expect([code, output]).toEqual([
    2,
    'WEBHOOK_SECRET is missing: it is the secret that `ahwa webhook add` prints.\n',
  ]);
});

test('examples/book-a-table.mjs says that tomorrow is closed, and books the next day', async () => {
  world.now += 60 * 60_000;
  const booking = { enabled: true, dated_hours: [{ from: '2026-11-21', hours: [] }] };
  const branch = aBranch({ code: 'RST', tables: [aTable('t1', 2)], booking });
  await openShops(world, aShopFile({ slug: 'resting', branches: [branch] }));
  const output = await outputOf('examples/book-a-table.mjs', world.baseUrl, 'resting');
  expect(output).toContain('الزمالك is closed on 2026-11-21: the next day with times is 2026-11-22.');
  expect(output).toContain('Booked: Sunday, November 22, 2026');
});
