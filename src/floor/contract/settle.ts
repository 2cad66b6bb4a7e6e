/** A ticket is paid (Decisions 12, Settle). */
import Type from 'typebox';
import { endpoint, idempotencyHeaders, restricted } from '../../platform/contract/endpoint.ts';
import { IdInput, Int32, nullable, uuidScalar } from '../../platform/contract/scalars.ts';
import { MAX_LINE_QUANTITY, MAX_LINES } from '../../pricing/domain/cart/limits.ts';
import { REWARD_REFUSALS } from '../../pricing/contract/quote.ts';
import { PaymentInputs } from '../../sales/contract/payments.ts';
import { exampleTicket, Ticket } from './ticket-view.ts';

const strict = { additionalProperties: false } as const;

export const TicketReward = Type.Object(
  {
    reward_id: IdInput("A reward of the shop's loyalty programme."),
    item_id: IdInput('A live line of the ticket.'),
    units: Type.Integer({
      minimum: 1,
      maximum: MAX_LINE_QUANTITY,
      description: 'Units that the card pays for.',
    }),
  },
  strict,
);

export const settleTicket = restricted(
  { by: 'staff', permission: 'tickets.settle' },
  endpoint({
    id: 'settleTicket',
    tag: 'Tickets',
    cache: 'no-store',
    limit: 'staff',
    method: 'POST',
    path: '/staff/tickets/{id}/settle',
    summary: 'Settles a ticket: it is paid and becomes a sale',
    description:
      'The payments add up to the `total` of its bill exactly. With the last open ticket of its table the table is free, ' +
      'and with that of its booking the booking completed. One without a live line is voided instead.',
    params: { id: { scalar: uuidScalar, description: "The ticket's id." } },
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        revision: Int32({ minimum: 1, description: 'The revision of the ticket that was paid for.' }),
        payments: PaymentInputs,
        rewards: Type.Optional(
          Type.Array(TicketReward, {
            maxItems: MAX_LINES,
            description: 'Loyalty rewards that the member spends.',
          }),
        ),
        member_id: Type.Optional(nullable(IdInput('The loyalty card; that of the ticket when left out.'))),
      },
      strict,
    ),
    repeatable: true,
    reply: Ticket,
    refusals: [
      ...([
        'NOT_FOUND',
        'TICKET_ENDED',
        'TICKET_MOVED',
        'PAYMENT_MISMATCH',
        'TILL_REQUIRED',
        'PAID_IN_PARTS',
      ] as const),
      ...REWARD_REFUSALS,
    ],
    examples: {
      'in cash with a tip': {
        body: { revision: 1, payments: [{ method: 'cash', amount: 11_491, tendered: 15_000, tip: 509 }] },
        reply: {
          ...exampleTicket,
          ...{ status: 'settled', revision: 2, order_id: exampleTicket.id },
          settled_at: '2026-12-04T18:30:00.000Z',
        },
      },
    },
  }),
);
