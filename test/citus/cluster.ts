/** A coordinator, three nodes, shops on them, and servers: for one test file. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { dataFolder, removeDataFolder } from '../support/programs/data-folder.ts';
import { listening, startProgram, type Program, type Server } from '../support/programs/program.ts';
import { shopId } from '../support/shops/cafe.ts';
import { startNode, type Node } from './nodes.ts';

export interface Placement {
  readonly shard: number;
  readonly port: number;
}

export interface Cluster {
  readonly coordinator: () => Node;
  readonly workers: () => readonly Node[];
  readonly servers: () => readonly Server[];
  /** Of the messages that the servers send. */
  readonly messagesFile: () => string;
  /** Runs a command, and returns what it printed. */
  ahwa(args: readonly string[], input?: string): Promise<string>;
  /** Starts one more server. */
  serve(): Promise<Server>;
  placeOf(slug: string): Promise<Placement>;
  /** The node of a shop. */
  nodeOf(slug: string): Promise<Node>;
  /** What servers have logged. */
  logged(): readonly LogLine[];
}

type LogLine = Readonly<Record<string, unknown>>;

interface Layout {
  readonly shops: readonly ShopFile[];
  readonly servers: number;
  /** Of the database, besides those that every test has. */
  readonly settings?: readonly string[];
  /** Of connections from node to node. */
  readonly nodeConnections?: string;
}

/** Few shards, and one connection to a node for all that one statement asks of it: four servers share this machine. */
const SETTINGS = ['citus.shard_count = 6', 'citus.max_adaptive_executor_pool_size = 1'];

const PLACE = `
  select shardid::int as shard, nodeport as port from pg_dist_shard_placement
  where shardid = get_shard_id_for_distribution_column('shop', $1::uuid)`;

/** Call it at the top of a test file. */
export const useCluster = (layout: Layout): Cluster => {
  const dataDir = dataFolder();
  const messagesFile = join(dataDir, 'messages.jsonl');
  let nodes: readonly Node[] = [];
  let servers: readonly Server[] = [];
  const programs: Program[] = [];
  const coordinator = (): Node => {
    const [first] = nodes;
    if (first === undefined) throw new Error('No node was started.');
    return first;
  };
  const settings = () => ({
    ...{ DATABASE_URL: coordinator().url, DATA_DIR: dataDir, WEBHOOK_ALLOW: '127.0.0.1' },
    SECRET_KEY: 'a secret of this test alone, long enough',
    // Limits and budgets that are asked and never reached.
    ...{ RATE_LIMIT_SCALE: '1000', OTP_SENDER: 'file', OTP_FILE: messagesFile },
  });
  const ahwa: Cluster['ahwa'] = async (args, input) => {
    const { code, stdout, stderr } = await startProgram('cli.js', args, settings(), input).ended;
    if (code !== 0) throw new Error(`ahwa ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  };
  const serve = (): Promise<Server> => {
    const program = startProgram('main.js', [], settings());
    programs.push(program);
    return listening(program);
  };
  const placeOf = async (slug: string): Promise<Placement> => {
    const [row] = await coordinator().query<Placement>(PLACE, [shopId(slug)]);
    if (row === undefined) throw new Error(`The shop ${slug} is nowhere.`);
    return row;
  };
  beforeAll(async () => {
    nodes = await Promise.all(Array.from({ length: 4 }, () => startNode(layout.nodeConnections)));
    const first = coordinator();
    await first.query("select citus_set_coordinator_host('127.0.0.1', $1)", [first.port]);
    for (const { port } of nodes.slice(1))
      await first.query("select citus_add_node('127.0.0.1', $1)", [port]);
    for (const setting of [...SETTINGS, ...(layout.settings ?? [])])
      await first.query(`alter database postgres set ${setting}`);
    await ahwa(['migrate']);
    await ahwa(['distribute']);
    for (const shop of layout.shops) await ahwa(['import', '-'], JSON.stringify(shop));
    servers = await Promise.all(Array.from({ length: layout.servers }, serve));
  }, 300_000);
  afterAll(async () => {
    for (const program of programs) program.signal('SIGKILL');
    await Promise.all(programs.map(({ ended }) => ended));
    for (const node of nodes) node.kill();
    removeDataFolder(dataDir);
  });
  /** The faults of the servers, and what they logged last. */
  beforeEach(({ onTestFailed }) =>
    onTestFailed(() => {
      const isFault = (line: LogLine): boolean => line['level'] === 'error';
      const lines = programs.flatMap((program) => [
        ...program.log().slice(0, -20).filter(isFault),
        ...program.log().slice(-20),
      ]);
      process.stdout.write(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    }),
  );
  return {
    ...{ coordinator, workers: () => nodes.slice(1), servers: () => servers, ahwa, serve, placeOf },
    messagesFile: () => messagesFile,
    nodeOf: async (slug) => {
      const { port } = await placeOf(slug);
      const found = nodes.find((node) => node.port === port);
      if (found === undefined) throw new Error(`The shop ${slug} is on no node of this test.`);
      return found;
    },
    logged: () => programs.flatMap((program) => program.log()),
  };
};
