/** Short connections to the embedded server: whether it answers, and what its database lacks to be served. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { OWNER, SERVING, makingServingRole, type Access } from './access.ts';
import { codeOf } from './fault.ts';

/** Names the socket file; no network port is opened. */
export const PORT = 5432;
const DATABASE = 'ahwa';

export interface EmbeddedConnection {
  /** The folder of the Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export const connectionAs = (
  user: keyof Access,
  access: Access,
  socketDir: string,
  database = DATABASE,
): EmbeddedConnection => ({ host: socketDir, port: PORT, user, password: access[user], database });

/** `refused`: there is no such role, or its password is another. `full`: it is up, and has no place for one more. */
export type Answer = 'ready' | 'starting' | 'full' | 'no database' | 'refused' | 'nobody';

const CODES: Readonly<Record<string, Answer>> = {
  '3D000': 'no database',
  '57P03': 'starting',
  '28P01': 'refused',
  '28000': 'refused',
  // Made by another just now.
  '42P04': 'ready',
  '53300': 'full',
};

/** Connects, runs a statement where one is given, and leaves. */
export const ask = async (connection: EmbeddedConnection, statement?: string): Promise<Answer> => {
  if (!existsSync(join(connection.host, `.s.PGSQL.${PORT}`))) return 'nobody';
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (statement !== undefined) await client.query(statement);
    await client.end();
    return 'ready';
  } catch (fault) {
    await client.end().catch(() => undefined);
    const code = codeOf(fault);
    const known = CODES[code ?? ''];
    if (known !== undefined) return known;
    if (code?.startsWith('E') ?? true) return 'nobody';
    throw fault;
  }
};

/** Makes the database and the serving role where they are missing; `ready` once the role can use the database. */
export const prepare = async (socketDir: string, access: Access): Promise<Answer> => {
  const served = await ask(connectionAs(SERVING, access, socketDir));
  // It serves others already; a statement that was not run is another matter, and is tried again.
  if (served === 'full') return 'ready';
  if (served !== 'refused' && served !== 'no database') return served;
  const owned = await ask(connectionAs(OWNER, access, socketDir));
  if (owned === 'no database')
    return await ask(connectionAs(OWNER, access, socketDir, 'postgres'), `create database ${DATABASE}`).then(
      (made) => (made === 'ready' ? prepare(socketDir, access) : made),
    );
  if (owned !== 'ready') return owned;
  return await ask(connectionAs(OWNER, access, socketDir), makingServingRole(access, DATABASE));
};
