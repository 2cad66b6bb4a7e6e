/** Another process that uses the embedded PostgreSQL of a data folder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
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
  const reply = new Promise<Held>((resolve) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line) as Held));
  });
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
