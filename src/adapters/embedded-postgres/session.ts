import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { OWNER, SERVING, createServingRoleSql, type Access } from './access.ts';
import { codeOf } from './fault.ts';

/** Part of the socket file's name; no network port is opened. */
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

/** `refused`: unknown role or wrong password. `full`: no free connection. */
export type ServerState = 'ready' | 'starting' | 'full' | 'no database' | 'refused' | 'nobody';

const CODES: Readonly<Record<string, ServerState>> = {
  '3D000': 'no database',
  '57P03': 'starting',
  '28P01': 'refused',
  '28000': 'refused',
  // Another process has just created it.
  '42P04': 'ready',
  '53300': 'full',
};

export const tryQuery = async (connection: EmbeddedConnection, statement?: string): Promise<ServerState> => {
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

/** `ready` once the serving role can connect. */
export const prepare = async (socketDir: string, access: Access): Promise<ServerState> => {
  const served = await tryQuery(connectionAs(SERVING, access, socketDir));
  // Serving already. Only a statement that did not run needs a retry.
  if (served === 'full') return 'ready';
  if (served !== 'refused' && served !== 'no database') return served;
  const owned = await tryQuery(connectionAs(OWNER, access, socketDir));
  if (owned === 'no database')
    return await tryQuery(
      connectionAs(OWNER, access, socketDir, 'postgres'),
      `create database ${DATABASE}`,
    ).then((made) => (made === 'ready' ? prepare(socketDir, access) : made));
  if (owned !== 'ready') return owned;
  return await tryQuery(connectionAs(OWNER, access, socketDir), createServingRoleSql(access, DATABASE));
};
