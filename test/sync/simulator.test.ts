/**
 * Devices that sell without the server, on a network and clocks that go wrong, against a ledger of what really happened
 * (Decisions 13). More seeds: `npm run soak -- sync`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { dataFolder, removeDataFolder } from '../support/programs/data-folder.ts';
import { reportOf } from '../support/sync/simulation/report.ts';
import { openStage, simulate, type Stage } from '../support/sync/simulation/simulate.ts';

const SEEDS = 500;

/** A busy machine may take seconds for a seed. */
const PATIENCE_MS = 40 * 60_000;

let database: TestDatabase;
let stage: Stage;
const folder = dataFolder();
beforeAll(async () => {
  database = await freshDatabase();
  stage = await openStage(database, folder);
});
afterAll(async () => {
  await stage.server.close();
  await database.release();
  removeDataFolder(folder);
});

/** Of histories. */
const WORDS = [
  ...['opens till', 'pay_out', 'closes till', 'sells', 'a drink of the staff', 'back for all of'],
  ...['opens ticket', 'fires', 'voids 1 units', 'settles ticket', 'voids ticket', 'with the card'],
  ...[
    'which is lost',
    'its answer is lost',
    'which is late',
    'arrives late',
    'arrives twice',
    'loses its line',
  ],
  ...[
    'crashes, and starts again',
    'ends in the middle of it',
    'the server: crashes',
    'its copy waits for its own events',
  ],
  ...['the owner at the server: sells', 'the owner at the server: settles', 'the owner at the server: voids'],
  ...['with rewards for', 'and a reward', 'takes no voucher', 'merges ticket', 'splits a unit'],
  ...['imports a shop file', 'the latte is archived', 'is sold out', 'revokes device'],
  ...[
    'waiting',
    'already',
    'settled_twice',
    'table_taken',
    'ticket_ended',
    'till_open_elsewhere',
    'till_closed',
  ],
  ...['refund_beyond', 'stock_below_zero', 'total_differs', 'item_archived', 'device_ended', 'line_voided'],
  ...['voucher_overspent', 'balance_too_small', 'bill_merged', 'paid_in_parts'],
  ...['refund_of_other', 'refund_units'],
] as const;

test(
  'books, tills, stock, points and copies are as what really happened, with every kind of event and of trouble',
  { timeout: PATIENCE_MS },
  async () => {
    const said = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const simulated = await simulate(seed, stage);
      if (simulated.faults.length > 0) throw new Error(reportOf(seed, simulated));
      const text = simulated.history.join('\n');
      for (const word of WORDS.filter((one) => text.includes(one))) said.add(word);
    }
    expect([...said].sort()).toEqual([...WORDS].sort());
  },
);

test('the same seed has the same history', async () => {
  for (const seed of [3, 31, 111]) {
    const first = await simulate(seed, stage);
    expect((await simulate(seed, stage)).history).toEqual(first.history);
  }
});
