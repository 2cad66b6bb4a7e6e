/** Whether requests will be answered: a list of checks, each asked anew, and said in the log when one begins or ceases to fail. */
import type { Log, ReadinessCheck } from '../ports.ts';
import { isReadOnly } from '../store/db.ts';
import type { App } from './app.ts';

export type { ReadinessCheck } from '../ports.ts';

export interface Readiness {
  /** Asks every check; gives the names of those that fail. Never rejects. */
  look(): Promise<readonly string[]>;
}

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

export const createReadiness = (checks: readonly ReadinessCheck[], log: Log): Readiness => {
  const failing = new Set<string>();
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
  return {
    look: async () => {
      await Promise.all(checks.map(async (check) => tell(check.name, await reasonOf(check))));
      return [...failing];
    },
  };
};
