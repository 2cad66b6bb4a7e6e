import { textOf } from '../../domain/message.ts';
import type { SendOutcome, TemplateMessage } from '../../ports.ts';

/** To be tried again: nothing is wrong with the message. */
export const later = (reason: string, waitMs: number | null = null): SendOutcome => ({
  sent: false,
  again: 'later',
  waitMs,
  reason,
});

/** Refused however often it is tried. */
export const never = (reason: string): SendOutcome => ({ sent: false, again: 'never', waitMs: null, reason });

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
