/**
 * Whether anything may leave the service: messages, codes, events. A restored copy keeps silent until the operator says
 * otherwise, so that no guest hears twice of an order, and a rehearsal disturbs nobody.
 */
import { never } from '../../messaging/domain/outbox.ts';
import { staleSince, type Silence } from '../domain/sending.ts';
import type { Clock, Log, Messenger } from '../../ports.ts';
import type { Db } from '../store/db.ts';
import { parkStale } from '../../messaging/store/outbox.ts';
import type { Database } from '../store/schema.ts';
import { endHold, hold, holdOf, type Hold } from '../store/sending.ts';

interface Parts {
  readonly db: Db<Database>;
  readonly clock: Clock;
}

export interface Sending {
  /** Null where sending is on. Asked of the database each time: a hold counts at once, in every process. */
  silence(): Promise<Silence | null>;
  /** Whether sending was off when that was asked last: a server asks every few seconds. */
  wasSilent(): boolean;
}

/** `isAllowed`: false where the settings say that this process sends nothing, whatever the database says. */
export const createSending = ({ db }: Pick<Parts, 'db'>, isAllowed: boolean): Sending => {
  let wasSilent = !isAllowed;
  return {
    silence: async () => {
      const silence = isAllowed ? await holdOf(db.kysely) : ({ reason: 'setting', since: null } as const);
      wasSilent = silence !== null;
      return silence;
    },
    wasSilent: () => wasSilent,
  };
};

/** Codes go out at once and not by the outbox, whose rows nobody claims while sending is off. */
export const silenceable = (messenger: Messenger, sending: Sending): Messenger => ({
  get isReady() {
    return messenger.isReady;
  },
  sendCode: async (to) =>
    (await sending.silence()) === null ? messenger.sendCode(to) : never('sending is off'),
  send: (message) => messenger.send(message),
});

/** What became of sending when it was switched on. */
export interface SwitchedOn {
  /** Null: it was on. */
  readonly was: Silence | null;
  /** Rows of the outbox that had waited too long to be sent now. */
  readonly parked: number;
}

/** Ends a hold; what became stale meanwhile is parked in the same transaction, for a person to replay. */
const endSilence = ({ db, clock }: Parts, reasons: readonly Hold['reason'][]): Promise<SwitchedOn> =>
  db.tx(async (tx) => {
    const now = clock.now();
    const was = await endHold(tx, reasons);
    if (was === null) return { was, parked: 0 };
    const reason = 'it waited while sending was off';
    return { was, parked: await parkStale(tx, { since: staleSince(was, now), reason }, now) };
  });

export const switchSendingOn = (parts: Parts): Promise<SwitchedOn> =>
  endSilence(parts, ['restored', 'command']);

/** The silence of a restored copy alone: somebody who said `ahwa sending off` is not overruled by a restart. */
export const endRestoredSilence = (parts: Parts): Promise<SwitchedOn> => endSilence(parts, ['restored']);

export const switchSendingOff = ({ db, clock }: Parts): Promise<void> =>
  db.tx((tx) => hold(tx, { reason: 'command', since: clock.now() }));

export interface SendingWatch {
  /** Asks, and says in the log what is new. Never rejects. */
  look(): Promise<void>;
  /** As it was found last. */
  isOn(): boolean;
}

export const watchSending = (sending: Sending, log: Log): SendingWatch => {
  let isOn = true;
  return {
    isOn: () => isOn,
    look: async () => {
      const silence = await sending.silence().catch(() => undefined);
      if (silence === undefined || (silence === null) === isOn) return;
      isOn = silence === null;
      if (silence === null) log.info({}, 'sending is on');
      else
        log.warn(
          { reason: silence.reason },
          'sending is off: no message, code or event leaves, and nothing is swept',
        );
    },
  };
};
