import { textOf } from '../../orders/domain/message.ts';
import { never, type SendOutcome } from '../../messaging/domain/outbox.ts';
import type { TemplateMessage } from '../../ports.ts';

/** Written by ourselves, where no provider gives it an id. */
export const WRITTEN: SendOutcome = { sent: true, providerId: null };

/** Writes the sentence of a message, refusing what a provider would refuse. */
export const writeSentence = async (
  { template, language, parameters }: TemplateMessage,
  write: (text: string) => SendOutcome | Promise<SendOutcome>,
): Promise<SendOutcome> => {
  const text = textOf(template, language, parameters);
  return text === null
    ? never(`${template} with ${parameters.length} parameters is none of our templates`)
    : await write(text);
};
