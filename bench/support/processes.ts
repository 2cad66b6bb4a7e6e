/** What the system says of running processes (Linux: /proc). Sizes are bytes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Clock ticks of /proc/<pid>/stat; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** The fields of /proc/<pid>/stat after the name, which may itself hold spaces: state, parent … */
const statOf = (pid: number): readonly string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** Seconds of CPU, of the process and of the system for it, since the process began. */
export const cpuSeconds = (pid: number): number => {
  const [user, system] = statOf(pid).slice(11, 13);
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
};

const rollup = (pid: number, field: 'Rss' | 'Pss'): number => {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
  } catch {
    // Ended between listing and looking.
    return 0;
  }
};

/** The most that one process has had resident so far; 0 once it has ended. */
export const peakBytes = (pid: number): number => {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};

/** Resident memory of one process. */
export const residentBytes = (pid: number): number => rollup(pid, 'Rss');

const childrenOf = (pid: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        return Number(statOf(candidate)[1]) === pid;
      } catch {
        return false;
      }
    });

/** The embedded PostgreSQL of a data folder with its workers; it is nobody's child. */
const postgresOf = (dataDir: string): readonly number[] => {
  const folder = readdirSync(dataDir).find((name) => /^postgres-\d+$/.test(name));
  if (folder === undefined) throw new Error(`${dataDir} holds no PostgreSQL data of its own.`);
  const postmaster = Number(readFileSync(join(dataDir, folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return [postmaster, ...childrenOf(postmaster)];
};

/** Memory of the server and its PostgreSQL together, pages they share counted once. */
export const treeBytes = (pid: number, dataDir: string): number =>
  [pid, ...postgresOf(dataDir)].reduce((sum, each) => sum + rollup(each, 'Pss'), 0);

/** The settings of this shell must not reach what is measured. */
export const cleanEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(['PATH', 'HOME', 'TMPDIR', 'LANG'].map((key) => [key, process.env[key]]));

/** A program of Node, its standard output to be read here. */
export const spawnNode = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcess & { readonly pid: number } => {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...cleanEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('Node could not be started.');
  return Object.assign(child, { pid });
};

/** Ends a child in order and waits for it. */
export const stop = (child: ChildProcess): Promise<void> =>
  new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done();
    child.once('exit', () => done());
    child.kill('SIGTERM');
  });

/** The first line of a child's output for which `read` gives something. Rejects with what the child said if it ends. */
export const lineOf = <T>(child: ChildProcess, read: (line: string) => T | null): Promise<T> =>
  new Promise((resolveLine, reject) => {
    let said = '';
    let rest = '';
    const hear = (chunk: Buffer): void => {
      rest += chunk.toString();
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const found = read(line);
        if (found !== null) resolveLine(found);
      }
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
    child.once('exit', (code) => reject(new Error(`A process ended with code ${code ?? 'none'}:\n${said}`)));
  });
