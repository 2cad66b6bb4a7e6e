/** Staff decide on what guests order at a table, and change its code (Decisions 12, Table QR). */
import Type from 'typebox';
import { endpoint, idempotencyHeaders, restricted } from '../../platform/contract/endpoint.ts';
import { integerScalar, Text, uuidScalar, UuidText } from '../../platform/contract/scalars.ts';
import { exampleTicket, Ticket } from './ticket-view.ts';

const round = {
  id: { scalar: uuidScalar, description: "The ticket's id." },
  n: { scalar: integerScalar(1, 1_000_000), description: 'The number of the round.' },
};

const deciding = {
  tag: 'Tickets',
  cache: 'no-store',
  limit: 'staff',
  method: 'POST',
  params: round,
  query: {},
  headers: idempotencyHeaders,
  repeatable: true,
  reply: Ticket,
  refusals: ['NOT_FOUND', 'TICKET_ENDED', 'ROUND_DECIDED', 'PAID_IN_PARTS'],
} as const;

export const acceptTicketRound = restricted(
  { by: 'staff', permission: 'tickets.use' },
  endpoint({
    ...deciding,
    id: 'acceptTicketRound',
    path: '/staff/tickets/{id}/rounds/{n}/accept',
    summary: 'Accepts a round that guests sent: it is fired',
    description: 'At the prices of when it was sent. It names no revision; again it changes nothing.',
    examples: { 'the first round': { reply: exampleTicket } },
  }),
);

export const newTableCode = restricted(
  { by: 'staff', permission: 'tables.manage' },
  endpoint({
    id: 'newTableCode',
    tag: 'Tables',
    cache: 'no-store',
    limit: 'staff',
    method: 'POST',
    path: '/staff/tables/{table_id}/new-code',
    summary: 'Gives a table another QR code: the old one leads nowhere from then on',
    description: 'The table itself, its tickets and its bookings stay.',
    params: { table_id: { scalar: uuidScalar, description: "The table's own id." } },
    query: {},
    reply: Type.Object({ public_id: UuidText(), url: Text() }),
    refusals: ['NOT_FOUND'],
    examples: {
      'a code that was photographed': {
        reply: {
          public_id: '0c9b8a79-6857-4463-9524-13f2e1d0cfbe',
          url: 'https://ahwa.example/t/0c9b8a79-6857-4463-9524-13f2e1d0cfbe',
        },
      },
    },
  }),
);

export const rejectTicketRound = restricted(
  { by: 'staff', permission: 'tickets.use' },
  endpoint({
    ...deciding,
    id: 'rejectTicketRound',
    path: '/staff/tickets/{id}/rounds/{n}/reject',
    summary: 'Rejects a round that guests sent: its stock goes back',
    description:
      'A ticket that guests opened, of which nothing is left and nothing was paid, ends `voided`. Again it changes nothing.',
    examples: { 'the first round': { reply: exampleTicket } },
  }),
);
