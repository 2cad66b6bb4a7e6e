/**
 * The first process turns `CLOCK_START` into an offset to the machine's clock; others read the offset from
 * the data folder, so that a command has the same time as the running server.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Instant } from '../kernel/time.ts';
import type { Clock, Random } from '../ports.ts';
import { sharedValues, type SharingScope } from './interprocess-values.ts';

export const systemClock = (offsetMs: number): Clock => ({ now: () => Date.now() + offsetMs });

export interface SharedClock {
  readonly clock: Clock;
  /** Whether another process set the offset. */
  readonly joined: boolean;
  /** Idempotent. */
  readonly release: () => void;
}

const publishedOffset = (owner: SharingScope): number | null =>
  sharedValues(owner, 'clock')
    .read()
    .map((text) => Number(text || NaN))
    .find(Number.isFinite) ?? null;

const offsetTo = (clockStart: Instant | null): number => (clockStart === null ? 0 : clockStart - Date.now());

/** For a command: the clock of a running server, else its own. */
export const joinClock = (owner: SharingScope, clockStart: Instant | null): Clock =>
  systemClock(publishedOffset(owner) ?? offsetTo(clockStart));

/** The clock of a running server, else one that starts at `clockStart`. */
export const shareClock = (owner: SharingScope, clockStart: Instant | null): SharedClock => {
  const published = publishedOffset(owner);
  const offset = published ?? offsetTo(clockStart);
  const release = sharedValues(owner, 'clock').publish(String(offset));
  return { clock: systemClock(offset), joined: published !== null, release };
};

/** Cryptographically secure. */
export const systemRandom: Random = { bytes: randomBytes, uuid: randomUUID, below: randomInt };
