/**
 * What happens by itself once its time has come: orders that nobody confirms are rejected, pauses and snoozes end, and
 * what is kept for a while is forgotten. Any number of processes may sweep at once: each thing is decided under the lock
 * of its row, or done by one statement, and happens once.
 */
import { KNOWN_MS, TOLD_MS } from '../../messaging/domain/guest-phone.ts';
import { unusedSince } from '../../staff/domain/device.ts';
import { COUNTED_MS } from '../../identity/domain/otp.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { ACCOUNT_COUNTS_FOR, PASSWORD_WINDOW, PINS_COUNT_FOR } from '../../staff/domain/throttle.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Log, Stop, Timers } from '../../ports.ts';
import { DatabaseUnavailable } from '../../platform/store/db.ts';
import { DISTANCES_KEPT_MS } from '../../delivery/store/delivery.ts';
import {
  forgetBrakeLifts,
  forgetBudgets,
  beginToCount,
  forgetChallenges,
  forgetAccountFailures,
  forgetCodes,
  forgetDeviceTokens,
  forgetDistances,
  forgetDone,
  forgetIdempotencyKeys,
  forgetKnownDevices,
  forgetKnownPhones,
  forgetPairingCodes,
  forgetSignIns,
  forgetTypedPhones,
  forgetUnconfirmed,
  forgetWrongPasswords,
  forgetWrongPins,
  shopsWithLapsedOverrides,
  shopsWithLapsedSnoozes,
  unconfirmedOrders,
  unusedDevices,
  type Look,
} from '../store/sweep.ts';
import type { App } from '../../platform/app/app.ts';
import { rejectUnconfirmed } from '../../orders/app/board.ts';
import { endOverrides, endSnoozes } from '../../menu/app/sale-control.ts';
import { endUnusedDevice } from '../../staff/app/devices.ts';

export interface SweeperParts {
  readonly app: App;
  readonly timers: Timers;
  readonly log: Log;
}

export interface Sweeper {
  /** Begins to sweep, again and again. */
  start(): void;
  /** One round, or the one that is under way. Never rejects: a fault is logged, and what is left is due again. */
  sweep(): Promise<void>;
  /** Begins nothing more; resolves once what is under way is done. */
  stop(): Promise<void>;
}

const EVERY_MS = 5_000;
const HOUR_MS = 60 * 60 * 1_000;

/** How long idempotency keys are kept; they are promised for 24 hours (Decisions 8). */
const KEYS_KEPT_MS = 48 * HOUR_MS;
/** How long it can be seen what was sent, and what is parked can be replayed. */
const DONE_KEPT_MS = 30 * 24 * HOUR_MS;

/** Longer than an hour and a minute, which is what counts of a budget. */
const BUDGETS_KEPT_MS = 2 * HOUR_MS;

/** Due things that are looked for at once. */
const PAGE = 200;
/** Rows that one statement deletes. */
const BATCH = 1_000;

interface Job {
  readonly name: string;
  /** From one time to the next, at least. */
  readonly everyMs: number;
  readonly run: (app: App, isStopped: () => boolean) => Promise<void>;
}

// ── What is due ─────────────────────────────────────────────────────────────────────────────────

/** Whether nothing else could be done now either; a row that somebody holds for long concerns that row alone. */
const isAway = (fault: unknown): boolean =>
  fault instanceof DatabaseUnavailable && fault.reason !== 'slow' && fault.reason !== 'contended';

interface Due<T> {
  readonly find: (app: App, look: Look) => Promise<readonly T[]>;
  readonly end: (app: App, one: T) => Promise<unknown>;
}

/** Ends all that is due, each once a round: what fails keeps nothing else waiting, and is told when the others are done. */
const ending =
  <T extends { readonly id: Uuid }>({ find, end }: Due<T>): Job['run'] =>
  async (app, isStopped) => {
    const tried: Uuid[] = [];
    const faults: unknown[] = [];
    const page = () => find(app, { now: app.clock.now(), without: tried, limit: PAGE });
    for (let due = await page(); due.length > 0 && !isStopped(); due = await page())
      for (const one of due) {
        if (isStopped()) break;
        tried.push(one.id);
        await end(app, one).catch((fault: unknown) => {
          if (isAway(fault)) throw fault;
          faults.push(fault);
        });
      }
    if (faults.length > 0) throw faults[0];
  };

/** As often as there may be more. */
const inParts =
  (part: (app: App, orgId: Uuid) => Promise<boolean>) =>
  async (app: App, { id }: { readonly id: Uuid }): Promise<void> => {
    while (await part(app, id));
  };

// ── What is forgotten ───────────────────────────────────────────────────────────────────────────

/** Deletes one batch; gives how many rows. */
type Forget = (app: App, now: Instant) => Promise<number>;

/** Batch after batch, until one is not full. */
const forgetting =
  (forget: Forget): Job['run'] =>
  async (app, isStopped) => {
    const now = app.clock.now();
    while (!isStopped() && (await forget(app, now)) === BATCH);
  };

