import { never } from '../../messaging/domain/outbox.ts';
import type { Messenger } from '../../ports.ts';

const REFUSED = never('no sender of messages is set up');

/** Where no sender is set up that may be used: nobody is told anything, and whoever asks for a code hears so. */
export const noSender: Messenger = {
  isReady: false,
  sendCode: () => Promise.resolve(REFUSED),
  send: () => Promise.resolve(REFUSED),
};
