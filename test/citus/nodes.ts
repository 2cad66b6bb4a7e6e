/** A coordinator and workers of Citus on this machine, started from the programs of the server of CITUS_URL. */
import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { inject } from 'vitest';
import { withAdmin } from '../support/database/test-database.ts';
import { dataFolder } from '../support/programs/data-folder.ts';
import { freePort } from '../support/programs/free-port.ts';

export interface Node {
  readonly port: number;
  readonly url: string;
  start(): Promise<void>;
  /** All of its processes, at once. */
  kill(): void;
  query<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

/** PostgreSQL refuses to run as root. */
const asOther =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
/** Guests of the test go on meanwhile. */
const execute = promisify(execFile);
const run = async (folder: string, ...command: readonly string[]): Promise<void> => {
  const [program = '', ...args] = [...asOther, ...command];
  await execute(program, args, { cwd: folder });
};

const SETTINGS = (port: number, nodeConnections: string): string => `
  port = ${port}
  listen_addresses = '127.0.0.1'
  unix_socket_directories = ''
  shared_preload_libraries = 'citus'
  citus.node_conninfo = 'sslmode=disable ${nodeConnections}'
  wal_level = logical
  max_connections = 200
  max_prepared_transactions = 200
  max_locks_per_transaction = 512
  max_worker_processes = 32
  shared_buffers = 32MB
  # Processes are killed here, not machines.
  fsync = off
`;

/** Throws where the programs are not on this machine. */
const programs = async (): Promise<string> => {
  const [row] = await withAdmin(
    inject('testServer'),
    async (client) =>
      (
        await client.query<{ folder: string }>(
          "select setting as folder from pg_config where name = 'BINDIR'",
        )
      ).rows,
  );
  const folder = row?.folder ?? '';
  if (!existsSync(join(folder, 'pg_ctl')))
    throw new Error(`CITUS_URL must lead to a server of this machine: ${folder} is not here.`);
  return folder;
};

/** `nodeConnections`: settings of its connections to other nodes. */
export const startNode = async (nodeConnections = ''): Promise<Node> => {
  const [bin, folder, port] = [await programs(), dataFolder(), await freePort()];
  if (asOther.length > 0) await execute('chown', ['postgres:', folder]);
  const data = join(folder, 'node');
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await run(folder, join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust');
  appendFileSync(join(data, 'postgresql.conf'), SETTINGS(port, nodeConnections));
  const query = <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
    withAdmin({ connection: { url } }, async (client) => (await client.query<R>(text, [...values])).rows);
  const node: Node = {
    ...{ port, url, query },
    start: () => run(folder, join(bin, 'pg_ctl'), '-D', data, '-l', join(folder, 'log'), '-w', 'start'),
    kill: () => {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      // The others end when the first one has.
      process.kill(pid, 'SIGKILL');
    },
  };
  await node.start();
  await query('create extension citus');
  return node;
};
