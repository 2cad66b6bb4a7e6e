import { formatWallTime } from '../../../kernel/time.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { CHANNELS, ONLINE_CHANNELS } from '../../../shops/domain/shop.ts';
import { WEEKDAYS } from '../../contract/shopfile.ts';
import type { Row } from '../../store/tables.ts';
import { endText } from '../moments.ts';
import { given, listed, unless, type Writing } from './writing.ts';

type Placed = Pick<Row<'price'>, 'branch_id' | 'channel'>;

/** What speaks of no branch first, then by branch; within that by channel. */
const byPlace = (a: Placed, b: Placed): number =>
  (a.branch_id ?? '').localeCompare(b.branch_id ?? '', 'en') ||
  channelRank(a.channel) - channelRank(b.channel);

const channelRank = (channel: string | null): number => CHANNELS.findIndex((name) => name === channel);

const isAtLiveBranch = (
  writing: Writing,
  { branch_id: branch }: { readonly branch_id: Uuid | null },
): boolean => branch === null || writing.isLive(branch);

const branchOf = (writing: Writing, { branch_id: branch }: Pick<Placed, 'branch_id'>) =>
  given('branch', branch === null ? null : writing.refer(branch));

/** The catalogue price of a thing, or of one of its sizes, with the exceptions. */
export const writePrices = (writing: Writing, subject: Uuid, sizeLabel = '') => {
  const own = (writing.details.prices.get(subject) ?? []).filter(
    (row) => row.size_label === sizeLabel && isAtLiveBranch(writing, row),
  );
  const isCatalogue = (row: Placed): boolean => row.branch_id === null && row.channel === null;
  const exceptions = own.filter((row) => !isCatalogue(row)).sort(byPlace);
  return {
    ...given('price', own.find(isCatalogue)?.amount),
    ...listed(
      'prices',
      exceptions.map((row) => ({
        ...branchOf(writing, row),
        ...given(
          'channel',
          ONLINE_CHANNELS.find((channel) => channel === row.channel),
        ),
        price: row.amount,
      })),
    ),
  };
};

export const writeAvailability = (writing: Writing, subject: Uuid) => {
  const own = (writing.details.availability.get(subject) ?? [])
    .filter((row) => isAtLiveBranch(writing, row))
    .sort(byPlace);
  return listed(
    'availability',
    own.map((row) => ({
      ...branchOf(writing, row),
      ...given(
        'channel',
        CHANNELS.find((channel) => channel === row.channel),
      ),
      ...unless(true, 'on', row.is_on),
      ...given('sold_out_until', row.sold_out_until === null ? null : endText(row.sold_out_until)),
      ...given('stock', row.stock),
    })),
  );
};

const ALL_DAYS = 127;

export const writeWindows = (writing: Writing, subject: Uuid) => {
  const own = (writing.details.windows.get(subject) ?? [])
    .filter((row) => isAtLiveBranch(writing, row))
    .sort((a, b) => a.sort - b.sort);
  return listed(
    'windows',
    own.map((row) => ({
      ...branchOf(writing, row),
      ...listed(
        'weekdays',
        row.weekdays === ALL_DAYS ? [] : WEEKDAYS.filter((_, bit) => ((row.weekdays >> bit) & 1) === 1),
      ),
      ...given('from', row.starts_at === null ? null : formatWallTime(row.starts_at)),
      ...given('to', row.ends_at === null ? null : formatWallTime(row.ends_at)),
      ...given('valid_from', row.valid_from),
      ...given('valid_to', row.valid_to),
    })),
  );
};

type Toggles = Pick<Row<'deal'>, 'sell_pos' | 'sell_qr' | 'sell_online' | 'sell_delivery'>;

export const writeSell = (row: Toggles) => {
  const sell = {
    ...unless(true, 'pos', row.sell_pos),
    ...unless(true, 'qr', row.sell_qr),
    ...unless(true, 'online', row.sell_online),
    ...unless(true, 'delivery', row.sell_delivery),
  };
  return given('sell', Object.keys(sell).length === 0 ? null : sell);
};