const FORGET: Readonly<Record<string, Job['run']>> = {
  'device tokens': forgetting(({ db }, now) => forgetDeviceTokens(db.kysely, now, BATCH)),
  'one-time codes': forgetting(({ db }, now) => forgetCodes(db.kysely, now - COUNTED_MS, now, BATCH)),
  'typed phones': forgetting(({ db }, now) => forgetTypedPhones(db.kysely, now - TOLD_MS, BATCH)),
  'known phones': forgetting(({ db }, now) =>
    forgetKnownPhones(db.kysely, { met: now - KNOWN_MS, told: now - TOLD_MS }, BATCH),
  ),
  budgets: forgetting(({ db }, now) => forgetBudgets(db.kysely, now - BUDGETS_KEPT_MS, BATCH)),
  'brake lifts': forgetting(({ db }, now) => forgetBrakeLifts(db.kysely, now, BATCH)),
  'pairing codes': forgetting(({ db }, now) => forgetPairingCodes(db.kysely, now, BATCH)),
  'idempotency keys': forgetting(({ db }, now) =>
    forgetIdempotencyKeys(db.kysely, now - KEYS_KEPT_MS, BATCH),
  ),
  'what was sent or parked': forgetting(({ db }, now) => forgetDone(db.kysely, now - DONE_KEPT_MS, BATCH)),
  'sign-ins': forgetting(({ db }, now) => forgetSignIns(db.kysely, now, BATCH)),
  'wrong passwords': forgetting(({ db }, now) =>
    forgetWrongPasswords(db.kysely, now - PASSWORD_WINDOW, BATCH),
  ),
  'challenges of passkeys': forgetting(({ db }, now) => forgetChallenges(db.kysely, now, BATCH)),
  'second factors that were never confirmed': forgetting(({ db }, now) =>
    forgetUnconfirmed(db.kysely, now - HOUR_MS, BATCH),
  ),
  'wrong passwords of accounts': forgetting(({ db }, now) =>
    forgetAccountFailures(db.kysely, now - ACCOUNT_COUNTS_FOR, BATCH),
  ),
  'wrong PINs': forgetting(({ db }, now) => forgetWrongPins(db.kysely, now - PINS_COUNT_FOR, BATCH)),
  'known devices': forgetting(({ db }, now) => forgetKnownDevices(db.kysely, now, BATCH)),
  'road distances': forgetting(({ db }, now) => forgetDistances(db.kysely, now - DISTANCES_KEPT_MS, BATCH)),
};

// ── Rounds ──────────────────────────────────────────────────────────────────────────────────────

const JOBS: readonly Job[] = [
  {
    name: 'unconfirmed orders',
    everyMs: 0,
    run: ending({
      find: ({ db }, look) => unconfirmedOrders(db.kysely, look),
      end: (app, { orgId, id, minutes }) => rejectUnconfirmed(app, orgId, id, minutes),
    }),
  },
  {
    name: 'paused channels',
    everyMs: 0,
    run: ending({
      find: ({ db }, look) => shopsWithLapsedOverrides(db.kysely, look),
      end: inParts(endOverrides),
    }),
  },
  {
    name: 'sold-out items',
    everyMs: 0,
    run: ending({
      find: ({ db }, look) => shopsWithLapsedSnoozes(db.kysely, look),
      end: inParts(endSnoozes),
    }),
  },
  {
    name: 'devices from before their use was written down',
    everyMs: HOUR_MS,
    run: forgetting(({ db }, now) => beginToCount(db.kysely, now, BATCH)),
  },
  {
    name: 'unused devices',
    everyMs: HOUR_MS,
    run: ending({
      find: ({ db }, look) => unusedDevices(db.kysely, look, unusedSince(look.now)),
      end: endUnusedDevice,
    }),
  },
  ...Object.entries(FORGET).map(([name, run]): Job => ({ name, everyMs: HOUR_MS, run })),
];

/** Tells of the first failure of a job after it went well, and of the first time that it goes well again. */
const teller = (log: Log) => {
  const failing = new Set<Job>();
  return (job: Job, fault: unknown): void => {
    const isFault = fault !== null;
    if (isFault === failing.has(job)) return;
    if (isFault) {
      failing.add(job);
      const { name, message } = fault instanceof Error ? fault : { name: 'a fault', message: '' };
      log.warn(
        { job: job.name, fault: name, reason: message },
        'the sweeper cannot do its work; it tries again',
      );
    } else {
      failing.delete(job);
      log.info({ job: job.name }, 'the sweeper does its work again');
    }
  };
};

export const createSweeper = ({ app, timers, log }: SweeperParts): Sweeper => {
  const tell = teller(log);
  /** When each job was last done. */
  const doneAt = new Map<Job, Instant>();
  let isStopped = false;
  let stopTimer: Stop | null = null;
  let underWay: Promise<void> | null = null;

  /** Does a job if its time has come; false where the rest of the round would fail as well. */
  const does = async (job: Job): Promise<boolean> => {
    const now = app.clock.now();
    if (now < (doneAt.get(job) ?? -Infinity) + job.everyMs) return true;
    try {
      // A silent copy stays as it is.
      if ((await app.sending.silence()) !== null) return false;
      await job.run(app, () => isStopped);
      doneAt.set(job, now);
      tell(job, null);
      return true;
    } catch (fault) {
      tell(job, fault);
      return !isAway(fault);
    }
  };
  const round = async (): Promise<void> => {
    for (const job of JOBS) if (isStopped || !(await does(job))) return;
  };
  const sweep = (): Promise<void> =>
    (underWay ??= round().finally(() => {
      underWay = null;
    }));
  return {
    start: () => {
      stopTimer ??= timers.every(EVERY_MS, () => void sweep());
      void sweep();
    },
    sweep,
    stop: async () => {
      isStopped = true;
      stopTimer?.();
      await underWay;
    },
  };
};
