/** Guests of two servers race for the last table while servers are killed: no table is given twice, no booking is lost. */
import { beforeAll, expect, test } from 'vitest';
import {
  CLOCK_START,
  contest,
  contestedShop,
  faultsOf,
  IMPOSSIBLE_ROWS,
  serverPair,
  startOf,
  STORED_SEATS,
  type Contest,
  type StoredSeat,
} from '../support/programs/contested-tables.ts';
import { connectTo, useProgram } from '../support/programs/program.ts';

const program = useProgram('file', 'embedded');

const SETTINGS = { CLOCK_START, RATE_LIMIT_SCALE: '0', DEMO: 'false' };
/** Clients of each start; while those of the marked ones ask, a server is killed. */
const CLIENTS = [20, 50, 20, 100, 20, 200, 20, 50] as const;
const KILLED: Readonly<Record<number, 0 | 1>> = { 1: 0, 3: 1, 5: 0 };

let contests: Contest[];
let stored: StoredSeat[];
let impossible: unknown[];
/** Requests that were cut off and repeated. */
let lost: number;

beforeAll(async () => {
  const pair = await serverPair(() => program.serve(SETTINGS));
  const { code, stderr } = await program.ahwa(['import', '-'], SETTINGS, JSON.stringify(contestedShop()));
  expect([code, stderr]).toEqual([0, expect.anything()]);
  contests = [];
  for (const [n, clients] of CLIENTS.entries()) {
    const kill = KILLED[n];
    const [asked] = await Promise.all([
      contest(pair, startOf(n), clients),
      kill === undefined ? undefined : pair.kill(kill),
    ]);
    contests.push(asked);
  }
  lost = pair.callers[0].lost() + pair.callers[1].lost();
  const client = await connectTo(program.dataDir());
  stored = (await client.query<StoredSeat>(STORED_SEATS)).rows;
  impossible = (await client.query(IMPOSSIBLE_ROWS)).rows;
  await client.end();
}, 120_000);

test('of 20 to 200 clients of two servers two get the two tables, also when a server is killed', () => {
  expect(contests.flatMap((each) => faultsOf(each, stored))).toEqual([]);
  expect(lost).toBeGreaterThan(0);
  expect(contests.map(({ refused }) => refused.length)).toEqual(CLIENTS.map((clients) => clients - 2));
});

test('the database has no booking without a table, or with a claim that is not its stay', () => {
  expect([impossible, stored.length]).toEqual([[], 2 * CLIENTS.length]);
});
