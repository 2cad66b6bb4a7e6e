/**
 * Running state: channel modes, snoozes, counted stock. An import sets it on entities that it creates; on existing
 * ones the stored state stays (Decisions 16).
 */
import type { Uuid } from '../../kernel/ids.ts';
import type { Row, ShopRows } from '../store/tables.ts';

type Channel = Row<'branch_channel'>;
type Availability = Row<'availability'>;

const channelKey = ({ branch_id, channel }: Channel): string => `${branch_id} ${channel}`;
const availabilityKey = ({ subject_id, branch_id, channel }: Availability): string =>
  `${subject_id} ${branch_id ?? ''} ${channel ?? ''}`;

const sameMode = (a: Channel, b: Channel): boolean => a.mode === b.mode && a.mode_until === b.mode_until;
const sameStock = (a: Availability, b: Availability): boolean =>
  a.stock === b.stock && a.sold_out_until === b.sold_out_until;
const hasState = ({ stock, sold_out_until }: Availability): boolean =>
  stock !== null || sold_out_until !== null;

const channelsWithState = (before: ShopRows, file: ShopRows): { rows: Channel[]; ignored: number } => {
  const current = new Map(before.branch_channel.map((row) => [channelKey(row), row]));
  const rows = file.branch_channel.map((row): Channel => {
    const old = current.get(channelKey(row));
    return old === undefined ? row : { ...row, mode: old.mode, mode_until: old.mode_until };
  });
  const isSetByStaff = (row: Channel): boolean => row.mode !== 'auto';
  const ignored = file.branch_channel.filter(
    (row, at) => isSetByStaff(row) && !sameMode(row, rows[at] ?? row),
  ).length;
  return { rows, ignored };
};

/** Archived ones included. */
const knownIds = ({ branch, menu_item, addon }: ShopRows): Set<Uuid> =>
  new Set([...branch, ...menu_item, ...addon].map(({ id }) => id));

const availabilityWithState = (
  before: ShopRows,
  file: ShopRows,
): { rows: Availability[]; ignored: number } => {
  const known = knownIds(before);
  const current = new Map(before.availability.map((row) => [availabilityKey(row), row]));
  const rows = file.availability.map((row): Availability => {
    const old = current.get(availabilityKey(row));
    current.delete(availabilityKey(row));
    if (old !== undefined) return { ...row, stock: old.stock, sold_out_until: old.sold_out_until };
    const isCreated = !known.has(row.subject_id) || (row.branch_id !== null && !known.has(row.branch_id));
    return isCreated ? row : { ...row, stock: null, sold_out_until: null };
  });
  const ignored = file.availability.filter(
    (row, at) => hasState(row) && !sameStock(row, rows[at] ?? row),
  ).length;
  const subjects = new Set([...file.menu_item, ...file.addon].map(({ id }) => id));
  // Set by the staff and absent from the file: keep the state and switch the entity on.
  const unmentioned = [...current.values()].filter((row) => hasState(row) && subjects.has(row.subject_id));
  return { rows: [...rows, ...unmentioned.map((row) => ({ ...row, is_on: true }))], ignored };
};

/** `ignored`: state entries of the file that were not applied. */
export const withRunningState = (
  before: ShopRows,
  file: ShopRows,
  overwrite: boolean,
): { readonly rows: ShopRows; readonly ignored: number } => {
  if (overwrite) return { rows: file, ignored: 0 };
  const channels = channelsWithState(before, file);
  const availability = availabilityWithState(before, file);
  return {
    rows: { ...file, branch_channel: channels.rows, availability: availability.rows },
    ignored: channels.ignored + availability.ignored,
  };
};
