/** A ticket is paid in parts (Decisions 12, Settle). */
import Type from 'typebox';
import { endpoint, idempotencyHeaders, restricted } from '../../platform/contract/endpoint.ts';
import { Int32, uuidScalar } from '../../platform/contract/scalars.ts';
import { PaymentInput } from '../../sales/contract/payments.ts';
import { exampleTicket, Ticket } from './ticket-view.ts';

const strict = { additionalProperties: false } as const;
const common = {
  tag: 'Tickets',
  cache: 'no-store',
  limit: 'staff',
  method: 'POST',
  query: {},
  headers: idempotencyHeaders,
  repeatable: true,
  reply: Ticket,
} as const;
const ticketId = { id: { scalar: uuidScalar, description: "The ticket's id." } };
const revision = Int32({
  minimum: 1,
  description: 'The revision of the ticket that the change was decided on.',
});

const examplePayment = {
  ...{ id: '5e4d3c2b-1a09-4f8e-9d7c-6b5a49382716', at: '2026-12-04T18:20:00.000Z', method: 'card' },
  ...{ amount: 5_000, tip: 0, tendered: null, change: null },
  ...{ till_id: null, staff_id: '9a7b6c5d-4e3f-4a2b-8c1d-0e9f8a7b6c5d' },
};

export const payTicketPart = restricted(
  { by: 'staff', permission: 'tickets.settle' },
  endpoint({
    ...common,
    id: 'payTicketPart',
    path: '/staff/tickets/{id}/payments',
    summary: 'Takes a part of what a ticket comes to',
    description:
      'It is in the till at once, and a payment of the sale when the ticket is settled with the rest. After it no change may ' +
      'bring the bill below what was paid.',
    params: ticketId,
    body: Type.Object({ revision, ...PaymentInput.properties }, strict),
    status: 201,
    refusals: ['NOT_FOUND', 'TICKET_ENDED', 'TICKET_MOVED', 'TILL_REQUIRED', 'PAID_IN_PARTS'],
    examples: {
      'half of it by card': {
        body: { revision: 1, method: 'card', amount: 5_000 },
        reply: { ...exampleTicket, revision: 2, payments: [examplePayment], paid: 5_000, due: 6_491 },
      },
    },
  }),
);

export const undoTicketPayment = restricted(
  { by: 'staff', permission: 'tickets.settle' },
  endpoint({
    ...common,
    id: 'undoTicketPayment',
    path: '/staff/tickets/{id}/payments/{payment_id}/undo',
    summary: 'Gives a part-payment back, out of the till that took it',
    description:
      'That of another person’s till only with `tills.manage`. Where the till was closed, it goes back out of the own open one, ' +
      'among whose payments it then counts less; the closed one keeps what it took.',
    params: { ...ticketId, payment_id: { scalar: uuidScalar, description: 'The id of the payment.' } },
    body: Type.Object({ revision }, strict),
    status: 200,
    refusals: ['NOT_FOUND', 'NOT_PERMITTED', 'TICKET_ENDED', 'TICKET_MOVED', 'TILL_REQUIRED'],
    examples: { 'the wrong table': { body: { revision: 2 }, reply: { ...exampleTicket, revision: 3 } } },
  }),
);
