import { formatWallTime, isoInstant } from '../../../kernel/time.ts';
import { ONLINE_CHANNELS } from '../../../shops/domain/shop.ts';
import { WEEKDAYS } from '../../contract/shopfile.ts';
import type { Row } from '../../store/tables.ts';
import { writtenText } from '../localized.ts';
import { BOOKING_DEFAULTS, BOOKING_HOURS } from '../read/booking.ts';
import { BRANCH_DEFAULTS } from '../read/branch.ts';
import type { DatedEntries, HoursEntries, Service } from '../read/hours.ts';
import type { BranchEntry } from '../read/reading.ts';
import { canonical } from '../stored.ts';
import { given, isLiveRow, listed, named, unless, type Writing } from './writing.ts';

type Branch = Row<'branch'>;
type Mode = NonNullable<NonNullable<NonNullable<BranchEntry['channels']>['pickup']>['state']>['mode'];

/** Days with the same hours stand together, in the order in which they first occur in the week. */
const writeWeekly = ({ rows }: Writing, branch: Branch, service: Service): HoursEntries => {
  const own = rows.opening_hours
    .filter((row) => row.branch_id === branch.id && row.service === service)
    .sort((a, b) => a.dow - b.dow || a.opens - b.opens);
  const days = new Map<string, number[]>();
  for (const { dow, opens, closes } of own) {
    const range = `${formatWallTime(opens)} ${formatWallTime(closes)}`;
    days.set(range, [...(days.get(range) ?? []), dow]);
  }
  return [...days].map(([range, dows]) => {
    const [open = '', close = ''] = range.split(' ');
    const all = dows.length === WEEKDAYS.length;
    return { ...listed('days', all ? [] : WEEKDAYS.filter((_, dow) => dows.includes(dow))), open, close };
  });
};

const isRange = (value: unknown): value is { open: number; close: number } =>
  typeof value === 'object' && value !== null && 'open' in value && 'close' in value;

const writeDated = ({ rows }: Writing, branch: Branch, service: Service): DatedEntries =>
  rows.dated_hours
    .filter((row) => row.branch_id === branch.id && row.service === service)
    .sort((a, b) => a.sort - b.sort)
    .map((row) => ({
      from: row.from_date,
      ...unless(row.from_date, 'to', row.to_date),
      hours: (Array.isArray(row.ranges) ? row.ranges : [])
        .filter(isRange)
        .map(({ open, close }) => ({ open: formatWallTime(open), close: formatWallTime(close) })),
      ...given('note', row.note),
    }));

const MODES: readonly Mode[] = ['auto', 'open', 'closed'];

const writeChannels = (writing: Writing, branch: Branch): BranchEntry['channels'] | null => {
  const written = ONLINE_CHANNELS.flatMap((channel) => {
    const row = writing.rows.branch_channel.find(
      (other) => other.branch_id === branch.id && other.channel === channel,
    );
    if (row === undefined) return [];
    const mode = MODES.find((known) => known === row.mode) ?? 'auto';
    const state = { mode, ...given('until', row.mode_until === null ? null : isoInstant(row.mode_until)) };
    const entry = {
      ...unless(true, 'enabled', row.enabled),
      ...given('hours', row.own_hours ? writeWeekly(writing, branch, channel) : null),
      ...listed('dated_hours', row.own_hours ? writeDated(writing, branch, channel) : []),
      ...unless(0, 'fee', row.flat_fee),
      ...given('max_distance_meters', row.max_distance_meters),
      ...given('state', mode === 'auto' && row.mode_until === null ? null : state),
    };
    return [[channel, entry] as const];
  });
  return written.length === 0 ? null : Object.fromEntries(written);
};

const writeZones = ({ rows, main }: Writing, branch: Branch): NonNullable<BranchEntry['delivery_zones']> =>
  named(rows.delivery_zone.filter((zone) => zone.branch_id === branch.id)).map((zone) => ({
    id: zone.id,
    name: writtenText(zone.name, zone.name_translations, main),
    fee: zone.fee,
    ...given('radius_meters', zone.radius_meters),
    ...given('polygon', zone.polygon),
  }));

const liveTables = ({ rows }: Writing, branch: Branch): Row<'dining_table'>[] =>
  rows.dining_table
    .filter((table) => table.branch_id === branch.id && isLiveRow(table))
    .sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }) || (a.id < b.id ? -1 : 1));

const writeTables = (writing: Writing, branch: Branch): NonNullable<BranchEntry['tables']> =>
  liveTables(writing, branch).map((table) => ({
    id: table.id,
    label: table.label,
    ...given('section', table.section),
    seats: { ...unless(1, 'min', table.seats_min), max: table.seats_max },
    ...unless(true, 'bookable', table.bookable),
  }));

const writeJoins = (writing: Writing, branch: Branch): string[][] => {
  const order = liveTables(writing, branch).map(({ id }) => id);
  return writing.rows.table_join
    .filter((join) => join.branch_id === branch.id && join.table_ids.every((id) => writing.isLive(id)))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((join) => order.filter((id) => join.table_ids.includes(id)).map((id) => writing.refer(id)));
};

