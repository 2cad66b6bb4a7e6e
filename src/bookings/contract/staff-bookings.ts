/** The staff's side of bookings: the day, and what becomes of each booking (Decisions 4, 9, 12). */
import Type, { type Static } from 'typebox';
import { PhoneInput } from '../../identity/contract/otp.ts';
import { endpoint, idempotencyHeaders, required, restricted } from '../../platform/contract/endpoint.ts';
import {
  dateScalar,
  DateText,
  DateTime,
  Flag,
  IdInput,
  Int32,
  MomentInput,
  nullable,
  optionalNullable,
  Text,
  uuidScalar,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { BOOKING_SOURCES, BOOKING_STATUSES, STAFF_ACTIONS, STAFF_BOUNDS } from '../domain/booking.ts';

const strict = { additionalProperties: false } as const;

const BookedTable = Type.Object({ id: UuidText(), label: Text() });

export const StaffBooking = Type.Object({
  id: UuidText(),
  branch_id: UuidText(),
  status: Word(BOOKING_STATUSES),
  revision: Int32({ minimum: 1, description: 'Every change names the revision that it was decided on.' }),
  service_date: DateText({ description: 'The date on which the service of its start began.' }),
  starts_at: DateTime(),
  ends_at: DateTime(),
  party_size: Int32({ minimum: 1 }),
  guest_name: Text(),
  guest_phone: nullable(Text({ description: 'Digits with the country code.' })),
  phone_proven: Flag({ description: 'Whether the guest proved the phone by a code.' }),
  language: Word(['ar', 'en'], { description: 'Of messages to the guest.' }),
  source: Word(BOOKING_SOURCES, {
    description: 'Who made it: the guest, or the staff for one who called or came.',
  }),
  notes: nullable(Text()),
  tables: Type.Array(BookedTable, { description: 'None once it has ended.' }),
  tables_chosen: Flag({
    description: 'The staff chose the tables: the service does not move the booking to others.',
  }),
  created_at: DateTime(),
  seated_at: nullable(DateTime()),
  ended_at: nullable(DateTime()),
  cancelled_by: nullable(Word(['guest', 'staff'])),
  actions: Type.Array(Word(STAFF_ACTIONS), { description: 'What can be done with it now.' }),
});

export const BookingBlock = Type.Object({
  id: UuidText(),
  branch_id: UuidText(),
  starts_at: DateTime(),
  ends_at: DateTime(),
  tables: Type.Array(BookedTable, { description: 'Empty: guests can book no table at all.' }),
  reason: nullable(Text()),
  lifted_at: nullable(DateTime()),
});

export const BookingDay = Type.Object({
  date: DateText(),
  timezone: Text({ description: "The branch's IANA time zone.", examples: ['Africa/Cairo'] }),
  hold_minutes: Int32({
    minimum: 0,
    description: 'How many minutes after its start a table is kept for guests who are late.',
  }),
  tables: Type.Array(
    Type.Object({
      id: UuidText(),
      label: Text(),
      section: nullable(Text()),
      seats_min: Int32({ minimum: 1 }),
      seats_max: Int32({ minimum: 1 }),
      bookable: Flag({ description: 'False: kept for guests who come without a booking.' }),
    }),
  ),
  bookings: Type.Array(StaffBooking, { description: 'In order of their start, ended ones too.' }),
  blocks: Type.Array(BookingBlock),
});

const common = { tag: 'Bookings', cache: 'no-store', limit: 'staff' } as const;
const bookingId = { id: { scalar: uuidScalar, description: "The booking's id." } };
const revision = Int32({ minimum: 1, description: 'The revision that the change was decided on.' });
const CHANGE_REFUSALS = ['NOT_FOUND', 'BOOKING_ENDED', 'BOOKING_MOVED'] as const;

const tableIds = Type.Array(IdInput("A table's id."), {
  maxItems: 20,
  description:
    'Guests who are confirmed there get other tables; those who are seated or whose tables were chosen stay.',
});
const chosenTables = Type.Optional(tableIds);
const partySize = Type.Integer({ minimum: 1, maximum: STAFF_BOUNDS.maxParty });
const minutes = Type.Integer({
  minimum: STAFF_BOUNDS.minMinutes,
  maximum: STAFF_BOUNDS.maxMinutes,
  description: "How long the table is taken; the branch's usual time when left out.",
});
const guestName = Type.String({ minLength: 1, maxLength: 120 });
const notes = Type.String({ maxLength: 500, description: 'For the staff.' });
const phone = PhoneInput("The guest's mobile, for messages about the booking.");

const example: Static<typeof StaffBooking> = {
  id: '8f14e45f-ceea-467f-ab5d-24c1c0b8f3a7',
  branch_id: '3c9d6889-9a7d-5e67-9510-16bb3223eb2b',
  status: 'confirmed',
  revision: 1,
  service_date: '2026-12-04',
  starts_at: '2026-12-04T17:00:00.000Z',
  ends_at: '2026-12-04T18:30:00.000Z',
  party_size: 4,
  guest_name: 'منى السيد',
  guest_phone: '201001234567',
  phone_proven: false,
  language: 'ar',
  source: 'phone',
  notes: null,
  tables: [{ id: '5b0c7a4e-3f1d-4c6a-9a55-0e3c2f7d8b01', label: '7' }],
  tables_chosen: false,
  created_at: '2026-12-03T12:00:00.000Z',
  seated_at: null,
  ended_at: null,
  cancelled_by: null,
  actions: ['seat', 'move', 'change', 'no_show', 'cancel'],
};

const seated: Static<typeof StaffBooking> = {
  ...example,
  ...{ status: 'seated', revision: 2, seated_at: '2026-12-04T17:05:00.000Z' },
  actions: ['move', 'change', 'complete', 'cancel'],
};

const ended = (status: 'completed' | 'no_show' | 'cancelled'): Static<typeof StaffBooking> => ({
  ...example,
  ...{ status, revision: 2, tables: [], ended_at: '2026-12-04T18:20:00.000Z', actions: [] },
  cancelled_by: status === 'cancelled' ? 'staff' : null,
});

export const cancelStaffBooking = restricted(
  { by: 'staff', permission: 'bookings.cancel' },
  endpoint({
    ...common,
    id: 'cancelStaffBooking',
    method: 'POST',
    path: '/staff/bookings/{id}/cancel',
    summary: 'Cancels a booking that is confirmed or seated',
    description: 'The guest is told. A booking that is cancelled already is answered with 200 again.',
    params: bookingId,
    query: {},
    body: Type.Object(
      {
        revision,
        note: optionalNullable(Type.String({ maxLength: 500, description: 'For the audit log.' })),
      },
      strict,
    ),
    reply: StaffBooking,
    refusals: CHANGE_REFUSALS,
    examples: { cancelled: { body: { revision: 1 }, reply: ended('cancelled') } },
  }),
);

export const changeStaffBooking = restricted(
  { by: 'staff', permission: 'bookings.manage' },
  endpoint({
    ...common,
    id: 'changeStaffBooking',
    method: 'PATCH',
    path: '/staff/bookings/{id}',
    summary: 'Changes time, party, guest or notes of a booking',
    description:
      'What is left out stays as it is. With another time or party it gets tables anew, its chosen ones where they are ' +
      'free. Of guests who are seated the start cannot be changed.',
    params: bookingId,
    query: {},
    body: Type.Object(
      {
        revision,
        starts_at: Type.Optional(MomentInput('A moment with its offset.')),
        duration_minutes: Type.Optional(minutes),
        party_size: Type.Optional(partySize),
        guest_name: Type.Optional(guestName),
        phone: optionalNullable(phone),
        notes: optionalNullable(notes),
      },
      strict,
    ),
    reply: StaffBooking,
    refusals: [...CHANGE_REFUSALS, 'SLOT_TAKEN'],
    examples: {
      'one guest more': {
        body: { revision: 1, party_size: 5 },
        reply: { ...example, revision: 2, party_size: 5 },
      },
    },
  }),
);

export const completeBooking = restricted(
  { by: 'staff', permission: 'bookings.manage' },
  endpoint({
    ...common,
    id: 'completeBooking',
    method: 'POST',
    path: '/staff/bookings/{id}/complete',
    summary: 'The seated guests have left; their tables are free',
    params: bookingId,
    query: {},
    body: Type.Object({ revision }, strict),
    reply: StaffBooking,
    refusals: CHANGE_REFUSALS,
    examples: { completed: { body: { revision: 2 }, reply: { ...ended('completed'), revision: 3 } } },
  }),
);

export const createStaffBooking = restricted(
  { by: 'staff', permission: 'bookings.manage' },
  endpoint({
    ...common,
    id: 'createStaffBooking',
    method: 'POST',
    path: '/staff/bookings',
    summary: 'Books a table for guests who call, or seats guests who come without a booking',
    description:
      "Neither the branch's starts, lead time and party bounds nor covers, holds and blocks of the whole branch bind the " +
      'staff; tables do. Guests who come (`walk_in`) are seated now, first at tables that cannot be booked. With an ' +
      '`Idempotency-Key` it can be repeated safely.',
    params: {},
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        branch_id: IdInput("The branch's id."),
        source: Word(['phone', 'walk_in']),
        starts_at: Type.Optional(
          MomentInput('A moment with its offset; needed but for guests who are here.'),
        ),
        duration_minutes: Type.Optional(minutes),
        party_size: partySize,
        guest_name: guestName,
        phone: optionalNullable(phone),
        locale: optionalNullable(
          Word(['ar', 'en'], { description: 'The language of messages to the guest.' }),
        ),
        notes: optionalNullable(notes),
        table_ids: chosenTables,
      },
      strict,
    ),
    status: 201,
    repeatable: true,
    reply: StaffBooking,
    refusals: ['NOT_FOUND', 'SLOT_TAKEN'],
    examples: {
      'a guest who called': {
        body: {
          branch_id: example.branch_id,
          source: 'phone',
          starts_at: '2026-12-04T19:00:00+02:00',
          party_size: 4,
          guest_name: 'منى السيد',
          phone: '0100 123 4567',
        },
        reply: example,
      },
      'guests who came': {
        body: { branch_id: example.branch_id, source: 'walk_in', party_size: 4, guest_name: 'طاولة الشباك' },
        reply: { ...seated, revision: 1, source: 'walk_in', guest_name: 'طاولة الشباك', guest_phone: null },
      },
    },
  }),
);

