/**
 * Request limits per client and group (Decisions 15), by buckets of tokens. Every request counts as general, also one
 * that its group refuses; one that the general bucket refuses counts in no other. A refused request takes nothing from the
 * bucket that refused it.
 */
import type { LimitGroup } from '../../../platform/contract/endpoint.ts';
import { Buckets, type Bucket } from './buckets.ts';

export type CountedGroup = Exclude<LimitGroup, 'none'>;

/** Decisions 15, by group. */
export const BUCKETS: Readonly<Record<CountedGroup, Bucket>> = {
  general: { burst: 2000, seconds: 60 },
  ordering_reads: { burst: 300, seconds: 15 },
  delivery_quote: { burst: 60, seconds: 60 },
  otp: { burst: 30, seconds: 90 },
  writes: { burst: 60, seconds: 60 },
  booking_and_loyalty_reads: { burst: 300, seconds: 15 },
  join: { burst: 30, seconds: 90 },
  // Where Decisions 15 gives no figure: a till that redraws its board and a teller who taps fast are far below.
  staff: { burst: 600, seconds: 60 },
};

/** Clients remembered per group; beyond, those nearest to a full bucket are forgotten first. */
const MAX_CLIENTS = 50_000;

/** What one request may cost the event loop, ms; a dearer one counts as several. */
const MS_PER_REQUEST = 5;

/** The group in which the cost of a request is counted: a dear order takes no other order's turn. */
const weighedIn = (group: CountedGroup): CountedGroup => (group === 'writes' ? 'ordering_reads' : group);

/** This much of a request's share counts as all of it: forgives what floating sums lose. */
const WHOLE = 0.99;

export interface Ruling {
  /** The group that refused, or null. */
  readonly refusedBy: CountedGroup | null;
  /** Whole seconds until the same request would pass; 0 when it passed. */
  readonly retryAfterSeconds: number;
  /** The values of `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). */
  readonly policy: string;
  readonly limit: string;
}

export interface Limits {
  /** Counts one request at `now` (monotonic ms). Null: not limited. */
  take(client: string, group: LimitGroup, now: number): Ruling | null;
  /**
   * Takes what a request cost the event loop beyond the one it was counted as: one more for every 5 ms. A bucket may be
   * overdrawn by as much as it holds.
   */
  weigh(client: string, group: LimitGroup, ms: number, now: number): void;
  /** Refusals so far, by group. */
  readonly refused: Readonly<Record<CountedGroup, number>>;
  /** Clients remembered. */
  size(): number;
}

/** One group's buckets, and what is said of them. */
class Group extends Buckets {
  readonly name: CountedGroup;
  readonly policy: string;
  readonly #left: string;
  /** What was said last: most requests find a bucket as the one before did, and the text is ready. */
  #said = { remaining: -1, seconds: -1, text: '' };

  constructor(name: CountedGroup, { burst: unscaled, seconds }: Bucket, scale: number, capacity: number) {
    const burst = Math.max(1, Math.round(unscaled * scale));
    super({ burst, seconds }, capacity);
    this.name = name;
    this.policy = `"${name}";q=${burst};w=${seconds}`;
    this.#left = `"${name}";r=`;
  }

  /** Milliseconds until a request passes, owing `owed`; 0 or less: now. */
  waitMs(owed: number): number {
    return owed - this.spanMs + WHOLE * this.stepMs;
  }

  remaining(owed: number): number {
    return Math.max(0, Math.floor((this.spanMs - owed) / this.stepMs + 1 - WHOLE));
  }

  /** `"general";r=1999;t=1`: t is the whole seconds until one more request is there. */
  limit(owed: number, remaining: number): string {
    const nextMs = owed - this.spanMs + (remaining + WHOLE) * this.stepMs;
    const seconds = nextMs <= 1000 ? 1 : Math.ceil(nextMs / 1000);
    const said = this.#said;
    if (remaining === said.remaining && seconds === said.seconds) return said.text;
    this.#said = { remaining, seconds, text: `${this.#left}${remaining};t=${seconds}` };
    return this.#said.text;
  }
}

