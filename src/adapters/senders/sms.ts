/**
 * Codes by an SMS gateway with a plain HTTP API: one request per code, whose body the operator writes. Reasons never
 * contain a phone, a code or the authorization (Decisions 10): of an answer only the status is used.
 */
import { codeText } from '../../messaging/domain/code-text.ts';
import { later, never } from '../../messaging/domain/outbox.ts';
import { smsBody, type SmsContentType } from '../../messaging/domain/sms-template.ts';
import type { Messenger } from '../../ports.ts';
import { retryAfterMs } from '../responses.ts';
import type { BreakerParts } from '../timeout-breaker.ts';
import { isPassingStatus, limitCodes, resultWithoutAnswer, type SendResult } from './sent-codes.ts';

export interface SmsOptions extends BreakerParts {
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  readonly contentType: SmsContentType;
  /** With placeholders (sms-template.ts). */
  readonly body: string;
  /** The header line `Authorization`; null: none. */
  readonly authorization: string | null;
  /** For the head of the response. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

const resultOf = ({ ok, status, headers }: Response): SendResult => {
  if (ok) return { outcome: { sent: true, providerId: null }, health: 'well' };
  if (status < 400) return { outcome: later(`HTTP ${status}, which is not followed`), health: 'well' };
  const waitMs = retryAfterMs(headers.get('retry-after'), headers.get('date'));
  return {
    outcome: isPassingStatus(status) ? later(`HTTP ${status}`, waitMs) : never(`HTTP ${status}`),
    health: status < 500 ? 'well' : 'failing',
  };
};

type SendCode = Messenger['sendCode'];

const createPost =
  ({ url, method, contentType, body, authorization, timeoutMs = TIMEOUT_MS }: SmsOptions) =>
  async ({ phone, language, code }: Parameters<SendCode>[0]): Promise<SendResult> => {
    try {
      const response = await fetch(url, {
        method,
        headers: {
          'content-type': `${contentType}; charset=utf-8`,
          ...(authorization === null ? {} : { authorization }),
        },
        body: smsBody(body, contentType, { phone, text: codeText(language, code) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      return resultOf(response);
    } catch (thrown) {
      return resultWithoutAnswer(thrown);
    }
  };

export const smsSender = (options: SmsOptions): SendCode =>
  limitCodes('the SMS gateway', options, createPost(options));
