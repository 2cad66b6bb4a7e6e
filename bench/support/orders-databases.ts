/** Copies of the database that a data folder starts with, on its embedded PostgreSQL. */
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedConnection } from '../../src/adapters/embedded-postgres.ts';

export interface Databases {
  /** The one that the server uses. */
  readonly own: EmbeddedConnection;
  /** Does `work` on a copy of the data as they were at the start; it is gone afterwards. */
  withCopy<T>(work: (connection: EmbeddedConnection) => Promise<T>): Promise<T>;
  /** Puts all that was written so far where it stays, so that no round pays for another's. */
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

/** One number of a database. */
export const numberIn = (connection: EmbeddedConnection, select: string): Promise<number> =>
  onClient(connection, async (client) => {
    const { rows } = await client.query<{ value: string }>(`select (${select}) as value`);
    return Number(rows[0]?.value);
  });

/** Nobody else may be in the database yet. */
export const openDatabases = async (dataDir: string): Promise<Databases> => {
  const embedded = await startEmbeddedPostgres({ dataDir });
  const own = embedded.connection;
  const admin = new pg.Client({ ...embedded.owner, database: 'postgres' });
  await admin.connect();
  // What the planner knows of the tables is what it would know in a shop that has been open for a while.
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
