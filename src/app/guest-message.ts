/** Messages to guests: what the outbox keeps of one, put together with the phone and the link when it is sent. */
import { withLink } from '../domain/message.ts';
import { pointless, type MessageRow, type Outcome } from '../domain/outbox.ts';
import { phoneOfOrder, type ClaimedRow } from '../store/outbox.ts';
import type { App } from './app.ts';

/** Sends a message of the outbox to the guest of its order; to nobody once the person was erased. */
export const guestMessageSender =
  ({ db, messenger, baseUrl }: Pick<App, 'db' | 'messenger' | 'baseUrl'>) =>
  async (row: ClaimedRow & MessageRow): Promise<Outcome> => {
    if (!messenger.isReady) return pointless('there is no sender of messages');
    const phone = await phoneOfOrder(db.kysely, row.orgId, row.subjectId);
    if (phone === null) return pointless('the order has no phone any more');
    const { template, language, parameters } = row.payload;
    const link = `${baseUrl}/track/${row.subjectId}`;
    return messenger.send({ phone, template, language, parameters: withLink(parameters, link) });
  };
