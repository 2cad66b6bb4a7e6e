/**
 * Aggregates security events that can come in bursts: the first event of a kind with the same facts is recorded at
 * once, further ones within a minute as one event with a count.
 */
import type { SecurityEventKind, SecurityFacts } from '../domain/security-event.ts';
import type { SecurityEvents, Timers } from '../../ports.ts';

const MINUTE_MS = 60_000;
/** Distinct events in a minute; further ones are aggregated by kind alone. */
const MAX_DISTINCT = 1_000;

interface Aggregate {
  readonly kind: SecurityEventKind;
  readonly facts: SecurityFacts;
  repeats: number;
}

export class EventAggregator {
  readonly #security: Pick<SecurityEvents, 'record'>;
  readonly #timers: Pick<Timers, 'after'>;
  readonly #aggregates = new Map<string, Aggregate>();

  constructor(security: Pick<SecurityEvents, 'record'>, timers: Pick<Timers, 'after'>) {
    this.#security = security;
    this.#timers = timers;
  }

  record(kind: SecurityEventKind, facts: SecurityFacts): void {
    const key = JSON.stringify([kind, facts]);
    const isDistinct = this.#aggregates.has(key) || this.#aggregates.size < MAX_DISTINCT;
    const known = this.#aggregates.get(isDistinct ? key : kind);
    if (known !== undefined) {
      known.repeats += 1;
      return;
    }
    if (this.#aggregates.size === 0) this.#timers.after(MINUTE_MS, () => this.#flush());
    const first = { kind, facts: isDistinct ? facts : {}, repeats: 0 };
    this.#aggregates.set(isDistinct ? key : kind, first);
    this.#security.record(kind, first.facts);
  }

  #flush(): void {
    for (const { kind, facts, repeats } of this.#aggregates.values())
      if (repeats > 0) this.#security.record(kind, { ...facts, times: repeats }, repeats);
    this.#aggregates.clear();
  }
}
