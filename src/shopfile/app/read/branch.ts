/** Branches: what they are, their channels, delivery zones, tables and booking desk. */
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { polygonFault } from '../../domain/polygon.ts';
import { ONLINE_CHANNELS, type OnlineChannel } from '../../../shops/domain/shop.ts';
import { isZone, parseWallTime } from '../../../kernel/time.ts';
import { joinId } from '../identity.ts';
import { mainText, nameColumns, otherTexts } from '../localized.ts';
import { checkLanguage } from '../register.ts';
import { readDated, readWeekly } from './hours.ts';
import {
  hasDecimals,
  reportRepeats,
  resolveEach,
  type BranchEntry,
  type Entry,
  type Reading,
} from './reading.ts';
import { momentOf } from '../moments.ts';
import { readBooking } from './booking.ts';

type ChannelEntry = NonNullable<NonNullable<BranchEntry['channels']>[OnlineChannel]>;
type ZoneEntry = Entry<NonNullable<BranchEntry['delivery_zones']>>;

/** What holds where a branch says nothing (Decisions 1, 4, 8). */
export const BRANCH_DEFAULTS = {
  time_zone: 'Africa/Cairo',
  day_starts_at: '05:00',
  base_prep_minutes: 20,
  road_factor: 1.3,
} as const;

export const readBranches = (reading: Reading): void => {
  const { file, faults, register } = reading;
  for (const [index, branch] of file.branches.entries()) {
    const path = entryPath('branches', index);
    const id = register.idAt(path);
    readBranch(reading, branch, path, id);
    readChannels(reading, branch, path, id);
    readZones(reading, branch, path, id);
    readTables(reading, branch, path, id);
    readBooking(reading, branch, path, id);
  }
  reportRepeats(
    file.branches,
    ({ code }) => code,
    (index, first) =>
      faults.rule(
        entryPath('branches', index),
        'code',
        `is also the code of ${entryPath('branches', first)}`,
      ),
  );
};

const checkBranch = ({ faults, main }: Reading, branch: BranchEntry, path: string): void => {
  checkLanguage(branch.name, path, 'name', main, faults);
  checkLanguage(branch.address, path, 'address', main, faults);
  if (branch.time_zone !== undefined && !isZone(branch.time_zone))
    faults.rule(path, 'time_zone', `names no time zone: ‘${branch.time_zone}’; write it as in Africa/Cairo`);
  const rates = [
    ['tax', branch.tax?.rate],
    ['service_charge', branch.service_charge?.rate],
  ] as const;
  for (const [field, rate] of rates)
    if (rate !== undefined && !hasDecimals(rate, 6))
      faults.rule(fieldPath(path, field), 'rate', 'must have at most six decimals');
  if (branch.road_factor !== undefined && !hasDecimals(branch.road_factor, 2))
    faults.rule(path, 'road_factor', 'must have at most two decimals');
};

const readBranch = (reading: Reading, branch: BranchEntry, path: string, id: Uuid): void => {
  const { main, rows } = reading;
  checkBranch(reading, branch, path);
  rows.branch.push({
    id,
    ...nameColumns(branch.name, main),
    code: branch.code,
    address: branch.address === undefined ? null : mainText(branch.address, main),
    address_translations: branch.address === undefined ? {} : otherTexts(branch.address, main),
    phone: branch.phone ?? null,
    map_url: branch.map_url ?? null,
    lat: branch.location?.lat ?? null,
    lng: branch.location?.lng ?? null,
    time_zone: branch.time_zone ?? BRANCH_DEFAULTS.time_zone,
    day_starts_at: parseWallTime(branch.day_starts_at ?? BRANCH_DEFAULTS.day_starts_at) ?? 0,
    is_active: branch.active ?? true,
    otp_required: branch.otp_required ?? true,
    in_mall_require_location: branch.in_mall_require_location ?? true,
    online_needs_open_till: branch.online_needs_open_till ?? false,
    accepts_table_orders: branch.accepts_table_orders ?? true,
    tax_rate: (branch.tax?.rate ?? 0).toFixed(6),
    tax_inclusive: branch.tax?.inclusive ?? true,
    service_charge_rate: (branch.service_charge?.rate ?? 0).toFixed(6),
    service_charge_taxable: branch.service_charge?.taxable ?? false,
    delivery_fee_taxable: branch.delivery_fee_taxable ?? false,
    base_prep_minutes: branch.base_prep_minutes ?? BRANCH_DEFAULTS.base_prep_minutes,
    auto_reject_minutes: branch.auto_reject_minutes ?? null,
    road_factor: (branch.road_factor ?? BRANCH_DEFAULTS.road_factor).toFixed(2),
    archived_at: null,
  });
};

const hasEntries = (...lists: readonly (readonly unknown[] | undefined)[]): boolean =>
  lists.some((list) => list !== undefined && list.length > 0);

