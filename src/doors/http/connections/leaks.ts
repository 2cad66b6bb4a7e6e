/**
 * Watches that requests give back what they hold: each shared resource against what the open connections say they hold
 * of it, and the connections against the server's own count. Otherwise something leaks, and the process should be
 * replaced before nothing is left.
 */
import type { BodyReader } from '../body/reader.ts';
import type { Connections } from './connections.ts';
import type { Log } from '../log.ts';
import type { Pipeline } from './pipeline.ts';
import type { Places } from './places.ts';
import type { UnderWay } from './under-way.ts';

interface Watched {
  readonly server: { getConnections(tell: (fault: Error | null, open: number) => void): unknown };
  readonly connections: Pick<Connections, 'held'>;
  readonly places: Pick<Places, 'held' | 'stuck'>;
  readonly pipeline: Pick<Pipeline, 'counts'>;
  readonly bodies: Pick<BodyReader, 'counts'>;
  readonly underWay: Pick<UnderWay, 'held'>;
  readonly log: Log;
}

export interface LeakWatch {
  /** Looks once. What is found twice in a row is a leak. */
  readonly look: () => void;
  /** What leaks, as a sentence; null when nothing does. */
  readonly fault: () => string | null;
}

export const createLeakWatch = ({
  server,
  connections,
  places,
  pipeline,
  bodies,
  underWay,
  log,
}: Watched): LeakWatch => {
  /** `open`: the server's own count at this moment. */
  const leakAmong = (open: number): string | null => {
    const held = connections.held();
    const { bodies: arriving, bytes } = bodies.counts();
    const queued = pipeline.counts();
    const pairs: readonly (readonly [string, number, number])[] = [
      ['waiting places', places.held(), held.places],
      ['arriving bodies', arriving, held.bodies],
      ['body bytes', bytes, held.bytes],
      ['queued requests', queued.requests, held.waiting],
      ['queued bytes', queued.bytes, held.queuedBytes],
      ['requests under way', underWay.held(), held.underWay],
      ['open connections', held.open, open],
      ['closed connections', held.closed, 0],
      ['abandoned requests', places.stuck(), 0],
    ];
    const leak = pairs.find(([, counted, found]) => counted !== found);
    return leak === undefined ? null : `${leak[0]}: ${leak[1]} counted, ${leak[2]} found`;
  };
  let seen: string | null = null;
  let fault: string | null = null;
  const judge = (now: string | null): void => {
    const next = seen === null ? null : now;
    if (next !== null && fault === null) log.error({ leak: next }, 'what requests hold is not given back');
    if (next === null && fault !== null) log.info({}, 'what requests held was given back');
    [seen, fault] = [now, next];
  };
  return {
    // Node counts at once and tells in the next tick, before any other connection comes or goes.
    look: () => server.getConnections((_, open) => judge(leakAmong(open))),
    fault: () => fault,
  };
};
