/**
 * POST {api}/{phone number id}/messages with approved templates. One attempt each. Reasons never contain a
 * phone, a code or the token (Decisions 10): of the provider's error only the code is used.
 */
import { later, type SendOutcome } from '../../messaging/domain/outbox.ts';
import type { Messenger } from '../../ports.ts';
import { retryAfterMs, entriesOf, fieldOf, textIn, textOf, valueOfJson } from '../responses.ts';
import type { BreakerParts } from '../timeout-breaker.ts';
import { limitCodes, resultWithoutAnswer, type SendResult } from './sent-codes.ts';
import { errorCode, classifyError } from './whatsapp-errors.ts';

export interface WhatsAppOptions extends BreakerParts {
  /** With its version, such as https://graph.facebook.com/v25.0; no slash at the end. */
  readonly api: string;
  /** Of the sending phone number. */
  readonly phoneId: string;
  readonly token: string;
  /** Authentication template for codes, approved in Arabic (`ar`) and English (`en`). */
  readonly codeTemplate: string;
  /** For the whole response. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const MAX_ID_LENGTH = 255;

// ── Request ─────────────────────────────────────────────────────────────────────────────────────

const textParameters = (values: readonly string[]) => values.map((text) => ({ type: 'text', text }));

const bodyOf = (values: readonly string[]) => ({ type: 'body', parameters: textParameters(values) });

/** The copy button of an authentication template: a link with the code as its parameter. */
const codeButton = (code: string) => ({
  type: 'button',
  sub_type: 'url',
  index: '0',
  parameters: textParameters([code]),
});

interface Outgoing {
  readonly phone: string;
  readonly template: string;
  readonly language: string;
  readonly components: readonly object[];
}

const requestBody = ({ phone, template, language, components }: Outgoing): string =>
  JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: phone,
    type: 'template',
    template: { name: template, language: { code: language }, components },
  });

// ── Response ────────────────────────────────────────────────────────────────────────────────────

/** A code is useless when delayed. */
type Purpose = 'code' | 'message';

const HELD_REASON = 'WhatsApp holds it back until it has judged the template';

/**
 * An unknown status of a later API version counts as `accepted`, because the id means the message was taken,
 * and a second send would notify the guest twice. Later failures are reported (whatsapp-status.ts).
 */
const outcomeWithId = (status: unknown, providerId: string, purpose: Purpose): SendOutcome => {
  if (status === 'paused') return later('WhatsApp has paused the template');
  // It is sent once the template passes, perhaps after hours, or is reported as failed.
  if (status === 'held_for_quality_assessment' && purpose === 'code') return later(HELD_REASON);
  return { sent: true, providerId };
};

const resultOf = (response: Response, text: string | null, purpose: Purpose): SendResult => {
  const { status, headers } = response;
  const answer = text === null ? undefined : valueOfJson(text);
  const waitMs = retryAfterMs(headers.get('retry-after'), headers.get('date'));
  const code = errorCode(fieldOf(fieldOf(answer, 'error'), 'code'));
  if (code !== null) {
    const verdict = classifyError(code, status);
    const asked = verdict.again === 'later' ? { waitMs } : {};
    const outcome = { ...verdict, ...asked, reason: `HTTP ${status}, ${verdict.reason}` };
    return { outcome, health: status < 500 ? 'well' : 'failing' };
  }
  const message = entriesOf(answer, 'messages')[0];
  const id = textIn(fieldOf(message, 'id'), MAX_ID_LENGTH);
  if (response.ok && id !== null)
    return { outcome: outcomeWithId(fieldOf(message, 'message_status'), id, purpose), health: 'well' };
  // The message may have been sent, or a proxy answered: a duplicate is better than a loss.
  return { outcome: later(`HTTP ${status}, an answer that cannot be read`, waitMs), health: 'failing' };
};

const createPost = (options: WhatsAppOptions) => {
  const { api, phoneId, token, timeoutMs = TIMEOUT_MS } = options;
  return async (outgoing: Outgoing, purpose: Purpose): Promise<SendResult> => {
    try {
      const response = await fetch(`${api}/${phoneId}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: requestBody(outgoing),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return resultOf(response, await textOf(response), purpose);
    } catch (thrown) {
      return resultWithoutAnswer(thrown);
    }
  };
};

export const whatsAppSender = (options: WhatsAppOptions): Messenger => {
  const post = createPost(options);
  const sendCode = limitCodes('WhatsApp', options, (code: Outgoing) => post(code, 'code'));
  return {
    isReady: true,
    sendCode: ({ phone, language, code }) =>
      sendCode({
        ...{ phone, language, template: options.codeTemplate },
        components: [bodyOf([code]), codeButton(code)],
      }),
    send: async ({ phone, language, template, parameters }) => {
      const sending = post({ phone, language, template, components: [bodyOf(parameters)] }, 'message');
      return (await sending).outcome;
    },
  };
};
