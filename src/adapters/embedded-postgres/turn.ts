/**
 * One at a time among processes that share a folder, by Lamport's bakery: everybody takes a number, the lowest
 * goes first. No file is ever taken over, so nothing can be stolen from a living process, and what a killed
 * process left behind is recognised by its name and swept away.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { OWN_FILE } from '../owner.ts';
import { isAlive, ownName } from '../processes.ts';
import { EmbeddedPostgresError } from './fault.ts';

interface Ticket {
  readonly holder: string;
  /** Null while its holder is still choosing a number. */
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

/** Two looks: who is choosing now may yet get a lower number; who was not, saw my number before taking one. */
const isMyTurn = (folder: string, mine: Ticket): boolean => {
  const others = (): Ticket[] => tickets(folder).filter((ticket) => ticket.holder !== mine.holder);
  return (
    others().every((ticket) => ticket.number !== null) && !others().some((ticket) => goesFirst(ticket, mine))
  );
};

/**
 * Runs `work` while no other process (and no other call in this one) runs its own under the same folder.
 * Throws EmbeddedPostgresError when the turn has not come within `patienceMs`.
 */
export const inTurn = async <T>(folder: string, work: () => Promise<T>, patienceMs = 120_000): Promise<T> => {
  const holder = `${ownName()}~${randomBytes(6).toString('hex')}`;
  const choosing = join(folder, `${holder}~choosing`);
  writeFileSync(choosing, '', OWN_FILE);
  const number = 1 + Math.max(0, ...tickets(folder).map((ticket) => ticket.number ?? 0));
  const ticket = join(folder, `${holder}~${number}`);
  writeFileSync(ticket, '', OWN_FILE);
  rmSync(choosing);
  try {
    const deadline = performance.now() + patienceMs;
    while (!isMyTurn(folder, { holder, number })) {
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
