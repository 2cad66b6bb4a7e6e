/** A half-open circuit allows one trial call; a success closes it. */

type Milliseconds = number;

export interface CircuitRule {
  /** Consecutive. */
  readonly failuresToOpen: number;
  /** Doubled by each further failure, up to `longestOpenMs`. */
  readonly firstOpenMs: Milliseconds;
  readonly longestOpenMs: Milliseconds;
}

export type CircuitState = 'closed' | 'open' | 'half-open';

export interface Circuit {
  /** Consecutive failures. */
  readonly failures: number;
  readonly openUntil: Milliseconds;
}

const CLOSED_CIRCUIT: Circuit = { failures: 0, openUntil: -Infinity };

/** 0 means closed. */
export const openMs = (rule: CircuitRule, failures: number): Milliseconds => {
  const over = failures - rule.failuresToOpen;
  return over < 0 ? 0 : Math.min(rule.firstOpenMs * 2 ** Math.min(over, 30), rule.longestOpenMs);
};

const circuitState = (
  rule: CircuitRule,
  { failures, openUntil }: Circuit,
  now: Milliseconds,
): CircuitState => {
  if (failures < rule.failuresToOpen) return 'closed';
  return now < openUntil ? 'open' : 'half-open';
};

const afterFailedCall = (rule: CircuitRule, { failures }: Circuit, now: Milliseconds): Circuit => ({
  failures: failures + 1,
  openUntil: now + openMs(rule, failures + 1),
});

export class CircuitBreaker {
  readonly #rule: CircuitRule;
  #circuit = CLOSED_CIRCUIT;

  constructor(rule: CircuitRule) {
    this.#rule = rule;
  }

  get isClosed(): boolean {
    return this.#circuit.failures < this.#rule.failuresToOpen;
  }

  state(now: Milliseconds): CircuitState {
    return circuitState(this.#rule, this.#circuit, now);
  }

  /**
   * Whether a call may start. A half-open circuit allows one; other callers find it open for the open time.
   */
  mayCall(now: Milliseconds): boolean {
    const state = this.state(now);
    if (state === 'half-open') {
      const { failures } = this.#circuit;
      this.#circuit = { failures, openUntil: now + openMs(this.#rule, failures) };
    }
    return state !== 'open';
  }

  succeeded(): void {
    this.#circuit = CLOSED_CIRCUIT;
  }

  failed(now: Milliseconds): void {
    this.#circuit = afterFailedCall(this.#rule, this.#circuit, now);
  }
}
