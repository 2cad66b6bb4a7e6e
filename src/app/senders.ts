/** What sends each kind of row of the outbox. */
import type { WebhookPoster } from '../ports.ts';
import { orderById } from '../store/delivery-order.ts';
import type { App } from '../platform/app/app.ts';
import { guestMessageSender } from './guest-message.ts';
import { staffOrderReply } from './order-reply.ts';
import type { Senders } from './outbox.ts';
import { webhookSender } from './webhook.ts';

export const sendersOf = (app: App, poster: WebhookPoster): Senders => ({
  message: guestMessageSender(app),
  webhook: webhookSender({
    ...app,
    poster,
    orderReply: async (orgId, orderId) => {
      const order = await orderById(app.db.kysely, orgId, orderId);
      return order === null ? null : staffOrderReply(order);
    },
  }),
});
