/**
 * Codes and messages through the WhatsApp Business Cloud API: POST {api}/{phone number id}/messages with approved
 * templates. One try each; who wants another asks again. No reason names a phone, a code or the token (Decisions 10):
 * of what the provider says only the number of the error is believed.
 */
import { later, type SendOutcome } from '../../messaging/domain/outbox.ts';
import type { Messenger } from '../../ports.ts';
import { askedWait, entriesOf, fieldOf, textIn, textOf, valueOfJson } from '../answers.ts';
import { createBreaker, type BreakerParts } from '../breaker.ts';
import { errorCode, verdictOn } from './whatsapp-errors.ts';

export interface WhatsAppOptions extends BreakerParts {
  /** With its version, such as https://graph.facebook.com/v25.0; no slash at the end. */
  readonly api: string;
  /** Id of the phone number that sends. */
  readonly phoneId: string;
  readonly token: string;
  /** Name of the authentication template that carries codes, approved in Arabic (`ar`) and English (`en`). */
  readonly codeTemplate: string;
  /** For the whole answer. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
/** Whoever asks for a code waits for the provider: so many at once, and no more. */
const MOST_CODES = 50;
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

/** How the provider does, whatever it thinks of the message. */
type Health = 'well' | 'failing' | 'silent';

interface Judged {
  readonly outcome: SendOutcome;
  readonly health: Health;
}

/** What is sent: a code is of use at once or never. */
type Purpose = 'code' | 'message';

const HELD = 'WhatsApp holds it back until it has judged the template';

/**
 * What a message becomes that was given an id. Only what is named here is known not to arrive; a status that comes with
 * a later version of the API is taken for `accepted`, for the id says that it was taken, and sending it again would tell
 * the guest twice. What then fails is reported (whatsapp-status.ts).
 */
const takenAs = (status: unknown, providerId: string, purpose: Purpose): SendOutcome => {
  if (status === 'paused') return later('WhatsApp has paused the template');
  // It goes out when the template is found good, perhaps after hours, or is reported as failed.
  if (status === 'held_for_quality_assessment' && purpose === 'code') return later(HELD);
  return { sent: true, providerId };
};

const judge = (response: Response, text: string | null, purpose: Purpose): Judged => {
  const { status, headers } = response;
  const answer = text === null ? undefined : valueOfJson(text);
  const waitMs = askedWait(headers.get('retry-after'), headers.get('date'));
  const code = errorCode(fieldOf(fieldOf(answer, 'error'), 'code'));
  if (code !== null) {
    const verdict = verdictOn(code, status);
    const asked = verdict.again === 'later' ? { waitMs } : {};
    const outcome = { ...verdict, ...asked, reason: `HTTP ${status}, ${verdict.reason}` };
    return { outcome, health: status < 500 ? 'well' : 'failing' };
  }
  const message = entriesOf(answer, 'messages')[0];
  const id = textIn(fieldOf(message, 'id'), LONGEST_ID);
  if (response.ok && id !== null)
    return { outcome: takenAs(fieldOf(message, 'message_status'), id, purpose), health: 'well' };
  // Perhaps it was sent, perhaps something between us and the provider answered: twice is better than not at all.
  return { outcome: later(`HTTP ${status}, an answer that cannot be read`, waitMs), health: 'failing' };
};

/** Why there was no answer. */
const unanswered = (thrown: unknown): Judged => {
  if (thrown instanceof Error && thrown.name === 'TimeoutError')
    return { outcome: later('no answer in time'), health: 'silent' };
  const cause = thrown instanceof Error ? thrown.cause : null;
  const reason = cause instanceof Error && 'code' in cause ? `no answer: ${String(cause.code)}` : 'no answer';
  return { outcome: later(reason), health: 'failing' };
};

/** Asks the provider; whatever goes wrong is an outcome. */
const createPost = (options: WhatsAppOptions) => {
  const { api, phoneId, token, timeoutMs = TIMEOUT_MS } = options;
  return async (outgoing: Outgoing, purpose: Purpose): Promise<Judged> => {
    try {
      const response = await fetch(`${api}/${phoneId}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: requestBody(outgoing),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return judge(response, await textOf(response), purpose);
    } catch (thrown) {
      return unanswered(thrown);
    }
  };
};

/**
 * Sends codes while somebody waits: not to a provider that keeps silent, and so many at once, for each holds a
 * request. Messages need neither: the outbox has places of its own and lets a dead provider rest.
 */
const createCodes = (
  breakerParts: BreakerParts,
  post: (outgoing: Outgoing, purpose: Purpose) => Promise<Judged>,
): ((outgoing: Outgoing) => Promise<SendOutcome>) => {
  const breaker = createBreaker(breakerParts);
  let underWay = 0;
  return async (outgoing) => {
    if (underWay >= MOST_CODES) return later('too many codes are being sent');
    if (!breaker.mayAsk()) return later('WhatsApp did not answer lately');
    underWay += 1;
    const { outcome, health } = await post(outgoing, 'code');
    underWay -= 1;
    if (health === 'well' || outcome.sent) breaker.answered();
    else breaker.failed({ reason: outcome.reason, isSilence: health === 'silent' });
    return outcome;
  };
};

export const whatsAppSender = (options: WhatsAppOptions): Messenger => {
  const post = createPost(options);
  const sendCode = createCodes(options, post);
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
