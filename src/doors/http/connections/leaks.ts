/**
 * Detects leaks: compares each shared resource with the sum over the open connections, and the connections with the
 * server's own count. A leaking process should be replaced before it is full.
 */
import type { BodyReader } from '../body/reader.ts';
import type { Connections } from './connections.ts';
import type { Log } from '../log.ts';
import type { Pipeline } from './pipeline.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import type { InFlight } from './in-flight.ts';

interface LeakWatchParts {
  readonly server: { getConnections(callback: (fault: Error | null, open: number) => void): unknown };
  readonly connections: Pick<Connections, 'held'>;
  readonly concurrencyLimit: Pick<ConcurrencyLimit, 'held' | 'stuck'>;
  readonly pipeline: Pick<Pipeline, 'counts'>;
  readonly bodies: Pick<BodyReader, 'counts'>;
  readonly inFlight: Pick<InFlight, 'held'>;
  readonly log: Log;
}

export interface LeakWatch {
  /** Checks once. A difference found twice in a row is a leak. */
  readonly check: () => void;
  readonly fault: () => string | null;
}

export const createLeakWatch = ({
  server,
  connections,
  concurrencyLimit,
  pipeline,
  bodies,
  inFlight,
  log,
}: LeakWatchParts): LeakWatch => {
  /** `open`: the server's own count. */
  const findLeak = (open: number): string | null => {
    const held = connections.held();
    const { bodies: arriving, bytes } = bodies.counts();
    const queued = pipeline.counts();
    const pairs: readonly (readonly [string, number, number])[] = [
      ['permits', concurrencyLimit.held(), held.permits],
      ['arriving bodies', arriving, held.bodies],
      ['body bytes', bytes, held.bytes],
      ['queued requests', queued.requests, held.waiting],
      ['queued bytes', queued.bytes, held.queuedBytes],
      ['requests under way', inFlight.held(), held.inFlight],
      ['open connections', held.open, open],
      ['closed connections', held.closed, 0],
      ['abandoned requests', concurrencyLimit.stuck(), 0],
    ];
    const leak = pairs.find(([, counted, found]) => counted !== found);
    return leak === undefined ? null : `${leak[0]}: ${leak[1]} counted, ${leak[2]} found`;
  };
  let seen: string | null = null;
  let fault: string | null = null;
  const report = (now: string | null): void => {
    const next = seen === null ? null : now;
    if (next !== null && fault === null)
      log.error({ leak: next }, 'resources of ended requests are not released');
    if (next === null && fault !== null) log.info({}, 'resources of ended requests were released');
    [seen, fault] = [now, next];
  };
  return {
    // Node counts at once and calls back in the next tick, before another connection opens or closes.
    check: () => server.getConnections((_, open) => report(findLeak(open))),
    fault: () => fault,
  };
};
