/** Messages to guests: what the outbox keeps of one, put together with the phone and the link when it is sent. */
import { withLink } from '../domain/message.ts';
import { mayBeTold, pointless, UNPROVEN, type MessageRow, type Outcome } from '../domain/outbox.ts';
import { recipientOf } from '../store/guest-message.ts';
import type { ClaimedRow } from '../store/outbox.ts';
import type { App } from './app.ts';

/**
 * Sends a message of the outbox to the guest of its order: to nobody once the person was erased, and only so much to a
 * phone that anybody may have typed.
 */
export const guestMessageSender =
  ({ db, clock, messenger, baseUrl }: Pick<App, 'db' | 'clock' | 'messenger' | 'baseUrl'>) =>
  async (row: ClaimedRow & MessageRow): Promise<Outcome> => {
    if (!messenger.isReady) return pointless('there is no sender of messages');
    const { orgId, subjectId: orderId } = row;
    const since = clock.now() - UNPROVEN.withinMs;
    const recipient = await recipientOf(db.kysely, { orgId, orderId, since, most: UNPROVEN.messages });
    if (recipient === null) return pointless('the order has no phone any more');
    const { phone, isProven, told } = recipient;
    if (!mayBeTold(isProven, told))
      return pointless(`nobody proved the phone, and it got ${told} messages of the shop within a day`);
    const { template, language, parameters } = row.payload;
    const link = `${baseUrl}/track/${orderId}`;
    return messenger.send({ phone, template, language, parameters: withLink(parameters, link) });
  };
