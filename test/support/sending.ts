/** Workers of the outbox as processes have them, each with connections and timers of its own; the test takes what they send. */
import { systemRandom } from '../../src/adapters/system.ts';
import { createOutboxWorker, type OutboxWorker, type Senders } from '../../src/messaging/app/outbox.ts';
import type { Outcome, OutboxRow } from '../../src/messaging/domain/outbox.ts';
import type { Clock } from '../../src/ports.ts';
import { connect, type ConnectionOptions, type DbOptions } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { handTimers } from './outbox.ts';
import { PATIENT } from './patience.ts';

/** What becomes of a row. */
export type Send = (row: OutboxRow) => Promise<Outcome> | Outcome;

export const TAKEN: Outcome = { sent: true, providerId: null };
export const REFUSED: Outcome = { sent: false, again: 'later', waitMs: null, reason: 'answered 503' };

export interface SendingProcess {
  readonly worker: OutboxWorker;
  /** What it logged, as JSON. */
  readonly logged: string[];
  readonly goOff: (ms: number) => void;
  readonly pending: () => number[];
  close(): Promise<void>;
}

export const sendingProcess = (
  send: Send,
  clock: Clock,
  connection: ConnectionOptions,
  options: DbOptions = PATIENT,
): SendingProcess => {
  const db = connect<Database>(connection, options);
  const { timers, goOff, pending } = handTimers();
  const logged: string[] = [];
  const note = (fields: object, message: string) => logged.push(JSON.stringify({ ...fields, message }));
  const ask: Senders['message'] & Senders['webhook'] = async (row) => send(row);
  const worker = createOutboxWorker({
    ...{ db, clock, timers },
    // Halfway through its spread, so that a wait is what the table says.
    random: { ...systemRandom, below: (limit) => (limit - 1) / 2 },
    senders: { message: ask, webhook: ask },
    log: { info: note, warn: note },
  });
  return {
    ...{ worker, logged, goOff, pending },
    close: async () => {
      await worker.stop();
      await db.close();
    },
  };
};

/** Sends everything and remembers it. */
export const remembering = (): { readonly told: OutboxRow['id'][]; readonly send: Send } => {
  const told: OutboxRow['id'][] = [];
  const send = (row: OutboxRow): Outcome => {
    told.push(row.id);
    return TAKEN;
  };
  return { told, send };
};
