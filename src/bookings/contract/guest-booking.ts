/** A guest's booking: made, read, changed and cancelled (Decisions 2, 4, 9; Shapes, Booking shapes). */
import Type from 'typebox';
import { BOOKING_STATUSES } from '../domain/booking.ts';
import { endpoint, fileAnswer, idempotencyHeaders } from '../../platform/contract/endpoint.ts';
import { PhoneInput } from '../../identity/contract/otp.ts';
import { BookingSlots, EVENING_SLOTS, slotsQuery } from './slots.ts';
import {
  DateText,
  DateTime,
  Flag,
  IdInput,
  Int32,
  MomentInput,
  nullable,
  optionalNullable,
  Text,
  UuidText,
  Word,
  type Scalar,
} from '../../platform/contract/scalars.ts';

/** Unknown fields are refused by name (Decisions 7). */
const strict = { additionalProperties: false } as const;

export const startsAt = MomentInput('One of the starts of `booking-slots`: a moment with its offset.');
export const partySize = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'How many guests.',
});
const notes = Type.String({ maxLength: 500, description: 'For the staff.' });

/** Shapes, PublicBookingInput. */
export const PublicBookingInput = Type.Object(
  {
    branch_id: IdInput("The branch's id."),
    starts_at: startsAt,
    party_size: partySize,
    guest_name: Type.String({ minLength: 1, maxLength: 120, description: 'Whom the table is for.' }),
    phone: PhoneInput('The mobile to reach them on.'),
    device_token: optionalNullable(
      Type.String({
        maxLength: 200,
        description: 'Proves the phone; needed where the branch asks for codes (`require_otp`).',
      }),
    ),
    hold_token: optionalNullable(
      Type.String({
        maxLength: 200,
        description: 'The hold of this start counts as free for it, and ends with it.',
      }),
    ),
    locale: optionalNullable(
      Word(['ar', 'en'], { description: 'The language of messages about the booking.' }),
    ),
    notes: optionalNullable(notes),
  },
  strict,
);

/** Shapes, PublicBookingChange. */
export const PublicBookingChange = Type.Object(
  {
    starts_at: optionalNullable(startsAt),
    party_size: optionalNullable(partySize),
    notes: optionalNullable(notes),
  },
  strict,
);

/** Shapes, PublicBookingView. */
export const PublicBookingView = Type.Object({
  id: UuidText(),
  manage_token: Text({
    description: 'Whoever holds it may read, change and cancel the booking: 32 hexadecimal digits.',
  }),
  status: Word(BOOKING_STATUSES),
  branch_id: UuidText(),
  branch_name: Text(),
  timezone: Text({ description: "The branch's IANA time zone.", examples: ['Africa/Cairo'] }),
  party_size: Int32({ minimum: 1 }),
  starts_at: DateTime(),
  ends_at: DateTime(),
  service_date: DateText({
    description: 'The date on which its service began: for a start after midnight the date before. Additive.',
  }),
  guest_name: Text(),
  can_modify: Flag({ description: 'Confirmed, and further away than the lead time.' }),
  notes: nullable(Text()),
});

/** Any text passes: a malformed token answers as an unknown one (Decisions 2). */
const manageTokenScalar: Scalar<string> = {
  schema: Text({ examples: ['3f6c0e2ad94b8f715c2d60a1e7b34f98'] }),
  read: (text) => text,
  unreadable: '',
  expected: { en: 'a token', ar: 'رمز' },
};

const byToken = {
  manage_token: { scalar: manageTokenScalar, description: "The booking's `manage_token`." },
};
const common = { tag: 'Booking', cache: 'no-store' } as const;

export const START_REFUSALS = [
  'NOT_FOUND',
  'DATE_OUT_OF_RANGE',
  'TIME_NOT_OFFERED',
  'TOO_SOON',
  'PARTY_SIZE_OUT_OF_RANGE',
  'SLOT_TAKEN',
] as const;

const exampleView = {
  id: '8f14e45f-ceea-467f-ab5d-24c1c0b8f3a7',
  manage_token: '3f6c0e2ad94b8f715c2d60a1e7b34f98',
  status: 'confirmed',
  branch_id: '3c9d6889-9a7d-5e67-9510-16bb3223eb2b',
  branch_name: 'الزمالك',
  timezone: 'Africa/Cairo',
  party_size: 4,
  starts_at: '2026-12-04T17:00:00.000Z',
  ends_at: '2026-12-04T18:30:00.000Z',
  service_date: '2026-12-04',
  guest_name: 'منى السيد',
  can_modify: true,
  notes: null,
} as const;

