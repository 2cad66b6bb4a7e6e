/** Leaves a server alone that is away or slow, so that nobody waits for it in vain. */

export interface BreakerParts {
  /** Milliseconds of real time since any moment; never goes back. */
  readonly monotonic: () => number;
  /** Hears why when the server begins to be left alone; again only once it has answered in between. */
  readonly onPause: (reason: string) => void;
}

export interface Breaker {
  /** Whether to ask now; after a pause only the first may, and the others go on without until it has heard. */
  mayAsk(): boolean;
  /** The server is in good health, whatever it said. */
  answered(): void;
  failed(reason: string): void;
}

/** So many failures in a row, and the server is left alone for a while; then one request tries whether it is back. */
const FAILURES = 3;
const PAUSE_MS = 10_000;

export const createBreaker = ({ monotonic, onPause }: BreakerParts): Breaker => {
  let failures = 0;
  let pausedUntil = -Infinity;
  return {
    mayAsk: () => {
      if (failures < FAILURES) return true;
      if (monotonic() < pausedUntil) return false;
      pausedUntil = monotonic() + PAUSE_MS;
      return true;
    },
    answered: () => {
      failures = 0;
    },
    failed: (reason) => {
      failures += 1;
      pausedUntil = monotonic() + PAUSE_MS;
      if (failures === FAILURES) onPause(reason);
    },
  };
};
