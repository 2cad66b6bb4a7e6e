/**
 * What WhatsApp reports of messages it took: requests to an address of ours, signed with the app's secret. Reports may
 * come twice, late and in any order, and `delivered` is left out where `read` follows at once.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { DELIVERIES, type MessageReport } from '../../domain/message-report.ts';
import type { Instant } from '../../domain/time.ts';
import { entriesOf, fieldOf, textIn, valueOfJson } from './fields.ts';
import { errorCode, verdictOn, type Verdict } from './whatsapp-errors.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two texts are the same, in a time that tells neither where they differ nor how long they are. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));

/**
 * What to answer, as plain text, when the webhook is set up and WhatsApp asks whether the address is ours; null where
 * whoever asks does not know the token, and is refused with 403.
 */
export const challengeAnswer = (query: URLSearchParams, verifyToken: string): string | null => {
  const knows = isSame(query.get('hub.verify_token') ?? '', verifyToken);
  return knows && query.get('hub.mode') === 'subscribe' ? textIn(query.get('hub.challenge'), 1000) : null;
};

/** Whether the header `X-Hub-Signature-256` signs `body`, the bytes as they came, with the app's secret. */
export const isSigned = (body: Uint8Array, signature: string | undefined, appSecret: string): boolean =>
  isSame(signature ?? '', `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`);

export interface MessageStatus extends MessageReport {
  readonly at: Instant;
  /** Why it failed; null where it did not, or no reason is given. */
  readonly failure: Verdict | null;
}

const statusIn = (report: unknown): MessageStatus | null => {
  const providerId = textIn(fieldOf(report, 'id'), 255);
  const delivery = DELIVERIES.find((known) => known === fieldOf(report, 'status'));
  const seconds = textIn(fieldOf(report, 'timestamp'), 12);
  if (providerId === null || delivery === undefined || seconds === null || !/^\d+$/.test(seconds))
    return null;
  const code = errorCode(fieldOf(entriesOf(report, 'errors')[0], 'code'));
  const failure = delivery === 'failed' && code !== null ? verdictOn(code, null) : null;
  return { providerId, delivery, at: Number(seconds) * 1000, failure };
};

/**
 * The statuses that a signed report holds, in its order; none where it is about something else, such as messages that
 * guests wrote: the answer is 200 all the same, or it would be sent again for days.
 */
export const readStatuses = (body: Uint8Array): readonly MessageStatus[] =>
  entriesOf(valueOfJson(Buffer.from(body).toString('utf8')), 'entry')
    .flatMap((entry) => entriesOf(entry, 'changes'))
    .filter((change) => fieldOf(change, 'field') === 'messages')
    .flatMap((change) => entriesOf(fieldOf(change, 'value'), 'statuses'))
    .flatMap((report) => statusIn(report) ?? []);