const GROUPS = Object.keys(BUCKETS) as readonly CountedGroup[];

const record = <T>(of: (group: CountedGroup) => T): Record<CountedGroup, T> =>
  Object.fromEntries(GROUPS.map((group) => [group, of(group)])) as Record<CountedGroup, T>;

/** `scale` multiplies every bucket (RATE_LIMIT_SCALE); 0 turns the limits off. */
export const createLimits = ({
  scale = 1,
  capacity = MAX_CLIENTS,
}: {
  scale?: number;
  capacity?: number;
}): Limits => {
  const groups = record((name) => new Group(name, BUCKETS[name], scale, capacity));
  const refused = record(() => 0);
  const refuse = (by: Group, waitMs: number, policy: string, limit: string): Ruling => {
    refused[by.name] += 1;
    return { refusedBy: by.name, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)), policy, limit };
  };
  const { general } = groups;
  /** Both policies, by which comes first. */
  const policies = record((name) => ({
    groupFirst: `${groups[name].policy}, ${general.policy}`,
    generalFirst: `${general.policy}, ${groups[name].policy}`,
  }));
  let last = { first: '', second: '', policy: '', ruling: null as Ruling | null };
  /** A ruling that passes; the last one again where it says the same. */
  const pass = (policy: string, first: string, second: string): Ruling => {
    if (last.ruling !== null && last.policy === policy && last.first === first && last.second === second)
      return last.ruling;
    const ruling: Ruling = { refusedBy: null, retryAfterSeconds: 0, policy, limit: `${first}, ${second}` };
    last = { first, second, policy, ruling };
    return ruling;
  };
  const takeGeneral = (client: string, now: number): Ruling => {
    const owed = general.owedMs(client, now);
    const wait = general.waitMs(owed);
    if (wait > 0) return refuse(general, wait, general.policy, general.limit(owed, 0));
    const after = general.take(client, owed, now);
    return {
      refusedBy: null,
      retryAfterSeconds: 0,
      policy: general.policy,
      limit: general.limit(after, general.remaining(after)),
    };
  };
  /** Both buckets are shown, the nearer to its end first. */
  const takeBoth = (client: string, group: Group, now: number): Ruling => {
    let generalOwed = general.owedMs(client, now);
    let owed = group.owedMs(client, now);
    const generalWait = general.waitMs(generalOwed);
    const wait = group.waitMs(owed);
    if (generalWait <= 0) generalOwed = general.take(client, generalOwed, now);
    if (generalWait <= 0 && wait <= 0) owed = group.take(client, owed, now);
    const generalLeft = generalWait > 0 ? 0 : general.remaining(generalOwed);
    const left = wait > 0 ? 0 : group.remaining(owed);
    const groupFirst = left <= generalLeft && generalWait <= 0;
    const shown = group.limit(owed, left);
    const generalShown = general.limit(generalOwed, generalLeft);
    const policy = groupFirst ? policies[group.name].groupFirst : policies[group.name].generalFirst;
    const [first, second] = groupFirst ? [shown, generalShown] : [generalShown, shown];
    if (generalWait > 0) return refuse(general, Math.max(generalWait, wait), policy, `${first}, ${second}`);
    if (wait > 0) return refuse(group, wait, policy, `${first}, ${second}`);
    return pass(policy, first, second);
  };
  return {
    take: (client, group, now) => {
      if (scale === 0 || group === 'none') return null;
      return group === 'general' ? takeGeneral(client, now) : takeBoth(client, groups[group], now);
    },
    weigh: (client, group, ms, now) => {
      const further = Math.ceil(ms / MS_PER_REQUEST) - 1;
      if (scale === 0 || group === 'none' || further <= 0) return;
      groups[weighedIn(group)].overdraw(client, further, now);
    },
    refused,
    size: () => GROUPS.reduce((sum, group) => sum + groups[group].size, 0),
  };
};
