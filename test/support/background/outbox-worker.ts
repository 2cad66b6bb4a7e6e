/** An outbox worker as one process runs it: own connections, manual timers, a sender that the test supplies. */
import { systemRandom } from '../../../src/adapters/system.ts';
import { createOutboxWorker, type OutboxWorker, type Senders } from '../../../src/messaging/app/outbox.ts';
import type { Outcome, OutboxRow } from '../../../src/messaging/domain/outbox.ts';
import { sendersOf } from '../../../src/service/app/senders.ts';
import type { World } from '../server/world.ts';
import type { Clock } from '../../../src/ports.ts';
import { connect, type ConnectionOptions, type DbOptions } from '../../../src/platform/store/db.ts';
import type { Database } from '../../../src/platform/store/schema.ts';
import { manualTimers } from './manual-timers.ts';
import { PATIENT } from '../database/patient-options.ts';

export type Send = (row: OutboxRow) => Promise<Outcome> | Outcome;

export const TAKEN: Outcome = { sent: true, providerId: null };
export const REFUSED: Outcome = { sent: false, again: 'later', waitMs: null, reason: 'answered 503' };

export interface SendingProcess {
  readonly worker: OutboxWorker;
  readonly logged: string[];
  readonly fire: (ms: number) => void;
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
  const { timers, fire, pending } = manualTimers();
  const logged: string[] = [];
  const note = (fields: object, message: string) => logged.push(JSON.stringify({ ...fields, message }));
  const ask = async (row: OutboxRow): Promise<Outcome> => send(row);
  const worker = createOutboxWorker({
    ...{ db, clock, timers },
    // The middle of the jitter: each wait equals the documented one.
    random: { ...systemRandom, below: (limit) => (limit - 1) / 2 },
    senders: { message: ask, webhook: ask, wallet_one: ask, wallet_two: ask },
    log: { info: note, warn: note },
  });
  return {
    ...{ worker, logged, fire, pending },
    close: async () => {
      await worker.stop();
      await db.close();
    },
  };
};

/** The senders of a running server, without webhooks. */
export const sendersIn = ({ app }: World): Senders => sendersOf(app);

/** Sends what is due to the phones of a world. */
export const sendMessages = async (world: World): Promise<void> => {
  const quiet = { info: () => undefined, warn: () => undefined };
  const { timers } = manualTimers();
  const worker = createOutboxWorker({ ...world.app, timers, log: quiet, senders: sendersIn(world) });
  await worker.drain();
  await worker.stop();
};

/** A sender that accepts every row and records its id. */
export const recordingSender = (): { readonly sentIds: OutboxRow['id'][]; readonly send: Send } => {
  const sentIds: OutboxRow['id'][] = [];
  const send = (row: OutboxRow): Outcome => {
    sentIds.push(row.id);
    return TAKEN;
  };
  return { sentIds, send };
};
