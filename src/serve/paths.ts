/** Whether the paths of settings can be used, before anything is started. */
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  rmSync,
  statfsSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { userLabel } from '../adapters/embedded-postgres/fault.ts';
import type { Config } from '../config.ts';
import { codeOf } from '../platform/domain/fault-code.ts';
import { StartError } from './faults.ts';

const me = (): string => userLabel(process.getuid?.() ?? -1);

const permits = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

/** Undefined: there is none, or a file where a folder above should be. */
const lookWith = (ask: (path: string) => Stats | undefined, path: string): Stats | undefined => {
  try {
    return ask(path);
  } catch (fault) {
    if (codeOf(fault) === 'ENOTDIR') return undefined;
    throw fault;
  }
};

const look = (path: string): Stats | undefined =>
  lookWith((at) => statSync(at, { throwIfNoEntry: false }), path);

const isLink = (path: string): boolean =>
  lookWith((at) => lstatSync(at, { throwIfNoEntry: false }), path)?.isSymbolicLink() === true;

/** From the root down. */
const parentsOf = (path: string): readonly string[] =>
  dirname(path) === path ? [] : [...parentsOf(dirname(path)), dirname(path)];

/** The first folder above that this user may not enter: what is below it looks missing. */
const refuseClosedParent = (key: string, path: string): void => {
  const closed = parentsOf(path).find(
    (parent) => look(parent)?.isDirectory() === true && !permits(parent, constants.X_OK),
  );
  if (closed !== undefined)
    throw new StartError(
      `${path} cannot be reached by ${me()}: ${closed} above it is closed to this user; open that folder (chmod o+x ${closed}), or set ${key} to another.`,
    );
};

/** A file or folder is not made through such a link. */
const refuseDanglingLink = (key: string, path: string): void => {
  const link = [...parentsOf(path), path].find((one) => look(one) === undefined && isLink(one));
  if (link !== undefined)
    throw new StartError(
      `${path} cannot be made: the link ${link} leads to ${readlinkSync(link)}, which is missing; make that, or set ${key} to another.`,
    );
};

const REASONS: Readonly<Record<string, string>> = {
  ELOOP: 'its links lead round in a circle',
  ENAMETOOLONG: 'its name is too long for the file system',
};

/** Of what the operating system refuses: one sentence. */
const judged = (key: string, path: string, judge: () => void): void => {
  try {
    judge();
  } catch (fault) {
    const code = codeOf(fault);
    if (code === '') throw fault;
    throw new StartError(`${path} cannot be used: ${REASONS[code] ?? code}; set ${key} to another.`);
  }
};

/** The path itself or, while it is missing, what it will be made in. */
const nearest = (path: string): string => (look(path) === undefined ? nearest(dirname(path)) : path);

const judgeDataDir = (dataDir: string): void => {
  refuseClosedParent('DATA_DIR', dataDir);
  refuseDanglingLink('DATA_DIR', dataDir);
  const existing = nearest(dataDir);
  const isFolder = look(existing)?.isDirectory() === true;
  if (existing === dataDir) {
    // A folder of another user is refused with its owner, where it is opened.
    if (!isFolder) throw new StartError(`${dataDir} is not a folder; set DATA_DIR to a folder.`);
    return;
  }
  if (!isFolder)
    throw new StartError(`${dataDir} cannot be made: ${existing} is a file; set DATA_DIR to a folder.`);
  if (!permits(existing, constants.W_OK))
    throw new StartError(
      `${dataDir} cannot be made by ${me()}, who may not write in ${existing}; make it for this user, or set DATA_DIR to another.`,
    );
};

/** Opened as each code opens it. A missing file is not made: another one stands for it. */
const openOnce = (found: Stats | undefined, path: string): void => {
  if (found !== undefined) {
    closeSync(openSync(path, 'a'));
    return;
  }
  const probe = join(dirname(path), `.ahwa-${randomUUID()}`);
  closeSync(openSync(probe, 'wx', 0o600));
  rmSync(probe);
};

const otpFileFault = (path: string): string | null => {
  const [found, folder] = [look(path), dirname(path)];
  if (found?.isDirectory() === true) return 'is a folder; name a file in OTP_FILE.';
  if (found?.isFile() === false) return 'is a device, pipe or socket; name an ordinary file in OTP_FILE.';
  if (found !== undefined)
    return permits(path, constants.W_OK)
      ? null
      : `cannot be written by ${me()}; change its rights, or OTP_FILE.`;
  if (look(folder)?.isDirectory() !== true)
    return `cannot be made: there is no folder ${folder}; make it, or change OTP_FILE.`;
  return permits(folder, constants.W_OK)
    ? null
    : `cannot be made by ${me()}, who may not write in ${folder}; change its rights, or OTP_FILE.`;
};

const judgeOtpFile = (path: string): void => {
  refuseClosedParent('OTP_FILE', path);
  refuseDanglingLink('OTP_FILE', path);
  const fault = otpFileFault(path);
  if (fault !== null) throw new StartError(`${path} ${fault}`);
  openOnce(look(path), path);
};

/** Throws StartError. */
export const judgePaths = ({ dataDir, sender }: Pick<Config, 'dataDir' | 'sender'>): void => {
  judged('DATA_DIR', dataDir, () => judgeDataDir(dataDir));
  if (sender.kind === 'file') judged('OTP_FILE', sender.path, () => judgeOtpFile(sender.path));
};

/** Linux: tmpfs and ramfs. */
const IN_MEMORY = [0x01021994, 0x858458f6];

/** What is lost with the memory of the machine; null: nothing. */
export const lostWithMemory = ({
  dataDir,
  databaseUrl,
  secretKeys,
}: Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKeys'>): string | null => {
  if (databaseUrl !== null && secretKeys !== null) return null;
  if (process.platform !== 'linux' || !IN_MEMORY.includes(statfsSync(dataDir).type)) return null;
  return databaseUrl === null ? 'the database' : 'the secret key';
};
