/** Where a deliberate fault is put into a simulation: around the database, the client and the network, never inside them. */
import type { Db } from '../../../../src/platform/store/db.ts';
import type { Database } from '../../../../src/platform/store/schema.ts';

export type Body = Readonly<Record<string, unknown>>;

export interface Seams {
  readonly throughDb: (db: Db<Database>) => Db<Database>;
  /** What becomes of the body of a request on its way; `isRepeated`: the same events were sent before. */
  readonly request: (path: string, body: Body, isRepeated: boolean) => Body;
  readonly answer: (path: string, body: Body) => Body;
  /** The queue of a device sends what this says was sent, whether or not an answer came. */
  readonly isForgottenOnSend: boolean;
  /** A device applies rows of the server also while events of its own wait. */
  readonly isWithoutGate: boolean;
}

export const NO_FAULT: Seams = {
  throughDb: (db) => db,
  request: (_, body) => body,
  answer: (_, body) => body,
  isForgottenOnSend: false,
  isWithoutGate: false,
};
