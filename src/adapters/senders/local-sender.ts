import { textOf } from '../../messaging/domain/template.ts';
import { never, type SendOutcome } from '../../messaging/domain/outbox.ts';
import type { TemplateMessage } from '../../ports.ts';

/** Written locally, so there is no provider id. */
export const WRITTEN: SendOutcome = { sent: true, providerId: null };

/** Refuses what a provider would refuse. */
export const writeMessage = async (
  { template, language, parameters }: TemplateMessage,
  write: (text: string) => SendOutcome | Promise<SendOutcome>,
): Promise<SendOutcome> => {
  const text = textOf(template, language, parameters);
  return text === null
    ? never(`${template} with ${parameters.length} parameters is none of our templates`)
    : await write(text);
};
