/** The log records when a check starts or stops failing. */
import type { Log, ReadinessCheck, Timers } from '../../ports.ts';
import { isReadOnly } from '../store/db.ts';
import type { App } from './app.ts';
import { RequestCoalescer } from './coalescing.ts';
import type { Silence } from '../domain/sending.ts';

export type { ReadinessCheck } from '../../ports.ts';

export interface ReadinessStatus {
  readonly failing: readonly string[];
  /** Whether sending is off. */
  readonly isSilent: boolean;
}

export interface Readiness {
  /** Runs every check; callers that arrive meanwhile share the next round. Never rejects. */
  check(): Promise<ReadinessStatus>;
}

/** Minimum time between two rounds: /ready has no rate limit, so this bounds its load on the database. */
const MIN_INTERVAL_MS = 100;

/** After a write failed on a full disk, the check fails this long; then the next write may try. */
const DISK_FULL_MS = 10_000;

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
      if (pools.some((pool) => pool.msSinceFull() < DISK_FULL_MS))
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
  readonly sending: { silence(): Promise<Silence | null> };
  readonly log: Log;
  readonly monotonic: () => number;
  readonly timers: Pick<Timers, 'after'>;
}

export const createReadiness = (parts: ReadinessParts): Readiness => {
  const { checks, sending, log, monotonic, timers } = parts;
  const rounds = new RequestCoalescer<null, ReadinessStatus>();
  const failing = new Set<string>();
  let beganAt = -Infinity;

  const logTransition = (name: string, reason: string | null): void => {
    if (failing.has(name) === (reason !== null)) return;
    if (reason !== null) {
      failing.add(name);
      log.warn({ check: name, reason }, 'not ready: /ready answers 503');
    } else {
      failing.delete(name);
      log.info({ check: name }, 'the readiness check passes again');
    }
  };
  const round = async (): Promise<ReadinessStatus> => {
    const early = beganAt + MIN_INTERVAL_MS - monotonic();
    if (early > 0) await new Promise<void>((done) => timers.after(early, done));
    beganAt = monotonic();
    const [silence] = await Promise.all([
      sending.silence().catch(() => null),
      ...checks.map(async (check) => logTransition(check.name, await reasonOf(check))),
    ]);
    return { failing: [...failing], isSilent: silence !== null };
  };
  return { check: () => rounds.request('', null, round) };
};
