/** Whether requests will be answered: a list of checks, each asked anew, and said in the log when one begins or ceases to fail. */
import type { Log, ReadinessCheck, Timers } from '../../ports.ts';
import { isReadOnly } from '../store/db.ts';
import type { App } from './app.ts';
import { AskedTogether } from './coalescing.ts';
import type { Sending } from './sending.ts';

export type { ReadinessCheck } from '../../ports.ts';

export interface Look {
  /** The names of the checks that fail. */
  readonly failing: readonly string[];
  /** Whether nothing leaves the service. */
  readonly isSilent: boolean;
}

export interface Readiness {
  /** Asks every check; who comes while they are asked shares the next round. Never rejects. */
  look(): Promise<Look>;
}

/** Between the beginnings of two rounds: /ready is in no limit, and however many ask, the database is asked this often. */
const APART_MS = 100;

/** A disk that was full a moment ago is full for whoever comes next; after this long a write may find out. */
const FULL_FOR_MS = 10_000;

/** What the database is asked; `pools`: whose writes count. */
export const databaseChecks = (
  { db, isMigrated }: Pick<App, 'db' | 'isMigrated'>,
  pools: readonly Pick<App['db'], 'msSinceFull'>[] = [db],
): readonly ReadinessCheck[] => [
  { name: 'database', fault: () => db.ping().then(() => null) },
  {
    name: 'migrations',
    fault: async () => ((await isMigrated()) ? null : 'the tables are not what this build needs'),
  },
  {
    name: 'writes',
    fault: async () => {
      if (pools.some((pool) => pool.msSinceFull() < FULL_FOR_MS))
        return 'the database had no space left for a write just now';
      return (await isReadOnly(db))
        ? 'the database takes no writes: it is a standby, or set read-only'
        : null;
    },
  },
];

const reasonOf = async (check: ReadinessCheck): Promise<string | null> => {
  try {
    return await check.fault();
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault);
  }
};

export interface ReadinessParts {
  readonly checks: readonly ReadinessCheck[];
  readonly sending: Pick<Sending, 'silence'>;
  readonly log: Log;
  readonly monotonic: () => number;
  readonly timers: Pick<Timers, 'after'>;
}

export const createReadiness = (parts: ReadinessParts): Readiness => {
  const { checks, sending, log, monotonic, timers } = parts;
  const rounds = new AskedTogether<null, Look>();
  const failing = new Set<string>();
  let beganAt = -Infinity;

  const tell = (name: string, reason: string | null): void => {
    if (failing.has(name) === (reason !== null)) return;
    if (reason !== null) {
      failing.add(name);
      log.warn({ check: name, reason }, 'not ready: /ready answers 503');
    } else {
      failing.delete(name);
      log.info({ check: name }, 'the readiness check passes again');
    }
  };
  const round = async (): Promise<Look> => {
    const early = beganAt + APART_MS - monotonic();
    if (early > 0) await new Promise<void>((done) => timers.after(early, done));
    beganAt = monotonic();
    const [silence] = await Promise.all([
      sending.silence().catch(() => null),
      ...checks.map(async (check) => tell(check.name, await reasonOf(check))),
    ]);
    return { failing: [...failing], isSilent: silence !== null };
  };
  return { look: () => rounds.ask('', null, round) };
};
