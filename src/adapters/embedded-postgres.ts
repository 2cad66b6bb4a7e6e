/**
 * The default database: a real PostgreSQL, its programs from npm, on a private Unix socket, its data in the
 * data folder. The first process that needs it starts it, others join it, the last one stops it; a server whose
 * starter was killed is joined by the next start, and a killed server is started again by whoever uses it.
 */
import { join } from 'node:path';
import { newAccess, readAccess, saveAccess } from './embedded-postgres/access.ts';
import { prepareDataFolder } from './embedded-postgres/account.ts';
import { openCluster } from './embedded-postgres/cluster.ts';
import type { Cluster } from './embedded-postgres/cluster.ts';
import { serverRuns } from './embedded-postgres/postmaster.ts';
import { runServer, stopServer } from './embedded-postgres/server.ts';
import type { EmbeddedConnection } from './embedded-postgres/session.ts';
import type { EmbeddedConnections } from './embedded-postgres/server.ts';
import { inTurn } from './embedded-postgres/turn.ts';
import { countUsers, signIn, signOut } from './embedded-postgres/users.ts';
import { faultOfFiles } from './embedded-postgres/fault.ts';
import { keepOwner, ownFolder } from './owner.ts';

export { EmbeddedPostgresError } from './embedded-postgres/fault.ts';
export type { EmbeddedConnection } from './embedded-postgres/session.ts';

export interface EmbeddedPostgres {
  /** As the role that reads and writes rows, and owns nothing. */
  readonly connection: EmbeddedConnection;
  /** As the role that owns the tables: for migrations, restores, whatever changes their shape. */
  readonly owner: EmbeddedConnection;
  /** The folder that PostgreSQL keeps its data in. */
  readonly folder: string;
  /** Ends this use; the last user's release stops the server. Safe to call twice. */
  release(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Absolute path of the data folder; made when missing. */
  readonly dataDir: string;
  /** Hears what a person waiting for the start would like to know, one line each. */
  readonly tell?: (line: string) => void;
}

const WATCH_MS = 500;

/** Starts the server again when it has died while in use. Returns the function that ends the watch. */
const watch = (
  cluster: Cluster,
  revive: () => Promise<unknown>,
  tell: (line: string) => void,
): (() => Promise<void>) => {
  let reviving: Promise<void> | null = null;
  /** What cannot be told now (no right to look, say) counts as running: the next look will tell. */
  const runs = (): boolean => {
    try {
      return serverRuns(cluster.folder);
    } catch {
      return true;
    }
  };
  const look = (): void => {
    if (reviving !== null || runs()) return;
    tell('PostgreSQL has ended unexpectedly; starting it again');
    reviving = revive()
      .then(() => tell('PostgreSQL answers again'))
      .catch((fault: unknown) => tell(fault instanceof Error ? fault.message : String(fault)))
      .finally(() => (reviving = null));
  };
  const timer = setInterval(look, WATCH_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await reviving;
  };
};

/**
 * Starts or joins the PostgreSQL of a data folder and makes the database `ahwa` when it is missing.
 * Throws EmbeddedPostgresError, whose message is a sentence for the operator.
 */
export const startEmbeddedPostgres = async ({
  dataDir,
  tell = () => undefined,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  prepareDataFolder(dataDir);
  const turns = join(dataDir, 'run', 'turns');
  const users = join(dataDir, 'run', 'users');
  try {
    for (const folder of [turns, users]) ownFolder(folder);
    for (const folder of [join(dataDir, 'run'), turns, users]) keepOwner(dataDir, folder);
    return await inTurn(turns, async () => {
      const entry = signIn(users);
      const leave = async (cluster: Cluster | null): Promise<void> => {
        signOut(entry);
        if (cluster !== null && countUsers(users) === 0) await stopServer(cluster.folder);
      };
      let cluster: Cluster | null = null;
      try {
        const kept = readAccess(dataDir);
        const access = kept ?? newAccess();
        const opened = (cluster = await openCluster(dataDir, access, tell));
        const run = (): Promise<EmbeddedConnections> =>
          runServer(opened, dataDir, access, () => countUsers(users) === 1);
        const { serving, owner } = await run();
        if (kept === null) saveAccess(dataDir, access);
        const endWatch = watch(opened, () => inTurn(turns, run), tell);
        let released: Promise<void> | null = null;
        const release = async (): Promise<void> => {
          await endWatch();
          await inTurn(turns, () => leave(opened));
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
