/**
 * Cached reads beside a bare node:http server with the same bytes (small answers: 1 KB): 64 connections, alternating
 * rounds.
 */
import { demoContents } from '../src/service/app/demo.ts';
import { addDays } from '../src/kernel/time.ts';
import { demoActivity } from '../src/wiring.ts';
import { withAhwa, withDataFolder } from './support/ahwa.ts';
import { bareBytes, bareNotModified, type Bare } from './support/baseline.ts';
import { comparisonRow, HOW_TAKEN, alternateLoad, type Goal } from './support/compare.ts';
import { get, openConnection, type Reply } from './support/connection.ts';
import { addDemo, withApp } from './support/data.ts';
import { report, type Row } from './support/report.ts';
import { needWrk } from './support/wrk.ts';

interface Job {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly goal: Goal;
  readonly bare: (folder: string, reply: Reply) => Promise<Bare>;
}

const KILOBYTE = Buffer.from(JSON.stringify({ text: 'x'.repeat(1024 - '{"text":""}'.length) }));
const MENU_GOAL: Goal = { rate: 0.85, cpu: 1.2 };
const SMALL_GOAL: Goal = { rate: 0.6 };

const sameBytes = (name: string, headers: Readonly<Record<string, string>> = {}): Job['bare'] => {
  const all = { 'Content-Type': 'application/json; charset=utf-8', ...headers };
  return (folder, { body }) => bareBytes(folder, name, body, all);
};
const oneKilobyte: Job['bare'] = (folder) => bareBytes(folder, 'kilobyte.json', KILOBYTE);
const notModified: Job['bare'] = (_, { headers }) =>
  bareNotModified(/^etag: (.+)$/im.exec(headers)?.[1] ?? '');

/** The restaurant's dine-in menu is 60–90 KB, the others are small. */
const jobsOf = async (dataDir: string): Promise<readonly Job[]> =>
  withApp(dataDir, async (app) => {
    await addDemo(app);
    const { shops, orders } = await demoContents(app, demoActivity());
    const restaurant = shops.find(({ slug }) => slug === 'layaly');
    const chain = shops.find(({ slug }) => slug === 'beit-el-bunn');
    const order = orders.find(({ status }) => status === 'preparing');
    if (restaurant === undefined || chain === undefined || order === undefined)
      throw new Error('The demo shops are not what this bench knows.');
    const branch = `/public/branches/${restaurant.branches[0]?.id ?? ''}`;
    const soon = addDays(new Date(app.clock.now()).toISOString().slice(0, 10), 5);
    const small = { headers: {}, goal: SMALL_GOAL, bare: oneKilobyte };
    return [
      { name: 'menu', path: `${branch}/menu`, headers: {}, goal: MENU_GOAL, bare: sameBytes('menu.json') },
      {
        name: 'menu, br',
        path: `${branch}/menu`,
        headers: { 'Accept-Encoding': 'br' },
        goal: MENU_GOAL,
        bare: sameBytes('menu.br', { 'Content-Encoding': 'br' }),
      },
      {
        name: 'menu, 304',
        path: `${branch}/menu`,
        headers: { 'If-None-Match': '' },
        goal: { rate: 0.8 },
        bare: notModified,
      },
      { ...small, name: 'brand', path: `/public/orgs/brand?slug=${chain.slug}` },
      { ...small, name: 'links', path: `/public/orgs/links?slug=${chain.slug}` },
      { ...small, name: 'branches', path: `/public/branches?org_id=${chain.orgId}` },
      { ...small, name: 'track', path: `/public/delivery-orders/${order.id}/track` },
      { ...small, name: 'booking-slots', path: `${branch}/booking-slots?date=${soon}&party_size=4` },
    ];
  });

const measure = async (job: Job, folder: string, at: { pid: number; port: number }): Promise<Row> => {
  const asking = openConnection(at.port);
  const accept = { ...job.headers, 'If-None-Match': '"none"' };
  const reply = await asking.ask(get(job.path, accept));
  asking.close();
  if (reply.status !== 200) throw new Error(`${job.path} answers ${reply.status}: ${reply.body.toString()}`);
  const tag = /^etag: (.+)$/im.exec(reply.headers)?.[1] ?? '';
  const held = 'If-None-Match' in job.headers;
  const headers = held ? { ...job.headers, 'If-None-Match': tag } : job.headers;
  const bare = await job.bare(folder, reply);
  try {
    const ours = { ...at, path: job.path, headers };
    const theirs = { pid: bare.pid, port: bare.port, path: '/', headers };
    return comparisonRow(job, await alternateLoad(ours, theirs), held ? 0 : reply.body.length);
  } finally {
    await bare.stop();
  }
};

needWrk();
await withDataFolder(async (dataDir) => {
  const jobs = await jobsOf(dataDir);
  await withAhwa(dataDir, {}, async (ahwa) => {
    const rows: Row[] = [];
    for (const job of jobs) rows.push(await measure(job, dataDir, ahwa));
    report('Ready-made reads', rows, HOW_TAKEN);
  });
});
