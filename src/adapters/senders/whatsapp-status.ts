/**
 * What WhatsApp reports of messages it took: requests to an address of ours, signed with the app's secret. Reports may
 * come twice, late and in any order, and `delivered` is left out where `read` follows at once.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { DELIVERIES, type MessageReport } from '../../messaging/domain/message-report.ts';
import { never, type Unsent } from '../../messaging/domain/outbox.ts';
import { entriesOf, fieldOf, textIn, valueOfJson } from '../answers.ts';
import { errorCode, verdictOn } from './whatsapp-errors.ts';

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

/** Why a message failed that was taken. Nothing says that the same would go better again where nothing says why. */
const failureIn = (report: unknown): Unsent => {
  const code = errorCode(fieldOf(entriesOf(report, 'errors')[0], 'code'));
  return code === null ? never('WhatsApp reports that it failed, not why') : verdictOn(code, null);
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
 * What a signed request reports, in its order; none where it is about something else, such as messages that
 * guests wrote: the answer is 200 all the same, or it would be sent again for days.
 */
export const readStatuses = (body: Uint8Array): readonly MessageReport[] =>
  entriesOf(valueOfJson(Buffer.from(body).toString('utf8')), 'entry')
    .flatMap((entry) => entriesOf(entry, 'changes'))
    .filter((change) => fieldOf(change, 'field') === 'messages')
    .flatMap((change) => entriesOf(fieldOf(change, 'value'), 'statuses'))
    .flatMap((status) => reportIn(status) ?? []);
