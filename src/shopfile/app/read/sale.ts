/** What items, combos, add-ons, optionals and deals share: prices, availability, sale windows, where they are sold. */
import type { ShopFile } from '../../contract/shopfile.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { parseWallTime } from '../../../kernel/time.ts';
import { WEEKDAYS } from '../../contract/shopfile.ts';
import type { ItemEntry, Reading } from './reading.ts';
import { reportRepeats } from './reading.ts';
import { endOf } from '../moments.ts';

type Priced = Pick<ItemEntry, 'price' | 'prices'>;
type Availability = ItemEntry['availability'];
type Windows = ItemEntry['windows'];
type Sell = NonNullable<NonNullable<ShopFile['menu']['deals']>[number]['sell']>;

/** A branch that a field names: its id, null when the field is left out, undefined when it is at fault. */
export const branchNamed = (
  { register }: Reading,
  reference: string | undefined,
  path: string,
): Uuid | null | undefined =>
  reference === undefined ? null : register.resolve('branch', reference, fieldPath(path, 'branch'))?.id;

/** The catalogue price of a thing and its exceptions (Decisions 6, the price ladder). */
export const readPrices = (
  reading: Reading,
  entry: Priced,
  path: string,
  subject: Uuid,
  sizeLabel = '',
): void => {
  const { faults, rows } = reading;
  const exceptions = entry.prices ?? [];
  if (entry.price === undefined && exceptions.length === 0)
    faults.rule(path, 'price', 'is missing: nothing says what this costs');
  const row = { subject_id: subject, size_label: sizeLabel };
  if (entry.price !== undefined)
    rows.price.push({ ...row, branch_id: null, channel: null, amount: entry.price });
  for (const [index, exception] of exceptions.entries()) {
    const at = entryPath(`${path}.prices`, index);
    if (exception.branch === undefined && exception.channel === undefined)
      faults.rule(at, '', 'names neither a branch nor a channel; the price everywhere is `price`');
    const branch = branchNamed(reading, exception.branch, at);
    if (branch === undefined) continue;
    rows.price.push({
      ...row,
      branch_id: branch,
      channel: exception.channel ?? null,
      amount: exception.price,
    });
  }
  reportPlacesTwice(reading, exceptions, `${path}.prices`);
};

/** Reports entries of one list that speak of the same branch and channel. */
const reportPlacesTwice = (
  { register, faults }: Reading,
  entries: readonly { readonly branch?: string; readonly channel?: string }[],
  path: string,
): void => {
  const branchOf = (reference: string, index: number): string =>
    register.resolve('branch', reference, fieldPath(entryPath(path, index), 'branch'))?.id ??
    `unknown ${index}`;
  const placed = entries.map(({ branch, channel }, index) =>
    [branch === undefined ? '' : branchOf(branch, index), channel ?? ''].join('\n'),
  );
  reportRepeats(
    placed,
    (place) => place,
    (index, first) =>
      faults.rule(
        entryPath(path, index),
        '',
        `speaks of the same branch and channel as ${entryPath(path, first)}`,
      ),
  );
};

/** Where and whether a thing is sold, with its running state (Decisions 6, Availability). */
export const readAvailability = (
  reading: Reading,
  entries: Availability,
  path: string,
  subject: Uuid,
): void => {
  const { faults, rows } = reading;
  const at = fieldPath(path, 'availability');
  for (const [index, entry] of (entries ?? []).entries()) {
    const own = entryPath(at, index);
    const hasState = entry.sold_out_until !== undefined || entry.stock !== undefined;
    if (hasState && (entry.branch === undefined || entry.channel !== undefined))
      faults.rule(own, '', '`sold_out_until` and `stock` need a `branch` and no `channel`');
    const branch = branchNamed(reading, entry.branch, own);
    if (branch === undefined) continue;
    rows.availability.push({
      subject_id: subject,
      branch_id: branch,
      channel: entry.channel ?? null,
      is_on: entry.on ?? true,
      sold_out_until: endOf(entry.sold_out_until),
      stock: entry.stock ?? null,
    });
  }
  reportPlacesTwice(reading, entries ?? [], at);
};

/** Bit 0 = Sunday … bit 6 = Saturday; every day where nothing is said (Decisions 3, SaleWindow). */
const weekdayBits = (days: readonly (typeof WEEKDAYS)[number][] | undefined): number =>
  (days ?? WEEKDAYS).reduce((bits, day) => bits | (1 << WEEKDAYS.indexOf(day)), 0);

/** When a thing is sold (Decisions 3, SaleWindow). */
export const readWindows = (reading: Reading, windows: Windows, path: string, subject: Uuid): void => {
  const { faults, rows } = reading;
  for (const [index, window] of (windows ?? []).entries()) {
    const at = entryPath(fieldPath(path, 'windows'), index);
    if ((window.from === undefined) !== (window.to === undefined))
      faults.rule(at, '', 'needs both `from` and `to`, or neither');
    if (window.from !== undefined && window.from === window.to)
      faults.rule(at, 'to', 'must differ from `from`: leave both out for the whole day');
    if (
      window.valid_from !== undefined &&
      window.valid_to !== undefined &&
      window.valid_to < window.valid_from
    )
      faults.rule(at, 'valid_to', 'is before `valid_from`');
    const branch = branchNamed(reading, window.branch, at);
    if (branch === undefined) continue;
    rows.sale_window.push({
      subject_id: subject,
      sort: index,
      branch_id: branch,
      weekdays: weekdayBits(window.weekdays),
      starts_at: window.from === undefined ? null : parseWallTime(window.from),
      ends_at: window.to === undefined ? null : parseWallTime(window.to),
      valid_from: window.valid_from ?? null,
      valid_to: window.valid_to ?? null,
    });
  }
};

/** Each is on until switched off (Shapes, ChannelToggles). */
export const sellColumns = (sell: Sell | undefined) => ({
  sell_pos: sell?.pos ?? true,
  sell_qr: sell?.qr ?? true,
  sell_online: sell?.online ?? true,
  sell_delivery: sell?.delivery ?? true,
});
