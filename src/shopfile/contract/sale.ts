import Type from 'typebox';
import { CHANNELS, ONLINE_CHANNELS } from '../../shops/domain/shop.ts';
import {
  strict,
  integer,
  money,
  reference,
  word,
  wallTime,
  date,
  endMoment,
  optional,
  weekdays,
} from './values.ts';

/** Fields shared by items, combos, add-ons, optionals and deals. */

const PriceEntry = Type.Object(
  { branch: optional(reference('a branch')), channel: optional(word(ONLINE_CHANNELS)), price: money() },
  { ...strict, description: 'A price at a branch, on a channel, or both; the most particular one counts.' },
);
export const priced = {
  price: optional(money('Piastres: the catalogue price.')),
  prices: optional(Type.Array(PriceEntry, { maxItems: 2000 })),
};

const AvailabilityEntry = Type.Object(
  {
    branch: optional(reference('a branch')),
    channel: optional(word(CHANNELS)),
    on: optional(Type.Boolean({ default: true })),
    sold_out_until: optional(endMoment),
    stock: optional(integer(0, 1_000_000)),
  },
  { ...strict, description: 'sold_out_until and stock are running state, and need a branch and no channel.' },
);
export const availability = optional(Type.Array(AvailabilityEntry, { maxItems: 1000 }));

const Window = Type.Object(
  {
    branch: optional(reference('a branch')),
    weekdays: optional(weekdays),
    from: optional(wallTime),
    to: optional(wallTime),
    valid_from: optional(date),
    valid_to: optional(date),
  },
  {
    ...strict,
    description: 'Half-open [from, to) on the branch’s wall clock; to before from runs past midnight.',
  },
);
export const windows = optional(Type.Array(Window, { maxItems: 100 }));

export const sell = optional(
  Type.Object(
    {
      pos: optional(Type.Boolean()),
      qr: optional(Type.Boolean()),
      online: optional(Type.Boolean()),
      delivery: optional(Type.Boolean()),
    },
    { ...strict, description: 'Where it is sold; each is on until switched off.' },
  ),
);
