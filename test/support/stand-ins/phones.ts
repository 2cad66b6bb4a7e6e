/** A messenger in memory: the codes and messages sent, and the outcome of the next sends. */
import type { SendOutcome } from '../../../src/messaging/domain/outbox.ts';
import type { Messenger, TemplateMessage } from '../../../src/ports.ts';

export interface SentCode {
  readonly phone: string;
  readonly code: string;
}

export interface Phones extends Messenger {
  readonly codes: SentCode[];
  readonly messages: TemplateMessage[];
  /** The last code sent to a phone. Throws when there is none. */
  codeOf(phone: string): string;
  /** The outcome of the next sends; null: success. */
  outcome: SendOutcome | null;
  isReady: boolean;
}

export const createPhones = (): Phones => {
  const outcome = (phones: Phones): SendOutcome =>
    phones.outcome ?? { sent: true, providerId: `wamid.${phones.codes.length + phones.messages.length}` };
  const phones: Phones = {
    codes: [],
    messages: [],
    outcome: null,
    isReady: true,
    codeOf: (phone) => {
      const code = phones.codes.findLast((sent) => sent.phone === phone)?.code;
      if (code === undefined) throw new Error(`No code went to ${phone}.`);
      return code;
    },
    sendCode: ({ phone, code }) => {
      const result = outcome(phones);
      if (result.sent) phones.codes.push({ phone, code });
      return Promise.resolve(result);
    },
    send: (message) => {
      const result = outcome(phones);
      if (result.sent) phones.messages.push(message);
      return Promise.resolve(result);
    },
  };
  return phones;
};
