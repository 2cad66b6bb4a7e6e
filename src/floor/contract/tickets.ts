/** Tickets: what guests at tables have ordered, until it is paid (Decisions 4, 12). */
import Type from 'typebox';
import {
  endpoint,
  idempotencyHeaders,
  optional,
  required,
  restricted,
} from '../../platform/contract/endpoint.ts';
import { listLimit } from '../../platform/contract/lists.ts';
import { IdInput, Int32, nullable, uuidScalar, wordScalar } from '../../platform/contract/scalars.ts';
import { CartItems } from '../../pricing/contract/cart.ts';
import { MAX_LINES } from '../../pricing/domain/cart/limits.ts';
import { CART_REFUSALS } from '../../pricing/contract/quote.ts';
import { reasonFields } from '../../sales/contract/void-reason.ts';
import { MAX_GUESTS, MAX_PARTS, TICKET_STATUSES } from '../domain/ticket.ts';
import { EXAMPLE_TICKET_ID, exampleBill, exampleTicket, Ticket, TicketBill } from './ticket-view.ts';

const strict = { additionalProperties: false } as const;
const common = { tag: 'Tickets', cache: 'no-store', limit: 'staff' } as const;
const ticketId = { id: { scalar: uuidScalar, description: "The ticket's id." } };

const revision = Int32({
  minimum: 1,
  description: 'The revision of the ticket that the change was decided on.',
});
export const guestCount = Type.Integer({ minimum: 1, maximum: MAX_GUESTS });
export const nameText = Type.String({ maxLength: 100 });
const notesText = Type.String({ maxLength: 1_000 });
export const units = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 10_000, description: 'All of the line when left out.' }),
);
const CHANGE_REFUSALS = ['NOT_FOUND', 'TICKET_ENDED', 'TICKET_MOVED', 'PAID_IN_PARTS'] as const;
const COFFEE = '5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05';
const LINE = '6a5b4c3d-2e1f-4a0b-9c8d-7e6f5a4b3c21';
const OTHER = '3b2a1908-7f6e-4d5c-8b4a-392817065f4e';

export const changeTicket = restricted(
  { by: 'staff', permission: 'tickets.use' },
  endpoint({
    ...common,
    id: 'changeTicket',
    method: 'PATCH',
    path: '/staff/tickets/{id}',
    summary: 'Moves a ticket to another table, or changes its guests, member or discount',
    description:
      'A field that is left out stays; null clears it. `discount_id` needs `tickets.discount`. Guests of a booking who have ' +
      'no other ticket move with it: `SLOT_TAKEN` where others have the table by a booking.',
    params: ticketId,
    query: {},
    body: Type.Object(
      {
        revision,
        table_id: Type.Optional(nullable(IdInput('A table of the branch; null: none.'))),
        guest_count: Type.Optional(nullable(guestCount)),
        customer_name: Type.Optional(nullable(nameText)),
        notes: Type.Optional(nullable(notesText)),
        member_id: Type.Optional(nullable(IdInput('A loyalty card of the shop.'))),
        discount_id: Type.Optional(nullable(IdInput('A discount that the tills of the branch offer.'))),
      },
      strict,
    ),
    reply: Ticket,
    refusals: [...CHANGE_REFUSALS, 'TABLE_TAKEN', 'SLOT_TAKEN', 'NOT_PERMITTED'],
    examples: {
      'to no table': { body: { revision: 1, table_id: null }, reply: { ...exampleTicket, table_id: null } },
    },
  }),
);

export const fireTicketRound = restricted(
  { by: 'staff', permission: 'tickets.use' },
  endpoint({
    ...common,
    id: 'fireTicketRound',
    method: 'POST',
    path: '/staff/tickets/{id}/rounds',
    summary: 'Fires a round on a ticket',
    description: 'At the prices of now. Several people may fire at once: it names no revision.',
    params: ticketId,
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object({ items: CartItems }, strict),
    repeatable: true,
    status: 201,
    reply: Ticket,
    refusals: [...CART_REFUSALS, 'TICKET_ENDED', 'PAID_IN_PARTS'],
    examples: {
      'two coffees': {
        body: { items: [{ menu_item_id: COFFEE, quantity: 2, size_label: 'سنجل' }] },
        reply: { ...exampleTicket, revision: 2 },
      },
    },
  }),
);