/** An enabled channel that could never open is a mistake, and so are dates that change hours it does not have. */
const checkChannel = (reading: Reading, branch: BranchEntry, channel: ChannelEntry, path: string): void => {
  const { faults } = reading;
  const ownHours = channel.hours !== undefined;
  if (channel.dated_hours !== undefined && !ownHours)
    faults.rule(
      path,
      'dated_hours',
      'needs `hours` of the channel’s own; the branch has `online_dated_hours`',
    );
  const opens = ownHours
    ? hasEntries(channel.hours, channel.dated_hours)
    : hasEntries(branch.online_hours, branch.online_dated_hours);
  if ((channel.enabled ?? true) && !opens)
    faults.rule(
      path,
      'hours',
      'is missing: the channel is enabled, and neither it nor `online_hours` has hours',
    );
  if (channel.max_distance_meters !== undefined && branch.location === undefined)
    faults.rule(path, 'max_distance_meters', 'needs the branch’s `location`');
};

const readChannels = (reading: Reading, branch: BranchEntry, path: string, branchId: Uuid): void => {
  readWeekly(reading, branchId, 'online', branch.online_hours ?? [], fieldPath(path, 'online_hours'));
  readDated(
    reading,
    branchId,
    'online',
    branch.online_dated_hours ?? [],
    fieldPath(path, 'online_dated_hours'),
  );
  for (const name of ONLINE_CHANNELS) {
    const channel = branch.channels?.[name];
    if (channel === undefined) continue;
    const at = `${path}.channels.${name}`;
    checkChannel(reading, branch, channel, at);
    readWeekly(reading, branchId, name, channel.hours ?? [], fieldPath(at, 'hours'));
    readDated(reading, branchId, name, channel.dated_hours ?? [], fieldPath(at, 'dated_hours'));
    reading.rows.branch_channel.push({
      branch_id: branchId,
      channel: name,
      enabled: channel.enabled ?? true,
      own_hours: channel.hours !== undefined,
      mode: channel.state?.mode ?? 'auto',
      mode_until: momentOf(channel.state?.until),
      flat_fee: channel.fee ?? 0,
      max_distance_meters: channel.max_distance_meters ?? null,
    });
  }
};

const checkZone = ({ faults, main }: Reading, branch: BranchEntry, zone: ZoneEntry, path: string): void => {
  checkLanguage(zone.name, path, 'name', main, faults);
  if ((zone.radius_meters === undefined) === (zone.polygon === undefined))
    faults.rule(path, '', 'needs `radius_meters` or `polygon`, and not both');
  if (zone.radius_meters !== undefined && branch.location === undefined)
    faults.rule(path, 'radius_meters', 'needs the branch’s `location`');
  const fault = zone.polygon === undefined ? null : polygonFault(zone.polygon);
  if (fault !== null) faults.rule(path, 'polygon', `is no area: ${fault}`);
};

const readZones = (reading: Reading, branch: BranchEntry, path: string, branchId: Uuid): void => {
  for (const [index, zone] of (branch.delivery_zones ?? []).entries()) {
    const at = entryPath(`${path}.delivery_zones`, index);
    checkZone(reading, branch, zone, at);
    reading.rows.delivery_zone.push({
      id: reading.register.idAt(at),
      branch_id: branchId,
      ...nameColumns(zone.name, reading.main),
      kind: zone.polygon === undefined ? 'ring' : 'polygon',
      radius_meters: zone.radius_meters ?? null,
      polygon: zone.polygon ?? null,
      fee: zone.fee,
      archived_at: null,
    });
  }
};

const readTables = (reading: Reading, branch: BranchEntry, path: string, branchId: Uuid): void => {
  const { rows, faults, register } = reading;
  for (const [index, table] of (branch.tables ?? []).entries()) {
    const at = entryPath(`${path}.tables`, index);
    const least = table.seats.min ?? 1;
    if (least > table.seats.max) faults.rule(fieldPath(at, 'seats'), 'min', 'is more than `max`');
    rows.dining_table.push({
      id: register.idAt(at),
      branch_id: branchId,
      label: table.label,
      section: table.section ?? null,
      seats_min: least,
      seats_max: table.seats.max,
      bookable: table.bookable ?? true,
      archived_at: null,
    });
  }
  for (const [index, join] of (branch.table_joins ?? []).entries())
    readJoin(reading, join, entryPath(`${path}.table_joins`, index), branchId);
};

/** Tables of this branch alone can be pushed together. */
const readJoin = (reading: Reading, references: readonly string[], path: string, branchId: Uuid): void => {
  const { rows, faults, register } = reading;
  const tables = resolveEach(reading, 'table', references, path, branchId);
  const ids = tables.map((table) => table.id).sort();
  const id = joinId(register.shopId, branchId, ids);
  if (tables.length < references.length) return;
  if (rows.table_join.some((join) => join.id === id)) faults.rule(path, '', 'is there twice');
  else rows.table_join.push({ id, branch_id: branchId, table_ids: ids });
};
