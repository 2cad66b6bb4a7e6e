import { formatWallTime, isoInstant } from '../../../kernel/time.ts';
import { ONLINE_CHANNELS } from '../../../shops/domain/shop.ts';
import { WEEKDAYS } from '../../contract/shopfile.ts';
import type { Row } from '../../store/tables.ts';
import { fieldsFrom, inContractOrder } from '../fields.ts';
import { toLocalText } from '../localized.ts';
import { BOOKING_HOURS } from '../read/booking.ts';
import { BRANCH_DEFAULTS } from '../read/branch.ts';
import type { DatedEntries, HoursEntries, Service } from '../read/hours.ts';
import type { BranchEntry } from '../read/context.ts';
import { canonical } from '../stored-entities.ts';
import { ifPresent, isLiveRow, ifNotEmpty, liveByName, unlessDefault, type WriteContext } from './context.ts';

type Branch = Row<'branch'>;
type Mode = NonNullable<NonNullable<NonNullable<BranchEntry['channels']>['pickup']>['state']>['mode'];

/** Days with equal hours form one entry, in the order of their first day. */
const writeWeekly = ({ rows }: WriteContext, branch: Branch, service: Service): HoursEntries => {
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
    return { ...ifNotEmpty('days', all ? [] : WEEKDAYS.filter((_, dow) => dows.includes(dow))), open, close };
  });
};

const isRange = (value: unknown): value is { open: number; close: number } =>
  typeof value === 'object' && value !== null && 'open' in value && 'close' in value;

const writeDated = ({ rows }: WriteContext, branch: Branch, service: Service): DatedEntries =>
  rows.dated_hours
    .filter((row) => row.branch_id === branch.id && row.service === service)
    .sort((a, b) => a.sort - b.sort)
    .map((row) => ({
      from: row.from_date,
      ...unlessDefault(row.from_date, 'to', row.to_date),
      hours: (Array.isArray(row.ranges) ? row.ranges : [])
        .filter(isRange)
        .map(({ open, close }) => ({ open: formatWallTime(open), close: formatWallTime(close) })),
      ...ifPresent('note', row.note),
    }));

const MODES: readonly Mode[] = ['auto', 'open', 'closed'];

const writeChannels = (context: WriteContext, branch: Branch): BranchEntry['channels'] | null => {
  const written = ONLINE_CHANNELS.flatMap((channel) => {
    const row = context.rows.branch_channel.find(
      (other) => other.branch_id === branch.id && other.channel === channel,
    );
    if (row === undefined) return [];
    const mode = MODES.find((known) => known === row.mode) ?? 'auto';
    const state = {
      mode,
      ...ifPresent('until', row.mode_until === null ? null : isoInstant(row.mode_until)),
    };
    const entry = inContractOrder('branch_channel', {
      ...fieldsFrom('branch_channel', row),
      ...ifPresent('hours', row.own_hours ? writeWeekly(context, branch, channel) : null),
      ...ifNotEmpty('dated_hours', row.own_hours ? writeDated(context, branch, channel) : []),
      ...ifPresent('state', mode === 'auto' && row.mode_until === null ? null : state),
    });
    return [[channel, entry] as const];
  });
  return written.length === 0 ? null : Object.fromEntries(written);
};

const writeZones = (
  { rows, main }: WriteContext,
  branch: Branch,
): NonNullable<BranchEntry['delivery_zones']> =>
  liveByName(rows.delivery_zone.filter((zone) => zone.branch_id === branch.id)).map((zone) => ({
    id: zone.id,
    name: toLocalText(zone.name, zone.name_translations, main),
    ...fieldsFrom('delivery_zone', zone),
    ...ifPresent('polygon', zone.polygon),
  }));

const liveTables = ({ rows }: WriteContext, branch: Branch): Row<'dining_table'>[] =>
  rows.dining_table
    .filter((table) => table.branch_id === branch.id && isLiveRow(table))
    .sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }) || (a.id < b.id ? -1 : 1));

