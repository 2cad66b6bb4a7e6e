/** The server as in production: `node dist/main.js` on its own data folder. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lineOf, ROOT, spawnNode, stop } from './processes.ts';

export const MAIN = join(ROOT, 'dist', 'main.js');
export const CLI = join(ROOT, 'dist', 'cli.js');

/** A data folder that is removed after `work`. */
export const withDataFolder = async (work: (dataDir: string) => Promise<void>): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ahwa-bench-'));
  // Under root, the embedded PostgreSQL runs as another user, who must read it.
  chmodSync(dataDir, 0o755);
  try {
    await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** A `RATE_LIMIT_SCALE` at which requests are counted and none is refused. */
export const UNREFUSED = '100000';

export interface Ahwa {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** Null: the line does not name it. */
export const portIn = (line: string): number | null => {
  const port = /"port":(\d+)\b.*"msg":"listening"/.exec(line)?.[1];
  return port === undefined ? null : Number(port);
};

/** Starts the server with its defaults, in production mode unless `env` differs, with metrics, on a free port. */
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
