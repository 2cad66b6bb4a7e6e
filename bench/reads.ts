/**
 * Ready-made reads beside a bare node:http server that sends the same bytes (small answers: 1 KB), 64 connections,
 * both loaded in turn, round by round.
 */
import { demoPlaces } from '../src/app/demo.ts';
import { addDays } from '../src/domain/time.ts';
import { demoActivity } from '../src/wiring.ts';
import { withAhwa, withDataFolder } from './support/ahwa.ts';
import { bareBytes, bareNotModified, type Bare } from './support/baseline.ts';
import { get, openConnection, type Reply } from './support/connection.ts';
import { addDemo, withApp } from './support/data.ts';
import { median, micros, perSecond } from './support/figures.ts';
import { report, type Row } from './support/report.ts';
import { load, needWrk, type Load } from './support/wrk.ts';

const ROUNDS = 5;
const SECONDS = 1;
const WARM_SECONDS = 1;
/** Below this share of a core a server waited for the load or for other programs, and requests per second say little. */
const FREE_CORE = 0.9;

interface Goal {
  /** Of the bare server's requests per second. */
  readonly rate: number;
  /** Times the bare server's CPU per request. */
  readonly cpu?: number;
}

interface Job {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly goal: Goal;
  /** The baseline of this answer. */
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

/** What is loaded: the restaurant's dine-in menu is 60–90 KB, the rest are small. */
const jobsOf = async (dataDir: string): Promise<readonly Job[]> =>
  withApp(dataDir, async (app) => {
    await addDemo(app);
    const { shops, orders } = await demoPlaces(app, demoActivity());
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

interface Round {
  readonly ours: Load;
  readonly bare: Load;
}

const rowOf = (job: Job, rounds: readonly Round[], size: number): Row => {
  const of = (read: (round: Round) => number): number => median(rounds.map(read));
  const rate = of(({ ours, bare }) => ours.perSecond / bare.perSecond);
  const cpu = of(({ ours, bare }) => ours.cpuPerRequest / bare.cpuPerRequest);
  const disturbed =
    Math.min(
      of(({ ours }) => ours.coreShare),
      of(({ bare }) => bare.coreShare),
    ) < FREE_CORE;
  const reached = disturbed ? 1 / cpu : rate;
  const side = (which: 'ours' | 'bare'): string =>
    `${perSecond(of((round) => round[which].perSecond))}, ${micros(of((round) => round[which].cpuPerRequest))}`;
  return {
    job: `${job.name} (${size < 1000 ? `${size} B` : `${(size / 1000).toFixed(1)} KB`})`,
    figure: side('ours'),
    baseline: side('bare'),
    ratio: `${rate.toFixed(2)}, CPU × ${cpu.toFixed(2)}${disturbed ? ' (decides)' : ''}`,
    goal: `≥ ${job.goal.rate}${job.goal.cpu === undefined ? '' : `, CPU ≤ ${job.goal.cpu}`}`,
    met: reached >= job.goal.rate && (job.goal.cpu === undefined || cpu <= job.goal.cpu),
  };
};

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
    for (const target of [ours, theirs]) await load(target, WARM_SECONDS);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = round % 2 === 0 ? await load(ours, SECONDS) : null;
      const bareLoad = await load(theirs, SECONDS);
      rounds.push({ ours: first ?? (await load(ours, SECONDS)), bare: bareLoad });
    }
    return rowOf(job, rounds, held ? 0 : reply.body.length);
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
    report('Ready-made reads', rows, [
      `Medians of ${ROUNDS} rounds, the two servers in turn, 64 connections; µs are the server's CPU for one request.`,
      'Limits, headers, metrics and the default log are on. "decides": a server had less than a whole core, so CPU counts.',
    ]);
  });
});