const writeTables = (context: WriteContext, branch: Branch): NonNullable<BranchEntry['tables']> =>
  liveTables(context, branch).map((table) => ({
    id: table.id,
    ...fieldsFrom('dining_table', table),
  }));

const writeJoins = (context: WriteContext, branch: Branch): string[][] => {
  const order = liveTables(context, branch).map(({ id }) => id);
  return context.rows.table_join
    .filter((join) => join.branch_id === branch.id && join.table_ids.every((id) => context.isLive(id)))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((join) => order.filter((id) => join.table_ids.includes(id)).map((id) => context.refer(id)));
};

const writeStations = (context: WriteContext, branch: Branch): NonNullable<BranchEntry['stations']> => {
  const named = (ids: readonly string[]): string[] =>
    ids.filter((id) => context.isLive(id)).map((id) => context.refer(id));
  return context.rows.kitchen_station
    .filter((station) => station.branch_id === branch.id && isLiveRow(station))
    .sort((a, b) => a.sort - b.sort)
    .map((station) => ({
      id: station.id,
      name: toLocalText(station.name, station.name_translations, context.main),
      ...ifNotEmpty('categories', named(station.category_ids)),
      ...ifNotEmpty('items', named(station.item_ids)),
    }));
};

const writeBooking = (context: WriteContext, branch: Branch): BranchEntry['booking'] | null => {
  const settings = context.rows.booking_settings.find((row) => row.branch_id === branch.id);
  if (settings === undefined) return null;
  const hours = writeWeekly(context, branch, 'booking');
  const dated = writeDated(context, branch, 'booking');
  const fields = inContractOrder('booking_settings', {
    ...fieldsFrom('booking_settings', settings),
    ...ifPresent('hours', canonical(hours) === canonical(BOOKING_HOURS) ? null : hours),
    ...ifNotEmpty('dated_hours', dated),
    ...ifNotEmpty('blackout_dates', [...settings.blackout_dates].sort()),
  });
  return Object.keys(fields).length === 0 ? null : (fields as BranchEntry['booking']);
};

const writeService = (branch: Branch): BranchEntry['service_charge'] | null => {
  const rate = Number(branch.service_charge_rate);
  if (rate === 0 && !branch.service_charge_taxable) return null;
  return { rate, ...unlessDefault(false, 'taxable', branch.service_charge_taxable) };
};

const writeBranch = (context: WriteContext, branch: Branch): BranchEntry =>
  inContractOrder('branch', {
    ...fieldsFrom('branch', branch),
    id: branch.id,
    name: toLocalText(branch.name, branch.name_translations, context.main),
    ...ifPresent(
      'address',
      branch.address === null ? null : toLocalText(branch.address, branch.address_translations, context.main),
    ),
    ...ifPresent(
      'location',
      branch.lat === null || branch.lng === null ? null : { lat: branch.lat, lng: branch.lng },
    ),
    day_starts_at: formatWallTime(branch.day_starts_at),
    tax: { rate: Number(branch.tax_rate), inclusive: branch.tax_inclusive },
    ...ifPresent('service_charge', writeService(branch)),
    ...unlessDefault<'road_factor', number>(
      BRANCH_DEFAULTS.road_factor,
      'road_factor',
      Number(branch.road_factor),
    ),
    ...ifNotEmpty('online_hours', writeWeekly(context, branch, 'online')),
    ...ifNotEmpty('online_dated_hours', writeDated(context, branch, 'online')),
    ...ifPresent('channels', writeChannels(context, branch)),
    ...ifNotEmpty('delivery_zones', writeZones(context, branch)),
    ...ifNotEmpty('tables', writeTables(context, branch)),
    ...ifNotEmpty('table_joins', writeJoins(context, branch)),
    ...ifNotEmpty('stations', writeStations(context, branch)),
    ...ifPresent('booking', writeBooking(context, branch)),
  });

/** Sorted by name (Decisions 1). */
export const writeBranches = (context: WriteContext): BranchEntry[] =>
  liveByName(context.rows.branch).map((branch) => writeBranch(context, branch));
