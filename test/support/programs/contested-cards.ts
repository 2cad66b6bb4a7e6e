/**
 * Clients of two servers on one database who want the same reward, the same card or the same combination at once. Each
 * repeats its request until it is answered; servers are killed meanwhile.
 */
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import { anOrder, type Guest, type OrderInput } from '../people/guests.ts';
import { aJoin } from '../people/members.ts';
import { aProgramme } from '../people/reward-members.ts';
import { aStaffedShop } from '../people/staff.ts';
import type { Reply } from '../server/http-client.ts';
import { SLUG, thingId } from '../shops/cafe.ts';
import type { ServerPair } from './contested-tables.ts';
import type { RetryingClient } from './order-load.ts';

export const CLIENTS = 20;
/** Points of the reward. */
export const COST = 10;
/** A coffee earns three points. */
const PIASTRES_PER_POINT = 1_500;

/** Codes are asked for nowhere. */
export const cardShop = (): ShopFile =>
  aStaffedShop(SLUG, {
    loyalty: aProgramme({ require_otp: false, earn_piastres_per_point: PIASTRES_PER_POINT }),
  });

export const guestNumber = (n: number): Guest => {
  const digits = `7${String(n).padStart(7, '0')}`;
  return { typed: `010${digits}`, phone: `2010${digits}` };
};

/** A guest with a card and a device that has proven the phone. */
export interface CardHolder extends Guest {
  readonly deviceToken: string;
  readonly memberToken: string;
  readonly cardId: string;
  readonly customerId: string;
}

/** Both servers as one client, in turn. */
export const eitherOf = ({ callers }: ServerPair): RetryingClient => {
  const [first, second] = callers;
  let turn = 0;
  const next = (): RetryingClient => ((turn += 1) % 2 === 0 ? first : second);
  return {
    untilAnswered: (...asked) => next().untilAnswered(...asked),
    postUntilAnswered: (...asked) => next().postUntilAnswered(...asked),
    lost: () => first.lost() + second.lost(),
    unavailable: () => first.unavailable() + second.unavailable(),
    refusals: () => [...first.refusals(), ...second.refusals()],
  };
};

// ── Contests ────────────────────────────────────────────────────────────────────────────────────

interface Request {
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** All at once, at the two servers in turn. */
const askedTogether = ({ callers }: ServerPair, requestOf: (n: number) => Request): Promise<Reply[]> =>
  Promise.all(
    Array.from({ length: CLIENTS }, (_, n) => {
      const { path, body, headers } = requestOf(n);
      return callers[n % 2 === 0 ? 0 : 1].postUntilAnswered(path, body, headers);
    }),
  );

export const orderWithReward = (holder: CardHolder, quantity = 1): OrderInput => ({
  ...orderWithCard(holder, quantity),
  rewards: [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }],
});

export const orderWithCard = (holder: CardHolder, quantity: number): OrderInput =>
  anOrder({
    ...{ customer_phone: holder.typed, device_token: holder.deviceToken, member_token: holder.memberToken },
    items: [{ menu_item_id: thingId('item', 'turkish'), quantity }],
  });

/** Twenty orders with one reward, each under a key of its own. */
export const rewardContest = (pair: ServerPair, holder: CardHolder): Promise<Reply[]> =>
  askedTogether(pair, (n) => ({
    path: '/public/delivery-orders',
    body: orderWithReward(holder),
    headers: { 'idempotency-key': `reward ${holder.phone} ${n}` },
  }));

const inDigits =
  (zero: number) =>
  (text: string): string =>
    text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const arabic = inDigits(0x660);
const persian = inDigits(0x6f0);

const spellingsOf = ({ typed, phone }: Guest): readonly string[] => [
  ...[
    typed,
    `+${phone.slice(0, 2)} ${phone.slice(2)}`,
    `00${phone.slice(0, 2)} ${phone.slice(2, 5)}-${phone.slice(5)}`,
  ],
  ...[arabic(typed), phone, `\u200e${persian(typed)}`],
];

/** Twenty joins of one phone in six spellings, without proof. */
export const joinContest = (pair: ServerPair, guest: Guest): Promise<Reply[]> => {
  const spellings = spellingsOf(guest);
  return askedTogether(pair, (n) => ({
    path: '/public/loyalty/join',
    body: aJoin({ phone: spellings[n % spellings.length] ?? guest.typed }),
    headers: { 'idempotency-key': `join ${guest.phone} ${n}` },
  }));
};

