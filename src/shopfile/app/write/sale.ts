import { formatWallTime } from '../../../kernel/time.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { CHANNELS, ONLINE_CHANNELS } from '../../../shops/domain/shop.ts';
import { WEEKDAYS } from '../../contract/shopfile.ts';
import type { Row } from '../../store/tables.ts';
import { fieldsFrom, inContractOrder } from '../fields.ts';
import { formatEnd } from '../instants.ts';
import { ifPresent, ifNotEmpty, unlessDefault, type WriteContext } from './context.ts';

type Placed = Pick<Row<'price'>, 'branch_id' | 'channel'>;

/** Entries without a branch first, then by branch and channel. */
const byPlace = (a: Placed, b: Placed): number =>
  (a.branch_id ?? '').localeCompare(b.branch_id ?? '', 'en') ||
  channelRank(a.channel) - channelRank(b.channel);

const channelRank = (channel: string | null): number => CHANNELS.findIndex((name) => name === channel);

const isAtLiveBranch = (
  context: WriteContext,
  { branch_id: branch }: { readonly branch_id: Uuid | null },
): boolean => branch === null || context.isLive(branch);

const branchOf = (context: WriteContext, { branch_id: branch }: Pick<Placed, 'branch_id'>) =>
  ifPresent('branch', branch === null ? null : context.refer(branch));

/** The catalogue price of an entity or a size, and the exceptions. */
export const writePrices = (context: WriteContext, subject: Uuid, sizeLabel = '') => {
  const own = (context.details.prices.get(subject) ?? []).filter(
    (row) => row.size_label === sizeLabel && isAtLiveBranch(context, row),
  );
  const isCatalogue = (row: Placed): boolean => row.branch_id === null && row.channel === null;
  const exceptions = own.filter((row) => !isCatalogue(row)).sort(byPlace);
  return {
    ...ifPresent('price', own.find(isCatalogue)?.amount),
    ...ifNotEmpty(
      'prices',
      exceptions.map((row) => ({
        ...branchOf(context, row),
        ...ifPresent(
          'channel',
          ONLINE_CHANNELS.find((channel) => channel === row.channel),
        ),
        price: row.amount,
      })),
    ),
  };
};

export const writeAvailability = (context: WriteContext, subject: Uuid) => {
  const own = (context.details.availability.get(subject) ?? [])
    .filter((row) => isAtLiveBranch(context, row))
    .sort(byPlace);
  return ifNotEmpty(
    'availability',
    own.map((row) =>
      inContractOrder('availability', {
        ...fieldsFrom('availability', row),
        ...branchOf(context, row),
        ...ifPresent(
          'channel',
          CHANNELS.find((channel) => channel === row.channel),
        ),
        ...ifPresent('sold_out_until', row.sold_out_until === null ? null : formatEnd(row.sold_out_until)),
      }),
    ),
  );
};

const ALL_DAYS = 127;

export const writeWindows = (context: WriteContext, subject: Uuid) => {
  const own = (context.details.windows.get(subject) ?? [])
    .filter((row) => isAtLiveBranch(context, row))
    .sort((a, b) => a.sort - b.sort);
  return ifNotEmpty(
    'windows',
    own.map((row) => ({
      ...branchOf(context, row),
      ...ifNotEmpty(
        'weekdays',
        row.weekdays === ALL_DAYS ? [] : WEEKDAYS.filter((_, bit) => ((row.weekdays >> bit) & 1) === 1),
      ),
      ...ifPresent('from', row.starts_at === null ? null : formatWallTime(row.starts_at)),
      ...ifPresent('to', row.ends_at === null ? null : formatWallTime(row.ends_at)),
      ...fieldsFrom('sale_window', row),
    })),
  );
};

type Toggles = Pick<Row<'deal'>, 'sell_pos' | 'sell_qr' | 'sell_online' | 'sell_delivery'>;

export const writeSell = (row: Toggles) => {
  const sell = {
    ...unlessDefault(true, 'pos', row.sell_pos),
    ...unlessDefault(true, 'qr', row.sell_qr),
    ...unlessDefault(true, 'online', row.sell_online),
    ...unlessDefault(true, 'delivery', row.sell_delivery),
  };
  return ifPresent('sell', Object.keys(sell).length === 0 ? null : sell);
};
