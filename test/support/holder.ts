/** Another process that uses the embedded PostgreSQL of a data folder. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
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
  letGo(): Promise<unknown>;
  kill(): Promise<unknown>;
}

/** `through`: a program and its arguments that start it, such as one that changes what it sees of the system. */
export const holdPostgres = (
  dataDir: string,
  through: readonly string[] = [],
  options: SpawnOptions = {},
): Holder => {
  const [program = '', ...args] = [...through, process.execPath, '--import', 'tsx', PROGRAM, dataDir];
  const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const told = new Promise<Held>((resolve) => {
    if (child.stdout !== null)
      createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line) as Held));
  });
  return {
    child,
    told,
    letGo: () => {
      child.stdin?.end();
      return exit;
    },
    kill: () => {
      child.kill('SIGKILL');
      return exit;
    },
  };
};
