/**
 * Watches that requests give back what they hold. A connection answers one request at a time, so there are never more
 * places or bodies held than connections at work; held bytes belong to a body. Otherwise something leaks, and the
 * process should be replaced before nothing is left.
 */
import type { BodyReader } from './body-reader.ts';
import type { Connections } from './connections.ts';
import type { Log } from './log.ts';
import type { Places } from './places.ts';

interface Watched {
  readonly connections: Pick<Connections, 'counts'>;
  readonly places: Pick<Places, 'held'>;
  readonly bodies: Pick<BodyReader, 'counts'>;
  readonly log: Log;
}

export interface LeakWatch {
  /** Looks once. What is found twice in a row is a leak. */
  readonly look: () => void;
  /** What leaks, as a sentence; null when nothing does. */
  readonly fault: () => string | null;
}

export const createLeakWatch = ({ connections, places, bodies, log }: Watched): LeakWatch => {
  const leakNow = (): string | null => {
    const { working } = connections.counts();
    const held = places.held();
    const { bodies: arriving, bytes } = bodies.counts();
    if (held > working) return `${held} waiting places are held by ${working} connections at work`;
    if (arriving > working) return `${arriving} bodies are read for ${working} connections at work`;
    return arriving === 0 && bytes > 0 ? `${bytes} bytes are held of no body` : null;
  };
  let seen: string | null = null;
  let fault: string | null = null;
  return {
    look: () => {
      const now = leakNow();
      const next = seen === null ? null : now;
      if (next !== null && fault === null) log.error({ leak: next }, 'what requests hold is not given back');
      if (next === null && fault !== null) log.info({}, 'what requests held was given back');
      [seen, fault] = [now, next];
    },
    fault: () => fault,
  };
};
