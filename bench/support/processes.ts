/** CPU and memory of processes, from Linux /proc. Sizes are bytes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Clock ticks of /proc/<pid>/stat; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** The fields of /proc/<pid>/stat after the name, which may contain spaces. */
const statOf = (pid: number): readonly string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

/** The workers of a launcher: children that run its program, as `worker`. */
const workersOf = (pid: number): readonly number[] => {
  const command = commandOf(pid);
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .flatMap((child) =>
      child !== '' && commandOf(Number(child)).startsWith(command) ? [Number(child)] : [],
    );
};

/** User and system CPU seconds since the start of the process, its workers included. */
export const cpuSeconds = (pid: number): number =>
  [pid, ...workersOf(pid)].reduce((sum, each) => {
    const [user, system] = statOf(each).slice(11, 13);
    return sum + (Number(user) + Number(system)) / TICKS_PER_SECOND;
  }, 0);

const rollup = (pid: number, field: 'Rss' | 'Pss'): number => {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
  } catch {
    // Ended after it was listed.
    return 0;
  }
};

/** The peak resident memory of one process; 0 once it has ended. */
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

/** The embedded PostgreSQL of a data folder and its workers; it is not the server's child. */
const postgresOf = (dataDir: string): readonly number[] => {
  const folder = readdirSync(dataDir).find((name) => /^postgres-\d+$/.test(name));
  if (folder === undefined) throw new Error(`${dataDir} holds no PostgreSQL data of its own.`);
  const postmaster = Number(readFileSync(join(dataDir, folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return [postmaster, ...childrenOf(postmaster)];
};

/** User and system CPU seconds of the embedded PostgreSQL of a data folder, those of its ended processes included. */
export const postgresCpuSeconds = (dataDir: string): number => {
  const [postmaster = 0, ...others] = postgresOf(dataDir);
  const ended = statOf(postmaster).slice(13, 15);
  const running = [postmaster, ...others].flatMap((pid) => {
    try {
      return statOf(pid).slice(11, 13);
    } catch {
      // Ended after it was listed.
      return [];
    }
  });
  return [...ended, ...running].reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
};

/** Memory of processes; pages that they share count once. */
const sharedBytes = (pids: readonly number[]): number =>
  pids.reduce((sum, each) => sum + rollup(each, 'Pss'), 0);

/** Memory of a server and its workers. */
export const serverBytes = (pid: number): number => sharedBytes([pid, ...workersOf(pid)]);

/** Memory of the server and its PostgreSQL. */
export const treeBytes = (pid: number, dataDir: string): number => sharedBytes([pid, ...postgresOf(dataDir)]);

/** The environment without the shell's settings. */
export const cleanEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(['PATH', 'HOME', 'TMPDIR', 'LANG'].map((key) => [key, process.env[key]]));

/** Starts a Node program with piped standard output. */
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

/** Sends SIGTERM and waits for the end. */
export const stop = (child: ChildProcess): Promise<void> =>
  new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done();
    child.once('exit', () => done());
    child.kill('SIGTERM');
  });

/** The first output line for which `read` is not null. Rejects with the output if the child ends. */
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
