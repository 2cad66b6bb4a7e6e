/** Messages to guests: what the outbox keeps of one, put together with the phone and the link when it is sent. */
import { withLink } from '../domain/message.ts';
import { pointless, type MessageRow, type Outcome } from '../domain/outbox.ts';
import type { ClaimedRow } from '../store/outbox.ts';
import type { App } from './app.ts';

/** Sends a message of the outbox to the guest of its order; to nobody once the person was erased. */
export const guestMessageSender =
  ({ messenger, baseUrl }: Pick<App, 'messenger' | 'baseUrl'>) =>
  async ({ phone, payload, subjectId }: ClaimedRow & MessageRow): Promise<Outcome> => {
    if (!messenger.isReady) return pointless('there is no sender of messages');
    if (phone === null) return pointless('the order has no phone any more');
    const { template, language, parameters } = payload;
    const link = `${baseUrl}/track/${subjectId}`;
    return messenger.send({ phone, template, language, parameters: withLink(parameters, link) });
  };
