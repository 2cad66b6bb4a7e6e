/** Counts refusals that may show an attack, by client and status, and records them once a minute as security events. */
import type { SecurityEvents } from '../../../ports.ts';

const WATCHED: ReadonlySet<number> = new Set([401, 403, 429]);
/** Clients named per minute; the others share one event. */
const MAX_NAMED = 20;
/** Clients counted separately. */
const MAX_COUNTED = 10_000;
const OTHERS = 'others';

export interface RefusalTally {
  readonly add: (client: string, status: number) => void;
  readonly record: () => void;
}

interface Counted {
  readonly client: string;
  readonly status: number;
  count: number;
}

export const createRefusalTally = (security: SecurityEvents): RefusalTally => {
  let counts = new Map<string, Counted>();
  const addTo = (into: Map<string, Counted>, client: string, status: number, count: number): void => {
    const key = `${status} ${client}`;
    const known = into.get(key);
    if (known === undefined) into.set(key, { client, status, count });
    else known.count += count;
  };
  return {
    add: (client, status) => {
      if (!WATCHED.has(status)) return;
      const isKnown = counts.has(`${status} ${client}`);
      addTo(counts, isKnown || counts.size < MAX_COUNTED ? client : OTHERS, status, 1);
    },
    record: () => {
      const counted = [...counts.values()].sort((a, b) => b.count - a.count);
      counts = new Map();
      const named = new Map<string, Counted>();
      for (const [index, { client, status, count }] of counted.entries())
        addTo(named, index < MAX_NAMED ? client : OTHERS, status, count);
      for (const { client, status, count } of named.values())
        security.record('requests_refused', { client, status, count }, count);
    },
  };
};
