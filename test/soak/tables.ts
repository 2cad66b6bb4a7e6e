/**
 * Contested tables: `npm run soak -- tables [starts]`, 10,000 without a number. Clients of two servers on one database ask
 * for the last tables of one start after another, three to eight at a time and sometimes up to 200, and every hundredth
 * time a server is killed meanwhile. Exits with 1 at the first start of which too many or too few won, or an acknowledged booking is lost.
 */
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { dataFolder } from '../support/programs/data-folder.ts';
import {
  CLOCK_START,
  contest,
  contestedShop,
  faultsOf,
  IMPOSSIBLE_ROWS,
  serverPair,
  startOf,
  STORED_SEATS,
  type ServerPair,
  type StoredSeat,
} from '../support/programs/contested-tables.ts';
import { clearAway, connectTo, listening, startProgram, type Program } from '../support/programs/program.ts';
import { say } from './conformance.ts';

const STARTS = 10_000;
const KILL_EVERY = 100;
const CROWD_EVERY = 100;
const SAY_EVERY = 500;

const clientsAt = (n: number): number => (n % CROWD_EVERY === 0 ? randomInt(20, 201) : randomInt(3, 9));

const faultsAt = async (pair: ServerPair, database: pg.Client, n: number): Promise<readonly string[]> => {
  const isKilled = n % KILL_EVERY === KILL_EVERY - 1;
  const [asked] = await Promise.all([
    contest(pair, startOf(n), clientsAt(n)),
    isKilled ? pair.kill(n % (2 * KILL_EVERY) < KILL_EVERY ? 0 : 1) : undefined,
  ]);
  const { rows } = await database.query<StoredSeat>(`${STORED_SEATS} and b.starts_at = $1`, [asked.startsAt]);
  return faultsOf(asked, rows);
};

/** Whether every start was won as it should be. */
const run = async (pair: ServerPair, database: pg.Client, starts: number): Promise<boolean> => {
  for (let n = 0; n < starts; n += 1) {
    const faults = await faultsAt(pair, database, n);
    for (const fault of faults) say(fault);
    if (faults.length > 0) return false;
    if ((n + 1) % SAY_EVERY === 0) say(`${n + 1} of ${starts} starts`);
  }
  const { rows } = await database.query<{ id: string }>(IMPOSSIBLE_ROWS);
  for (const { id } of rows) say(`the booking ${id} has no table, or a claim that is not its stay`);
  const [first, second] = pair.callers;
  say(`${starts} starts; ${first.lost() + second.lost()} requests were cut off and repeated`);
  return rows.length === 0;
};

const starts = Number(process.argv[2] ?? STARTS);
const dataDir = dataFolder();
const programs: Program[] = [];
const start = (file: string, args: readonly string[], input?: string): Program => {
  const settings = { DATA_DIR: dataDir, CLOCK_START, RATE_LIMIT_SCALE: '0', DEMO: 'false' };
  const program = startProgram(file, args, settings, input);
  programs.push(program);
  return program;
};
try {
  const pair = await serverPair(() => listening(start('main.js', [])));
  const { code, stderr } = await start('cli.js', ['import', '-'], JSON.stringify(contestedShop())).ended;
  if (code !== 0) throw new Error(stderr);
  const database = await connectTo(dataDir);
  process.exitCode = (await run(pair, database, starts)) ? 0 : 1;
  await database.end();
} finally {
  await clearAway(dataDir, programs);
}
