import Type from 'typebox';
import { NEEDS_TILL } from '../../shops/domain/shop.ts';
import {
  strict,
  text,
  localText,
  integer,
  money,
  reference,
  word,
  wallTime,
  date,
  moment,
  httpsUrl,
  rate,
  optional,
  identity,
  weekdays,
} from './values.ts';

const HoursEntry = Type.Object(
  { days: optional(weekdays), open: wallTime, close: wallTime },
  {
    ...strict,
    description:
      'Days left out: every day. A close at or before open is past midnight; equal is round the clock.',
  },
);
const DatedEntry = Type.Object(
  {
    from: date,
    to: optional(date),
    hours: Type.Array(Type.Object({ open: wallTime, close: wallTime }, strict), {
      description: 'Empty: closed.',
    }),
    note: optional(text(200)),
  },
  strict,
);
const hours = Type.Array(HoursEntry, { maxItems: 70 });
const datedHours = Type.Array(DatedEntry, { maxItems: 400 });

const ChannelEntry = Type.Object(
  {
    enabled: optional(Type.Boolean({ default: true })),
    hours: optional(hours),
    dated_hours: optional(datedHours),
    fee: optional(money('Piastres: the flat fee; for `outside` the fee where no zone decides.')),
    max_distance_meters: optional(integer(1, 1_000_000)),
    state: optional(
      Type.Object(
        { mode: word(['auto', 'open', 'closed']), until: optional(moment) },
        {
          ...strict,
          description: 'Running state: set when the import creates the channel, or with --state.',
        },
      ),
    ),
  },
  strict,
);

const Zone = Type.Object(
  {
    ...identity,
    name: localText(120),
    fee: money(),
    radius_meters: optional(integer(1, 1_000_000)),
    polygon: optional(
      Type.Unsafe<unknown>({ type: 'object', description: 'GeoJSON Polygon or MultiPolygon.' }),
    ),
  },
  { ...strict, description: 'Exactly one of radius_meters and polygon.' },
);

const Table = Type.Object(
  {
    ...identity,
    label: text(40),
    section: optional(text(80)),
    seats: Type.Object({ min: optional(integer(1, 100)), max: integer(1, 100) }, strict),
    bookable: optional(Type.Boolean({ default: true })),
  },
  strict,
);

const Station = Type.Object(
  {
    ...identity,
    name: localText(80),
    categories: optional(Type.Array(reference('a category'), { maxItems: 200, uniqueItems: true })),
    items: optional(Type.Array(reference('an item'), { maxItems: 1000, uniqueItems: true })),
  },
  {
    ...strict,
    description: 'What it makes: items before categories. What no station names goes to the first.',
  },
);

const Booking = Type.Object(
  {
    enabled: optional(Type.Boolean({ default: false })),
    hours: optional(hours),
    dated_hours: optional(datedHours),
    slot_minutes: optional(
      Type.Unsafe<15 | 20 | 30 | 45 | 60>({ type: 'integer', enum: [15, 20, 30, 45, 60] }),
    ),
    default_duration_minutes: optional(integer(15, 600)),
    min_party: optional(integer(1, 1000)),
    max_party: optional(integer(1, 1000)),
    lead_time_minutes: optional(integer(0, 43_200)),
    horizon_days: optional(integer(0, 365)),
    hold_minutes: optional(integer(0, 240)),
    auto_no_show_minutes: optional(
      Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 1440 }),
    ),
    reminder_lead_minutes: optional(
      Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 10_080 }),
    ),
    require_otp: optional(Type.Boolean({ default: true })),
    max_covers_per_slot: optional(integer(1, 10_000)),
    blackout_dates: optional(Type.Array(date, { maxItems: 400 })),
  },
  strict,
);

export const Branch = Type.Object(
  {
    ...identity,
    name: localText(120),
    code: Type.String({ pattern: '^[A-Z0-9]{1,8}$' }),
    active: optional(Type.Boolean({ default: true })),
    address: optional(localText(500)),
    phone: optional(text(32)),
    map_url: optional(httpsUrl),
    location: optional(
      Type.Object(
        {
          lat: Type.Number({ minimum: -90, maximum: 90 }),
          lng: Type.Number({ minimum: -180, maximum: 180 }),
        },
        strict,
      ),
    ),
    time_zone: optional(text(64)),
    day_starts_at: optional(wallTime),
    otp_required: optional(Type.Boolean({ default: true })),
    in_mall_require_location: optional(Type.Boolean({ default: true })),
    online_needs_open_till: optional(Type.Boolean({ default: false })),
    accepts_table_orders: optional(Type.Boolean({ default: true })),
    tax: optional(Type.Object({ rate, inclusive: Type.Boolean() }, strict)),
    service_charge: optional(
      Type.Object({ rate, taxable: optional(Type.Boolean({ default: false })) }, strict),
    ),
    delivery_fee_taxable: optional(Type.Boolean({ default: false })),
    base_prep_minutes: optional(integer(0, 600)),
    learns_prep_minutes: optional(
      Type.Boolean({
        default: false,
        description: 'The estimate follows what the kitchen took lately, instead of `base_prep_minutes`.',
      }),
    ),
    auto_reject_minutes: optional(integer(1, 1440)),
    confirm_table_orders: optional(Type.Boolean({ default: false })),
    kitchen_moves_orders: optional(Type.Boolean({ default: true })),
    sales_need_till: optional(word(NEEDS_TILL)),
    staff_drinks_per_day: optional(integer(0, 100)),
    road_factor: optional(Type.Number({ minimum: 1, maximum: 5 })),
    online_hours: optional(hours),
    online_dated_hours: optional(datedHours),
    channels: optional(
      Type.Object(
        {
          pickup: optional(ChannelEntry),
          outside: optional(ChannelEntry),
          in_mall: optional(ChannelEntry),
          umbrella: optional(ChannelEntry),
        },
        strict,
      ),
    ),
    delivery_zones: optional(Type.Array(Zone, { maxItems: 200 })),
    tables: optional(Type.Array(Table, { maxItems: 500 })),
    table_joins: optional(
      Type.Array(
        Type.Array(reference('a table of this branch'), { minItems: 2, maxItems: 12, uniqueItems: true }),
        {
          maxItems: 100,
          description: 'Groups of tables; any two or more of a group may be pushed together.',
        },
      ),
    ),
    stations: optional(Type.Array(Station, { maxItems: 20 })),
    booking: optional(Booking),
  },
  strict,
);