export const getStaffBooking = restricted(
  { by: 'staff', permission: 'bookings.read' },
  endpoint({
    ...common,
    id: 'getStaffBooking',
    method: 'GET',
    path: '/staff/bookings/{id}',
    summary: 'One booking',
    params: bookingId,
    query: {},
    reply: StaffBooking,
    refusals: ['NOT_FOUND'],
    examples: { 'a guest who called': { reply: example } },
  }),
);

export const listStaffBookings = restricted(
  { by: 'staff', permission: 'bookings.read' },
  endpoint({
    ...common,
    id: 'listStaffBookings',
    method: 'GET',
    path: '/staff/bookings',
    summary: 'The bookings of a branch on a service date, with its tables and blocked times',
    params: {},
    query: {
      branch_id: required(uuidScalar, "The branch's id."),
      date: required(dateScalar, 'The date on which the service began: after midnight it is still the same.'),
    },
    reply: BookingDay,
    refusals: ['NOT_FOUND'],
    examples: {
      'an evening': {
        reply: {
          date: '2026-12-04',
          timezone: 'Africa/Cairo',
          hold_minutes: 15,
          tables: [
            {
              ...{ id: '5b0c7a4e-3f1d-4c6a-9a55-0e3c2f7d8b01', label: '7', section: null },
              ...{ seats_min: 1, seats_max: 4, bookable: true },
            },
          ],
          bookings: [example],
          blocks: [],
        },
      },
    },
  }),
);

