/** Records the statements of a use case, run in this process on a copy of the data. */
import { Repeated } from '../../src/platform/app/answer.ts';
import type { App } from '../../src/platform/app/app.ts';
import { COMMAND_OPTIONS, connect } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { concurrently } from './concurrently.ts';
import { withApp } from './data.ts';
import type { Databases } from './databases.ts';
import { handlersIn, type Handlers } from './handlers.ts';
import { startRecorder, type Sheet } from './replay-record.ts';
import type { Script } from './replay.ts';
import { CLIENTS, TIMED, WARM, type WriteJob } from './write-job.ts';

interface Recording {
  readonly clients: number;
  /** Jobs of each client. */
  readonly turns: number;
  readonly run: (handlers: Handlers, client: number, turn: number, app: App) => Promise<void>;
}

export const recordScript = (
  dataDir: string,
  databases: Databases,
  { clients, turns, run }: Recording,
): Promise<Script> =>
  withApp(dataDir, (app) =>
    databases.withCopy(async (connection) => {
      // A recording is not timed, so a busy machine may slow it.
      const db = connect<Database>(connection, COMMAND_OPTIONS);
      const own = { ...app, db };
      const handlers = handlersIn(own);
      const recorder = startRecorder();
      const script: Sheet[][] = Array.from({ length: clients }, () => []);
      try {
        await concurrently(clients, turns, async (client, turn) => {
          script[client]?.push(await recorder.sheetOf(() => run(handlers, client, turn, own)));
        });
        return script;
      } finally {
        recorder.stop();
        await db.close();
      }
    }),
  );

export const recordWrites = (dataDir: string, databases: Databases, job: WriteJob): Promise<Script> =>
  recordScript(dataDir, databases, {
    ...{ clients: CLIENTS, turns: WARM + TIMED },
    run: async (handlers, client, turn, app) => {
      const answer = await job.run(handlers, client, turn, app);
      if (answer instanceof Repeated)
        throw new Error(`${job.requestOf(client, turn).key} was answered before.`);
    },
  });
