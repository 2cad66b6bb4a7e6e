import { appendFile } from 'node:fs/promises';
import { later, type SendOutcome } from '../../messaging/domain/outbox.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { Clock, Messenger } from '../../ports.ts';
import { WRITTEN, writeSentence } from './outcome.ts';

/** The kind of a fault of the file system, such as ENOSPC. */
const kindOf = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : 'a fault';

/** One write for a line, at the end of the file, so that lines of several processes do not mix. */
const append = async (path: string, line: Readonly<Record<string, string>>): Promise<SendOutcome> => {
  try {
    await appendFile(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    return WRITTEN;
  } catch (fault) {
    return later(`the file of codes and messages: ${kindOf(fault)}`);
  }
};

/**
 * For trials that read the codes back: a JSON line `{phone, code, at}` for every code, `{phone, template, language,
 * text, at}` for every message, in a file that is made for its owner alone (Decisions 10).
 */
export const fileSender = ({ path, clock }: { readonly path: string; readonly clock: Clock }): Messenger => ({
  isReady: true,
  sendCode: ({ phone, code }) => append(path, { phone, code, at: isoInstant(clock.now()) }),
  send: (message) =>
    writeSentence(message, (text) => {
      const { phone, template, language } = message;
      return append(path, { phone, template, language, text, at: isoInstant(clock.now()) });
    }),
});
