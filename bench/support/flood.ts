/**
 * A process that floods the server: workers post the heaviest carts from several addresses until it is killed.
 * Argument: `{ port, path }`. Prints a line once every worker got an answer.
 */
import { openConnection, post } from './connection.ts';
import { worstBodies } from './worst-bodies.ts';

const WORKERS = 80;
const ADDRESSES = 8;

const { port, path } = JSON.parse(process.argv[2] ?? '') as { port: number; path: string };
const requests = Object.values(worstBodies().carts).map((body) =>
  Buffer.from(post(path, body, { 'Content-Type': 'application/json' })),
);

let waiting = WORKERS;
const work = async (worker: number): Promise<void> => {
  const asking = openConnection(port, `127.0.0.${10 + (worker % ADDRESSES)}`);
  for (let turn = worker; ; turn += 1) {
    const request = requests[turn % requests.length];
    if (request !== undefined) await asking.ask(request);
    if (turn === worker && (waiting -= 1) === 0) process.stdout.write('flooding\n');
  }
};
for (let worker = 0; worker < WORKERS; worker += 1) void work(worker);
process.on('SIGTERM', () => process.exit(0));
