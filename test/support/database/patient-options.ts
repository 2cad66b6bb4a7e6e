/** Database timeouts for tests, long enough for a busy machine. */
import type { DbOptions } from '../../../src/platform/store/db.ts';

export const PATIENT: DbOptions = {
  acquireMs: 30_000,
  statementMs: 30_000,
  answerMs: 40_000,
  idleMs: 40_000,
};
