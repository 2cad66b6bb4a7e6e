/** Reads branches with their channels, delivery zones, tables and booking settings. */
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { polygonFault } from '../../domain/polygon.ts';
import { ONLINE_CHANNELS, type OnlineChannel } from '../../../shops/domain/shop.ts';
import { isZone, parseWallTime } from '../../../kernel/time.ts';
import { joinId } from '../entity-ids.ts';
import { mainText, nameColumns, otherTexts } from '../localized.ts';
import { checkLanguage } from '../entity-index.ts';
import { readDated, readWeekly } from './hours.ts';
import {
  hasAtMostDecimals,
  reportDuplicates,
  resolveAll,
  type BranchEntry,
  type Entry,
  type ReadContext,
} from './context.ts';
import { instantOf } from '../instants.ts';
import { columnsFrom } from '../fields.ts';
import { readBooking } from './booking.ts';
import { readStations } from './stations.ts';

type ChannelEntry = NonNullable<NonNullable<BranchEntry['channels']>[OnlineChannel]>;
type ZoneEntry = Entry<NonNullable<BranchEntry['delivery_zones']>>;

/** Defaults (Decisions 1, 4, 8). */
export const BRANCH_DEFAULTS = {
  day_starts_at: '05:00',
  road_factor: 1.3,
} as const;

