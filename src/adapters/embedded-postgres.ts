/**
 * A PostgreSQL with programs from npm, on a private Unix socket. The first process starts it, others join it,
 * the last one stops it. A server that survived its starter is joined by the next start; a killed server is
 * restarted by its users.
 */
import { join } from 'node:path';
import { newAccess, readAccess, saveAccess } from './embedded-postgres/access.ts';
import { prepareDataFolder } from './embedded-postgres/account.ts';
import { hasCluster, openCluster } from './embedded-postgres/cluster.ts';
import type { Cluster } from './embedded-postgres/cluster.ts';
import { serverRuns } from './embedded-postgres/postmaster.ts';
import { runServer, stopServer } from './embedded-postgres/server.ts';
import type { EmbeddedConnection } from './embedded-postgres/session.ts';
import type { EmbeddedConnections } from './embedded-postgres/server.ts';
import { withLock } from './embedded-postgres/bakery-lock.ts';
import { countUses, registerUse, removeUse } from './embedded-postgres/users.ts';
import { EmbeddedPostgresError, faultOfFiles } from './embedded-postgres/fault.ts';
import { inheritOwner, createPrivateFolder } from './private-files.ts';

export { EmbeddedPostgresError } from './embedded-postgres/fault.ts';
export type { EmbeddedConnection } from './embedded-postgres/session.ts';

export interface EmbeddedPostgres {
  /** As the role that reads and writes rows and owns no table. */
  readonly connection: EmbeddedConnection;
  /** As the owner of the tables. */
  readonly owner: EmbeddedConnection;
  readonly folder: string;
  /** The last release stops the server. Idempotent. */
  release(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Absolute path; created when missing. */
  readonly dataDir: string;
  /** False: a folder without a database is left as it is, and refused. Default: true. */
  readonly mayCreate?: boolean;
  readonly onProgress?: (line: string) => void;
}

const WATCH_MS = 500;

/** Returns a function that ends the watch. */
const watch = (
  cluster: Cluster,
  revive: () => Promise<unknown>,
  onProgress: (line: string) => void,
): (() => Promise<void>) => {
  let reviving: Promise<void> | null = null;
  /** An unreadable state counts as running until the next check. */
  const runs = (): boolean => {
    try {
      return serverRuns(cluster.folder);
    } catch {
      return true;
    }
  };
  const look = (): void => {
    if (reviving !== null || runs()) return;
    onProgress('PostgreSQL has ended unexpectedly; starting it again');
    reviving = revive()
      .then(() => onProgress('PostgreSQL answers again'))
      .catch((fault: unknown) => onProgress(fault instanceof Error ? fault.message : String(fault)))
      .finally(() => (reviving = null));
  };
  const timer = setInterval(look, WATCH_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await reviving;
  };
};

/** Makes and starts nothing. Throws EmbeddedPostgresError. */
export const hasEmbeddedDatabase = (dataDir: string): boolean => {
  try {
    return hasCluster(dataDir);
  } catch (fault) {
    throw faultOfFiles(fault, dataDir);
  }
};

/** Before anything is written. */
const demandCluster = (dataDir: string): void => {
  if (!hasEmbeddedDatabase(dataDir))
    throw new EmbeddedPostgresError(
      `There is no database in ${dataDir}; \`ahwa serve\`, \`ahwa import\` and \`ahwa restore\` make one, or set DATA_DIR to the folder that has it.`,
    );
};

/** Starts or joins the server; creates the database `ahwa` when missing. Throws EmbeddedPostgresError. */
export const startEmbeddedPostgres = async ({
  dataDir,
  mayCreate = true,
  onProgress = () => undefined,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  if (!mayCreate) demandCluster(dataDir);
  prepareDataFolder(dataDir);
  const locks = join(dataDir, 'run', 'turns');
  const users = join(dataDir, 'run', 'users');
  try {
    for (const folder of [locks, users]) createPrivateFolder(folder);
    for (const folder of [join(dataDir, 'run'), locks, users]) inheritOwner(dataDir, folder);
    return await withLock(locks, async () => {
      const entry = registerUse(users);
      const leave = async (cluster: Cluster | null): Promise<void> => {
        removeUse(entry);
        if (cluster !== null && countUses(users) === 0) await stopServer(cluster.folder);
      };
      let cluster: Cluster | null = null;
      try {
        const stored = readAccess(dataDir);
        const access = stored ?? newAccess();
        const opened = (cluster = await openCluster(dataDir, access, onProgress));
        const run = (): Promise<EmbeddedConnections> =>
          runServer(opened, dataDir, access, () => countUses(users) === 1);
        const { serving, owner } = await run();
        if (stored === null) saveAccess(dataDir, access);
        const endWatch = watch(opened, () => withLock(locks, run), onProgress);
        let released: Promise<void> | null = null;
        const release = async (): Promise<void> => {
          await endWatch();
          await withLock(locks, () => leave(opened));
        };
        return { connection: serving, owner, folder: opened.folder, release: () => (released ??= release()) };
      } catch (fault) {
        await leave(cluster);
        throw fault;
      }
    });
  } catch (fault) {
    throw faultOfFiles(fault, dataDir);
  }
};
