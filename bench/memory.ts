/** Memory of the Node process, and of it and PostgreSQL together: idle, and under read load. */
import { setTimeout as pause } from 'node:timers/promises';
import { demoContents } from '../src/service/app/demo.ts';
import { demoActivity } from '../src/wiring.ts';
import { withAhwa, withDataFolder, type Ahwa } from './support/ahwa.ts';
import { addDemo, withApp } from './support/data.ts';
import { megabytes } from './support/figures.ts';
import { residentBytes, treeBytes } from './support/processes.ts';
import { report, type Row } from './support/report.ts';
import { readMix, runMix } from './support/mix.ts';
import { load, needWrk } from './support/wrk.ts';

const SETTLE_MS = 5000;
const SAMPLE_MS = 250;
const SECONDS = 4;
const GOAL = { idle: 115e6, loaded: 180e6, tree: 300e6 };

interface Sample {
  readonly node: number;
  readonly tree: number;
}

const sample = ({ pid }: Ahwa, dataDir: string): Sample => ({
  node: residentBytes(pid),
  tree: treeBytes(pid, dataDir),
});

/** The maximum of each value during `work`. */
const highestDuring = async (look: () => Sample, work: () => Promise<void>): Promise<Sample> => {
  let [node, tree] = [0, 0];
  const timer = setInterval(() => {
    const seen = look();
    [node, tree] = [Math.max(node, seen.node), Math.max(tree, seen.tree)];
  }, SAMPLE_MS);
  await work();
  clearInterval(timer);
  return { node, tree };
};

const rowsOf = (when: string, { node, tree }: Sample, goal: number): readonly Row[] => [
  {
    job: `Node process, ${when}`,
    figure: megabytes(node),
    goal: `≤ ${megabytes(goal)} RSS`,
    met: node <= goal,
  },
  {
    job: `whole tree, ${when}`,
    figure: megabytes(tree),
    goal: `≤ ${megabytes(GOAL.tree)} PSS`,
    met: tree <= GOAL.tree,
  },
];

needWrk();
await withDataFolder(async (dataDir) => {
  const places = await withApp(dataDir, async (app) => {
    await addDemo(app);
    return demoContents(app, demoActivity());
  });
  await withAhwa(dataDir, {}, async (ahwa) => {
    await pause(SETTLE_MS);
    const look = (): Sample => sample(ahwa, dataDir);
    const idle = look();
    const mix = readMix(places);
    const loaded = await highestDuring(look, async () => {
      for (const shop of places.shops)
        for (const branch of shop.branches.slice(0, 1))
          for (const coding of ['identity', 'br', 'gzip'])
            await load(
              { ...ahwa, path: `/public/branches/${branch.id}/menu`, headers: { 'Accept-Encoding': coding } },
              1,
            );
      await runMix(ahwa.port, mix, SECONDS);
    });
    await pause(SETTLE_MS);
    report(
      'Memory',
      [
        ...rowsOf('idle', idle, GOAL.idle),
        ...rowsOf('under read load', loaded, GOAL.loaded),
        ...rowsOf('5 s after the load', look(), GOAL.loaded),
      ],
      [
        'Load: menus kept ready in three codings, then a mix of every read with many that must be built; 64 connections.',
      ],
    );
  });
});
