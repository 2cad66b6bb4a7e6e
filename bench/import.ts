/** `ahwa import` of a shop with 1,000 items beside a running server: new, unchanged, and with one price changed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CLI, withAhwa, withDataFolder } from './support/ahwa.ts';
import { get, openConnection } from './support/connection.ts';
import { median, millis } from './support/figures.ts';
import { spawnNode } from './support/processes.ts';
import { report, type Row } from './support/report.ts';
import { branchId, shopFile } from './support/shop.ts';

const SLUG = 'bench-import';
const ITEMS = 1000;
const RUNS = 3;
const GOAL_MS = 1000;
const SHOP = shopFile({ slug: SLUG, items: ITEMS, branches: 3, tables: 20 });

const importFile = (dataDir: string, file: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawnNode([CLI, 'import', file], { DATA_DIR: dataDir });
    child.stdout?.resume();
    child.stderr?.resume();
    child.once('exit', (code) =>
      code === 0
        ? resolve(performance.now() - began)
        : reject(new Error(`The import ended with code ${code ?? 'none'}.`)),
    );
  });

const repeated = async (once: () => Promise<number>): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await once());
  return times;
};

const rowOf = (job: string, times: readonly number[], goal?: number): Row => ({
  job,
  figure: `${millis(median(times))} (${times.map(millis).join(', ')})`,
  ...(goal === undefined ? {} : { goal: `≤ ${goal} ms`, met: Math.max(...times) <= goal }),
});

await withDataFolder((dataDir) =>
  withAhwa(dataDir, {}, async (ahwa) => {
    const file = join(dataDir, `${SLUG}.json`);
    const imported = (name: string): Promise<number> => {
      writeFileSync(file, JSON.stringify({ ...SHOP, name }));
      return importFile(dataDir, file);
    };
    const asking = openConnection(ahwa.port);
    const shownName = async (): Promise<string> =>
      (await asking.ask(get(`/public/orgs/brand?slug=${SLUG}`))).body.toString();
    const first = await imported('Bench');
    const menu = await asking.ask(get(`/public/branches/${branchId(SLUG, 0)}/menu`));
    if (menu.status !== 200) throw new Error(`The imported menu answers ${menu.status}.`);
    const same = await repeated(() => imported('Bench'));
    await shownName();
    const seen: number[] = [];
    const changed = await repeated(async () => {
      const name = `Bench ${seen.length}`;
      const took = await imported(name);
      const began = performance.now();
      while (!(await shownName()).includes(`"${name}"`)) await pause(5);
      seen.push(performance.now() - began);
      return took;
    });
    asking.close();
    report(
      'ahwa import, 1,000 items, 3 branches',
      [
        rowOf('a new shop', [first]),
        rowOf('the same file again', same),
        rowOf('one name changed', changed),
        rowOf('from the end of that import to the new answer', seen, GOAL_MS),
      ],
      [`Whole commands, a process each: median of ${RUNS} (the new shop once).`],
    );
  }),
);
