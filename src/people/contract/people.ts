/** Export and erasure of personal data, and the audit log (Decisions 12). */
import Type from 'typebox';
import { BOOKING_STATUSES } from '../../bookings/domain/booking.ts';
import { CustomerAddress } from '../../customers/contract/address.ts';
import { entryFields } from '../../loyalty/contract/card.ts';
import { TICKET_STATUSES } from '../../floor/domain/ticket.ts';
import { SALE_SOURCES } from '../../sales/domain/sale.ts';
import { StaffOrder } from '../../orders/contract/delivery-order.ts';
import { endpoint, optional, restricted } from '../../platform/contract/endpoint.ts';
import { PhoneInput } from '../../identity/contract/otp.ts';
import {
  DateTime,
  Flag,
  Int32,
  nullable,
  Text,
  uuidScalar,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { listLimit } from '../../platform/contract/lists.ts';

const common = { tag: 'People', params: {}, cache: 'no-store', limit: 'staff' } as const;
/** In the body, because URLs are logged. */
const person = Type.Object(
  { phone: PhoneInput("The person's mobile, in any usual writing; Egypt's without a country code.") },
  { additionalProperties: false },
);

export const PersonExport = Type.Object({
  exported_at: DateTime(),
  phone: Text({ description: 'Digits with the country code.' }),
  customer: nullable(
    Type.Object({
      id: UuidText(),
      name: Text(),
      language: Text(),
      phone_proven_at: nullable(DateTime()),
      birth_month: nullable(Int32()),
      birth_day: nullable(Int32()),
      marketing_opt_out: Flag(),
      created_at: DateTime(),
      updated_at: DateTime(),
    }),
  ),
  cards: Type.Array(
    Type.Object({
      id: UuidText(),
      created_at: DateTime(),
      points: Int32(),
      visits: Int32(),
      merged_into: nullable(UuidText({ description: 'The card that this one was combined with.' })),
    }),
  ),
  loyalty_entries: Type.Array(
    Type.Object({
      ...entryFields,
      card_id: UuidText(),
    }),
    { description: 'Every entry of the ledgers of the cards, oldest first.' },
  ),
  addresses: Type.Array(CustomerAddress),
  orders: Type.Array(StaffOrder, { description: 'Every order of this person, oldest first.' }),
  bookings: Type.Array(
    Type.Object({
      id: UuidText(),
      branch_id: UuidText(),
      status: Word(BOOKING_STATUSES),
      party_size: Int32({ minimum: 1 }),
      starts_at: DateTime(),
      ends_at: DateTime(),
      guest_name: Text(),
      phone_proven: Flag(),
      notes: nullable(Text()),
      language: Text(),
      created_at: DateTime(),
    }),
    { description: 'Every booking of this phone, oldest first.' },
  ),
  tickets: Type.Array(
    Type.Object({
      id: UuidText(),
      branch_id: UuidText(),
      ticket_ref: Text(),
      status: Word(TICKET_STATUSES),
      opened_at: DateTime(),
      member_id: nullable(UuidText()),
      customer_name: nullable(Text()),
      customer_phone: nullable(Text()),
      notes: nullable(Text()),
      lines: Type.Array(
        Type.Object({
          round_number: Int32({ minimum: 1 }),
          round_notes: nullable(Text()),
          line: Type.Record(Type.String(), Type.Unknown(), { description: 'As in the `cart` of an order.' }),
        }),
      ),
    }),
    {
      description:
        'Every ticket of this phone or of the cards, oldest first. What guests said is forgotten a day after its end.',
    },
  ),
  sales: Type.Array(
    Type.Object({
      id: UuidText(),
      sale_ref: Text(),
      branch_id: UuidText(),
      source: Word(SALE_SOURCES),
      at: DateTime(),
      member_id: nullable(UuidText()),
      customer_name: nullable(Text()),
      cart: Type.Record(Type.String(), Type.Unknown()),
      total: Int32(),
      refunded: Int32(),
    }),
    { description: 'Every sale of the cards, oldest first; one of an online order has its id.' },
  ),
  messages: Type.Array(
    Type.Object({
      order_id: nullable(UuidText()),
      booking_id: nullable(UuidText()),
      template: Text(),
      language: Text(),
      status: Text(),
      created_at: DateTime(),
    }),
  ),
});

const PHONE = { phone: '0100 123 4567' };

export const exportPerson = restricted(
  { by: 'staff', permission: 'people.export' },
  endpoint({
    ...common,
    id: 'exportPerson',
    method: 'POST',
    path: '/staff/people/export',
    summary: 'Everything that the shop keeps of the person with a phone',
    query: {},
    body: person,
    reply: PersonExport,
    refusals: [],
    examples: {
      'nobody we know': {
        body: PHONE,
        reply: {
          ...{ exported_at: '2026-12-04T17:00:00.000Z', phone: '201001234567', customer: null },
          ...{ cards: [], loyalty_entries: [], addresses: [], orders: [], bookings: [], messages: [] },
          ...{ tickets: [], sales: [] },
        },
      },
    },
  }),
);

export const erasePerson = restricted(
  { by: 'staff', permission: 'people.erase' },
  endpoint({
    ...common,
    id: 'erasePerson',
    method: 'POST',
    path: '/staff/people/erase',
    summary: 'Erases the person with a phone from the shop; money stays, without the person',
    description:
      'Name, phone, addresses, locations and notes are gone from customer, card, orders, bookings, tickets, counter sales and ' +
      'the kitchen; what was sold and paid stays. ' +
      'Messages that wait are not sent. An order under way, a booking to come or an open ticket must end first.',
    query: {},
    body: person,
    reply: Type.Object({
      erased: Flag({ description: 'Whether there was anything to erase.' }),
      orders: Int32({ minimum: 0, description: 'Orders that now name nobody.' }),
      open_orders: Int32({
        minimum: 0,
        description: 'Orders under way, which keep their contact until they have ended; ask again then.',
      }),
      bookings: Int32({ minimum: 0, description: 'Bookings that now name nobody.' }),
      open_bookings: Int32({
        minimum: 0,
        description: 'Bookings that are still to come or seated, which keep their guest until then.',
      }),
      open_tickets: Int32({
        minimum: 0,
        description: 'Tickets that are open, which keep what was said until they have ended; ask again then.',
      }),
    }),
    refusals: [],
    examples: {
      'a guest of three orders': {
        body: PHONE,
        reply: { erased: true, orders: 3, open_orders: 0, bookings: 1, open_bookings: 0, open_tickets: 0 },
      },
    },
  }),
);

export const listAudit = restricted(
  { by: 'staff', permission: 'audit.read' },
  endpoint({
    ...common,
    id: 'listAudit',
    method: 'GET',
    path: '/staff/audit',
    summary: 'Who did what, newest first',
    query: {
      subject_id: optional(
        uuidScalar,
        'Only what was done to this: an order, a device, a person of the staff …',
      ),
      limit: listLimit,
      before: optional(uuidScalar, 'The last entry of the page before: only what is older.'),
    },
    reply: Type.Array(
      Type.Object({
        id: UuidText(),
        at: DateTime(),
        staff_id: nullable(
          UuidText({ description: 'Null: the service itself, or a command of the operator.' }),
        ),
        staff_name: nullable(Text()),
        device_id: nullable(UuidText()),
        branch_id: nullable(UuidText()),
        action: Text({ examples: ['order.moved'] }),
        subject: Text({ examples: ['order'] }),
        subject_id: nullable(UuidText()),
        detail: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
    refusals: [],
    examples: {
      'an order was confirmed': {
        reply: [
          {
            ...{ id: '1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b', at: '2026-12-04T17:02:00.000Z' },
            ...{ staff_id: '0a6b8c1d-2e3f-4a5b-8c6d-7e8f9a0b1c2d', staff_name: 'سارة', device_id: null },
            ...{ branch_id: '9f6e1f5b-6a2b-5f2a-8a53-2f6d3c9b7e11', action: 'order.moved', subject: 'order' },
            ...{ subject_id: '7d9f5a10-2c3d-4e5f-8a9b-0c1d2e3f4a03' },
            ...{ detail: { from: 'received', to: 'confirmed' } },
          },
        ],
      },
    },
  }),
);
