import { never } from '../../messaging/domain/outbox.ts';
import type { Messenger } from '../../ports.ts';

const REFUSED = never('no sender of messages is set up');

export const noSender: Messenger = {
  isReady: false,
  sendCode: () => Promise.resolve(REFUSED),
  send: () => Promise.resolve(REFUSED),
};
