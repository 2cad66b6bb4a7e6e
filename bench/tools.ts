/**
 * Cached tools/call beside a bare node:http server that parses the same request and stringifies the same result: 64
 * connections, alternating rounds.
 */
import { isDeepStrictEqual } from 'node:util';
import { demoContents } from '../src/service/app/demo.ts';
import { tools, type ArgsOf, type ToolName, type ToolOf } from '../src/service/contract/tools.ts';
import { addDays } from '../src/kernel/time.ts';
import { demoActivity } from '../src/wiring.ts';
import { withAhwa, withDataFolder } from './support/ahwa.ts';
import { bareRpc } from './support/baseline.ts';
import { comparisonRow, HOW_TAKEN, alternateLoad, type Goal } from './support/compare.ts';
import { openConnection, post } from './support/connection.ts';
import { addDemo, addShops, withApp } from './support/data.ts';
import { report, type Row } from './support/report.ts';
import { shopFile } from './support/shop.ts';
import { needWrk } from './support/wrk.ts';

const GOAL: Goal = { rate: 0.5 };
/** More items than fit an answer. */
const MANY_ITEMS = { slug: 'bench-1000', items: 1000, branches: 1, tables: 0 };
const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2025-06-18',
};

interface Job {
  readonly name: string;
  readonly method: string;
  readonly params: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Optional: a job without a goal only informs. */
  readonly goal?: Goal;
}

const call = <N extends ToolName>(name: N, args: ArgsOf<ToolOf<N>>): Pick<Job, 'method' | 'params'> => ({
  method: 'tools/call',
  params: { name: tools[name].name, arguments: args },
});

const jobsOf = async (dataDir: string): Promise<readonly Job[]> =>
  withApp(dataDir, async (app) => {
    await addDemo(app);
    await addShops(app, shopFile(MANY_ITEMS));
    const { shops } = await demoContents(app, demoActivity());
    const restaurant = shops.find(({ slug }) => slug === 'layaly');
    const branch = restaurant?.branches[0];
    if (restaurant === undefined || branch === undefined)
      throw new Error('The demo shops are not what this bench knows.');
    const soon = addDays(new Date(app.clock.now()).toISOString().slice(0, 10), 5);
    const menu = call('get_menu', { shop: restaurant.slug, branch_id: branch.id });
    const slots = call('get_booking_slots', { branch_id: branch.id, date: soon, party_size: 4 });
    return [
      { name: 'get_menu', ...menu, goal: GOAL },
      { name: 'get_menu, shortened', ...call('get_menu', { shop: MANY_ITEMS.slug }), goal: GOAL },
      { name: 'get_booking_slots', ...slots, goal: GOAL },
      { name: 'get_menu, br', ...menu, headers: { 'Accept-Encoding': 'br' } },
      { name: 'tools/list', method: 'tools/list', params: {} },
    ];
  });

interface RpcAnswer {
  readonly result: { readonly isError?: boolean };
}

/** The size and result of one answer. Throws on an error and on a refusal of the tool. */
const ask = async (port: number, path: string, body: string): Promise<RpcAnswer & { size: number }> => {
  const asking = openConnection(port);
  const { status, body: bytes } = await asking.ask(post(path, body, HEADERS));
  asking.close();
  const text = bytes.toString();
  if (status !== 200) throw new Error(`${path} answers ${status}: ${text}`);
  const { result } = JSON.parse(text) as Partial<RpcAnswer>;
  if (result === undefined || result.isError === true) throw new Error(`${body} is refused: ${text}`);
  return { result, size: bytes.length };
};

const measure = async (job: Job, folder: string, at: { pid: number; port: number }): Promise<Row> => {
  const { method, params } = job;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await ask(at.port, '/mcp', body);
  const bare = await bareRpc(folder, answer.result);
  try {
    if (!isDeepStrictEqual(await ask(bare.port, '/', body), answer))
      throw new Error(`The bare server answers ${job.name} otherwise.`);
    const headers = { ...HEADERS, ...job.headers };
    const rounds = await alternateLoad(
      { ...at, path: '/mcp', headers, body },
      { pid: bare.pid, port: bare.port, path: '/', headers, body },
    );
    // A refusal also has status 200: check again after the load.
    await ask(at.port, '/mcp', body);
    return comparisonRow(job, rounds, answer.size);
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
    report('Tools', rows, HOW_TAKEN);
  });
});
