/** How long tests wait for the database: a machine that is busy with something else must not fail them. */
import type { DbOptions } from '../../src/platform/store/db.ts';

export const PATIENT: DbOptions = {
  acquireMs: 30_000,
  statementMs: 30_000,
  answerMs: 40_000,
  idleMs: 40_000,
};
