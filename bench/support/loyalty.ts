/** A shop with a programme, members with proven phones and a ledger of twenty entries, and what they ask. */
import { sql } from 'kysely';
import { makeCard } from '../../src/loyalty/app/card.ts';
import type { App } from '../../src/platform/app/app.ts';
import { derivedId, shopIdOf } from '../../src/shopfile/app/entity-ids.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { get } from './connection.ts';
import { addShops } from './data.ts';
import { guestOf, proveGuests, type Guest } from './guests.ts';
import { branchId, shopFile } from './shop.ts';
import { CALLER, CLIENTS, inputOf, TURNS, type WriteJob } from './write-job.ts';

const SLUG = 'bench-loyalty';
const SHOP = shopIdOf(SLUG);
const ENTRIES = 20;
const POINTS_OF_ENTRY = 1_000;
const GOAL = { read: 0.6, write: 0.5 };
/** An order without a card takes five (docs/benchmarks.md). */
const ORDER_TRIPS = 5;

/** Spreads of guests: without a reward, with one. */
const SPREADS = 2;
const UNKNOWN = SPREADS;

const shop = (): ShopFile => ({
  ...shopFile({ slug: SLUG, items: 24, branches: 1, tables: 0 }),
  loyalty: {
    ...{ enabled: true, mode: 'points', program_name: { ar: 'نقاط', en: 'Points' }, require_otp: false },
    earn_piastres_per_point: 100,
    rewards: [{ key: 'any', name: { ar: 'أي صنف', en: 'Anything' }, cost: 10 }],
  },
});

/** Member tokens by the number of the guest. */
const tokens = new Map<number, string>();

const tokenOf = ({ number }: Guest): string => {
  const token = tokens.get(number);
  if (token === undefined) throw new RangeError('The guest has no card.');
  return token;
};

/** Imports the shop, and gives each guest a proven phone, a card and its ledger. */
export const addMembers = async (app: App): Promise<void> => {
  await addShops(app, shop());
  await proveGuests(app, SPREADS);
  for (let spread = 0; spread < SPREADS; spread += 1)
    for (let client = 0; client < CLIENTS; client += 1)
      for (let turn = 0; turn < TURNS; turn += 1) {
        const { number, phone } = guestOf(spread, client, turn);
        if (tokens.has(number)) continue;
        const made = await makeCard(app, SHOP, { phone, name: 'منى السيد' });
        if (made !== null) tokens.set(number, made.memberToken);
      }
  await sql`
    insert into loyalty_entry (org_id, id, card_id, at, mode, kind, source, amount)
    select org_id, gen_random_uuid(), id, created_at, 'points', 'adjust', 'manual', ${POINTS_OF_ENTRY}::int
    from loyalty_card, generate_series(1, ${ENTRIES}::int)`.execute(app.db.kysely);
  // With proven phones, so that the first order with a card does not end its token (Decisions 11, Join).
  await sql`update customer set phone_proven_at = created_at`.execute(app.db.kysely);
  await sql`update loyalty_card set points = ${ENTRIES * POINTS_OF_ENTRY}::int, is_unproven = false`.execute(
    app.db.kysely,
  );
};

const idOf = (kind: 'item' | 'reward', key: string) => derivedId(SHOP, kind, SHOP, { key });

const orderOf = (spread: number, client: number, turn: number) => {
  const guest = guestOf(spread, client, turn);
  return {
    key: `order ${spread} ${client} ${turn}`,
    body: {
      ...{ branch_id: branchId(SLUG, 0), channel: 'pickup' as const, payment_method_hint: 'cash' as const },
      ...{ customer_name: 'منى السيد', customer_phone: guest.phone },
      ...{ device_token: guest.token, member_token: tokenOf(guest) },
      items: [{ menu_item_id: idOf('item', 'item-1'), quantity: 2 }],
      ...(spread === 1 ? { rewards: [{ reward_id: idOf('reward', 'any'), line_index: 0, units: 1 }] } : {}),
    },
  };
};

const orders = (spread: number, name: string, trips: number): WriteJob => ({
  ...{ title: 'Orders of members', one: 'order', many: 'orders', spread: name },
  ...{ path: '/public/delivery-orders', table: 'delivery_order' },
  goal: { ratio: GOAL.write, trips, commits: 1 },
  requestOf: (client, turn) => orderOf(spread, client, turn),
  run: ({ placeOrder }, client, turn) => placeOrder(inputOf(orderOf(spread, client, turn))),
});

const joinOf = (client: number, turn: number) => ({
  key: `join ${client} ${turn}`,
  body: { org_id: SHOP, name: 'منى السيد', phone: guestOf(UNKNOWN, client, 4 * turn).phone },
});

const read = (client: number, turn: number) => ({ key: `read ${client} ${turn}`, body: null });

const cardPath = (guest: Guest): string => `/public/loyalty/card/${tokenOf(guest)}`;
const orderNowPath = (guest: Guest): string => `/public/order-now/${tokenOf(guest)}`;

export const loyaltyJobs: readonly WriteJob[] = [
  {
    ...{ title: 'Cards', one: 'card', many: 'cards', spread: `${ENTRIES} entries each` },
    ...{ path: '/public/loyalty/card', table: null, requestOf: read },
    status: 200,
    goal: { ratio: GOAL.read, trips: 10, commits: 0 },
    textOf: (client, turn) => get(cardPath(guestOf(0, client, turn))),
    run: ({ getCard }, client, turn) =>
      getCard({ path: { member_token: tokenOf(guestOf(0, client, turn)) } }),
  },
  {
    ...{ title: 'Order-now', one: 'context', many: 'contexts', spread: 'phones proven' },
    ...{ path: '/public/order-now', table: null, requestOf: read },
    status: 200,
    goal: { ratio: GOAL.read, trips: 10, commits: 0 },
    textOf: (client, turn) => {
      const guest = guestOf(0, client, turn);
      return get(orderNowPath(guest), { 'X-Device-Token': guest.token });
    },
    run: ({ orderNow }, client, turn) => {
      const guest = guestOf(0, client, turn);
      const headers = { 'x-device-token': guest.token };
      return orderNow({ path: { member_token: tokenOf(guest) }, headers, caller: CALLER });
    },
  },
  {
    ...{ title: 'Joins', one: 'join', many: 'joins', spread: 'new phones' },
    ...{ path: '/public/loyalty/join', table: 'loyalty_card', requestOf: joinOf },
    status: 200,
    goal: { ratio: GOAL.write, trips: 12, commits: 1 },
    run: ({ joinLoyalty }, client, turn) => joinLoyalty(inputOf(joinOf(client, turn))),
  },
  orders(0, 'no reward', ORDER_TRIPS),
  orders(1, 'one reward', ORDER_TRIPS + 1),
];
