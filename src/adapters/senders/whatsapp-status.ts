/**
 * Reports may be duplicated, late and out of order, and `delivered` is omitted when `read` follows at once.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { DELIVERIES, type MessageReport } from '../../messaging/domain/message-report.ts';
import { never, type Unsent } from '../../messaging/domain/outbox.ts';
import { entriesOf, fieldOf, textIn, valueOfJson } from '../responses.ts';
import { errorCode, classifyError } from './whatsapp-errors.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Constant-time comparison that also hides the length. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));

/** Null when the token is wrong, which is refused with 403. */
export const challengeAnswer = (query: URLSearchParams, verifyToken: string): string | null => {
  const knows = isSame(query.get('hub.verify_token') ?? '', verifyToken);
  return knows && query.get('hub.mode') === 'subscribe' ? textIn(query.get('hub.challenge'), 1000) : null;
};

/** The header `X-Hub-Signature-256` over the raw body. */
export const isSigned = (body: Uint8Array, signature: string | undefined, appSecret: string): boolean =>
  isSame(signature ?? '', `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`);

/** Without a reason a retry has no better chance. */
const failureIn = (report: unknown): Unsent => {
  const code = errorCode(fieldOf(entriesOf(report, 'errors')[0], 'code'));
  return code === null ? never('WhatsApp reports that it failed, not why') : classifyError(code, null);
};

const reportIn = (status: unknown): MessageReport | null => {
  const providerId = textIn(fieldOf(status, 'id'), 255);
  const delivery = DELIVERIES.find((known) => known === fieldOf(status, 'status'));
  if (providerId === null || delivery === undefined) return null;
  return delivery === 'failed'
    ? { providerId, delivery, failure: failureIn(status) }
    : { providerId, delivery };
};

/**
 * Empty when the request contains no message status, but for example messages of guests; it is still answered with
 * 200, or WhatsApp would resend it for days.
 */
export const readStatuses = (body: Uint8Array): readonly MessageReport[] =>
  entriesOf(valueOfJson(Buffer.from(body).toString('utf8')), 'entry')
    .flatMap((entry) => entriesOf(entry, 'changes'))
    .filter((change) => fieldOf(change, 'field') === 'messages')
    .flatMap((change) => entriesOf(fieldOf(change, 'value'), 'statuses'))
    .flatMap((status) => reportIn(status) ?? []);
