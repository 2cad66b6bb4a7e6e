import { bookingRecipient } from '../../bookings/app/notifications.ts';
import { cardRecipient } from '../../loyalty/app/card-messages.ts';
import { orderRecipient } from '../../orders/app/notifications.ts';
import { orderById } from '../../orders/app/shared.ts';
import { objectSender, pushSender } from '../../loyalty/app/wallets/senders.ts';
import type { App } from '../../platform/app/app.ts';
import { guestMessageSender } from '../../messaging/app/guest-message.ts';
import { staffOrderReply } from '../../orders/app/order-reply.ts';
import type { Senders } from '../../messaging/app/outbox.ts';
import { webhookSender } from '../../messaging/app/webhook.ts';

export const sendersOf = (app: App): Senders => ({
  message: guestMessageSender(app, {
    order: orderRecipient(app),
    booking: bookingRecipient(app),
    card: cardRecipient(app),
  }),
  webhook: webhookSender({
    ...app,
    orderReply: async (orgId, orderId) => {
      const order = await orderById(app.db.kysely, orgId, orderId);
      return order === null ? null : staffOrderReply(order);
    },
  }),
  wallet_one: pushSender(app),
  wallet_two: objectSender(app),
});
