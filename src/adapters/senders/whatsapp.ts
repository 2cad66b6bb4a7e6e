/**
 * Codes and messages through the WhatsApp Business Cloud API: POST {api}/{phone number id}/messages with approved
 * templates. One try each; who wants another asks again. No reason names a phone, a code or the token (Decisions 10):
 * of what the provider says only the number of the error is believed.
 */
import type { Messenger, SendOutcome } from '../../ports.ts';
import { entriesOf, fieldOf, textIn, valueOfJson } from './fields.ts';
import { later, never } from './outcome.ts';
import { errorCode, verdictOn } from './whatsapp-errors.ts';

export interface WhatsAppOptions {
  /** With its version, such as https://graph.facebook.com/v25.0; no slash at the end. */
  readonly api: string;
  /** Id of the phone number that sends. */
  readonly phoneId: string;
  readonly token: string;
  /** Name of the authentication template that carries codes, approved in Arabic (`ar`) and English (`en`). */
  readonly codeTemplate: string;
  readonly fetch?: typeof fetch;
  /** For the whole answer. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
/** An answer has some hundred bytes. */
const MOST_BYTES = 65_536;
const LONGEST_ID = 255;

// ── What is sent ────────────────────────────────────────────────────────────────────────────────

const textParameters = (values: readonly string[]) => values.map((text) => ({ type: 'text', text }));

const bodyOf = (values: readonly string[]) => ({ type: 'body', parameters: textParameters(values) });

/** The button of an authentication template, which copies the code: it is a link with the code as its parameter. */
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

// ── What comes back ─────────────────────────────────────────────────────────────────────────────

/** The body as text; null where it is longer than any answer. */
const textOf = async (response: Response): Promise<string | null> => {
  const body: ReadableStream<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** How long `Retry-After` asks to wait: seconds, or a moment beside the answer's own; null where it does not say. */
const waitOf = (headers: Headers): number | null => {
  const asked = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(asked)) return Number(asked) * 1000;
  const wait = Date.parse(asked) - Date.parse(headers.get('date') ?? '');
  return wait >= 0 ? wait : null;
};

const outcomeOf = (response: Response, text: string | null): SendOutcome => {
  const { status, headers } = response;
  const answer = text === null ? undefined : valueOfJson(text);
  const code = errorCode(fieldOf(fieldOf(answer, 'error'), 'code'));
  if (code !== null) {
    const { again, reason } = verdictOn(code, status);
    const withStatus = `HTTP ${status}, ${reason}`;
    return again === 'later' ? later(withStatus, waitOf(headers)) : never(withStatus);
  }
  const id = textIn(fieldOf(entriesOf(answer, 'messages')[0], 'id'), LONGEST_ID);
  if (response.ok && id !== null) return { sent: true, providerId: id };
  // Perhaps it was sent, perhaps something between us and the provider answered: twice is better than not at all.
  return later(`HTTP ${status}, an answer that cannot be read`, waitOf(headers));
};

/** Why there was no answer. */
const silence = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return 'no answer';
  if (thrown.name === 'TimeoutError') return 'no answer in time';
  const { cause } = thrown;
  return cause instanceof Error && 'code' in cause ? `no answer: ${String(cause.code)}` : 'no answer';
};

export const whatsAppSender = (options: WhatsAppOptions): Messenger => {
  const { api, phoneId, token, codeTemplate, timeoutMs = TIMEOUT_MS } = options;
  const ask = options.fetch ?? fetch;
  const post = async (outgoing: Outgoing): Promise<SendOutcome> => {
    try {
      const response = await ask(`${api}/${phoneId}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: requestBody(outgoing),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return outcomeOf(response, await textOf(response));
    } catch (thrown) {
      return later(silence(thrown));
    }
  };
  return {
    isReady: true,
    sendCode: ({ phone, language, code }) =>
      post({ phone, language, template: codeTemplate, components: [bodyOf([code]), codeButton(code)] }),
    send: ({ phone, language, template, parameters }) =>
      post({ phone, language, template, components: [bodyOf(parameters)] }),
  };
};
