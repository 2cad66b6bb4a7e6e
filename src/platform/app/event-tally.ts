/**
 * Security events that can come in a rush: the first of its kind and facts is recorded at once, those that follow within
 * a minute as one when the minute is over.
 */
import type { SecurityEventKind, SecurityFacts } from '../domain/security-event.ts';
import type { SecurityEvents, Timers } from '../../ports.ts';

const MINUTE_MS = 60_000;
/** Kinds and facts that are told apart in a minute; what is beyond is one line for each kind. */
const MOST_TOLD_APART = 1_000;

interface Tallied {
  readonly kind: SecurityEventKind;
  readonly facts: SecurityFacts;
  more: number;
}

export class EventTally {
  readonly #security: Pick<SecurityEvents, 'record'>;
  readonly #timers: Pick<Timers, 'after'>;
  readonly #tallied = new Map<string, Tallied>();

  constructor(security: Pick<SecurityEvents, 'record'>, timers: Pick<Timers, 'after'>) {
    this.#security = security;
    this.#timers = timers;
  }

  record(kind: SecurityEventKind, facts: SecurityFacts): void {
    const key = JSON.stringify([kind, facts]);
    const isTold = this.#tallied.has(key) || this.#tallied.size < MOST_TOLD_APART;
    const known = this.#tallied.get(isTold ? key : kind);
    if (known !== undefined) {
      known.more += 1;
      return;
    }
    if (this.#tallied.size === 0) this.#timers.after(MINUTE_MS, () => this.#flush());
    const first = { kind, facts: isTold ? facts : {}, more: 0 };
    this.#tallied.set(isTold ? key : kind, first);
    this.#security.record(kind, first.facts);
  }

  #flush(): void {
    for (const { kind, facts, more } of this.#tallied.values())
      if (more > 0) this.#security.record(kind, { ...facts, times: more }, more);
    this.#tallied.clear();
  }
}
