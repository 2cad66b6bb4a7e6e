/**
 * Lamport's bakery algorithm over files in a folder. No file is taken over, so no living process can lose the
 * lock; files of dead processes are recognized by name and deleted.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PRIVATE_FILE } from '../private-files.ts';
import { isAlive, ownProcessIdentity } from '../process-identity.ts';
import { EmbeddedPostgresError } from './fault.ts';

interface Ticket {
  readonly holder: string;
  /** Null while the holder chooses a number. */
  readonly number: number | null;
}

const POLL_MS = 15;

/** File names are `<process name>~<random>~<number or "choosing">`. */
const tickets = (folder: string): Ticket[] => {
  const files = readdirSync(folder);
  const alive = new Set([...new Set(files.map((file) => file.split('~')[0] ?? ''))].filter(isAlive));
  return files.flatMap((file) => {
    const [owner = '', random = '', number = ''] = file.split('~');
    if (!alive.has(owner)) {
      rmSync(join(folder, file), { force: true });
      return [];
    }
    return [{ holder: `${owner}~${random}`, number: number === 'choosing' ? null : Number(number) }];
  });
};

const goesFirst = (one: Ticket, other: Ticket): boolean =>
  (one.number ?? 0) < (other.number ?? 0) || (one.number === other.number && one.holder < other.holder);

/**
 * Two reads: a process that is choosing may get a lower number; any other saw this number before choosing.
 */
const isFirst = (folder: string, mine: Ticket): boolean => {
  const others = (): Ticket[] => tickets(folder).filter((ticket) => ticket.holder !== mine.holder);
  return (
    others().every((ticket) => ticket.number !== null) && !others().some((ticket) => goesFirst(ticket, mine))
  );
};

/** Excludes other calls in this and other processes. Throws EmbeddedPostgresError after `patienceMs`. */
export const withLock = async <T>(
  folder: string,
  work: () => Promise<T>,
  patienceMs = 120_000,
): Promise<T> => {
  const holder = `${ownProcessIdentity()}~${randomBytes(6).toString('hex')}`;
  const choosing = join(folder, `${holder}~choosing`);
  writeFileSync(choosing, '', PRIVATE_FILE);
  const number = 1 + Math.max(0, ...tickets(folder).map((ticket) => ticket.number ?? 0));
  const ticket = join(folder, `${holder}~${number}`);
  writeFileSync(ticket, '', PRIVATE_FILE);
  rmSync(choosing);
  try {
    const deadline = performance.now() + patienceMs;
    while (!isFirst(folder, { holder, number })) {
      if (performance.now() > deadline) {
        throw new EmbeddedPostgresError(
          `Another process has been starting or stopping the database of ${folder} for too long; stop it and try again.`,
        );
      }
      await pause(POLL_MS);
    }
    return await work();
  } finally {
    rmSync(ticket, { force: true });
  }
};
