/** A bare server of node:http as a process of its own. */
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

const start = async (answer: BareAnswer): Promise<Bare> => {
  const child = spawnNode(
    ['--import', 'tsx', join(import.meta.dirname, 'bare.ts'), JSON.stringify(answer)],
    {},
  );
  const port = await lineOf(child, (line) => (/^\d+$/.test(line) ? Number(line) : null));
  return { pid: child.pid, port, stop: () => stop(child) };
};

/** Answers 200 with these very bytes. `name` is that of the file in `folder` which hands them over. */
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

/** Answers 304 with a tag. */
export const bareNotModified = (tag: string): Promise<Bare> =>
  start({ status: 304, headers: { ETag: tag }, bodyFile: null });
