/**
 * `ahwa import` beside a running server: 1,000 items new, unchanged and with one new price; the largest files, with
 * peak memory.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CLI, withAhwa, withDataFolder } from './support/ahwa.ts';
import { get, openConnection } from './support/connection.ts';
import { median, megabytes, millis } from './support/figures.ts';
import { peakBytes, spawnNode } from './support/processes.ts';
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

// ── The largest files ─────────────────────────────────────────────────────────────────

const LARGEST = 67_108_864;
const MAX_ITEMS = 20_000;
const SAMPLED_EVERY_MS = 20;
const REFUSED_GOAL_MS = 20_000;

/** A shop of the maximum items and bytes; prices are `extra` higher. */
const largestShop = (extra: number): string => {
  const items = Array.from({ length: MAX_ITEMS }, (_, at) => ({
    key: `item-${at}`,
    name: { ar: `صنف رقم ${at}`, en: `Item ${at}` },
    category: 'قهوة',
    description: text(at),
    sizes: ['صغير', 'كبير'].map((label, size) => ({
      label,
      price: 4000 + at + 1000 * size + extra,
      prices: [{ channel: 'outside', price: 5000 + at }],
    })),
  }));
  const shop = {
    format: 1,
    slug: 'largest',
    name: 'أكبر ملف',
    branches: [{ name: 'الفرع', code: 'A' }],
    menu: { categories: [{ name: 'قهوة' }], items },
  };
  return filled(JSON.stringify(shop));
};

/** Texts of almost the maximum length. */
const text = (at: number): Readonly<Record<string, string>> => ({
  ar: `${'وصف الصنف '.repeat(90)}${at}`,
  en: `${'what it is '.repeat(85)}${at}`,
});

/** Padded with white space to the maximum size. */
const filled = (json: string): string => `${json}${' '.repeat(LARGEST - Buffer.byteLength(json))}`;

const HOSTILE: Readonly<Record<string, () => string>> = {
  'nothing but depth': () => '['.repeat(LARGEST),
  'a million fields': () =>
    filled(`{${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1`).join(',')}}`),
  'one text': () => filled(`{"format":1,"name":"${'x'.repeat(60_000_000)}"}`),
  'numbers alone': () => `[${'1,'.repeat(LARGEST / 2 - 1)}1]`.slice(0, LARGEST),
};

interface Cost {
  readonly code: number | null;
  readonly took: number;
  readonly peak: number;
}

/** Runs a command; its peak memory is the last value read from /proc. */
const costOf = (args: readonly string[], dataDir: string): Promise<Cost> =>
  new Promise((resolve) => {
    const began = performance.now();
    const child = spawnNode([CLI, ...args], { DATA_DIR: dataDir });
    child.stdout?.resume();
    child.stderr?.resume();
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, peakBytes(child.pid));
    }, SAMPLED_EVERY_MS);
    child.once('exit', (code) => {
      clearInterval(timer);
      resolve({ code, took: performance.now() - began, peak });
    });
  });

const costRow = (job: string, { took, peak }: Cost, goal?: number): Row => ({
  job,
  figure: `${millis(took)}, peak RSS ${megabytes(peak)}, × ${(peak / LARGEST).toFixed(1)} the file`,
  ...(goal === undefined ? {} : { goal: `≤ ${millis(goal)}`, met: took <= goal }),
});

const largestFiles = async (dataDir: string): Promise<Row[]> => {
  const file = join(dataDir, 'largest.json');
  const rows: Row[] = [];
  const run = async (
    job: string,
    content: string,
    args: readonly string[],
    wanted: number,
  ): Promise<void> => {
    writeFileSync(file, content);
    const cost = await costOf([...args, file], dataDir);
    if (cost.code !== wanted) throw new Error(`‘${job}’ ended with code ${cost.code ?? 'none'}.`);
    rows.push(costRow(job, cost, wanted === 0 ? undefined : REFUSED_GOAL_MS));
  };
  await run('64 MiB, 20,000 items, dry run', largestShop(0), ['import', '--dry-run'], 0);
  await run('the same, a new shop', largestShop(0), ['import'], 0);
  await run('the same, every price changed', largestShop(100), ['import'], 0);
  for (const [job, content] of Object.entries(HOSTILE))
    await run(`64 MiB of ${job}: refused`, content(), ['import'], 1);
  const csv = `name_ar,price_egp\n${'شاي,25\n'.repeat(LARGEST / 10)}`;
  await run('64 MB of rows: refused', csv, ['import-menu', 'largest'], 1);
  return rows;
};

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
    report('the largest files that an import reads', await largestFiles(dataDir), [
      'Once each. The peak is that of the command; PostgreSQL is apart.',
    ]);
  }),
);
