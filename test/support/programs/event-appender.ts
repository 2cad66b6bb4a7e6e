/** Another process that has the file of a device open. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./append-events.ts', import.meta.url));

export interface AppenderLine {
  readonly isOpen?: true;
  readonly number?: number;
  readonly fault?: string;
}

export interface Appender {
  readonly pid: number;
  /** What it has printed, growing. */
  readonly lines: readonly AppenderLine[];
  /** Resolves when so many lines are there. */
  readonly until: (count: number) => Promise<void>;
  /** With SIGKILL; resolves when every line that it printed is there. */
  readonly kill: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** `limitKib`: how large its files may become. */
export const startAppender = (
  path: string,
  {
    count = 0,
    size = 1,
    limitKib,
  }: { readonly count?: number; readonly size?: number; readonly limitKib?: number } = {},
): Appender => {
  const node = [process.execPath, '--import', 'tsx', PROGRAM, path, String(count), String(size)];
  const limited = ['bash', '-c', `ulimit -f ${limitKib}; exec "$@"`, 'bash', ...node];
  const [program = '', ...args] = limitKib === undefined ? node : limited;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: AppenderLine[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => lines.push(JSON.parse(line) as AppenderLine));
  const over = Promise.all([once(child, 'exit'), once(reader, 'close')]);
  return {
    pid: child.pid ?? 0,
    lines,
    until: async (wanted) => {
      while (lines.length < wanted)
        await Promise.race([
          once(reader, 'line'),
          over.then(() => Promise.reject(new Error('The process has ended.'))),
        ]);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await over;
    },
    end: async () => {
      child.stdin.end();
      await over;
    },
  };
};
