import { chmodSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { changeOwner } from './account.ts';
import type { Account } from './account.ts';
import { EmbeddedPostgresError, codeOf } from './fault.ts';
import { addToRecord, readRecord } from './record.ts';

/** `sockaddr_un` has 108 bytes with the final NUL, 104 on macOS. */
const LONGEST_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;

const privateFolder = (folder: string, account: Account): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return false;
  const owner = account?.uid ?? process.getuid?.();
  return found.uid === owner && (found.mode & 0o777) === 0o700;
};

/** Room for `/ahwa-XXXXXX/.s.PGSQL.5432.lock`. */
const isShortEnough = (base: string): boolean => Buffer.byteLength(base) + 36 <= LONGEST_SOCKET_PATH;

const openToAll = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || openToAll(dirname(folder)));

const isUsable = (base: string, account: Account): boolean => {
  if (!isShortEnough(base)) return false;
  try {
    return account === null || openToAll(realpathSync(base));
  } catch {
    return false;
  }
};

export const isOurs = (folder: string): boolean => /^ahwa-[A-Za-z0-9]{6}$/.test(basename(folder));

/** The previous folder, recreated if it was deleted: pools that lost the server look for it there. */
const recreatedFolder = (recorded: string | undefined, account: Account): string | null => {
  if (recorded === undefined || !isOurs(recorded)) return null;
  try {
    mkdirSync(recorded, { mode: 0o700 });
    changeOwner(recorded, account);
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST') return null;
  }
  return privateFolder(recorded, account) ? recorded : null;
};

/** Short, private and reachable by the account. */
export const socketFolder = (dataDir: string, account: Account): string => {
  const again = recreatedFolder(readRecord(dataDir).socketDir, account);
  if (again !== null) return again;
  const bases = [tmpdir(), '/tmp', '/var/tmp', '/run'].filter((base) => isUsable(base, account));
  for (const base of bases) {
    try {
      const folder = mkdtempSync(join(base, 'ahwa-'));
      chmodSync(folder, 0o700);
      changeOwner(folder, account);
      addToRecord(dataDir, { socketDir: folder });
      return folder;
    } catch (fault) {
      if (codeOf(fault) === undefined) throw fault;
    }
  }
  throw new EmbeddedPostgresError(
    `No folder for PostgreSQL's socket: none of ${tmpdir()}, /tmp, /var/tmp and /run can be written with a path short enough; set TMPDIR to a short path, or set DATABASE_URL.`,
  );
};
