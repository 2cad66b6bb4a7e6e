/**
 * Request limits per client and group (Decisions 15). Every request but that of a file counts as general, also one that its group refuses;
 * one that the general bucket refuses counts in no other. A refused request takes no token of the bucket that refused
 * it.
 */
import type { LimitGroup } from '../../../platform/contract/endpoint.ts';
import { SharedBuckets } from '../../../platform/domain/shared-buckets.ts';
import type { BucketSize } from '../../../platform/domain/token-bucket.ts';

export type CountedGroup = Exclude<LimitGroup, 'none'>;

/** Decisions 15, by group. */
export const BUCKETS: Readonly<Record<CountedGroup, BucketSize>> = {
  general: { burst: 2000, seconds: 60 },
  ordering_reads: { burst: 300, seconds: 15 },
  delivery_quote: { burst: 60, seconds: 60 },
  otp: { burst: 30, seconds: 90 },
  writes: { burst: 60, seconds: 60 },
  join: { burst: 30, seconds: 90 },
  booking_and_loyalty_reads: { burst: 300, seconds: 15 },
  // Not in Decisions 15: a till that polls its board and fast taps stay far below it.
  staff: { burst: 600, seconds: 60 },
  files: { burst: 6000, seconds: 60 },
};

/** Groups whose requests count in no other. */
const ALONE: ReadonlySet<LimitGroup> = new Set<CountedGroup>(['general', 'files']);

/** Per group; beyond, the buckets nearest to full are evicted. */
const MAX_CLIENTS = 50_000;

/** Event-loop time that one token pays for, ms. */
const MS_PER_REQUEST = 5;

/** The group that pays for a request's time: an expensive order takes no token of other orders. */
const chargedGroup = (group: CountedGroup): CountedGroup => (group === 'writes' ? 'ordering_reads' : group);

/** A token that is 99 % there counts as whole: absorbs floating-point rounding. */
const WHOLE = 0.99;

export interface LimitDecision {
  /** Null: not refused. */
  readonly refusedBy: CountedGroup | null;
  /** 0: it passed. */
  readonly retryAfterSeconds: number;
  /** The values of `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). */
  readonly policy: string;
  readonly limit: string;
}

export interface Limits {
  /** Counts one request at `now` (monotonic ms). Null: not limited. */
  take(client: string, group: LimitGroup, now: number): LimitDecision | null;
  /** Takes one further token for every 5 ms of event-loop time. A bucket can be overdrawn by at most its size. */
  charge(client: string, group: LimitGroup, ms: number, now: number): void;
  readonly refused: Readonly<Record<CountedGroup, number>>;
  size(): number;
}

class Group extends SharedBuckets {
  declare readonly name: CountedGroup;
  readonly policy: string;
  readonly #left: string;
  /** Most requests leave a bucket as the one before did, and reuse its text. */
  #last = { remaining: -1, seconds: -1, text: '' };

  constructor(name: CountedGroup, { burst: unscaled, seconds }: BucketSize, scale: number, capacity: number) {
    const burst = Math.max(1, Math.round(unscaled * scale));
    super({ name, size: { burst, seconds }, capacity });
    this.policy = `"${name}";q=${burst};w=${seconds}`;
    this.#left = `"${name}";r=`;
  }

  /** 0 or less: now. */
  waitMs(owed: number): number {
    return this.bucket.waitMs(owed, WHOLE);
  }

  remaining(owed: number): number {
    return Math.max(0, Math.floor(this.bucket.tokensLeft(owed) + 1 - WHOLE));
  }

  /** `"general";r=1999;t=1`: t is the whole seconds until one more token is there. */
  limit(owed: number, remaining: number): string {
    const nextMs = this.bucket.waitMs(owed, remaining + WHOLE);
    const seconds = nextMs <= 1000 ? 1 : Math.ceil(nextMs / 1000);
    const last = this.#last;
    if (remaining === last.remaining && seconds === last.seconds) return last.text;
    this.#last = { remaining, seconds, text: `${this.#left}${remaining};t=${seconds}` };
    return this.#last.text;
  }
}

const GROUPS = Object.keys(BUCKETS) as readonly CountedGroup[];

const record = <T>(of: (group: CountedGroup) => T): Record<CountedGroup, T> =>
  Object.fromEntries(GROUPS.map((group) => [group, of(group)])) as Record<CountedGroup, T>;

const passed = (policy: string, limit: string): LimitDecision => ({
  ...{ refusedBy: null, retryAfterSeconds: 0, policy, limit },
});

export interface LimitsOptions {
  /** RATE_LIMIT_SCALE; 0: no limits. */
  readonly scale?: number;
  readonly capacity?: number;
  /** Is given every bucket, to share it with other processes. */
  readonly share?: (buckets: SharedBuckets) => void;
}

export const createLimits = ({ scale = 1, capacity = MAX_CLIENTS, share }: LimitsOptions): Limits => {
  const groups = record((name) => new Group(name, BUCKETS[name], scale, capacity));
  if (scale > 0 && share !== undefined) GROUPS.forEach((name) => share(groups[name]));
  const refused = record(() => 0);
  const refuse = (by: Group, waitMs: number, policy: string, limit: string): LimitDecision => {
    refused[by.name] += 1;
    return { refusedBy: by.name, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)), policy, limit };
  };
  const { general } = groups;
  const policies = record((name) => ({
    groupFirst: `${groups[name].policy}, ${general.policy}`,
    generalFirst: `${general.policy}, ${groups[name].policy}`,
  }));
  let last = { first: '', second: '', policy: '', decision: null as LimitDecision | null };
  /** The last decision is reused where it is equal. */
  const pass = (policy: string, first: string, second: string): LimitDecision => {
    if (last.decision !== null && last.policy === policy && last.first === first && last.second === second)
      return last.decision;
    const decision = passed(policy, `${first}, ${second}`);
    last = { first, second, policy, decision };
    return decision;
  };
  const takeAlone = (client: string, group: Group, now: number): LimitDecision => {
    const owed = group.owedMs(client, now);
    const wait = group.waitMs(owed);
    if (wait > 0) return refuse(group, wait, group.policy, group.limit(owed, 0));
    const after = group.take(client, owed, now);
    return passed(group.policy, group.limit(after, group.remaining(after)));
  };
  /** Both buckets are shown, the one with fewer tokens first. */
  const takeBoth = (client: string, group: Group, now: number): LimitDecision => {
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
      return (ALONE.has(group) ? takeAlone : takeBoth)(client, groups[group], now);
    },
    charge: (client, group, ms, now) => {
      const further = Math.ceil(ms / MS_PER_REQUEST) - 1;
      if (scale === 0 || group === 'none' || further <= 0) return;
      groups[chargedGroup(group)].overdraw(client, further, now);
    },
    refused,
    size: () => GROUPS.reduce((sum, group) => sum + groups[group].size, 0),
  };
};
