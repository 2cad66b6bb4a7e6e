/**
 * The machine's randomness, and the service's clock. `CLOCK_START` becomes an offset to the machine's clock once, when the first process
 * starts; the data folder tells it to the others that run meanwhile, so that a command beside a running server
 * lives in the same moment.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Instant } from '../kernel/time.ts';
import type { Clock, Random } from '../ports.ts';
import { notesOf, type NoteOwner } from './notes.ts';

/** The machine's clock moved by `offsetMs` milliseconds. */
export const systemClock = (offsetMs: number): Clock => ({ now: () => Date.now() + offsetMs });

export interface SharedClock {
  readonly clock: Clock;
  /** Whether another process had fixed the offset before. */
  readonly joined: boolean;
  /** Stops telling others. Safe to call twice. */
  readonly release: () => void;
}

/** The offset a living process tells, or null. */
const toldOffset = (owner: NoteOwner): number | null =>
  notesOf(owner, 'clock')
    .read()
    .map((text) => Number(text || NaN))
    .find(Number.isFinite) ?? null;

const offsetTo = (clockStart: Instant | null): number => (clockStart === null ? 0 : clockStart - Date.now());

/** For a command: the clock of the servers that run, else its own. */
export const joinClock = (owner: NoteOwner, clockStart: Instant | null): Clock =>
  systemClock(toldOffset(owner) ?? offsetTo(clockStart));

/** For a server: the clock of those that run already, else one that starts at `clockStart`; told to all who come. */
export const shareClock = (owner: NoteOwner, clockStart: Instant | null): SharedClock => {
  const told = toldOffset(owner);
  const offset = told ?? offsetTo(clockStart);
  const release = notesOf(owner, 'clock').leave(String(offset));
  return { clock: systemClock(offset), joined: told !== null, release };
};

/** The machine's randomness, fit for secrets. */
export const systemRandom: Random = { bytes: randomBytes, uuid: randomUUID, below: randomInt };
