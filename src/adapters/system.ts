/**
 * The service's clock. `CLOCK_START` becomes an offset to the machine's clock once, when the first process
 * starts; the data folder tells it to the others that run meanwhile, so that a command beside a running server
 * lives in the same moment.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '../domain/time.ts';
import type { Clock } from '../ports.ts';
import { keepOwner } from './owner.ts';
import { isAlive, ownName } from './processes.ts';

/** The machine's clock moved by `offsetMs` milliseconds. */
export const systemClock = (offsetMs: number): Clock => ({ now: () => Date.now() + offsetMs });

/** Whose time is shared: the processes on one data folder that serve the same database. */
export interface ClockOwner {
  readonly dataDir: string;
  /** Null = the embedded database of the data folder. */
  readonly databaseUrl: string | null;
}

export interface SharedClock {
  readonly clock: Clock;
  /** Whether another process had fixed the offset before. */
  readonly joined: boolean;
  /** Stops telling others. Safe to call twice. */
  readonly release: () => void;
}

/** One folder per database; its address may hold a password, so only a digest of it is written. */
const folderOf = ({ dataDir, databaseUrl }: ClockOwner): string =>
  join(
    dataDir,
    'run',
    `clock-${createHash('sha256')
      .update(databaseUrl ?? '')
      .digest('hex')
      .slice(0, 12)}`,
  );

const entries = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** The offset a living process tells, or null. What dead ones left is removed. */
const toldOffset = (folder: string): number | null => {
  for (const name of entries(folder)) {
    if (isAlive(name)) {
      const offset = Number(readFileSync(join(folder, name), 'utf8') || NaN);
      if (Number.isFinite(offset)) return offset;
    } else rmSync(join(folder, name), { force: true });
  }
  return null;
};

const offsetTo = (clockStart: Instant | null): number => (clockStart === null ? 0 : clockStart - Date.now());

/** For a command: the clock of the servers that run, else its own. */
export const joinClock = (owner: ClockOwner, clockStart: Instant | null): Clock =>
  systemClock(toldOffset(folderOf(owner)) ?? offsetTo(clockStart));

/** For a server: the clock of those that run already, else one that starts at `clockStart`; told to all who come. */
export const shareClock = (owner: ClockOwner, clockStart: Instant | null): SharedClock => {
  const folder = folderOf(owner);
  const told = toldOffset(folder);
  const offset = told ?? offsetTo(clockStart);
  mkdirSync(folder, { recursive: true });
  for (const path of [join(owner.dataDir, 'run'), folder]) keepOwner(owner.dataDir, path);
  const entry = join(folder, ownName());
  writeFileSync(entry, String(offset));
  return { clock: systemClock(offset), joined: told !== null, release: () => rmSync(entry, { force: true }) };
};
