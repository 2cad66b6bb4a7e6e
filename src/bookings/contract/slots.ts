import Type, { type Static } from 'typebox';
import { UNFIT_REASONS } from '../domain/seating/capacity.ts';
import { UNAVAILABLE_REASONS } from '../domain/slots.ts';
import { endpoint, required } from '../../platform/contract/endpoint.ts';
import {
  dateScalar,
  DateText,
  DateTime,
  Flag,
  Int32,
  integerScalar,
  nullable,
  Text,
  uuidScalar,
  Word,
} from '../../platform/contract/scalars.ts';

/** Shapes, PublicSlot. */
export const PublicSlot = Type.Object({
  starts_at: DateTime({ description: 'UTC.' }),
  available: Flag({ description: 'True exactly when a booking for it alone would be accepted now.' }),
  reason: nullable(
    Word(UNAVAILABLE_REASONS, {
      description:
        'Why it is not available: it is past or nearer than the lead time, else there is no room for the party; null ' +
        'where it is.',
    }),
  ),
});

export const BookingSlots = Type.Object({
  date: DateText({
    description: 'The date the service began; a slot after midnight belongs to the night before.',
  }),
  timezone: Text({ description: "The branch's IANA time zone.", examples: ['Africa/Cairo'] }),
  slots: Type.Array(PublicSlot),
  last_date: DateText({ description: 'The last date that can be booked now.' }),
  party_fits: Flag({
    description: 'False: no start on any date could seat such a party, were every table free.',
  }),
  unfit_reason: nullable(
    Word(UNFIT_REASONS, {
      description:
        'Why it does not fit: no table can be booked, no tables seat it, or it is more than `max_covers`; null where ' +
        'it fits.',
    }),
  ),
  largest_party: nullable(
    Int32({
      description:
        'The largest party that would fit, from the smallest that the branch takes to the one asked for; null where ' +
        'none would.',
      examples: [4],
    }),
  ),
  max_covers: nullable(
    Int32({ description: 'The most guests that may start at one time; null where there is no bound.' }),
  ),
});

export const slotsQuery = {
  date: required(dateScalar, 'The service date.'),
  party_size: required(integerScalar(1), 'How many guests.'),
};

export const EVENING_SLOTS: Static<typeof BookingSlots> = {
  date: '2026-12-04',
  timezone: 'Africa/Cairo',
  slots: [
    { starts_at: '2026-12-04T17:00:00.000Z', available: true, reason: null },
    { starts_at: '2026-12-04T17:30:00.000Z', available: false, reason: 'taken' },
  ],
  last_date: '2027-01-03',
  party_fits: true,
  unfit_reason: null,
  largest_party: 4,
  max_covers: null,
};

export const getBookingSlots = endpoint({
  id: 'getBookingSlots',
  method: 'GET',
  path: '/public/branches/{id}/booking-slots',
  tag: 'Booking',
  summary: 'The start times a branch offers on a date for a party, each marked available or not',
  params: { id: { scalar: uuidScalar, description: "The branch's id." } },
  query: slotsQuery,
  reply: BookingSlots,
  refusals: ['NOT_FOUND', 'DATE_OUT_OF_RANGE', 'PARTY_SIZE_OUT_OF_RANGE'],
  cache: 'no-cache',
  limit: 'booking_and_loyalty_reads',
  examples: {
    'a Friday evening': {
      reply: EVENING_SLOTS,
    },
  },
});
