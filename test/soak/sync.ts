/**
 * Devices that sell without the server, on a network and clocks that go wrong, against a ledger of what really happened:
 * `npm run soak -- sync [seeds] [first seed] [--steps n]`, 10,000 from seed 1 on when left out. Ends at the first seed that
 * fails with its history, and exits with 1. `--steps` ends each history after n steps.
 */
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres.ts';
import { migrateAndGrant } from '../support/database/test-database.ts';
import { dataFolder, removeDataFolder } from '../support/programs/data-folder.ts';
import { reportOf } from '../support/sync/simulation/report.ts';
import { openStage, simulate, type Stage } from '../support/sync/simulation/simulate.ts';
import { say } from './conformance.ts';

const SEEDS = 10_000;
const SAY_EVERY = 100;

const args = process.argv.slice(2);
const at = args.indexOf('--steps');
const steps = at < 0 ? undefined : Number(args.splice(at, 2)[1]);
const [seeds = SEEDS, first = 1] = args.map(Number);

const run = async (stage: Stage): Promise<boolean> => {
  const began = performance.now();
  for (let seed = first; seed < first + seeds; seed += 1) {
    const simulated = await simulate(seed, stage, steps);
    if (simulated.faults.length > 0) {
      say(reportOf(seed, simulated));
      return false;
    }
    const done = seed - first + 1;
    const seconds = Math.round((performance.now() - began) / 1_000);
    if (done % SAY_EVERY === 0) say(`  ${done} of ${seeds} seeds without a fault, ${seconds} s`);
  }
  say(`${seeds} seeds without a fault, from seed ${first} on`);
  return true;
};

if ([seeds, first, steps ?? 1].every((number) => Number.isSafeInteger(number) && number > 0)) {
  const dataDir = dataFolder();
  const files = dataFolder();
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    await migrateAndGrant(server.owner, server.connection);
    const database = {
      name: 'ahwa',
      connection: server.connection,
      owner: server.owner,
      release: () => server.release(),
    };
    const stage = await openStage(database, files);
    process.exitCode = (await run(stage)) ? 0 : 1;
    await stage.server.close();
  } finally {
    await server.release();
    removeDataFolder(dataDir);
    removeDataFolder(files);
  }
} else {
  say('usage: npm run soak -- sync [seeds] [first seed] [--steps n], whole numbers');
  process.exitCode = 2;
}
