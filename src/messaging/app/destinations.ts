/** What this process knows of the ways out of the outbox: how much is under way on each, and which of them rest. */
import { BACK_OFF, restMs, WAY_OUT, type Outcome } from '../domain/outbox.ts';
import type { Instant } from '../../kernel/time.ts';

interface WayOut {
  underWay: number;
  /** Tries in a row that were put off. */
  failures: number;
  /** Of the first of those, and of the last. */
  failingSince: Instant;
  failedAt: Instant;
  restsUntil: Instant;
}

/** Where anything waits it is tried sooner than this: after a longer silence nobody knows how it was meanwhile. */
const LONGEST_SILENCE_MS = 2 * BACK_OFF.longestAskedMs;

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
    const known = ways.get(name) ?? {
      ...{ underWay: 0, failures: 0 },
      ...{ failingSince: -Infinity, failedAt: -Infinity, restsUntil: -Infinity },
    };
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
      // Nobody was asked: of the way out nothing is known by it.
      const isKnownWell = outcome.sent || outcome.again === 'never';
      if (isKnownWell) Object.assign(way, { failures: 0, failedAt: -Infinity, restsUntil: -Infinity });
      if (outcome.sent || outcome.again !== 'later') {
        if (way.failures === 0 && way.underWay === 0) ways.delete(name);
        return false;
      }
      if (now - way.failedAt > LONGEST_SILENCE_MS) way.failingSince = now;
      way.failures += 1;
      way.failedAt = now;
      way.restsUntil = now + restMs(way.failures);
      return now - way.failingSince >= WAY_OUT.givenUpAfterMs;
    },
  };
};
