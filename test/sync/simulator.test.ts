import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { dataFolder } from '../support/programs/data-folder.ts';
import { openStage, simulate, type Stage } from '../support/sync/simulation/simulate.ts';

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
  rmSync(folder, { recursive: true, force: true });
});

test('seeds', { timeout: 600_000 }, async () => {
  const first = Number(process.env['SEED'] ?? 1);
  const count = Number(process.env['SEEDS'] ?? 20);
  const c = process.cpuUsage();
  const w = performance.now();
  let bad = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const { history, faults } = await simulate(seed, stage);
    if (faults.length > 0) {
      bad += 1;
      console.log(
        `seed ${seed}\n${process.env['H'] ? history.join('\n') : ''}\n${faults.map((f) => `${f.check}: ${f.text}`).join('\n')}`,
      );
    }
  }
  const u = process.cpuUsage(c);
  console.log(
    `wall ${((performance.now() - w) / count).toFixed(0)} node ${((u.user + u.system) / 1000 / count).toFixed(0)} ms per seed; bad ${bad}`,
  );
  expect(bad).toBe(0);
});
