/** Records the statements of a use case, run in this process on a copy of the data. */
import { Repeated } from '../../src/platform/app/answer.ts';
import { COMMAND_OPTIONS, connect } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { concurrently } from './concurrently.ts';
import { withApp } from './data.ts';
import type { Databases } from './databases.ts';
import { handlersIn } from './handlers.ts';
import { startRecorder, type Sheet } from './replay-record.ts';
import type { Script } from './replay.ts';
import { CLIENTS, TIMED, WARM, type WriteJob } from './write-job.ts';

export const recordWrites = (dataDir: string, databases: Databases, job: WriteJob): Promise<Script> =>
  withApp(dataDir, (app) =>
    databases.withCopy(async (connection) => {
      // A recording is not timed, so a busy machine may slow it.
      const db = connect<Database>(connection, COMMAND_OPTIONS);
      const own = { ...app, db };
      const handlers = handlersIn(own);
      const recorder = startRecorder();
      const script: Sheet[][] = Array.from({ length: CLIENTS }, () => []);
      try {
        await concurrently(CLIENTS, WARM + TIMED, async (client, turn) => {
          const sheet = await recorder.sheetOf(async () => {
            const answer = await job.run(handlers, client, turn, own);
            if (answer instanceof Repeated)
              throw new Error(`${job.requestOf(client, turn).key} was answered before.`);
          });
          script[client]?.push(sheet);
        });
        return script;
      } finally {
        recorder.stop();
        await db.close();
      }
    }),
  );
