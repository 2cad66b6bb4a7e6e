/** Another process that uses the embedded PostgreSQL of a data folder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./hold-postgres.ts', import.meta.url));

export interface Held {
  /** The socket folder. */
  readonly host?: string;
  /** The sentence of a refusal. */
  readonly refused?: string;
}

export interface Holder {
  readonly child: ChildProcess;
  readonly told: Promise<Held>;
  /** Ends the use in order. */
  readonly letGo: () => Promise<unknown>;
  readonly kill: () => Promise<unknown>;
}

/** `through`: a program and its arguments that start it, such as one that changes what it sees of the system. */
export const holdPostgres = (
  dataDir: string,
  through: readonly string[] = [],
  as: { readonly uid?: number; readonly gid?: number } = {},
): Holder => {
  const node = [process.execPath, '--import', 'tsx', PROGRAM, dataDir];
  const [program = process.execPath, ...args] = [...through, ...node];
  const child = spawn(program, args, { ...as, stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const told = new Promise<Held>((resolve) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line) as Held));
  });
  return {
    child,
    told,
    letGo: () => {
      child.stdin.end();
      return exit;
    },
    kill: () => {
      child.kill('SIGKILL');
      return exit;
    },
  };
};
