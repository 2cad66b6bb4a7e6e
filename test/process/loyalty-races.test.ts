/**
 * Clients of two servers race for rewards, cards and combinations, and orders spend and earn points, while servers are
 * killed: one winner, and nothing half. `AHWA_CRASHES=<number> npm test -- test/process/loyalty-races.test.ts` kills
 * that many times more.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CARD_FAULTS,
  CARD_OF,
  cardShop,
  CLIENTS,
  combineContest,
  COST,
  eitherOf,
  ENTRIES_OF_EACH_KIND,
  guestNumber,
  joinContest,
  mergeContest,
  orderWithCard,
  orderWithReward,
  rewardContest,
  WAITING_ENTRIES,
  type CardHolder,
} from '../support/programs/contested-cards.ts';
import { serverPair, type ServerPair } from '../support/programs/contested-tables.ts';
import { until } from '../support/programs/crashes.ts';
import {
  orderLoad,
  orderStaff,
  type OrderLoad,
  type OrderStaff,
  type RetryingClient,
} from '../support/programs/order-load.ts';
import { connectTo, eventually, useProgram } from '../support/programs/program.ts';
import type { OrderInput } from '../support/people/guests.ts';
import { aJoin } from '../support/people/members.ts';
import { emailOf, PASSWORD } from '../support/people/staff.ts';
import type { Reply } from '../support/server/http-client.ts';
import { SLUG } from '../support/shops/cafe.ts';

const program = useProgram('file', 'embedded');
const messageFile = (): string => join(program.dataDir(), 'messages.jsonl');
const settings = () => ({ OTP_SENDER: 'file', OTP_FILE: messageFile(), RATE_LIMIT_SCALE: '0' });

/** Rounds of a contest; while the clients of the second one ask, a server is killed. */
const ROUNDS = [null, 0] as const;
const CONTESTS_MS = 120_000;
const MEMBERS_OF_LOAD = 6;
const POINTS_OF_LOAD = 60;
const PER_SECOND = 60;
/** Orders acknowledged between two crashes. */
const A_FEW = 50;
const MORE_CRASHES = Number(process.env['AHWA_CRASHES'] ?? 0);

let pair: ServerPair;
let client: RetryingClient;
let database: pg.Client;
let desk: { readonly authorization: string };
let met = 0;

const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.query<Row>(text, values)).rows;

const command = async (args: readonly string[], input: string): Promise<void> => {
  const { code, stderr } = await program.ahwa(args, settings(), input);
  if (code !== 0) throw new Error(stderr);
};

const bodyOf = async <Body>(path: string, body: unknown, headers = {}): Promise<Body> => {
  const reply = await client.postUntilAnswered(path, body, headers);
  if (reply.status >= 300) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
  return reply.body as Body;
};

const codeSentTo = (phone: string): string | undefined =>
  readFileSync(messageFile(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly phone: string; readonly code?: string })
    .findLast((line) => line.phone === phone)?.code;

const aHolder = async (points: number): Promise<CardHolder> => {
  const guest = guestNumber((met += 1));
  const { typed: phone } = guest;
  await bodyOf('/public/otp/request', { phone });
  const code = codeSentTo(guest.phone);
  const { device_token } = await bodyOf<{ device_token: string }>('/public/otp/verify', { phone, code });
  const { member_token } = await bodyOf<{ member_token: string }>(
    '/public/loyalty/join',
    aJoin({ phone, device_token }),
  );
  const [ids] = await rows<{ cardId: string; customerId: string }>(CARD_OF, [guest.phone]);
  if (ids === undefined) throw new Error('there is no card');
  await bodyOf(`/staff/loyalty/members/${ids.cardId}/adjust`, { amount: points, note: 'نقاط' }, desk);
  return { ...guest, ...ids, deviceToken: device_token, memberToken: member_token };
};

const whileKilled = async <T>(server: 0 | 1 | null, contest: Promise<T>): Promise<T> => {
  const [result] = await Promise.all([contest, server === null ? undefined : pair.kill(server)]);
  return result;
};

const codeOf = ({ status, body }: Reply): string =>
  status < 300 ? 'accepted' : `${status} ${(body as { code?: string }).code ?? ''}`;

const SPENT = `
  select points, (select count(*)::int from delivery_order o where o.org_id = l.org_id and o.card_id = l.id) as orders,
         array(select amount from loyalty_entry e where e.org_id = l.org_id and e.card_id = l.id and kind = 'redeem') as redeemed
  from loyalty_card l where id = $1
`;
const MOVED = `
  select points, merged_into as into, array(select amount from loyalty_entry e where e.org_id = l.org_id and e.card_id = l.id and source = 'merge') as moved
  from loyalty_card l where id = $1
`;

/** The older card of 30 points has the 12 of the newer one, moved once. */
const expectCombined = async (older: CardHolder, newer: CardHolder): Promise<void> => {
  expect([...(await rows(MOVED, [older.cardId])), ...(await rows(MOVED, [newer.cardId]))]).toEqual([
    { points: 42, into: null, moved: [12] },
    { points: 0, into: older.cardId, moved: [-12] },
  ]);
  const asked = `select from audit where action = 'customer.combined' and subject_id = $1`;
  expect(await rows(asked, [older.customerId])).toHaveLength(1);
};

beforeAll(async () => {
  pair = await serverPair(() => program.serve(settings()));
  client = eitherOf(pair);
  database = await connectTo(program.dataDir());
  await command(['import', '-'], JSON.stringify(cardShop()));
  await command(['staff', 'password', SLUG, emailOf('owner')], `${PASSWORD}\n`);
  const credentials = { email: emailOf('owner'), password: PASSWORD };
  const { token } = await bodyOf<{ token: string }>('/staff/sign-in', credentials);
  desk = { authorization: `Bearer ${token}` };
}, 120_000);
afterAll(() => database.end());

