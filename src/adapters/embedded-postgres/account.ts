/**
 * As whom PostgreSQL runs. It refuses root, so a program started by root lends it an unprivileged user id: the
 * owner of the data folder, else a system user made for it, else 65534, which needs no account of its own.
 */
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedPostgresError, codeOf, faultOfFiles, userLabel } from './fault.ts';
import { ownUser } from './own-user.ts';
import { handOver } from './ownership.ts';
import { addToRecord, readRecord } from './record.ts';

/** The user and group ids to run PostgreSQL with; null = those of this process. */
export type Account = { readonly uid: number; readonly gid: number } | null;

const NOBODY = { uid: 65534, gid: 65534 } as const;
const isRoot = (): boolean => process.getuid?.() === 0;

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)));

/** Gives `path` to `account`, when it is another than ours. */
export const give = (path: string, account: Account): void => {
  if (account !== null) lchownSync(path, account.uid, account.gid);
};

/** Of the data folder: for its owner alone; of root's, the user that PostgreSQL runs as must pass through. */
const folderMode = (): number => (isRoot() ? 0o711 : 0o700);

/** What a folder has that held Ahwa's data before. */
const OURS = ['run', 'secret.key', 'postgres.json'];

/**
 * Takes reading from everybody else in a data folder of root's from before that was the rule; PostgreSQL's own user may go
 * on passing through. Not where other things are kept too, or where everybody may write: that folder is somebody else's.
 */
const tighten = (dataDir: string): void => {
  const { uid, mode } = statSync(dataDir);
  if (!isRoot() || uid !== 0 || (mode & 0o066) === 0 || (mode & 0o002) !== 0) return;
  const names = readdirSync(dataDir);
  if (names.length === 0 || OURS.some((name) => names.includes(name))) chmodSync(dataDir, mode & 0o711);
};

/**
 * Makes the data folder when it is missing. Made by root inside a folder of an ordinary user it is given to
 * that user, so that both can start the program in either order.
 */
export const prepareDataFolder = (dataDir: string): void => {
  try {
    if (!existsSync(dataDir)) {
      const { uid, gid } = statSync(nearestExisting(dataDir));
      const first = mkdirSync(dataDir, { recursive: true, mode: 0o755 });
      for (let made = dataDir; first !== undefined && made.length >= first.length; made = dirname(made)) {
        chmodSync(made, made === dataDir ? folderMode() : 0o755);
        if (isRoot() && uid !== 0) chownSync(made, uid, gid);
      }
    }
    if (!statSync(dataDir).isDirectory())
      throw new EmbeddedPostgresError(`${dataDir} is not a folder; set DATA_DIR to a folder.`);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    tighten(dataDir);
  } catch (fault) {
    throw isOfAnother(dataDir, fault) ?? faultOfFiles(fault, dataDir);
  }
};

const isOfAnother = (dataDir: string, fault: unknown): EmbeddedPostgresError | null => {
  if (codeOf(fault) !== 'EACCES' || !existsSync(dataDir)) return null;
  const owner = statSync(dataDir).uid;
  return owner === process.getuid?.() ? null : belongsToAnother(dataDir, owner);
};

const belongsToAnother = (folder: string, owner: number): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    `${folder} belongs to ${userLabel(owner)}, and this is ${userLabel(process.getuid?.() ?? -1)}; start as that user, or set DATA_DIR to a folder of your own.`,
  );

/** Root's own: the user made for PostgreSQL, remembered, else nobody. */
const lentByRoot = async (dataDir: string): Promise<NonNullable<Account>> => {
  const own = await ownUser();
  if (own === null) return NOBODY;
  addToRecord(dataDir, { ownUserId: String(own.uid) });
  return { uid: own.uid, gid: own.gid };
};

/** Whose a cluster is that is already there. Throws when it belongs to somebody else. */
export const accountOfCluster = (cluster: string): Account => {
  const { uid, gid } = statSync(cluster);
  if (isRoot() && uid === 0) {
    throw new EmbeddedPostgresError(
      `${cluster} belongs to root, and PostgreSQL refuses to run as root; give it away: chown -R ${NOBODY.uid}:${NOBODY.gid} ${cluster}`,
    );
  }
  if (isRoot()) return { uid, gid };
  if (uid !== process.getuid?.()) throw belongsToAnother(cluster, uid);
  return null;
};

/**
 * The account to run a cluster with: its owner. Data that root gave to nobody, or to a user that is gone since, is given
 * to the user made for it first, unless somebody works in it.
 */
export const accountToRun = async (cluster: string, owner: Account, dataDir: string): Promise<Account> => {
  if (owner === null) return null;
  const isLent = owner.uid === NOBODY.uid || String(owner.uid) === readRecord(dataDir).ownUserId;
  if (!isLent) return owner;
  const wanted = await lentByRoot(dataDir);
  return wanted.uid === owner.uid || handOver(cluster, wanted) ? wanted : owner;
};

/** The account for a cluster that is about to be made in `dataDir`. */
export const accountForNew = async (dataDir: string): Promise<Account> => {
  if (!isRoot()) return null;
  const { uid, gid } = statSync(dataDir);
  return uid === 0 ? await lentByRoot(dataDir) : { uid, gid };
};
