/** Starts the baseline servers, each in its own process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineOf, spawnNode, stop } from './processes.ts';

export interface BareAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly bodyFile: string | null;
}

export interface Bare {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

const run = async (program: string, argument: string): Promise<Bare> => {
  const child = spawnNode(['--import', 'tsx', join(import.meta.dirname, program), argument], {});
  const port = await lineOf(child, (line) => (/^\d+$/.test(line) ? Number(line) : null));
  return { pid: child.pid, port, stop: () => stop(child) };
};

const start = (answer: BareAnswer): Promise<Bare> => run('bare.ts', JSON.stringify(answer));

/** Answers 200 with these bytes, passed in the file `name` of `folder`. */
export const bareBytes = (
  folder: string,
  name: string,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json; charset=utf-8' },
): Promise<Bare> => {
  const bodyFile = join(folder, name);
  writeFileSync(bodyFile, bytes);
  return start({ status: 200, headers: { ...headers, 'Content-Length': bytes.length }, bodyFile });
};

export const bareNotModified = (tag: string): Promise<Bare> =>
  start({ status: 304, headers: { ETag: tag }, bodyFile: null });

/** Parses every JSON-RPC request and stringifies this result. */
export const bareRpc = (folder: string, result: unknown): Promise<Bare> => {
  const file = join(folder, 'result.json');
  writeFileSync(file, JSON.stringify(result));
  return run('bare-rpc.ts', file);
};

/** Parses every body and answers with these bytes. */
export const barePost = (folder: string, bytes: Buffer): Promise<Bare> => {
  const file = join(folder, 'posted.json');
  writeFileSync(file, bytes);
  return run('bare-post.ts', file);
};
