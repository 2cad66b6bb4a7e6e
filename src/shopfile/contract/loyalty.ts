import Type from 'typebox';
import { Pool } from './pool.ts';
import { identity, integer, localText, optional, strict, text, word } from './values.ts';

const amount = integer(1, 1_000_000);

/** One placeholder, `{name}`: the guest's first name. */
const message = Type.Object(
  { en: optional(text(500)), ar: optional(text(500)) },
  { ...strict, minProperties: 1, description: 'In both languages; {name} is the guest’s first name.' },
);

const Reward = Type.Object(
  {
    ...identity,
    name: localText(120),
    cost: integer(1, 1_000_000, 'Points or visits.'),
    items: optional(Pool),
  },
  { ...strict, description: 'One free unit of a plain item, of items when they are listed.' },
);

export const Loyalty = Type.Object(
  {
    enabled: Type.Boolean(),
    mode: word(['points', 'visits']),
    program_name: localText(120),
    earn_piastres_per_point: optional(integer(1, 1_000_000)),
    earn_on_tax: optional(Type.Boolean({ default: false })),
    visit_items: optional(Pool),
    default_reward_cost: optional(amount),
    balance_cap: optional(amount),
    max_rewards_per_order: optional(integer(1, 999)),
    offline_limit: optional(
      integer(
        1,
        1_000_000,
        'Points or visits that a till without internet gives on one voucher at most; without it none.',
      ),
    ),
    require_otp: optional(Type.Boolean({ default: true })),
    birthday: optional(
      Type.Object({ enabled: Type.Boolean(), amount: optional(amount), message: optional(message) }, strict),
    ),
    win_back: optional(
      Type.Object(
        {
          enabled: Type.Boolean(),
          after_days: optional(integer(1, 3650, 'Days since the last sale.')),
          amount: optional(amount),
          message: optional(message),
        },
        strict,
      ),
    ),
    terms: optional(Type.Object({ en: optional(text(5000)), ar: optional(text(5000)) }, strict)),
    rewards: optional(Type.Array(Reward, { maxItems: 100 })),
  },
  strict,
);
