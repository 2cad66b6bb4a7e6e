import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { demandPassword, OWNER, type Access } from './access.ts';
import { accountForNew, accountOfCluster, accountToRun, changeOwner } from './account.ts';
import type { Account } from './account.ts';
import { EmbeddedPostgresError, faultOfFiles, faultOfOutput } from './fault.ts';
import { SYSTEM_FOLDER, findPrograms, run, type Finished } from './programs.ts';
import { addToRecord, readRecord } from './record.ts';

/** Of the PostgreSQL from npm; part of the folder's name. */
const MAJOR = 18;

export interface Cluster {
  readonly folder: string;
  readonly account: Account;
  /** Folder of initdb, pg_ctl and postgres. */
  readonly programs: string;
}

/** Initial postgresql.conf, which the operator may change. Small, because one shop is a few megabytes. */
const FIRST_SETTINGS = {
  shared_buffers: '32MB',
  max_connections: '100',
  max_wal_size: '512MB',
  jit: 'off',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
} as const;

const INITDB = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--auth=scram-sha-256',
  `--username=${OWNER}`,
  ...Object.entries(FIRST_SETTINGS).map(([key, value]) => `--set=${key}=${value}`),
];

/** Tested with one of PostgreSQL's programs. */
const canReach = async (programs: string, folder: string, account: Account): Promise<boolean> => {
  const { output } = await run(join(programs, 'pg_ctl'), ['status', '-D', folder], account);
  return !/Permission denied|could not access/.test(output);
};

const emptyFolder = (beside: string, account: Account): string => {
  const folder = mkdtempSync(`${beside}.new-`);
  try {
    chmodSync(folder, 0o700);
    changeOwner(folder, account);
    return folder;
  } catch (fault) {
    rmSync(folder, { recursive: true, force: true });
    throw fault;
  }
};

/** Inside the data folder, or, if PostgreSQL's user cannot reach it, in a system folder. */
const foldersForNew = async (
  programs: string,
  dataDir: string,
  account: Account,
): Promise<{ folder: string; final: string }> => {
  const inside = join(dataDir, `postgres-${MAJOR}`);
  const folder = emptyFolder(inside, account);
  if (await canReach(programs, folder, account)) return { folder, final: inside };
  rmSync(folder, { recursive: true });
  const home = join(SYSTEM_FOLDER, 'data');
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const own = mkdtempSync(join(home, 'of-'));
  chmodSync(own, 0o755);
  const outside = join(own, `postgres-${MAJOR}`);
  return { folder: emptyFolder(outside, account), final: outside };
};

const removeHalfMade = (dataDir: string): void => {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(`postgres-${MAJOR}.new-`))
      // initdb of a killed process may still be writing.
      rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 25 });
  }
};

const initialise = async (
  programs: string,
  folder: string,
  account: Account,
  access: Access,
): Promise<Finished> => {
  // initdb reads a password only from a terminal or a file.
  const secret = emptyFolder(folder.replace(/\.new-.*$/, ''), account);
  try {
    const file = join(secret, 'password');
    writeFileSync(file, access[OWNER], { mode: 0o600 });
    changeOwner(file, account);
    return await run(join(programs, 'initdb'), [...INITDB, `--pwfile=${file}`, '-D', folder], account);
  } finally {
    rmSync(secret, { recursive: true, force: true });
  }
};

const createCluster = async (
  dataDir: string,
  access: Access,
  onProgress: (line: string) => void,
): Promise<Cluster> => {
  const account = await accountForNew(dataDir);
  const programs = await findPrograms(account, dataDir, onProgress);
  try {
    removeHalfMade(dataDir);
    const { folder, final } = await foldersForNew(programs, dataDir, account);
    onProgress(`making a new database in ${final}`);
    const made = await initialise(programs, folder, account, access);
    if (made.code !== 0) {
      rmSync(folder, { recursive: true, force: true });
      throw faultOfOutput(made.output, final);
    }
    demandPassword(folder, account);
    if (!final.startsWith(dataDir)) addToRecord(dataDir, { cluster: final });
    renameSync(folder, final);
    return { folder: final, account, programs };
  } catch (fault) {
    throw faultOfFiles(fault, dataDir);
  }
};

const checkVersion = (folder: string): void => {
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (found !== String(MAJOR)) throw otherVersion(folder, found);
};

const otherVersion = (folder: string, found: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    `${folder} holds data of PostgreSQL ${found}, and this release runs PostgreSQL ${MAJOR}; nothing was changed; back it up with the release that made it (ahwa backup), and restore that with this one into a new DATA_DIR (ahwa restore).`,
  );

/** An empty database beside it would look like data loss. */
const refuseOtherVersions = (dataDir: string): void => {
  const other = readdirSync(dataDir)
    .map((name) => /^postgres-(\d+)$/.exec(name)?.[1])
    .find((version) => version !== undefined && version !== String(MAJOR));
  if (other !== undefined) throw otherVersion(join(dataDir, `postgres-${other}`), other);
};

const isHalfMade = (elsewhere: string): boolean => {
  const parent = join(elsewhere, '..');
  return existsSync(parent) && readdirSync(parent).some((name) => name.includes('.new-'));
};

/** Also true for one that cannot be used, such as one that was moved away; `openCluster` says so. */
export const hasCluster = (dataDir: string): boolean => {
  if (!existsSync(dataDir)) return false;
  if (readdirSync(dataDir).some((name) => /^postgres-\d+$/.test(name))) return true;
  const elsewhere = readRecord(dataDir).cluster;
  return elsewhere !== undefined && (existsSync(elsewhere) || !isHalfMade(elsewhere));
};

/** Creates the cluster with the passwords of `access` when missing. Call it under the lock. */
export const openCluster = async (
  dataDir: string,
  access: Access,
  onProgress: (line: string) => void,
): Promise<Cluster> => {
  const elsewhere = readRecord(dataDir).cluster;
  const folder = elsewhere ?? join(dataDir, `postgres-${MAJOR}`);
  if (!existsSync(folder)) {
    if (elsewhere !== undefined) return await reopenElsewhere(dataDir, elsewhere, access, onProgress);
    refuseOtherVersions(dataDir);
    return await createCluster(dataDir, access, onProgress);
  }
  const owner = accountOfCluster(folder);
  try {
    checkVersion(folder);
  } catch (fault) {
    throw faultOfFiles(fault, folder);
  }
  const account = await accountToRun(folder, owner, dataDir);
  const programs = await findPrograms(account, dataDir, onProgress);
  if (!(await canReach(programs, folder, account))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL, which must not run as root, cannot reach its data in ${folder}: a folder above it is closed to others; open that folder (chmod o+x), or move the data folder and set DATA_DIR.`,
    );
  }
  return { folder, account, programs };
};

/**
 * The record is written before the data is moved into place: if the parent holds a half-made folder, no data
 * was lost.
 */
const reopenElsewhere = async (
  dataDir: string,
  elsewhere: string,
  access: Access,
  onProgress: (line: string) => void,
): Promise<Cluster> => {
  if (!isHalfMade(elsewhere)) {
    throw new EmbeddedPostgresError(
      `The data of ${dataDir} was kept in ${elsewhere}, and that folder is gone; put it back, or remove ${join(dataDir, 'postgres.json')} to begin with an empty database.`,
    );
  }
  rmSync(join(elsewhere, '..'), { recursive: true, force: true });
  return await createCluster(dataDir, access, onProgress);
};
