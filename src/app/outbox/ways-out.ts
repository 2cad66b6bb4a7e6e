/** What this process knows of the ways out of the outbox: how much is under way on each, and which of them rest. */
import { restMs, WAY_OUT, type Outcome } from '../../domain/outbox.ts';
import type { Instant } from '../../domain/time.ts';

interface WayOut {
  underWay: number;
  /** Tries in a row that were put off. */
  failures: number;
  /** Of the first of those. */
  failingSince: Instant | null;
  restsUntil: Instant;
}

export interface WaysOut {
  /** What a claim must know: rows under way by way out, and those that get nothing now. */
  toClaim(now: Instant): {
    readonly underWay: ReadonlyMap<string, number>;
    readonly without: readonly string[];
  };
  begin(name: string): void;
  /** Whether it gets nothing more before something on it ends. */
  isFull(name: string): boolean;
  /** Says whether nothing has gone through here for so long that what waits is given up. */
  end(name: string, outcome: Outcome, now: Instant): boolean;
}

/** `places`: rows that may be under way at once on one of them. */
export const createWaysOut = (places: number): WaysOut => {
  const ways = new Map<string, WayOut>();
  const wayOf = (name: string): WayOut => {
    const known = ways.get(name) ?? { underWay: 0, failures: 0, failingSince: null, restsUntil: -Infinity };
    ways.set(name, known);
    return known;
  };
  /** Where nothing goes through only one is tried at a time: the other places count as taken. */
  const takenOf = ({ underWay, failures }: WayOut): number =>
    failures < WAY_OUT.failuresBeforeRest ? underWay : underWay + places - 1;
  const isFull = (way: WayOut): boolean => takenOf(way) >= places;
  return {
    isFull: (name) => isFull(wayOf(name)),
    toClaim: (now) => {
      const all = [...ways];
      return {
        underWay: new Map(all.map(([name, way]) => [name, takenOf(way)])),
        without: all.filter(([, way]) => isFull(way) || way.restsUntil > now).map(([name]) => name),
      };
    },
    begin: (name) => {
      wayOf(name).underWay += 1;
    },
    end: (name, outcome, now) => {
      const way = wayOf(name);
      way.underWay -= 1;
      if (outcome.sent || outcome.again !== 'later') {
        Object.assign(way, { failures: 0, failingSince: null, restsUntil: -Infinity });
        if (way.underWay === 0) ways.delete(name);
        return false;
      }
      way.failures += 1;
      way.failingSince ??= now;
      way.restsUntil = now + restMs(way.failures);
      return now - way.failingSince >= WAY_OUT.givenUpAfterMs;
    },
  };
};
