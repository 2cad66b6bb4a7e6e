/**
 * Whether messages, codes and events may leave the service. A restored copy sends no message until the operator
 * switches sending on, so that no guest is notified twice.
 */
import { never } from '../domain/outbox.ts';
import { staleSince, type Silence } from '../../platform/domain/sending.ts';
import type { Clock, Log, Messenger } from '../../ports.ts';
import type { Db } from '../../platform/store/db.ts';
import { parkStale } from '../store/parking.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  endStoredSilence,
  startSilence,
  storedSilence,
  type StoredSilence,
} from '../../platform/store/sending.ts';

interface Parts {
  readonly db: Db<Database>;
  readonly clock: Clock;
}

export interface Sending {
  /**
   * Null: sending is on. Reads the database each time, so that a silence takes effect at once in every process.
   */
  silence(): Promise<Silence | null>;
  /** The last answer of `silence`; a server asks every few seconds. */
  wasSilent(): boolean;
}

/** `isAllowed`: false if the settings forbid this process to send. */
export const createSending = ({ db }: Pick<Parts, 'db'>, isAllowed: boolean): Sending => {
  let wasSilent = !isAllowed;
  return {
    silence: async () => {
      const silence = isAllowed
        ? await storedSilence(db.kysely)
        : ({ reason: 'setting', since: null } as const);
      wasSilent = silence !== null;
      return silence;
    },
    wasSilent: () => wasSilent,
  };
};

/** Checks codes, which bypass the outbox; outbox rows are not claimed while sending is off. */
export const silenceable = (messenger: Messenger, sending: Sending): Messenger => ({
  get isReady() {
    return messenger.isReady;
  },
  sendCode: async (to) =>
    (await sending.silence()) === null ? messenger.sendCode(to) : never('sending is off'),
  send: (message) => messenger.send(message),
});

export interface SwitchedOn {
  readonly was: Silence | null;
  /** Outbox rows too old to be sent now. */
  readonly parked: number;
}

/** Ends a silence and parks stale rows in the same transaction, for a person to replay. */
const endSilence = ({ db, clock }: Parts, reasons: readonly StoredSilence['reason'][]): Promise<SwitchedOn> =>
  db.tx(async (tx) => {
    const now = clock.now();
    const was = await endStoredSilence(tx, reasons);
    if (was === null) return { was, parked: 0 };
    const reason = 'it waited while sending was off';
    return { was, parked: await parkStale(tx, { since: staleSince(was, now), reason }, now) };
  });

export const switchSendingOn = (parts: Parts): Promise<SwitchedOn> =>
  endSilence(parts, ['restored', 'command']);

/** Ends only the silence of a restored copy: a restart does not undo `ahwa sending off`. */
export const endRestoredSilence = (parts: Parts): Promise<SwitchedOn> => endSilence(parts, ['restored']);

export const switchSendingOff = ({ db, clock }: Parts): Promise<void> =>
  db.tx((tx) => startSilence(tx, { reason: 'command', since: clock.now() }));

export interface SendingWatch {
  /** Checks, and logs a change. Never rejects. */
  check(): Promise<void>;
  /** The last result. */
  isOn(): boolean;
}

export const watchSending = (sending: Sending, log: Log): SendingWatch => {
  let isOn = true;
  return {
    isOn: () => isOn,
    check: async () => {
      const silence = await sending.silence().catch(() => undefined);
      if (silence === undefined || (silence === null) === isOn) return;
      isOn = silence === null;
      if (silence === null) log.info({}, 'sending is on');
      else
        log.warn(
          { reason: silence.reason },
          'sending is off: no message, code or webhook event is sent, and no sweep runs',
        );
    },
  };
};

declare module '../../platform/app/app.ts' {
  interface App {
    readonly sending: Sending;
  }
}
