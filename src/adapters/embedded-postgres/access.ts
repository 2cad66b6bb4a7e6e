/**
 * Who may use the embedded server: two roles, each with a password of its own. `ahwa` owns every table and makes them;
 * `ahwa_serve`, which the server works as, reads and writes rows. The passwords are in `DATA_DIR/access` (mode 0700).
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepOwner } from '../owner.ts';
import { give, type Account } from './account.ts';
import { codeOf, EmbeddedPostgresError } from './fault.ts';

export const OWNER = 'ahwa';
export const SERVING = 'ahwa_serve';

/** A password by each role's name. */
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

/** The passwords that are kept; null where there are none, or the file is not what was written. */
export const readAccess = (dataDir: string): Access | null => {
  try {
    const kept = JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Partial<Access> | null;
    const { [OWNER]: owner, [SERVING]: serving } = kept ?? {};
    return isPassword(owner) && isPassword(serving) ? { [OWNER]: owner, [SERVING]: serving } : null;
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT' || fault instanceof SyntaxError) return null;
    throw fault;
  }
};

/** Writes the passwords, whole or not at all, for the owner of the data folder alone to read. */
export const saveAccess = (dataDir: string, access: Access): void => {
  const folder = folderOf(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // As root in the folder of an ordinary user: a link there could lead to the folder of somebody else.
  if (!lstatSync(folder).isDirectory())
    throw new EmbeddedPostgresError(`${folder} is a link; put a folder in its place, or remove it.`);
  chmodSync(folder, 0o700);
  keepOwner(dataDir, folder);
  const half = `${fileOf(dataDir)}.new`;
  rmSync(half, { force: true });
  writeFileSync(half, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  keepOwner(dataDir, half);
  renameSync(half, fileOf(dataDir));
};

const HBA = `# Written by Ahwa at every start: whoever connects gives a password, which is in DATA_DIR/access.
local all all scram-sha-256
`;

export const hbaOf = (cluster: string): string => join(cluster, 'pg_hba.conf');

/** Whether the server, once it has read its files, lets nobody in without a password. */
export const demandsPassword = (cluster: string): boolean => {
  try {
    return readFileSync(hbaOf(cluster), 'utf8') === HBA;
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return false;
    throw fault;
  }
};

/** A server that runs learns of it by `pg_reload_conf()`. */
export const demandPassword = (cluster: string, account: Account): void => {
  const half = `${hbaOf(cluster)}.new`;
  rmSync(half, { force: true });
  // Made anew: the folder is another user's, who could have put a link there.
  writeFileSync(half, HBA, { mode: 0o600, flag: 'wx' });
  give(half, account);
  renameSync(half, hbaOf(cluster));
};

/** Gives a role its password, which is hexadecimal digits alone. */
export const settingPassword = (role: keyof Access, access: Access): string =>
  `alter role ${role} password '${access[role]}'`;

/** Makes the role that the server works as, where there is none yet, and takes from it whatever it does not need. */
export const makingServingRole = (access: Access, database: string): string => `
  do $$ begin
    if not exists (select from pg_roles where rolname = '${SERVING}') then create role ${SERVING}; end if;
  end $$;
  alter role ${SERVING} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
    password '${access[SERVING]}';
  revoke create, temporary on database ${database} from public;
`;
