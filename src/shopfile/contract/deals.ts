import Type from 'typebox';
import { DISCOUNT_PLACES } from '../../menu/domain/menubook.ts';
import { Pool } from './pool.ts';
import { windows, sell } from './sale.ts';
import {
  strict,
  localText,
  integer,
  money,
  reference,
  word,
  date,
  moment,
  optional,
  identity,
} from './values.ts';

export const Deal = Type.Object(
  {
    ...identity,
    name: localText(120),
    kind: word(['n_for_price', 'buy_get']),
    qty: integer(1, 999),
    price: optional(money('n_for_price: piastres of qty units.')),
    get_qty: optional(integer(1, 999)),
    get_percent: optional(integer(1, 100)),
    max_per_order: optional(integer(1, 999)),
    active: optional(Type.Boolean({ default: true })),
    sell,
    pool: Pool,
    reward_pool: optional(Pool),
    windows,
    branches: optional(
      Type.Array(Type.Object({ branch: reference('a branch'), active: Type.Boolean() }, strict), {
        maxItems: 500,
      }),
    ),
    created_at: optional(moment),
    updated_at: optional(moment),
  },
  {
    ...strict,
    description:
      'created_at and updated_at are set when the import creates the deal; afterwards they are kept.',
  },
);

export const Discount = Type.Object(
  {
    ...identity,
    name: localText(120),
    percent: optional(Type.Number({ minimum: 0, maximum: 100, description: 'At most four decimals.' })),
    amount: optional(money()),
    active: optional(Type.Boolean({ default: true })),
    valid_from: optional(date),
    valid_to: optional(date),
    on: Type.Array(
      Type.Object({ channel: word(DISCOUNT_PLACES), branch: optional(reference('a branch')) }, strict),
      {
        maxItems: 500,
        description: 'A channel has one discount at a branch; `till` has those that the staff may give.',
      },
    ),
  },
  { ...strict, description: 'Exactly one of percent and amount.' },
);
