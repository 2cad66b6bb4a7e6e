/**
 * PostgreSQL refuses root. For root it runs as the owner of the data folder, else as a system user created
 * for it, else as 65534, which needs no account.
 */
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lchownSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { createFolders } from '../private-files.ts';
import { EmbeddedPostgresError, codeOf, faultOfFiles, userLabel } from './fault.ts';
import { ownUser } from './own-user.ts';
import { handOver } from './ownership.ts';
import { addToRecord, readRecord } from './record.ts';

/** null: the user of this process. */
export type Account = { readonly uid: number; readonly gid: number } | null;

const NOBODY = { uid: 65534, gid: 65534 } as const;
const isRoot = (): boolean => process.getuid?.() === 0;

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)));

export const changeOwner = (path: string, account: Account): void => {
  if (account !== null) lchownSync(path, account.uid, account.gid);
};

/** Private to the owner; a folder of root must let PostgreSQL's user pass through. */
const folderMode = (): number => (isRoot() ? 0o711 : 0o700);

const OWN_NAMES = ['run', 'secret.key', 'postgres.json'];

/**
 * For a data folder of root from an older build: others may only pass through. Leaves folders that hold other
 * files or that everybody may write.
 */
const removeForeignAccess = (dataDir: string): void => {
  const { uid, mode } = statSync(dataDir);
  if (!isRoot() || uid !== 0 || (mode & 0o066) === 0 || (mode & 0o002) !== 0) return;
  const names = readdirSync(dataDir);
  if (names.length === 0 || OWN_NAMES.some((name) => names.includes(name))) chmodSync(dataDir, mode & 0o711);
};

/**
 * Inside a user's folder, that user becomes the owner even if root creates it, so both can start the program.
 */
export const prepareDataFolder = (dataDir: string): void => {
  try {
    if (!existsSync(dataDir)) {
      const { uid, gid } = statSync(nearestExisting(dataDir));
      for (const made of createFolders(dataDir, 0o755)) {
        chmodSync(made, made === dataDir ? folderMode() : 0o755);
        if (isRoot() && uid !== 0) chownSync(made, uid, gid);
      }
    }
    if (!statSync(dataDir).isDirectory())
      throw new EmbeddedPostgresError(`${dataDir} is not a folder; set DATA_DIR to a folder.`);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    removeForeignAccess(dataDir);
  } catch (fault) {
    throw ownershipFault(dataDir, fault) ?? faultOfFiles(fault, dataDir);
  }
};

const ownershipFault = (dataDir: string, fault: unknown): EmbeddedPostgresError | null => {
  if (codeOf(fault) !== 'EACCES' || !existsSync(dataDir)) return null;
  const owner = statSync(dataDir).uid;
  return owner === process.getuid?.() ? null : belongsToAnother(dataDir, owner);
};

const belongsToAnother = (folder: string, owner: number): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    `${folder} belongs to ${userLabel(owner)}, and this is ${userLabel(process.getuid?.() ?? -1)}; start as that user, or set DATA_DIR to a folder of your own.`,
  );

const accountForRoot = async (dataDir: string): Promise<NonNullable<Account>> => {
  const own = await ownUser();
  if (own === null) return NOBODY;
  addToRecord(dataDir, { ownUserId: String(own.uid) });
  return { uid: own.uid, gid: own.gid };
};

/** Throws when the cluster belongs to another user. */
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
 * The owner. A cluster owned by the user `nobody`, or by a deleted user, is first handed over to the user created for
 * it, unless a process uses it.
 */
export const accountToRun = async (cluster: string, owner: Account, dataDir: string): Promise<Account> => {
  if (owner === null) return null;
  const isTemporary = owner.uid === NOBODY.uid || String(owner.uid) === readRecord(dataDir).ownUserId;
  if (!isTemporary) return owner;
  const wanted = await accountForRoot(dataDir);
  return wanted.uid === owner.uid || handOver(cluster, wanted) ? wanted : owner;
};

export const accountForNew = async (dataDir: string): Promise<Account> => {
  if (!isRoot()) return null;
  const { uid, gid } = statSync(dataDir);
  return uid === 0 ? await accountForRoot(dataDir) : { uid, gid };
};
