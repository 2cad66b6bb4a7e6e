/** (Decisions 11) */
export const LOYALTY_REFUSALS = {
  REWARD_UNAVAILABLE: {
    status: 409,
    code: 'REWARD_UNAVAILABLE',
    en: 'The balance of the card does not pay for this reward: it has {balance}, and {cost} are needed.',
    ar: 'رصيد البطاقة لا يكفي لهذه المكافأة: الرصيد {balance} والمطلوب {cost}.',
    when: 'Rewards that cost more than the balance of the card, also where another order took it first. `vars` has `balance` and `cost`.',
  },
  REWARD_GONE: {
    status: 409,
    code: 'REWARD_UNAVAILABLE',
    en: 'The shop no longer offers this reward.',
    ar: 'هذه المكافأة لم تعد متاحة.',
    when: 'A reward that the shop does not offer. `vars` has its `reward_id`, and `balance` and `cost` of the others.',
  },
  REWARD_IN_COMBO: {
    status: 409,
    code: 'REWARD_IN_COMBO',
    en: 'A reward does not pay for a combo.',
    ar: 'المكافأة لا تُصرف على كومبو.',
    when: 'A reward on the line of a combo.',
  },
  LOYALTY_OFF: {
    status: 409,
    code: 'LOYALTY_OFF',
    en: 'This shop has no loyalty programme at the moment.',
    ar: 'لا يوجد برنامج ولاء في هذا المحل حاليًا.',
    when: 'Joining, rewards or a card at a shop whose loyalty programme is off.',
  },
  VOUCHERS_OFF: {
    status: 409,
    code: 'LOYALTY_OFF',
    en: 'This shop gives no rewards while its till has no internet.',
    ar: 'هذا المحل لا يصرف المكافآت عندما يكون الكاشير بلا إنترنت.',
    when: 'A voucher of a shop whose file has no `offline_limit`.',
  },
} as const;
