/** Load by wrk, which uses little CPU itself. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cpuSeconds } from './processes.ts';

export const CONNECTIONS = 64;

/** Exits with a message when wrk is not installed. */
export const needWrk = (): void => {
  if (spawnSync('wrk', ['-v']).error === undefined) return;
  console.error(
    'This bench loads the server with wrk, which is not installed: apt-get install wrk (or brew install wrk).',
  );
  process.exit(1);
};

export interface Target {
  readonly pid: number;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST; without it, a GET. */
  readonly body?: string;
  /** A file of bodies, one a line, for POSTs of carts that do not come again. */
  readonly carts?: string;
}

const POST = join(import.meta.dirname, 'post.lua');
const POST_CARTS = join(import.meta.dirname, 'post-carts.lua');

export interface Load {
  readonly perSecond: number;
  /** Server CPU seconds per request. */
  readonly cpuPerRequest: number;
  /** The share of one core that the server used. */
  readonly coreShare: number;
}

const number = (pattern: RegExp, text: string): number | null => {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? null : Number(found);
};

const run = (args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile('wrk', args, (fault, stdout) =>
      fault === null ? resolve(stdout) : reject(new Error('wrk failed.', { cause: fault })),
    );
  });

/** Loads one address with 64 connections. Throws unless every answer is 2xx or 3xx, and without answers. */
export const load = async (target: Target, seconds: number): Promise<Load> => {
  const { pid, port, path, headers, body, carts } = target;
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const argument = body ?? carts;
  const [script, posted] =
    argument === undefined
      ? [[], []]
      : [
          ['-s', body === undefined ? POST_CARTS : POST],
          ['--', argument],
        ];
  const cpuBefore = cpuSeconds(pid);
  const began = performance.now();
  const text = await run([
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    ...given,
    ...script,
    `http://127.0.0.1:${port}${path}`,
    ...posted,
  ]);
  const cpu = cpuSeconds(pid) - cpuBefore;
  const elapsed = (performance.now() - began) / 1000;
  const requests = number(/(\d+) requests in/, text);
  const perSecond = number(/Requests\/sec:\s+([\d.]+)/, text);
  if (requests === null || perSecond === null || /Non-2xx|Socket errors/.test(text))
    throw new Error(`wrk met a fault at ${path}:\n${text}`);
  return { perSecond, cpuPerRequest: cpu / requests, coreShare: cpu / elapsed };
};
