/** Menus built from the database: each request misses the cache by branch, channel or query spelling. */
import { withAhwa, withDataFolder } from './support/ahwa.ts';
import { get, openConnection } from './support/connection.ts';
import { addShops, withApp } from './support/data.ts';
import { highest, median, millis, percentile } from './support/figures.ts';
import { cpuSeconds } from './support/processes.ts';
import { report, type Row } from './support/report.ts';
import { branchId, shopFile } from './support/shop.ts';

const BRANCHES = 20;
const SIZES = [100, 1000];
/** Each has its own cache entry. */
const QUESTIONS = [
  '',
  '?channel=dine_in',
  '?preview=true',
  '?channel=pickup&preview=true',
  '?channel=outside&preview=true',
  '?channel=in_mall&preview=true',
  '?channel=umbrella&preview=true',
];

const slugOf = (items: number): string => `bench-${items}`;

const measure = async (ahwa: { pid: number; port: number }, items: number): Promise<Row> => {
  const asking = openConnection(ahwa.port);
  const times: number[] = [];
  let size = 0;
  const before = cpuSeconds(ahwa.pid);
  for (const question of QUESTIONS)
    for (let branch = 0; branch < BRANCHES; branch += 1) {
      const path = `/public/branches/${branchId(slugOf(items), branch)}/menu${question}`;
      const { status, ms, body } = await asking.ask(get(path));
      if (status !== 200) throw new Error(`${path} answers ${status}: ${body.toString()}`);
      size = body.length;
      times.push(ms);
    }
  asking.close();
  const cpu = ((cpuSeconds(ahwa.pid) - before) / times.length) * 1000;
  return {
    job: `${items} items (${Math.round(size / 1000)} KB), ${times.length} menus`,
    figure: `first ${millis(times[0] ?? NaN)}, p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))}, highest ${millis(highest(times))}; CPU ${millis(cpu)} each`,
  };
};

await withDataFolder(async (dataDir) => {
  const shops = SIZES.map((items) => shopFile({ slug: slugOf(items), items, branches: BRANCHES, tables: 0 }));
  await withApp(dataDir, (app) => addShops(app, ...shops));
  await withAhwa(dataDir, {}, async (ahwa) => {
    const rows: Row[] = [];
    for (const items of SIZES) rows.push(await measure(ahwa, items));
    report('A menu built from the database', rows, [
      'One at a time, after the start of the server; CPU is that of Node.',
    ]);
  });
});