export const markNoShow = restricted(
  { by: 'staff', permission: 'bookings.manage' },
  endpoint({
    ...common,
    id: 'markNoShow',
    method: 'POST',
    path: '/staff/bookings/{id}/no-show',
    summary: 'The guests of a confirmed booking, whose start is past, did not come; their tables are free',
    params: bookingId,
    query: {},
    body: Type.Object({ revision }, strict),
    reply: StaffBooking,
    refusals: [...CHANGE_REFUSALS, 'BOOKING_NOT_BEGUN'],
    examples: { 'did not come': { body: { revision: 1 }, reply: ended('no_show') } },
  }),
);

export const moveBooking = restricted(
  { by: 'staff', permission: 'bookings.manage' },
  endpoint({
    ...common,
    id: 'moveBooking',
    method: 'POST',
    path: '/staff/bookings/{id}/tables',
    summary: 'Gives a booking other tables',
    description:
      'Whatever their seats: the staff know their chairs. The booking keeps its tables; with no table named the service ' +
      'chooses them, and may move it again. The open bills of guests who are seated go with them. Where no table is left ' +
      'to one of these bills, it is `TABLE_TAKEN` if one of the tables has a bill of others, else `BILLS_TO_MERGE` if the ' +
      'bill pays service; a bill that pays none is at no table.',
    params: bookingId,
    query: {},
    body: Type.Object({ revision, table_ids: tableIds }, strict),
    reply: StaffBooking,
    refusals: [...CHANGE_REFUSALS, 'SLOT_TAKEN', 'TABLE_TAKEN', 'BILLS_TO_MERGE'],
    examples: {
      'to table 7': {
        body: { revision: 1, table_ids: ['5b0c7a4e-3f1d-4c6a-9a55-0e3c2f7d8b01'] },
        reply: { ...example, revision: 2, tables_chosen: true },
      },
    },
  }),
);

export const seatBooking = restricted(
  { by: 'staff', permission: 'bookings.manage' },
  endpoint({
    ...common,
    id: 'seatBooking',
    method: 'POST',
    path: '/staff/bookings/{id}/seat',
    summary: 'The guests of a confirmed booking are here',
    description:
      'At the tables named, else at their own, else at others that are free. Guests who come early take their tables from ' +
      'now on.',
    params: bookingId,
    query: {},
    body: Type.Object({ revision, table_ids: chosenTables }, strict),
    reply: StaffBooking,
    refusals: [...CHANGE_REFUSALS, 'SLOT_TAKEN', 'TOO_EARLY_TO_SEAT'],
    examples: { seated: { body: { revision: 1 }, reply: seated } },
  }),
);