export const bookTable = endpoint({
  ...common,
  id: 'bookTable',
  method: 'POST',
  path: '/public/bookings',
  summary: 'Books a table',
  description:
    'A start that `booking-slots` lists as available can be booked, and no other. Of two guests who ask for the last ' +
    'table one gets it; the other is refused with `SLOT_TAKEN`. With an `Idempotency-Key` it can be repeated safely: the ' +
    'same key and body make one booking.',
  params: {},
  query: {},
  headers: idempotencyHeaders,
  body: PublicBookingInput,
  status: 201,
  repeatable: true,
  reply: PublicBookingView,
  refusals: [...START_REFUSALS, 'PHONE_NOT_VERIFIED'],
  limit: 'writes',
  examples: {
    'a table for four': {
      body: {
        branch_id: exampleView.branch_id,
        starts_at: '2026-12-04T19:00:00+02:00',
        party_size: 4,
        guest_name: 'منى السيد',
        phone: '0100 123 4567',
        device_token: 'dev_9yQx0H3mWn5b7VtK2cPzR4sD6fGjL8aE1uIoXqZwYTk',
      },
      reply: exampleView,
    },
  },
});

export const cancelBooking = endpoint({
  ...common,
  id: 'cancelBooking',
  method: 'POST',
  path: '/public/bookings/{manage_token}/cancel',
  summary: 'Cancels a confirmed booking, at any time before the guests are seated',
  description: 'A cancelled booking is answered with 200 again.',
  params: byToken,
  query: {},
  reply: PublicBookingView,
  refusals: ['NOT_FOUND', 'BOOKING_NOT_MODIFIABLE'],
  limit: 'writes',
  examples: { cancelled: { reply: { ...exampleView, status: 'cancelled', can_modify: false } } },
});

export const changeBooking = endpoint({
  ...common,
  id: 'changeBooking',
  method: 'PATCH',
  path: '/public/bookings/{manage_token}',
  summary: 'Changes time, party or notes of a booking that can be modified',
  description:
    'What is left out stays as it is; `notes: null` removes them. Its own tables count as free for it. A change that does ' +
    'not fit is refused, and the booking is as before.',
  params: byToken,
  query: {},
  body: PublicBookingChange,
  reply: PublicBookingView,
  refusals: [...START_REFUSALS, 'BOOKING_NOT_MODIFIABLE'],
  limit: 'writes',
  examples: { 'one guest more': { body: { party_size: 5 }, reply: { ...exampleView, party_size: 5 } } },
});

export const getBooking = endpoint({
  ...common,
  id: 'getBooking',
  method: 'GET',
  path: '/public/bookings/{manage_token}',
  summary: 'A booking, to whoever holds its token',
  params: byToken,
  query: {},
  reply: PublicBookingView,
  refusals: ['NOT_FOUND'],
  limit: 'booking_and_loyalty_reads',
  examples: { 'a table for four': { reply: exampleView } },
});

export const getBookingCalendar = fileAnswer(
  { mediaType: 'text/calendar; charset=utf-8', filename: 'booking.ics' },
  endpoint({
    ...common,
    id: 'getBookingCalendar',
    method: 'GET',
    path: '/public/bookings/{manage_token}/calendar.ics',
    summary: 'A booking as a calendar file (RFC 5545), to whoever holds its token',
    description:
      'Its `UID` stays the same, and its `SEQUENCE` grows with each change, so that a calendar replaces the event. In the ' +
      'language of messages about the booking; times are in UTC.',
    params: byToken,
    query: {},
    reply: Text(),
    refusals: ['NOT_FOUND'],
    limit: 'booking_and_loyalty_reads',
    examples: {
      'a table for four': {
        reply: [
          ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Ahwa//Bookings//EN', 'BEGIN:VEVENT'],
          ...[`UID:${exampleView.id}`, 'SEQUENCE:1', 'DTSTAMP:20261201T100000Z'],
          ...['DTSTART:20261204T170000Z', 'DTEND:20261204T183000Z', 'STATUS:CONFIRMED'],
          ...['SUMMARY;LANGUAGE=en:Table at Beit El Bunn', 'DESCRIPTION;LANGUAGE=en:4 guests'],
          ...['LOCATION;LANGUAGE=en:Beit El Bunn\\, Zamalek', 'URL:https://ahwa.example/manage/…'],
          ...['END:VEVENT', 'END:VCALENDAR', ''],
        ].join('\r\n'),
      },
    },
  }),
);

export const getBookingChangeSlots = endpoint({
  ...common,
  id: 'getBookingChangeSlots',
  method: 'GET',
  path: '/public/bookings/{manage_token}/slots',
  summary: 'The start times to which a booking can be moved on a date, for a party',
  description:
    'As `booking-slots` of its branch, but the booking’s own tables count as free: a start is available exactly when a ' +
    'change to it would be accepted now.',
  params: byToken,
  query: slotsQuery,
  reply: BookingSlots,
  refusals: ['NOT_FOUND', 'DATE_OUT_OF_RANGE', 'PARTY_SIZE_OUT_OF_RANGE', 'BOOKING_NOT_MODIFIABLE'],
  limit: 'booking_and_loyalty_reads',
  examples: { 'a Friday evening': { reply: EVENING_SLOTS } },
});
