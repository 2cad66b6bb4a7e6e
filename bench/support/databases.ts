/** Copies of a data folder's initial database, on its embedded PostgreSQL. */
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedConnection } from '../../src/adapters/embedded-postgres.ts';

export interface Databases {
  /** The server's database. */
  readonly own: EmbeddedConnection;
  /** Runs `work` on a copy of the initial data, which is dropped afterwards. */
  withCopy<T>(work: (connection: EmbeddedConnection) => Promise<T>): Promise<T>;
  /** Runs a checkpoint, so that no round pays for another's writes. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

const START = 'bench_start';
const COPY = 'bench_copy';

const onClient = async <T>(
  connection: EmbeddedConnection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

export const numberIn = (connection: EmbeddedConnection, select: string): Promise<number> =>
  onClient(connection, async (client) => {
    const { rows } = await client.query<{ value: string }>(`select (${select}) as value`);
    return Number(rows[0]?.value);
  });

/** The database must have no other session. */
export const openDatabases = async (dataDir: string): Promise<Databases> => {
  const embedded = await startEmbeddedPostgres({ dataDir });
  const own = embedded.connection;
  const admin = new pg.Client({ ...embedded.owner, database: 'postgres' });
  await admin.connect();
  // Statistics as in a shop that has been open for a while.
  await onClient(embedded.owner, (client) => client.query('analyze'));
  await admin.query(`create database ${START} template ${own.database}`);
  const drop = () => admin.query(`drop database if exists ${COPY} with (force)`);
  return {
    own,
    withCopy: async (work) => {
      await admin.query(`create database ${COPY} template ${START}`);
      try {
        return await work({ ...own, database: COPY });
      } finally {
        await drop();
      }
    },
    settle: async () => {
      await admin.query('checkpoint');
    },
    close: async () => {
      await admin.end();
      await embedded.release();
    },
  };
};
