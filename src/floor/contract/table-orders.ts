/** Guests order at their table (Decisions 12, Table QR). */
import Type, { type Static } from 'typebox';
import { endpoint, idempotencyHeaders } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Flag,
  IdInput,
  Money,
  nullable,
  Text,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { CartItems } from '../../pricing/contract/cart.ts';
import { CART_REFUSALS } from '../../pricing/contract/quote.ts';
import { OPENED_VIA, TICKET_STATUSES } from '../domain/ticket.ts';
import { exampleBill, exampleTicket, TicketBill, TicketItem } from './ticket-view.ts';

const strict = { additionalProperties: false } as const;

/** Shapes, OpenTicketView, as the guests see it. */
const GuestTicket = Type.Object({
  id: UuidText(),
  branch_id: UuidText(),
  ticket_ref: Text(),
  status: Word(TICKET_STATUSES),
  table_id: UuidText({ description: 'As the QR code names it.' }),
  timezone: Text(),
  opened_at: DateTime(),
  opened_by: UuidText({ description: 'The table.' }),
  opened_via: Word(OPENED_VIA),
  items: Type.Array(Type.Omit(TicketItem, ['sent_to', 'void_reason', 'round_notes'])),
  subtotal: Money(),
  bill: nullable(TicketBill),
  paid: Money(),
  due: Money(),
  ready: Flag(),
  ready_at: nullable(DateTime()),
});

const TABLE = exampleTicket.table_id ?? exampleTicket.id;
const exampleGuestTicket: Static<typeof GuestTicket> = {
  ...{ id: exampleTicket.id, branch_id: exampleTicket.branch_id, ticket_ref: 'T-0042', status: 'open' },
  ...{ table_id: TABLE, timezone: 'Africa/Cairo', opened_at: exampleTicket.opened_at, opened_by: TABLE },
  opened_via: 'qr',
  items: exampleTicket.items.map((item) => ({
    ...{ id: item.id, round_number: item.round_number, round_fired_at: item.round_fired_at },
    ...{ menu_item_id: item.menu_item_id, line: item.line, line_total: item.line_total },
    ...{ accepted: true, voided: false, ready_at: null },
  })),
  ...{ subtotal: 9_000, bill: exampleBill, paid: 0, due: 11_491, ready: false, ready_at: null },
};

export const orderAtTable = endpoint({
  id: 'orderAtTable',
  tag: 'Tables',
  method: 'POST',
  path: '/public/table-orders',
  summary: 'Orders at a table by its QR code',
  description:
    'Opens a bill, or adds a round to the oldest live one of the table. Where the branch wants it, the round waits until staff ' +
    'accept it (`accepted: false`). An 11th round of one table within an hour is 429. A key counts for one table.',
  params: {},
  query: {},
  headers: idempotencyHeaders,
  body: Type.Object(
    {
      table_id: IdInput('The id in the QR code.'),
      items: CartItems,
      customer_name: Type.Optional(
        nullable(Type.String({ maxLength: 100, description: 'To call; forgotten a day after the bill.' })),
      ),
      customer_phone: Type.Optional(nullable(Type.String({ maxLength: 32 }))),
      notes: Type.Optional(nullable(Type.String({ maxLength: 1_000, description: 'For the kitchen.' }))),
    },
    strict,
  ),
  repeatable: true,
  status: 201,
  reply: GuestTicket,
  refusals: [...CART_REFUSALS, 'TABLE_ORDERS_OFF', 'PAID_IN_PARTS', 'NOT_PERMITTED'],
  cache: 'no-store',
  limit: 'writes',
  examples: {
    'two coffees': {
      body: {
        table_id: TABLE,
        items: [{ menu_item_id: '5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05', quantity: 2, size_label: 'سنجل' }],
      },
      reply: exampleGuestTicket,
    },
  },
});
