/** Another process that uses the embedded PostgreSQL of a data folder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./hold-postgres.ts', import.meta.url));

export interface Held {
  /** The socket folder. */
  readonly host?: string;
  /** The reason of a refusal. */
  readonly refused?: string;
}

export interface Holder {
  readonly child: ChildProcess;
  readonly reply: Promise<Held>;
  /** Releases PostgreSQL. */
  readonly release: () => Promise<unknown>;
  readonly kill: () => Promise<unknown>;
}

/** Not of a checkout in a private folder, such as the home of root: nobody else can run a program of it. */
export const canOthersHold = (): boolean => {
  for (let folder = PROGRAM; folder !== dirname(folder); folder = dirname(folder))
    if ((statSync(dirname(folder)).mode & 0o005) !== 0o005) return false;
  return true;
};

/** Starts the process; `through`: a wrapper program and its arguments, such as `unshare`. */
export const holdPostgres = (
  dataDir: string,
  through: readonly string[] = [],
  as: { readonly uid?: number; readonly gid?: number } = {},
): Holder => {
  const node = [process.execPath, '--import', 'tsx', PROGRAM, dataDir];
  const [program = process.execPath, ...args] = [...through, ...node];
  const child = spawn(program, args, { ...as, stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const reply = new Promise<Held>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line) as Held));
    void exit.then(() => reject(new Error('The holder of PostgreSQL ended before it replied.')));
  });
  // Who ends it early asks for no reply.
  reply.catch(() => undefined);
  return {
    child,
    reply,
    release: () => {
      child.stdin.end();
      return exit;
    },
    kill: () => {
      child.kill('SIGKILL');
      return exit;
    },
  };
};
