/** Times that the staff keep free of bookings. */
import Type, { type Static } from 'typebox';
import { endpoint, idempotencyHeaders, restricted } from '../../platform/contract/endpoint.ts';
import { IdInput, MomentInput, optionalNullable, uuidScalar } from '../../platform/contract/scalars.ts';
import { STAFF_BOUNDS } from '../domain/booking.ts';
import { BookingBlock } from './staff-bookings.ts';

const common = { tag: 'Bookings', cache: 'no-store', limit: 'staff' } as const;

const example: Static<typeof BookingBlock> = {
  id: 'c2a1f0b4-6d7e-4f58-9a3b-1e2d3c4b5a69',
  branch_id: '3c9d6889-9a7d-5e67-9510-16bb3223eb2b',
  starts_at: '2026-12-04T17:00:00.000Z',
  ends_at: '2026-12-04T22:00:00.000Z',
  tables: [],
  reason: 'عيد ميلاد',
  lifted_at: null,
};

export const blockTimes = restricted(
  { by: 'staff', permission: 'bookings.block' },
  endpoint({
    ...common,
    id: 'blockTimes',
    method: 'POST',
    path: '/staff/booking-blocks',
    summary: 'Takes tables, or the whole branch, out of booking for a time',
    description:
      'Confirmed guests at the tables named get others; where they cannot, their tables were chosen, or guests are seated ' +
      'there, it is refused with `SLOT_TAKEN`. With no table named guests can book no stay that overlaps the time; bookings that exist stay, and ' +
      `the staff can still book. At most ${STAFF_BOUNDS.maxBlockDays} days.`,
    params: {},
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        branch_id: IdInput("The branch's id."),
        starts_at: MomentInput('A moment with its offset.'),
        ends_at: MomentInput('A moment with its offset, after the start.'),
        table_ids: Type.Optional(Type.Array(IdInput("A table's id."), { maxItems: 200 })),
        reason: optionalNullable(Type.String({ maxLength: 120, description: 'For the staff.' })),
      },
      { additionalProperties: false },
    ),
    status: 201,
    repeatable: true,
    reply: BookingBlock,
    refusals: ['NOT_FOUND', 'SLOT_TAKEN'],
    examples: {
      'a closed party': {
        body: {
          branch_id: example.branch_id,
          starts_at: '2026-12-04T19:00:00+02:00',
          ends_at: '2026-12-05T00:00:00+02:00',
          reason: 'عيد ميلاد',
        },
        reply: example,
      },
    },
  }),
);

export const liftBlock = restricted(
  { by: 'staff', permission: 'bookings.block' },
  endpoint({
    ...common,
    id: 'liftBlock',
    method: 'POST',
    path: '/staff/booking-blocks/{id}/lift',
    summary: 'Opens a blocked time again',
    description: 'What is lifted already is answered with 200 again.',
    params: { id: { scalar: uuidScalar, description: "The block's id." } },
    query: {},
    reply: BookingBlock,
    refusals: ['NOT_FOUND'],
    examples: { lifted: { reply: { ...example, lifted_at: '2026-12-04T16:00:00.000Z' } } },
  }),
);