describe('20 clients of two servers, one of which is killed', () => {
  test(
    'who order with one reward: one has it, the others REWARD_UNAVAILABLE and no order',
    async () => {
      for (const killed of ROUNDS) {
        const holder = await aHolder(COST);
        const replies = await whileKilled(killed, rewardContest(pair, holder));
        const refused = Array.from({ length: CLIENTS - 1 }, () => '409 REWARD_UNAVAILABLE');
        expect(replies.map(codeOf).sort()).toEqual([...refused, 'accepted']);
        expect(await rows(SPENT, [holder.cardId])).toEqual([{ points: 0, orders: 1, redeemed: [-COST] }]);
      }
    },
    CONTESTS_MS,
  );

  test(
    'who join with one phone in six spellings: one card, whose token one of them has',
    async () => {
      for (const killed of ROUNDS) {
        const guest = guestNumber((met += 1));
        const replies = await whileKilled(killed, joinContest(pair, guest));
        const joins = replies.map(({ body }) => body as { already_member: boolean; member_token?: string });
        expect(replies.map(codeOf)).toEqual(Array.from({ length: CLIENTS }, () => 'accepted'));
        expect(joins.filter(({ already_member: isOld }) => !isOld)).toHaveLength(1);
        expect(joins.filter(({ member_token: token }) => typeof token === 'string')).toHaveLength(1);
        expect(await rows(CARD_OF, [guest.phone])).toHaveLength(1);
      }
    },
    CONTESTS_MS,
  );

  test(
    'who combine the two cards of a guest: one card with both balances, and the same answer for all',
    async () => {
      for (const killed of ROUNDS) {
        const [older, newer] = [await aHolder(30), await aHolder(12)];
        const replies = await whileKilled(killed, combineContest(pair, newer, older));
        expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        expect(replies[0]?.body).toMatchObject({ combined: true, member_token: older.memberToken });
        await expectCombined(older, newer);
      }
    },
    CONTESTS_MS,
  );

  test(
    'who merge two customers as staff, either into the other: the same',
    async () => {
      for (const killed of ROUNDS) {
        const [older, newer] = [await aHolder(30), await aHolder(12)];
        const replies = await whileKilled(killed, mergeContest(pair, desk, [newer, older]));
        expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        expect(replies[0]?.body).toMatchObject({ card_id: older.cardId, points: 42 });
        await expectCombined(older, newer);
      }
    },
    CONTESTS_MS,
  );
});

// ── Orders that spend and earn ──────────────────────────────────────────────────────────────────

interface Loaded {
  readonly load: OrderLoad;
  readonly staff: OrderStaff;
  readonly lost: number;
}

/** Every second order has a reward. */
const orderOf = (n: number, holders: readonly CardHolder[]): OrderInput => {
  const holder = holders[n % holders.length];
  if (holder === undefined) throw new Error('there are no holders');
  return Math.floor(n / holders.length) % 2 === 0 ? orderWithReward(holder, 2) : orderWithCard(holder, 2);
};

/** Both servers die while orders and their changes have written everything but their entries. */
const killHalfWritten = async (): Promise<void> => {
  await database.query('begin; lock table loyalty_entry in share mode');
  await until(database, WAITING_ENTRIES, 'entries to be half written');
  await Promise.all([pair.kill(0), pair.kill(1)]);
  await database.query('rollback');
};

const underLoad = async (): Promise<Loaded> => {
  const holders: CardHolder[] = [];
  for (let n = 0; n < MEMBERS_OF_LOAD; n += 1) holders.push(await aHolder(POINTS_OF_LOAD));
  const before = client.lost();
  const staff = orderStaff(client, desk.authorization.slice('Bearer '.length), 8);
  const load = orderLoad({
    ...{ client, perSecond: PER_SECOND, orderOf: (n) => orderOf(n, holders) },
    onTaken: (taken) => staff.take(taken),
  });
  staff.begin();
  const more = (): Promise<true> => {
    const enough = load.acknowledged().length + A_FEW;
    return eventually(() => (load.acknowledged().length >= enough ? true : null), 'orders to be taken');
  };
  await more();
  await killHalfWritten();
  await more();
  for (let crash = 0; crash < 2 + MORE_CRASHES; crash += 1) {
    await pair.kill(crash % 2 === 0 ? 0 : 1);
    await more();
  }
  await load.stop();
  await until(database, ENTRIES_OF_EACH_KIND, 'orders to have spent, returned and earned points');
  await staff.stop();
  return { load, staff, lost: client.lost() - before };
};

describe('orders that spend and earn points while servers are killed', () => {
  let loaded: Loaded;
  beforeAll(
    async () => {
      loaded = await underLoad();
    },
    240_000 + MORE_CRASHES * 30_000,
  );

  test('are all stored as acknowledged; those without enough points are refused', async () => {
    const { load, staff, lost } = loaded;
    expect(lost).toBeGreaterThan(0);
    expect([...new Set(load.refused().map(({ status }) => status))]).toEqual([409]);
    const stored = await rows<{ id: string }>(
      `select o.id from delivery_order o join idempotency_key k on k.org_id = o.org_id and k.subject_id = o.id where k.key like 'order-%'`,
    );
    const ids = load.acknowledged().map(({ order }) => order.id);
    expect(stored.map(({ id }) => id).sort()).toEqual(ids.sort());
    for (const { taken, steps } of staff.moved())
      expect(await rows('select status from delivery_order where id = $1', [taken.order.id])).toEqual([
        { status: steps.at(-1)?.to },
      ]);
  });

  test('have each redemption, reversal and earning once, and the balances are their sums', async () => {
    expect(await rows(CARD_FAULTS)).toEqual([]);
  });
});