/** Twenty times the guest gives the card the phone of the other one. */
export const combineContest = (pair: ServerPair, from: CardHolder, to: CardHolder): Promise<Reply[]> =>
  askedTogether(pair, () => ({
    path: `/public/order-now/${from.memberToken}/combine`,
    body: {
      ...{ device_token: from.deviceToken, new_phone: to.typed },
      new_phone_device_token: to.deviceToken,
    },
  }));

/** Twenty members of the staff combine the two, half of them the other way around. */
export const mergeContest = (
  pair: ServerPair,
  headers: Readonly<Record<string, string>>,
  [one, other]: readonly [CardHolder, CardHolder],
): Promise<Reply[]> =>
  askedTogether(pair, (n) => {
    const [into, from] = n % 4 < 2 ? [one, other] : [other, one];
    return {
      path: `/staff/customers/${into.customerId}/merge`,
      body: { customer_id: from.customerId },
      headers,
    };
  });

// ── The database ────────────────────────────────────────────────────────────────────────────────

export const CARD_OF = `
  select l.id as "cardId", c.id as "customerId"
  from loyalty_card l join customer c on c.org_id = l.org_id and c.id = l.customer_id
  where c.phone = $1
`;

/** Transactions that are about to write an entry, while its table is locked. */
export const WAITING_ENTRIES = `
  select from pg_stat_activity a join pg_locks l using (pid)
  where a.wait_event_type = 'Lock' and l.relation = 'loyalty_entry'::regclass and not l.granted
  having count(*) >= 4
`;

/** More than one entry of each kind that orders have. */
export const ENTRIES_OF_EACH_KIND = `
  select from loyalty_entry where kind in ('redeem', 'earn', 'reversal')
  having least(count(*) filter (where kind = 'redeem'), count(*) filter (where kind = 'earn'),
               count(*) filter (where kind = 'reversal')) > 1
`;

const entries = (condition: string): string =>
  `(select count(*) from loyalty_entry e where e.org_id = o.org_id and e.sale_id = o.id and ${condition})`;

/** One row per violation, with its description. */
export const CARD_FAULTS = `
  select 'balance is not the sum of the entries' as what, l.id from loyalty_card l
    where points <> (select coalesce(sum(amount), 0) from loyalty_entry e where e.org_id = l.org_id and e.card_id = l.id and mode = 'points')
       or visits <> (select coalesce(sum(amount), 0) from loyalty_entry e where e.org_id = l.org_id and e.card_id = l.id and mode = 'visits')
       or points < 0 or visits < 0
  union all select 'combined card with a balance', id from loyalty_card
    where merged_into is not null and points + visits > 0
  union all select 'two cards of one customer', customer_id from loyalty_card
    where merged_into is null group by customer_id having count(*) > 1
  union all select 'merge that moved something else than it took', null from loyalty_entry
    where source = 'merge' having sum(amount) <> 0
  union all select 'reward not redeemed once', id from delivery_order o
    where reward_cost > 0 and 1 <> ${entries(`kind = 'redeem' and amount = -o.reward_cost and e.card_id = o.card_id`)}
  union all select 'redemption without a reward', id from delivery_order o
    where reward_cost = 0 and 0 <> ${entries(`kind = 'redeem'`)}
  union all select 'reward of a cancelled order not given back once', id from delivery_order o
    where status = 'cancelled' and reward_cost > 0
      and 1 <> ${entries(`kind = 'reversal' and reverses = 'redeem' and amount = o.reward_cost`)}
  union all select 'reward given back for nothing', id from delivery_order o
    where (status <> 'cancelled' or reward_cost = 0) and 0 <> ${entries(`kind = 'reversal'`)}
  union all select 'delivered order that did not earn once', id from delivery_order o
    where status = 'delivered' and card_id is not null and 1 <> ${entries(`kind = 'earn' and e.card_id = o.card_id`)}
  union all select 'order that earned before its delivery', id from delivery_order o
    where status <> 'delivered' and 0 <> ${entries(`kind = 'earn'`)}
  union all select 'entry of no order', id from loyalty_entry e
    where sale_id is not null and not exists (select from delivery_order o where o.org_id = e.org_id and o.id = e.sale_id)
`;
