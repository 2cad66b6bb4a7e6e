/** Reads prices, availability, sale windows and channel toggles. */
import type { ShopFile } from '../../contract/shopfile.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { parseWallTime } from '../../../kernel/time.ts';
import { WEEKDAYS } from '../../contract/shopfile.ts';
import type { ItemEntry, ReadContext } from './context.ts';
import { reportDuplicates } from './context.ts';
import { columnsFrom } from '../fields.ts';
import { endInstantOf } from '../instants.ts';

type Priced = Pick<ItemEntry, 'price' | 'prices'>;
type Availability = ItemEntry['availability'];
type Windows = ItemEntry['windows'];
type Sell = NonNullable<NonNullable<ShopFile['menu']['deals']>[number]['sell']>;

/** The branch's id; null if the field is absent, undefined if it is invalid. */
export const resolveBranch = (
  { entityIndex }: ReadContext,
  reference: string | undefined,
  path: string,
): Uuid | null | undefined =>
  reference === undefined ? null : entityIndex.resolve('branch', reference, fieldPath(path, 'branch'))?.id;

/** The catalogue price and its exceptions (Decisions 6, the price ladder). */
export const readPrices = (
  context: ReadContext,
  entry: Priced,
  path: string,
  subject: Uuid,
  sizeLabel = '',
): void => {
  const { faults, rows } = context;
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
    const branch = resolveBranch(context, exception.branch, at);
    if (branch === undefined) continue;
    rows.price.push({
      ...row,
      branch_id: branch,
      channel: exception.channel ?? null,
      amount: exception.price,
    });
  }
  reportDuplicateScopes(context, exceptions, `${path}.prices`);
};

/** Two entries must not have the same branch and channel. */
const reportDuplicateScopes = (
  { entityIndex, faults }: ReadContext,
  entries: readonly { readonly branch?: string; readonly channel?: string }[],
  path: string,
): void => {
  const branchOf = (reference: string, index: number): string =>
    entityIndex.resolve('branch', reference, fieldPath(entryPath(path, index), 'branch'))?.id ??
    `unknown ${index}`;
  const placed = entries.map(({ branch, channel }, index) =>
    [branch === undefined ? '' : branchOf(branch, index), channel ?? ''].join('\n'),
  );
  reportDuplicates(
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

/** Availability with its running state (Decisions 6, Availability). */
export const readAvailability = (
  context: ReadContext,
  entries: Availability,
  path: string,
  subject: Uuid,
): void => {
  const { faults, rows } = context;
  const at = fieldPath(path, 'availability');
  for (const [index, entry] of (entries ?? []).entries()) {
    const own = entryPath(at, index);
    const hasState = entry.sold_out_until !== undefined || entry.stock !== undefined;
    if (hasState && (entry.branch === undefined || entry.channel !== undefined))
      faults.rule(own, '', '`sold_out_until` and `stock` need a `branch` and no `channel`');
    const branch = resolveBranch(context, entry.branch, own);
    if (branch === undefined) continue;
    rows.availability.push({
      subject_id: subject,
      branch_id: branch,
      channel: entry.channel ?? null,
      ...columnsFrom('availability', entry),
      sold_out_until: endInstantOf(entry.sold_out_until),
    });
  }
  reportDuplicateScopes(context, entries ?? [], at);
};

/** Bit 0 = Sunday … bit 6 = Saturday; default: every day (Decisions 3, SaleWindow). */
const weekdayBits = (days: readonly (typeof WEEKDAYS)[number][] | undefined): number =>
  (days ?? WEEKDAYS).reduce((bits, day) => bits | (1 << WEEKDAYS.indexOf(day)), 0);

/** Sale windows (Decisions 3, SaleWindow). */
export const readWindows = (context: ReadContext, windows: Windows, path: string, subject: Uuid): void => {
  const { faults, rows } = context;
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
    const branch = resolveBranch(context, window.branch, at);
    if (branch === undefined) continue;
    rows.sale_window.push({
      subject_id: subject,
      sort: index,
      branch_id: branch,
      weekdays: weekdayBits(window.weekdays),
      starts_at: window.from === undefined ? null : parseWallTime(window.from),
      ends_at: window.to === undefined ? null : parseWallTime(window.to),
      ...columnsFrom('sale_window', window),
    });
  }
};

/** Default: on (Shapes, ChannelToggles). */
export const sellColumns = (sell: Sell | undefined) => ({
  sell_pos: sell?.pos ?? true,
  sell_qr: sell?.qr ?? true,
  sell_online: sell?.online ?? true,
  sell_delivery: sell?.delivery ?? true,
});
