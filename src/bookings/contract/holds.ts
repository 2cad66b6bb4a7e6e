/** A start kept for a guest while they type and prove their phone. */
import Type from 'typebox';
import { endpoint } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Flag,
  Int32,
  optionalNullable,
  Text,
  uuidScalar,
  UuidText,
} from '../../platform/contract/scalars.ts';
import { partySize, startsAt, START_REFUSALS } from './guest-booking.ts';

export const BookingHoldInput = Type.Object(
  {
    starts_at: startsAt,
    party_size: partySize,
    hold_token: optionalNullable(
      Type.String({ maxLength: 200, description: "The device's hold before, which ends." }),
    ),
  },
  { additionalProperties: false },
);

export const BookingHold = Type.Object({
  hold_token: Text({ description: 'Sent with the booking.' }),
  branch_id: UuidText(),
  party_size: Int32({ minimum: 1 }),
  starts_at: DateTime(),
  ends_at: DateTime(),
  expires_at: DateTime({ description: 'Five minutes from now; the hold ends by itself.' }),
  expires_in_seconds: Int32({
    minimum: 0,
    description: 'The same, for clients whose clock may be wrong. Additive.',
  }),
});

export const HoldReleaseInput = Type.Object(
  { hold_token: Type.String({ maxLength: 200, description: 'Of the hold.' }) },
  { additionalProperties: false },
);

export const HoldRelease = Type.Object({
  released: Flag({ description: 'False: there was no such hold at the branch, or it had ended.' }),
});

export const holdStart = endpoint({
  tag: 'Booking',
  cache: 'no-store',
  id: 'holdStart',
  method: 'POST',
  path: '/public/branches/{id}/booking-holds',
  summary: 'Keeps a start for five minutes',
  description:
    'So that nobody else takes it while the guest types and proves the phone; no table is promised before it is booked. ' +
    'A device, and an internet address, has one hold at a shop: a new one ends those before. The staff may take the ' +
    'tables meanwhile; the booking is then refused with `SLOT_TAKEN`.',
  params: { id: { scalar: uuidScalar, description: "The branch's id." } },
  query: {},
  body: BookingHoldInput,
  status: 201,
  reply: BookingHold,
  refusals: START_REFUSALS,
  limit: 'writes',
  examples: {
    'a table for four': {
      body: { starts_at: '2026-12-04T19:00:00+02:00', party_size: 4 },
      reply: {
        hold_token: 'hld_9yQx0H3mWn5b7VtK2cPzR4sD6fGjL8aE1uIoXqZwYTk',
        branch_id: '3c9d6889-9a7d-5e67-9510-16bb3223eb2b',
        party_size: 4,
        starts_at: '2026-12-04T17:00:00.000Z',
        ends_at: '2026-12-04T18:30:00.000Z',
        expires_at: '2026-12-04T15:05:00.000Z',
        expires_in_seconds: 300,
      },
    },
  },
});

export const releaseHold = endpoint({
  tag: 'Booking',
  cache: 'no-store',
  id: 'releaseHold',
  method: 'POST',
  path: '/public/branches/{id}/booking-holds/release',
  summary: 'Ends a hold before its time',
  description: 'So that a guest who goes back to choose again is offered the start too. It can be repeated.',
  params: { id: { scalar: uuidScalar, description: "The branch's id." } },
  query: {},
  body: HoldReleaseInput,
  reply: HoldRelease,
  refusals: ['NOT_FOUND'],
  limit: 'writes',
  examples: {
    'the guest chooses again': {
      body: { hold_token: 'hld_9yQx0H3mWn5b7VtK2cPzR4sD6fGjL8aE1uIoXqZwYTk' },
      reply: { released: true },
    },
  },
});
