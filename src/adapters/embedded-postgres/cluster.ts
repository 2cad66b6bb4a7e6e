/** The folder PostgreSQL keeps its data in: found again, or made whole or not at all. */
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
import { accountForNew, accountOfCluster, accountToRun, give } from './account.ts';
import type { Account } from './account.ts';
import { EmbeddedPostgresError, faultOfFiles, faultOfOutput } from './fault.ts';
import { SYSTEM_FOLDER, findPrograms, run, type Finished } from './programs.ts';
import { addToRecord, readRecord } from './record.ts';

/** The major version of the PostgreSQL that npm brings; its data folder is named by it. */
export const MAJOR = 18;

export interface Cluster {
  readonly folder: string;
  readonly account: Account;
  /** The folder of initdb, pg_ctl and postgres. */
  readonly programs: string;
}

/** Settings an operator may change in postgresql.conf. Small: one café's shop is a few megabytes. */
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

/** Whether `account` can reach `folder`, asked of the system by one of PostgreSQL's own programs. */
const canReach = async (programs: string, folder: string, account: Account): Promise<boolean> => {
  const { output } = await run(join(programs, 'pg_ctl'), ['status', '-D', folder], account);
  return !/Permission denied|could not access/.test(output);
};

const emptyFolder = (beside: string, account: Account): string => {
  const folder = mkdtempSync(`${beside}.new-`);
  try {
    chmodSync(folder, 0o700);
    give(folder, account);
    return folder;
  } catch (fault) {
    rmSync(folder, { recursive: true, force: true });
    throw fault;
  }
};

/** A first place inside the data folder; for root, who lends its rights away, a system folder as the second. */
const placeForNew = async (
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

const sweepHalfMade = (dataDir: string): void => {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(`postgres-${MAJOR}.new-`))
      // The initdb of a killed process may still be writing there for a moment.
      rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 25 });
  }
};

/** Makes the data in an empty folder, with the first role's password. */
const initialise = async (
  programs: string,
  folder: string,
  account: Account,
  access: Access,
): Promise<Finished> => {
  // initdb takes a password from a terminal or a file alone.
  const secret = emptyFolder(folder.replace(/\.new-.*$/, ''), account);
  try {
    const file = join(secret, 'password');
    writeFileSync(file, access[OWNER], { mode: 0o600 });
    give(file, account);
    return await run(join(programs, 'initdb'), [...INITDB, `--pwfile=${file}`, '-D', folder], account);
  } finally {
    rmSync(secret, { recursive: true, force: true });
  }
};

const make = async (dataDir: string, access: Access, tell: (line: string) => void): Promise<Cluster> => {
  const account = await accountForNew(dataDir);
  const programs = await findPrograms(account, dataDir, tell);
  try {
    sweepHalfMade(dataDir);
    const { folder, final } = await placeForNew(programs, dataDir, account);
    tell(`making a new database in ${final}`);
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

/** Data of another major version beside a missing own folder: an empty database would look like a loss. */
const refuseOtherVersions = (dataDir: string): void => {
  const other = readdirSync(dataDir)
    .map((name) => /^postgres-(\d+)$/.exec(name)?.[1])
    .find((version) => version !== undefined && version !== String(MAJOR));
  if (other !== undefined) throw otherVersion(join(dataDir, `postgres-${other}`), other);
};

/** The cluster of `dataDir`, made with the passwords of `access` when there is none. To be called in turn. */
export const openCluster = async (
  dataDir: string,
  access: Access,
  tell: (line: string) => void,
): Promise<Cluster> => {
  const elsewhere = readRecord(dataDir).cluster;
  const folder = elsewhere ?? join(dataDir, `postgres-${MAJOR}`);
  if (!existsSync(folder)) {
    if (elsewhere !== undefined) return await reopenElsewhere(dataDir, elsewhere, access, tell);
    refuseOtherVersions(dataDir);
    return await make(dataDir, access, tell);
  }
  const owner = accountOfCluster(folder);
  try {
    checkVersion(folder);
  } catch (fault) {
    throw faultOfFiles(fault, folder);
  }
  const account = await accountToRun(folder, owner, dataDir);
  const programs = await findPrograms(account, dataDir, tell);
  if (!(await canReach(programs, folder, account))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL, which must not run as root, cannot reach its data in ${folder}: a folder above it is closed to others; open that folder (chmod o+x), or move the data folder and set DATA_DIR.`,
    );
  }
  return { folder, account, programs };
};

/** The record is written before the data is moved into place: without even its parent's half, nothing was lost. */
const reopenElsewhere = async (
  dataDir: string,
  elsewhere: string,
  access: Access,
  tell: (line: string) => void,
): Promise<Cluster> => {
  const parent = join(elsewhere, '..');
  const wasHalfMade = existsSync(parent) && readdirSync(parent).some((name) => name.includes('.new-'));
  if (!wasHalfMade) {
    throw new EmbeddedPostgresError(
      `The data of ${dataDir} was kept in ${elsewhere}, and that folder is gone; put it back, or remove ${join(dataDir, 'postgres.json')} to begin with an empty database.`,
    );
  }
  rmSync(parent, { recursive: true, force: true });
  return await make(dataDir, access, tell);
};
