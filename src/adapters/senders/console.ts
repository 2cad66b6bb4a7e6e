import { maskPhone } from '../../kernel/phone.ts';
import type { Messenger } from '../../ports.ts';
import { WRITTEN, writeMessage } from './local-sender.ts';

/** Masks phones (Decisions 10). */
export const consoleSender = (print: (line: string) => void): Messenger => ({
  isReady: true,
  sendCode: ({ phone, code }) => {
    print(`OTP ${code} for ${maskPhone(phone)}`);
    return Promise.resolve(WRITTEN);
  },
  send: (message) =>
    writeMessage(message, (text) => {
      print(`MESSAGE ${message.template} for ${maskPhone(message.phone)}: ${text}`);
      return WRITTEN;
    }),
});
