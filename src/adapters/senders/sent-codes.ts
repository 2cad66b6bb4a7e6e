/** What senders of one-time codes over HTTP have in common. */
import { later, type SendOutcome } from '../../messaging/domain/outbox.ts';
import { createTimeoutBreaker, type BreakerParts } from '../timeout-breaker.ts';

/** Health of the provider, independent of the message. */
type Health = 'well' | 'failing' | 'silent';

export interface SendResult {
  readonly outcome: SendOutcome;
  readonly health: Health;
}

/** Each code holds a request. */
const MAX_CODES = 50;

/**
 * A guest waits: sends are limited in number and stop while the circuit is open. For messages the outbox does
 * both.
 */
export const limitCodes = <T>(
  provider: string,
  breakerParts: BreakerParts,
  post: (code: T) => Promise<SendResult>,
): ((code: T) => Promise<SendOutcome>) => {
  const breaker = createTimeoutBreaker(breakerParts);
  let inFlight = 0;
  return async (code) => {
    if (inFlight >= MAX_CODES) return later('too many codes are being sent');
    if (!breaker.mayCall()) return later(`${provider} did not answer lately`);
    inFlight += 1;
    const { outcome, health } = await post(code);
    inFlight -= 1;
    if (health === 'well' || outcome.sent) breaker.succeeded();
    else breaker.failed({ reason: outcome.reason, isTimeout: health === 'silent' });
    return outcome;
  };
};

export const resultWithoutAnswer = (thrown: unknown): SendResult => {
  if (thrown instanceof Error && thrown.name === 'TimeoutError')
    return { outcome: later('no answer in time'), health: 'silent' };
  const cause = thrown instanceof Error ? thrown.cause : null;
  const reason = cause instanceof Error && 'code' in cause ? `no answer: ${String(cause.code)}` : 'no answer';
  return { outcome: later(reason), health: 'failing' };
};

/** Temporary reasons with any body; 401 and 403 need the operator. */
const PASSING_STATUSES: readonly number[] = [401, 403, 408, 425, 429];

export const isPassingStatus = (status: number): boolean =>
  status >= 500 || PASSING_STATUSES.includes(status);
