/**
 * Webhooks for the shop's own systems, as standardwebhooks.com has them: what an address must be, what an event says, and
 * what of it is signed.
 */
import type { EventFacts } from './outbox.ts';
import { mayBePublicHost } from '../../platform/domain/public-address.ts';
import type { Problem } from '../../kernel/refusal.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';

/** Addresses that a shop may have. */
export const MOST_TARGETS = 10;

const LONGEST_URL = 2_000;

const parsed = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

/**
 * The address that `text` names, in its one spelling, or what is wrong with it. Where a name leads is seen when it is used.
 */
export const webhookUrl = (text: string): string | Problem => {
  const url = parsed(text.trim());
  if (url === null) return { problem: 'must be a web address', arabic: 'يجب أن يكون عنوان ويب' };
  if (url.protocol !== 'https:')
    return { problem: 'must begin with https://', arabic: 'يجب أن يبدأ بـ https://' };
  if (url.username !== '' || url.password !== '')
    return { problem: 'must not hold a name or password', arabic: 'يجب ألا يحتوي على اسم أو كلمة مرور' };
  if (url.hash !== '')
    return { problem: 'must not have a part after #', arabic: 'يجب ألا يحتوي على جزء بعد #' };
  if (url.href.length > LONGEST_URL)
    return {
      problem: `must have at most ${LONGEST_URL} characters`,
      arabic: `يجب ألا يزيد على ${LONGEST_URL} حرف`,
    };
  return mayBePublicHost(url.hostname)
    ? url.href
    : {
        problem: `must be on the public internet, and ${url.hostname} is not`,
        arabic: `يجب أن يكون على الإنترنت العام، و${url.hostname} ليس عليه`,
      };
};

/** What may be shown of an address (`webhookUrl`): not what stands after its path, where some have a token. */
export const shownUrl = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** `data`: an order as it is when the event is sent, not as it was when it happened: who was erased since is in no event. */
export const eventBody = ({ type }: Pick<EventFacts, 'type'>, happenedAt: Instant, data: object): string =>
  JSON.stringify({ type, timestamp: isoInstant(happenedAt), data });

/** The text whose HMAC is the signature; `sentAt` in whole seconds. */
export const signedText = (id: string, sentAt: number, body: string): string => `${id}.${sentAt}.${body}`;

const SECRET_PREFIX = 'whsec_';

/** A secret as people are given it. */
export const writtenSecret = (base64: string): string => `${SECRET_PREFIX}${base64}`;