export const readBranches = (context: ReadContext): void => {
  const { file, faults, entityIndex } = context;
  for (const [index, branch] of file.branches.entries()) {
    const path = entryPath('branches', index);
    const id = entityIndex.idAt(path);
    readBranch(context, branch, path, id);
    readChannels(context, branch, path, id);
    readZones(context, branch, path, id);
    readTables(context, branch, path, id);
    readStations(context, branch, path, id);
    readBooking(context, branch, path, id);
  }
  reportDuplicates(
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

const checkBranch = ({ faults, main }: ReadContext, branch: BranchEntry, path: string): void => {
  checkLanguage(branch.name, path, 'name', main, faults);
  checkLanguage(branch.address, path, 'address', main, faults);
  if (branch.time_zone !== undefined && !isZone(branch.time_zone))
    faults.rule(path, 'time_zone', `names no time zone: ‘${branch.time_zone}’; write it as in Africa/Cairo`);
  const rates = [
    ['tax', branch.tax?.rate],
    ['service_charge', branch.service_charge?.rate],
  ] as const;
  for (const [field, rate] of rates)
    if (rate !== undefined && !hasAtMostDecimals(rate, 6))
      faults.rule(fieldPath(path, field), 'rate', 'must have at most six decimals');
  if (branch.road_factor !== undefined && !hasAtMostDecimals(branch.road_factor, 2))
    faults.rule(path, 'road_factor', 'must have at most two decimals');
};

const readBranch = (context: ReadContext, branch: BranchEntry, path: string, id: Uuid): void => {
  const { main, rows } = context;
  checkBranch(context, branch, path);
  rows.branch.push({
    id,
    ...nameColumns(branch.name, main),
    ...columnsFrom('branch', branch),
    address: branch.address === undefined ? null : mainText(branch.address, main),
    address_translations: branch.address === undefined ? {} : otherTexts(branch.address, main),
    lat: branch.location?.lat ?? null,
    lng: branch.location?.lng ?? null,
    day_starts_at: parseWallTime(branch.day_starts_at ?? BRANCH_DEFAULTS.day_starts_at) ?? 0,
    tax_rate: (branch.tax?.rate ?? 0).toFixed(6),
    tax_inclusive: branch.tax?.inclusive ?? true,
    service_charge_rate: (branch.service_charge?.rate ?? 0).toFixed(6),
    service_charge_taxable: branch.service_charge?.taxable ?? false,
    road_factor: (branch.road_factor ?? BRANCH_DEFAULTS.road_factor).toFixed(2),
    archived_at: null,
  });
};

const hasEntries = (...lists: readonly (readonly unknown[] | undefined)[]): boolean =>
  lists.some((list) => list !== undefined && list.length > 0);

/** Reports an enabled channel that could never open, and dated hours without weekly hours. */
const checkChannel = (
  context: ReadContext,
  branch: BranchEntry,
  channel: ChannelEntry,
  path: string,
): void => {
  const { faults } = context;
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

const readChannels = (context: ReadContext, branch: BranchEntry, path: string, branchId: Uuid): void => {
  readWeekly(context, branchId, 'online', branch.online_hours ?? [], fieldPath(path, 'online_hours'));
  readDated(
    context,
    branchId,
    'online',
    branch.online_dated_hours ?? [],
    fieldPath(path, 'online_dated_hours'),
  );
  for (const name of ONLINE_CHANNELS) {
    const channel = branch.channels?.[name];
    if (channel === undefined) continue;
    const at = `${path}.channels.${name}`;
    checkChannel(context, branch, channel, at);
    readWeekly(context, branchId, name, channel.hours ?? [], fieldPath(at, 'hours'));
    readDated(context, branchId, name, channel.dated_hours ?? [], fieldPath(at, 'dated_hours'));
    context.rows.branch_channel.push({
      branch_id: branchId,
      channel: name,
      ...columnsFrom('branch_channel', channel),
      own_hours: channel.hours !== undefined,
      mode: channel.state?.mode ?? 'auto',
      mode_until: instantOf(channel.state?.until),
    });
  }
};

const checkZone = (
  { faults, main }: ReadContext,
  branch: BranchEntry,
  zone: ZoneEntry,
  path: string,
): void => {
  checkLanguage(zone.name, path, 'name', main, faults);
  if ((zone.radius_meters === undefined) === (zone.polygon === undefined))
    faults.rule(path, '', 'needs `radius_meters` or `polygon`, and not both');
  if (zone.radius_meters !== undefined && branch.location === undefined)
    faults.rule(path, 'radius_meters', 'needs the branch’s `location`');
  const fault = zone.polygon === undefined ? null : polygonFault(zone.polygon);
  if (fault !== null) faults.rule(path, 'polygon', `is no area: ${fault}`);
};

const readZones = (context: ReadContext, branch: BranchEntry, path: string, branchId: Uuid): void => {
  for (const [index, zone] of (branch.delivery_zones ?? []).entries()) {
    const at = entryPath(`${path}.delivery_zones`, index);
    checkZone(context, branch, zone, at);
    context.rows.delivery_zone.push({
      id: context.entityIndex.idAt(at),
      branch_id: branchId,
      ...nameColumns(zone.name, context.main),
      kind: zone.polygon === undefined ? 'ring' : 'polygon',
      ...columnsFrom('delivery_zone', zone),
      polygon: zone.polygon ?? null,
      archived_at: null,
    });
  }
};

const readTables = (context: ReadContext, branch: BranchEntry, path: string, branchId: Uuid): void => {
  const { rows, faults, entityIndex } = context;
  for (const [index, table] of (branch.tables ?? []).entries()) {
    const at = entryPath(`${path}.tables`, index);
    const columns = columnsFrom('dining_table', table);
    if (columns.seats_min > columns.seats_max)
      faults.rule(fieldPath(at, 'seats'), 'min', 'is more than `max`');
    rows.dining_table.push({
      id: entityIndex.idAt(at),
      branch_id: branchId,
      ...columns,
      archived_at: null,
    });
  }
  for (const [index, join] of (branch.table_joins ?? []).entries())
    readJoin(context, join, entryPath(`${path}.table_joins`, index), branchId);
};

/** Joined tables must be of the same branch. */
const readJoin = (
  context: ReadContext,
  references: readonly string[],
  path: string,
  branchId: Uuid,
): void => {
  const { rows, faults, entityIndex } = context;
  const tables = resolveAll(context, 'table', references, path, branchId);
  const ids = tables.map((table) => table.id).sort();
  const id = joinId(entityIndex.shopId, branchId, ids);
  if (tables.length < references.length) return;
  if (rows.table_join.some((join) => join.id === id)) faults.rule(path, '', 'is there twice');
  else rows.table_join.push({ id, branch_id: branchId, table_ids: ids });
};
