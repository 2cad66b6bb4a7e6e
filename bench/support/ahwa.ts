/** The server as it is run in production: `node dist/main.js` on a data folder of its own. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lineOf, ROOT, spawnNode, stop } from './processes.ts';

export const MAIN = join(ROOT, 'dist', 'main.js');
export const CLI = join(ROOT, 'dist', 'cli.js');

/** A data folder that is gone after `work`. */
export const withDataFolder = async (work: (dataDir: string) => Promise<void>): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ahwa-bench-'));
  // For root the embedded PostgreSQL runs as another user, and must get in.
  chmodSync(dataDir, 0o755);
  try {
    await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** So high that nothing is refused; counting goes on. */
export const UNREFUSED = '100000';

export interface Ahwa {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** The port in the line that says the server listens. */
const portIn = (line: string): number | null => {
  const port = /"port":(\d+)\b.*"msg":"listening"/.exec(line)?.[1];
  return port === undefined ? null : Number(port);
};

/** Starts the server with its defaults, in production unless `env` says otherwise; metrics on, on a free port. */
export const startAhwa = async (dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<Ahwa> => {
  const child = spawnNode([MAIN], {
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    RATE_LIMIT_SCALE: UNREFUSED,
    ...env,
  });
  const port = await lineOf(child, portIn);
  return { pid: child.pid, port, stop: () => stop(child) };
};

/** Starts the server, does `work`, and stops it whatever happens. */
export const withAhwa = async (
  dataDir: string,
  env: NodeJS.ProcessEnv,
  work: (ahwa: Ahwa) => Promise<void>,
): Promise<void> => {
  const ahwa = await startAhwa(dataDir, env);
  try {
    await work(ahwa);
  } finally {
    await ahwa.stop();
  }
};
