/**
 * `ahwa` owns the tables; the server connects as `ahwa_serve`, which reads and writes rows. The passwords are
 * in `DATA_DIR/access` (mode 0700).
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inheritOwner } from '../private-files.ts';
import { changeOwner, type Account } from './account.ts';
import { codeOf, EmbeddedPostgresError } from './fault.ts';

export const OWNER = 'ahwa';
export const SERVING = 'ahwa_serve';

export interface Access {
  readonly [OWNER]: string;
  readonly [SERVING]: string;
}

const password = (): string => randomBytes(32).toString('hex');

export const newAccess = (): Access => ({ [OWNER]: password(), [SERVING]: password() });

const folderOf = (dataDir: string): string => join(dataDir, 'access');
const fileOf = (dataDir: string): string => join(folderOf(dataDir), 'postgres.json');

const isPassword = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** Null when missing or invalid. */
export const readAccess = (dataDir: string): Access | null => {
  try {
    const stored = JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Partial<Access> | null;
    const { [OWNER]: owner, [SERVING]: serving } = stored ?? {};
    return isPassword(owner) && isPassword(serving) ? { [OWNER]: owner, [SERVING]: serving } : null;
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT' || fault instanceof SyntaxError) return null;
    throw fault;
  }
};

/** Atomic; readable only by the owner of the data folder. */
export const saveAccess = (dataDir: string, access: Access): void => {
  const folder = folderOf(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Root writes into a user's folder here, and a link could lead to another user's files.
  if (!lstatSync(folder).isDirectory())
    throw new EmbeddedPostgresError(`${folder} is a link; put a folder in its place, or remove it.`);
  chmodSync(folder, 0o700);
  inheritOwner(dataDir, folder);
  const half = `${fileOf(dataDir)}.new`;
  rmSync(half, { force: true });
  writeFileSync(half, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  inheritOwner(dataDir, half);
  renameSync(half, fileOf(dataDir));
};

const HBA = `# Written by Ahwa at every start: whoever connects gives a password, which is in DATA_DIR/access.
local all all scram-sha-256
`;

export const hbaOf = (cluster: string): string => join(cluster, 'pg_hba.conf');

/** Whether the server, after reading its files, refuses connections without a password. */
export const demandsPassword = (cluster: string): boolean => {
  try {
    return readFileSync(hbaOf(cluster), 'utf8') === HBA;
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return false;
    throw fault;
  }
};

/** A running server needs `pg_reload_conf()` afterwards. */
export const demandPassword = (cluster: string, account: Account): void => {
  const half = `${hbaOf(cluster)}.new`;
  rmSync(half, { force: true });
  // `wx`: the folder is another user's, who could have placed a link.
  writeFileSync(half, HBA, { mode: 0o600, flag: 'wx' });
  changeOwner(half, account);
  renameSync(half, hbaOf(cluster));
};

/** Hexadecimal digits need no escaping. */
export const setPasswordSql = (role: keyof Access, access: Access): string =>
  `alter role ${role} password '${access[role]}'`;

/** Also revokes what the role does not need. */
export const createServingRoleSql = (access: Access, database: string): string => `
  do $$ begin
    if not exists (select from pg_roles where rolname = '${SERVING}') then create role ${SERVING}; end if;
  end $$;
  alter role ${SERVING} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
    password '${access[SERVING]}';
  revoke create, temporary on database ${database} from public;
`;