export const getTicket = restricted(
  { by: 'staff', permission: 'tickets.read' },
  endpoint({
    ...common,
    id: 'getTicket',
    method: 'GET',
    path: '/staff/tickets/{id}',
    summary: 'One ticket, with its bill',
    params: ticketId,
    query: {},
    reply: Ticket,
    refusals: ['NOT_FOUND'],
    examples: { 'an open one': { reply: exampleTicket } },
  }),
);

export const getTicketBill = restricted(
  { by: 'staff', permission: 'tickets.read' },
  endpoint({
    ...common,
    id: 'getTicketBill',
    method: 'GET',
    path: '/staff/tickets/{id}/bill',
    summary: 'The bill of a ticket: what it comes to now, or what it was settled at',
    params: ticketId,
    query: {},
    reply: TicketBill,
    refusals: ['NOT_FOUND', 'TICKET_ENDED'],
    examples: { 'two coffees with service': { reply: exampleBill } },
  }),
);

export const listTickets = restricted(
  { by: 'staff', permission: 'tickets.read' },
  endpoint({
    ...common,
    id: 'listTickets',
    method: 'GET',
    path: '/staff/tickets',
    summary: 'The tickets of a branch, the one that was opened last first',
    params: {},
    query: {
      branch_id: required(uuidScalar, "The branch's id."),
      status: optional(wordScalar(TICKET_STATUSES), 'Only tickets of this status; without it, open ones.'),
      limit: listLimit,
      after: optional(uuidScalar, 'The last ticket of the page before.'),
    },
    reply: Type.Array(Ticket),
    refusals: ['NOT_FOUND'],
    examples: { 'one table': { reply: [exampleTicket] } },
  }),
);

export const mergeTickets = restricted(
  { by: 'staff', permission: 'tickets.use' },
  endpoint({
    ...common,
    id: 'mergeTickets',
    method: 'POST',
    path: '/staff/tickets/{id}/merge',
    summary: 'Adds another ticket of the branch to this one',
    description:
      'The other ends `voided` with the reason `merged`; its lines stand after those of this one, and nothing is fired again. ' +
      'If both have a booking, that of the other is completed with its last open ticket; if only the other has one, this ' +
      'ticket takes it, and its guests, if it is their only one, move to the table of this one: `SLOT_TAKEN` where others have ' +
      'the table by a booking. A booking that the other has only because it was moved to the table of its guests stays with ' +
      'them. Tickets that were split off the other come under the rates of this one; a bill of which a part was settled ' +
      'under other rates is refused at `ticket_id`.',
    params: ticketId,
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object({ revision, ticket_id: IdInput('The ticket that ends.') }, strict),
    repeatable: true,
    reply: Ticket,
    refusals: [...CHANGE_REFUSALS, 'SLOT_TAKEN', 'NOT_PERMITTED'],
    examples: {
      'two tables that sit together': {
        body: { revision: 1, ticket_id: OTHER },
        reply: { ...exampleTicket, revision: 2 },
      },
    },
  }),
);

export const openTicket = restricted(
  { by: 'staff', permission: 'tickets.use' },
  endpoint({
    ...common,
    id: 'openTicket',
    method: 'POST',
    path: '/staff/tickets',
    summary: 'Opens a ticket with its first round',
    description:
      'With `booking_id` the guests of that booking are seated in the same transaction. Without one, a ticket at a table where the guests of a booking are seated is theirs.',
    params: {},
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        branch_id: IdInput("The branch's id."),
        items: CartItems,
        table_id: Type.Optional(nullable(IdInput('A free table of the branch; none: no service charge.'))),
        guest_count: Type.Optional(nullable(guestCount)),
        customer_name: Type.Optional(nullable(nameText)),
        notes: Type.Optional(nullable(notesText)),
        booking_id: Type.Optional(nullable(IdInput('The booking of the guests.'))),
      },
      strict,
    ),
    repeatable: true,
    status: 201,
    reply: Ticket,
    refusals: [...CART_REFUSALS, 'TABLE_TAKEN', 'BOOKING_ENDED', 'TOO_EARLY_TO_SEAT', 'SLOT_TAKEN'],
    examples: {
      'two coffees at a table': {
        body: {
          ...{ branch_id: exampleTicket.branch_id, table_id: exampleTicket.table_id, guest_count: 2 },
          items: [{ menu_item_id: COFFEE, quantity: 2, size_label: 'سنجل' }],
        },
        reply: exampleTicket,
      },
    },
  }),
);

