/** Where and how a table can be booked (Decisions 2; Shapes, PublicBookingInfo, PublicBookingBranch). */
import Type from 'typebox';
import { endpoint, required } from '../../platform/contract/endpoint.ts';
import {
  DateText,
  Flag,
  Int32,
  nullable,
  Text,
  TranslationsMap,
  UuidText,
  uuidScalar,
  WALL_TIME_PATTERN,
} from '../../platform/contract/scalars.ts';

const WallTime = (description: string) =>
  Type.String({ pattern: WALL_TIME_PATTERN, description, examples: ['18:00'] });

/** Shapes, HoursEntry. */
export const HoursEntry = Type.Object({
  dow: Int32({ minimum: 0, maximum: 6, description: '0 is Sunday.' }),
  open: WallTime("On the branch's clock."),
  close: WallTime('At or before `open`: after midnight.'),
});

/** Shapes, PublicBookingInfo. */
export const PublicBookingInfo = Type.Object({
  branch_id: UuidText(),
  branch_name: Text(),
  branch_name_translations: Type.Optional(TranslationsMap),
  org_id: UuidText(),
  org_name: Text(),
  address: nullable(Text()),
  address_translations: Type.Optional(TranslationsMap),
  phone: nullable(
    Text({
      description:
        'Of the branch. Null, as are address and directions, also where no tables can be booked and the links page ' +
        'hides the branches.',
      examples: ['+20227350000'],
    }),
  ),
  directions_url: nullable(
    Text({
      description: 'A map link, else a search on coordinates, else on the address; null when none exist.',
    }),
  ),
  enabled: Flag({ description: 'Whether tables can be booked here.' }),
  timezone: Text({ description: "The branch's IANA time zone.", examples: ['Africa/Cairo'] }),
  slot_minutes: Int32({ description: 'Minutes from one start to the next.' }),
  default_duration_minutes: Int32({ description: 'Minutes of a stay.' }),
  min_party: Int32(),
  max_party: Int32(),
  lead_time_minutes: Int32({ description: 'A table is booked at least so many minutes before.' }),
  horizon_days: Int32({ description: 'The last date that can be booked is so many days after `today`.' }),
  hold_minutes: Int32({
    minimum: 0,
    description: 'How many minutes after its start the table is kept for guests who are late.',
  }),
  require_otp: Flag({ description: 'Whether a booking needs a `device_token`.' }),
  hours: Type.Array(HoursEntry, {
    description: 'By weekday and opening; dated exceptions are in the slots.',
  }),
  blackout_dates: Type.Array(DateText(), { description: 'Dates without bookings.' }),
  closed_dates: Type.Array(DateText(), {
    description:
      'From `today` to the horizon, every date without a start: closed on that weekday, by an exception, or a blackout ' +
      'date. Additive.',
  }),
  today: DateText({ description: 'The date of the service that runs now.' }),
});

/** Shapes, PublicBookingBranch. */
export const PublicBookingBranch = Type.Object({
  id: UuidText(),
  name: Text(),
  name_translations: Type.Optional(TranslationsMap),
  code: Text(),
});

const common = { tag: 'Booking', cache: 'no-cache', limit: 'booking_and_loyalty_reads' } as const;

const BRANCH = '3c9d6889-9a7d-5e67-9510-16bb3223eb2b';

export const getBookingInfo = endpoint({
  ...common,
  id: 'getBookingInfo',
  method: 'GET',
  path: '/public/branches/{id}/booking-info',
  summary: "A branch's bounds for bookings; also where bookings are off",
  params: { id: { scalar: uuidScalar, description: "The branch's id." } },
  query: {},
  reply: PublicBookingInfo,
  refusals: ['NOT_FOUND'],
  examples: {
    'a restaurant': {
      reply: {
        ...{ branch_id: BRANCH, branch_name: 'الزمالك', branch_name_translations: { en: 'Zamalek' } },
        ...{ org_id: '3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10', org_name: 'ليالي', enabled: true },
        ...{ address: '١٢ شارع البرازيل، الزمالك', phone: '+20227350000' },
        directions_url: 'https://www.google.com/maps/search/?api=1&query=30.0626,31.2197',
        ...{ timezone: 'Africa/Cairo', slot_minutes: 30, default_duration_minutes: 90 },
        ...{ min_party: 1, max_party: 12, lead_time_minutes: 60, horizon_days: 30 },
        ...{ hold_minutes: 15, require_otp: true },
        hours: [{ dow: 5, open: '18:00', close: '02:00' }],
        ...{ blackout_dates: [], closed_dates: ['2026-12-06'], today: '2026-12-04' },
      },
    },
  },
});

export const listBookingBranches = endpoint({
  ...common,
  id: 'listBookingBranches',
  method: 'GET',
  path: '/public/booking-branches',
  summary: 'The branches of a shop where tables can be booked, by name',
  params: {},
  query: { org_id: required(uuidScalar, "The shop's id.") },
  reply: Type.Array(PublicBookingBranch),
  refusals: ['NOT_FOUND'],
  examples: {
    'one branch': {
      reply: [{ id: BRANCH, name: 'الزمالك', name_translations: { en: 'Zamalek' }, code: 'ZML' }],
    },
  },
});
