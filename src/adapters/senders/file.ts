import { appendFile } from 'node:fs/promises';
import { later, type SendOutcome } from '../../messaging/domain/outbox.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { Clock, Messenger } from '../../ports.ts';
import { WRITTEN, writeMessage } from './local-sender.ts';

/** Such as ENOSPC. */
const kindOf = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : 'a fault';

/** One write per line: lines of several processes do not mix. */
const append = async (path: string, line: Readonly<Record<string, string>>): Promise<SendOutcome> => {
  try {
    await appendFile(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    return WRITTEN;
  } catch (fault) {
    return later(`the file of codes and messages: ${kindOf(fault)}`);
  }
};

/**
 * A JSON line `{phone, code, at}` per code and `{phone, template, language, text, at}` per message, in a file
 * private to its owner (Decisions 10).
 */
export const fileSender = ({ path, clock }: { readonly path: string; readonly clock: Clock }): Messenger => ({
  isReady: true,
  sendCode: ({ phone, code }) => append(path, { phone, code, at: isoInstant(clock.now()) }),
  send: (message) =>
    writeMessage(message, (text) => {
      const { phone, template, language } = message;
      return append(path, { phone, template, language, text, at: isoInstant(clock.now()) });
    }),
});