export const splitTicket = restricted(
  { by: 'staff', permission: 'tickets.use' },
  endpoint({
    ...common,
    id: 'splitTicket',
    method: 'POST',
    path: '/staff/tickets/{id}/split',
    summary: 'Splits lines, or units of them, off into a ticket of their own; or the bill into equal parts',
    description:
      'The bills of both add up to what the undivided one came to, to the piastre, where both are at a table or neither is ' +
      '(service is of tables): deals are those of all lines together, ' +
      'and a discount is shared. Nothing is fired again. Answered with the new ticket. With `parts` no ticket is made: the ticket ' +
      'says what each of the equal `parts` comes to now, and they are paid with `…/payments`.',
    params: ticketId,
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        revision,
        items: Type.Optional(
          Type.Array(Type.Object({ item_id: IdInput('A live line of the ticket.'), units }, strict), {
            minItems: 1,
            maxItems: MAX_LINES,
          }),
        ),
        parts: Type.Optional(
          Type.Integer({
            ...{ minimum: 1, maximum: MAX_PARTS },
            description: 'Instead of `items`: into so many equal parts, to the piastre; 1: not any more.',
          }),
        ),
        table_id: Type.Optional(
          nullable(IdInput('The table of the new ticket; that of this one when left out, null: none.')),
        ),
      },
      strict,
    ),
    repeatable: true,
    status: 201,
    reply: Ticket,
    refusals: [
      ...CHANGE_REFUSALS,
      'TABLE_TAKEN',
      'SLOT_TAKEN',
      'LINE_VOIDED',
      'ROUND_WAITING',
      'COMBO_WHOLE_ONLY',
    ],
    examples: {
      'one of two coffees': {
        body: { revision: 1, items: [{ item_id: LINE, units: 1 }] },
        reply: { ...exampleTicket, id: OTHER, ticket_ref: 'T-0043', split_of: EXAMPLE_TICKET_ID },
      },
    },
  }),
);

export const voidTicket = restricted(
  { by: 'staff', permission: 'tickets.void' },
  endpoint({
    ...common,
    id: 'voidTicket',
    method: 'POST',
    path: '/staff/tickets/{id}/void',
    summary: 'Voids a ticket with all its lines: nothing is paid',
    params: ticketId,
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object({ revision, ...reasonFields }, strict),
    repeatable: true,
    reply: Ticket,
    refusals: CHANGE_REFUSALS,
    examples: {
      'the guests have left': {
        body: { revision: 1, reason: 'guest_changed' },
        reply: {
          ...exampleTicket,
          ...{ status: 'voided', revision: 2, void_reason: 'guest_changed', bill: null, subtotal: 0 },
          voided_at: '2026-12-04T17:50:00.000Z',
        },
      },
    },
  }),
);

export const voidTicketLine = restricted(
  { by: 'staff', permission: 'tickets.void' },
  endpoint({
    ...common,
    id: 'voidTicketLine',
    method: 'POST',
    path: '/staff/tickets/{id}/items/{item_id}/void',
    summary: 'Voids a line, or units of it',
    description: 'It stays on the ticket as void. A combo is voided as a whole.',
    params: { ...ticketId, item_id: { scalar: uuidScalar, description: "The line's id." } },
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object({ revision, units, ...reasonFields }, strict),
    repeatable: true,
    reply: Ticket,
    refusals: [...CHANGE_REFUSALS, 'LINE_VOIDED', 'ROUND_WAITING', 'COMBO_WHOLE_ONLY'],
    examples: {
      'one coffee was cold': {
        body: { revision: 1, units: 1, reason: 'quality' },
        reply: { ...exampleTicket, revision: 2 },
      },
    },
  }),
);
