/** What follows from a request that failed. */
import { ApiError } from '../../client.ts';

/**
 * `retry`: later by itself. `split`: an event of the request is at fault. `stop`: nothing is sent until a person has
 * logged in, paired the device or updated it.
 */
export type Reaction = 'retry' | 'split' | 'stop';

const REACTIONS: Readonly<Record<number, Reaction>> = {
  ...{ 400: 'split', 413: 'split' },
  ...{ 401: 'stop', 403: 'stop' },
  ...{ 408: 'retry', 425: 'retry', 429: 'retry' },
};

/**
 * A field beside the events, such as `branch_id`, is wrong: every event would be refused for it. `body` may be one of too many
 * values, which a smaller request has not; of a single event it blames the program.
 */
const namesOtherField = ({ body: { fields: [first] = [] } }: ApiError, events: number): boolean =>
  first !== undefined && !first.path.startsWith('events') && (first.path !== 'body' || events === 1);

/**
 * A log-in page of the shop's network, or a proxy whose server is being deployed. What is too large for a proxy is sent in
 * halves all the same.
 */
const isOfProxy = ({ status, body }: ApiError): boolean =>
  status !== 413 && body.code === undefined && body.fields === undefined;

/** To a fault of a request with so many events. What is no answer of the server is a fault of the network. */
export const reactionTo = (fault: unknown, events: number): Reaction => {
  if (!(fault instanceof ApiError) || isOfProxy(fault)) return 'retry';
  const reaction = REACTIONS[fault.status] ?? (fault.status >= 500 ? 'retry' : 'stop');
  return reaction === 'split' && namesOtherField(fault, events) ? 'stop' : reaction;
};

export const BACK_OFF = {
  /** Doubled after each further failure … */
  firstMs: 1_000,
  /** … up to this: a till sends within a minute of the line's return. */
  longestMs: 60_000,
  /** The part of a wait that chance takes off, so that the tills of a branch do not return together. */
  spread: 0.5,
  /** The longest wait that a server may ask for. */
  longestAskedMs: 15 * 60_000,
} as const;

/** `failures`: in a row, 1 or more. `chance`: from 0 to 1. */
export const waitMs = (failures: number, chance: number, fault: unknown): number => {
  const doubled = Math.min(BACK_OFF.firstMs * 2 ** Math.min(failures - 1, 30), BACK_OFF.longestMs);
  const asked = fault instanceof ApiError ? (fault.retryAfterSeconds ?? 0) * 1_000 : 0;
  const own = Math.round(doubled * (1 - BACK_OFF.spread * chance));
  return Math.max(own, Math.min(asked, BACK_OFF.longestAskedMs));
};
