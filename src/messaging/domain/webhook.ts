/** Webhooks as standardwebhooks.com specifies them: address rules, event body and signed text. */
import type { EventType } from './outbox.ts';
import { isPermittedHost, type WebhookAllow } from './webhook-allow.ts';
import { mayBePublicHost } from '../../platform/domain/public-address.ts';
import type { Problem } from '../../kernel/refusal.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';

/** Per shop. */
export const MAX_TARGETS = 10;

const LONGEST_URL = 2_000;

const parsed = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

/** The normalized address, or what is wrong with it. `allow`: WEBHOOK_ALLOW. DNS is checked at each post. */
export const webhookUrl = (text: string, allow: WebhookAllow): string | Problem => {
  const url = parsed(text.trim());
  if (url === null) return { problem: 'must be a web address', arabic: 'يجب أن يكون عنوان ويب' };
  const isPermitted = isPermittedHost(allow, url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isPermitted))
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
  return isPermitted || mayBePublicHost(url.hostname)
    ? url.href
    : {
        problem: `must be on the public internet, and ${url.hostname} is not`,
        arabic: `يجب أن يكون على الإنترنت العام، و${url.hostname} ليس عليه`,
      };
};

/** Without the query, which may contain a token. */
export const redactedUrl = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** As it was added, but for the query. */
export const shownUrl = (url: string): string => {
  const { protocol, search } = new URL(url);
  return `${protocol}//${redactedUrl(url)}${search === '' ? '' : '?…'}`;
};

/**
 * `data` is the order when the event is sent, not when it happened, so that an erased person is in no event.
 */
export const eventBody = (
  { type }: { readonly type: EventType },
  happenedAt: Instant,
  data: object,
): string => JSON.stringify({ type, timestamp: isoInstant(happenedAt), data });

/** The text that the HMAC signs; `sentAt` in whole seconds. */
export const signedText = (id: string, sentAt: number, body: string): string => `${id}.${sentAt}.${body}`;

const SECRET_PREFIX = 'whsec_';

export const writtenSecret = (base64: string): string => `${SECRET_PREFIX}${base64}`;