const writeBooking = (writing: Writing, branch: Branch): BranchEntry['booking'] | null => {
  const settings = writing.rows.booking_settings.find((row) => row.branch_id === branch.id);
  if (settings === undefined) return null;
  const hours = writeWeekly(writing, branch, 'booking');
  const dated = writeDated(writing, branch, 'booking');
  const fields = {
    ...unless(BOOKING_DEFAULTS.enabled, 'enabled', settings.enabled),
    ...given('hours', canonical(hours) === canonical(BOOKING_HOURS) ? null : hours),
    ...listed('dated_hours', dated),
    ...unless<'slot_minutes', number>(BOOKING_DEFAULTS.slot_minutes, 'slot_minutes', settings.slot_minutes),
    ...unless(
      BOOKING_DEFAULTS.default_duration_minutes,
      'default_duration_minutes',
      settings.default_duration_minutes,
    ),
    ...unless(BOOKING_DEFAULTS.min_party, 'min_party', settings.min_party),
    ...unless(BOOKING_DEFAULTS.max_party, 'max_party', settings.max_party),
    ...unless(BOOKING_DEFAULTS.lead_time_minutes, 'lead_time_minutes', settings.lead_time_minutes),
    ...unless(BOOKING_DEFAULTS.horizon_days, 'horizon_days', settings.horizon_days),
    ...unless(BOOKING_DEFAULTS.hold_minutes, 'hold_minutes', settings.hold_minutes),
    ...nullable(BOOKING_DEFAULTS.auto_no_show_minutes, 'auto_no_show_minutes', settings.auto_no_show_minutes),
    ...nullable(
      BOOKING_DEFAULTS.reminder_lead_minutes,
      'reminder_lead_minutes',
      settings.reminder_lead_minutes,
    ),
    ...unless(BOOKING_DEFAULTS.require_otp, 'require_otp', settings.require_otp),
    ...given('max_covers_per_slot', settings.max_covers_per_slot),
    ...listed('blackout_dates', [...settings.blackout_dates].sort()),
  };
  return Object.keys(fields).length === 0 ? null : (fields as BranchEntry['booking']);
};

/** A field whose null means something: never. */
const nullable = <K extends string>(
  standard: number,
  field: K,
  value: number | null,
): Partial<Record<K, number | null>> => {
  const fields: Partial<Record<K, number | null>> = {};
  if (value !== standard) fields[field] = value;
  return fields;
};

const writeService = (branch: Branch): BranchEntry['service_charge'] | null => {
  const rate = Number(branch.service_charge_rate);
  if (rate === 0 && !branch.service_charge_taxable) return null;
  return { rate, ...unless(false, 'taxable', branch.service_charge_taxable) };
};

const writeBranch = (writing: Writing, branch: Branch): BranchEntry => ({
  id: branch.id,
  name: writtenText(branch.name, branch.name_translations, writing.main),
  code: branch.code,
  ...unless(true, 'active', branch.is_active),
  ...given(
    'address',
    branch.address === null ? null : writtenText(branch.address, branch.address_translations, writing.main),
  ),
  ...given('phone', branch.phone),
  ...given('map_url', branch.map_url),
  ...given(
    'location',
    branch.lat === null || branch.lng === null ? null : { lat: branch.lat, lng: branch.lng },
  ),
  time_zone: branch.time_zone,
  day_starts_at: formatWallTime(branch.day_starts_at),
  ...unless(true, 'otp_required', branch.otp_required),
  ...unless(true, 'in_mall_require_location', branch.in_mall_require_location),
  ...unless(false, 'online_needs_open_till', branch.online_needs_open_till),
  ...unless(true, 'accepts_table_orders', branch.accepts_table_orders),
  tax: { rate: Number(branch.tax_rate), inclusive: branch.tax_inclusive },
  ...given('service_charge', writeService(branch)),
  ...unless(false, 'delivery_fee_taxable', branch.delivery_fee_taxable),
  base_prep_minutes: branch.base_prep_minutes,
  ...given('auto_reject_minutes', branch.auto_reject_minutes),
  ...unless<'road_factor', number>(BRANCH_DEFAULTS.road_factor, 'road_factor', Number(branch.road_factor)),
  ...listed('online_hours', writeWeekly(writing, branch, 'online')),
  ...listed('online_dated_hours', writeDated(writing, branch, 'online')),
  ...given('channels', writeChannels(writing, branch)),
  ...listed('delivery_zones', writeZones(writing, branch)),
  ...listed('tables', writeTables(writing, branch)),
  ...listed('table_joins', writeJoins(writing, branch)),
  ...given('booking', writeBooking(writing, branch)),
});

/** Branches by name, as they are shown (Decisions 1). */
export const writeBranches = (writing: Writing): BranchEntry[] =>
  named(writing.rows.branch).map((branch) => writeBranch(writing, branch));
