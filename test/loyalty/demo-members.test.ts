/** Members of the demo shops: cards whose ledgers add up, in every state. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeDemo } from '../../src/banner.ts';
import { earnedBy } from '../../src/loyalty/domain/earning.ts';
import { MODES } from '../../src/loyalty/domain/programme.ts';
import { progressOf } from '../../src/loyalty/domain/progress.ts';
import { programmeOfShop } from '../../src/loyalty/app/shared.ts';
import { memberByToken } from '../../src/loyalty/store/card.ts';
import type { FrozenCart } from '../../src/pricing/domain/frozen-cart.ts';
import { soldUnits } from '../../src/pricing/domain/sold-units.ts';
import { demoContents, type DemoContents } from '../../src/service/app/demo.ts';
import { uuid5 } from '../../src/shopfile/app/entity-ids.ts';
import { demoActivity } from '../../src/wiring.ts';
import { shopId } from '../support/shops/cafe.ts';
import { makeDemo, startDay } from '../support/shops/demo.ts';
import type { World } from '../support/server/world.ts';

const START = '2026-11-20T18:00:00Z';
const DAY = 86_400_000;

let world: World;
let demo: DemoContents;

beforeAll(async () => {
  ({ world, demo } = await makeDemo({ now: START }));
});
afterAll(() => world.close());

const db = () => world.db.kysely;
const cards = () => db().selectFrom('loyalty_card').selectAll().orderBy('id').execute();
const entries = () => db().selectFrom('loyalty_entry').selectAll().orderBy('position').execute();
const memberOrders = () =>
  db().selectFrom('delivery_order').selectAll().where('card_id', 'is not', null).orderBy('id').execute();
const everything = async () => ({
  ...{ cards: await cards(), entries: await entries(), orders: await memberOrders() },
  customers: await db().selectFrom('customer').selectAll().orderBy('id').execute(),
  addresses: await db().selectFrom('customer_address').selectAll().orderBy('id').execute(),
});

const cardOf = async (slug: string, key: string) => {
  const id = uuid5(shopId(slug), `demo card\n${key}`);
  const card = (await cards()).find((each) => each.id === id);
  const programme = await programmeOfShop(db(), shopId(slug));
  if (card === undefined || programme === null) throw new Error(`no card of ${slug} is ${key}'s`);
  const balance = card[programme.mode];
  return { card, programme, balance, progress: progressOf(programme, balance) };
};

const cartOf = ({ cart }: { readonly cart: unknown }): FrozenCart => cart as FrozenCart;
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

describe('the ledger of every demo card', () => {
  test('adds up to its balance, in each mode', async () => {
    const all = await entries();
    for (const card of await cards())
      for (const mode of MODES) {
        const own = all.filter((entry) => entry.card_id === card.id && entry.mode === mode);
        expect([card.id, mode, card[mode]]).toEqual([
          card.id,
          mode,
          own.reduce((sum, { amount }) => sum + amount, 0),
        ]);
      }
  });

  test('is in the order of time, and never runs below zero', async () => {
    const all = await entries();
    for (const card of await cards()) {
      const own = all.filter((entry) => entry.card_id === card.id);
      expect(own.map(({ at }) => at)).toEqual(own.map(({ at }) => at).toSorted((a, b) => a - b));
      let balance = 0;
      for (const { amount } of own) {
        balance += amount;
        expect(balance).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test('has the earning of each delivered order that the engine gives for its stored lines', async () => {
    const all = await entries();
    const items = await db().selectFrom('menu_item').select(['id', 'category_id']).execute();
    const categories = new Map(items.map(({ id, category_id }) => [id, category_id]));
    const delivered = (await memberOrders()).filter(({ status }) => status === 'delivered');
    expect(delivered.length).toBeGreaterThan(8);
    for (const order of delivered) {
      expect(order.order_id).toBe(order.id);
      const programme = await programmeOfShop(db(), order.org_id);
      if (programme === null) throw new Error('a member has a programme');
      const sold = soldUnits({ ...order, cart: cartOf(order) });
      const paid = sold.paid.map((unit) => ({ ...unit, categoryId: categories.get(unit.itemId) ?? null }));
      const wanted = earnedBy(programme, { ...sold, paid });
      const earned = all.filter(({ sale_id, kind }) => sale_id === order.id && kind === 'earn');
      expect(earned.map(({ amount, shortfall }) => amount + shortfall)).toEqual(wanted === 0 ? [] : [wanted]);
      expect(earned.every(({ card_id, at }) => card_id === order.card_id && at === order.delivered_at)).toBe(
        true,
      );
    }
  });

  test('shows every state: earned, spent, given back, adjusted, birthday, win-back, combined, at the cap', async () => {
    const all = await entries();
    const states = new Set(all.map(({ kind, source }) => `${kind} ${source}`));
    expect([...states].sort()).toEqual([
      'adjust birthday',
      'adjust manual',
      'adjust merge',
      'adjust win_back',
      'earn sale',
      'redeem redemption',
      'reversal void',
    ]);
    const adjusted = all.filter(({ source }) => source === 'manual');
    expect(adjusted.every(({ note }) => note !== null)).toBe(true);
    const staff = await db().selectFrom('staff').select('id').where('role', '=', 'manager').execute();
    expect(staff.map(({ id }) => id)).toEqual(
      expect.arrayContaining(adjusted.map(({ staff_id }) => staff_id)),
    );
    const voided = all.find(({ source }) => source === 'void');
    const spent = all.find(({ kind, sale_id }) => kind === 'redeem' && sale_id === voided?.sale_id);
    expect([voided?.reverses, voided?.amount]).toEqual(['redeem', -(spent?.amount ?? 0)]);
    expect(spent?.rewards).toEqual([expect.objectContaining({ units: 1, cost: voided?.amount })]);
  });
});

describe('every order of a demo member', () => {
  test('has lines that sum to its subtotal, and the total that follows', async () => {
    for (const order of await memberOrders()) {
      const lines = cartOf(order).lines.map(({ line_total }) => line_total);
      expect(sumOf(lines)).toBe(order.subtotal);
      const tax = order.tax_inclusive ? 0 : order.tax_amount;
      const {
        subtotal,
        discount_amount: discount,
        service_charge_amount: service,
        delivery_fee: fee,
      } = order;
      expect(order.total).toBe(subtotal - discount + service + fee + tax);
    }
  });

  test('has its rewards on its lines, at the cost that its ledger entry took', async () => {
    const spent = (await entries()).filter(({ kind }) => kind === 'redeem');
    const orders = await memberOrders();
    const redeeming = demoActivity().members.flatMap(({ history }) =>
      history.filter((event) => 'order' in event && event.order.redeems !== undefined),
    );
    expect(redeeming.length).toBeGreaterThan(2);
    const rewarded = orders.filter(({ reward_cost: cost }) => cost > 0);
    expect(rewarded.map(({ id }) => id).sort()).toEqual(spent.map(({ sale_id }) => sale_id).sort());
    expect(rewarded.length).toBe(redeeming.length);
    for (const order of orders) {
      const { lines, rewards = [] } = cartOf(order);
      const entry = spent.find(({ sale_id }) => sale_id === order.id);
      expect(order.reward_cost).toBe(sumOf(rewards.map(({ cost }) => cost)));
      expect(order.reward_cost + (entry?.amount ?? 0)).toBe(0);
      expect(entry?.rewards ?? []).toEqual(
        rewards.map(({ reward_id, name, name_translations, units, cost }) => ({
          ...{ reward_id, name, name_translations, units, cost },
        })),
      );
      for (const [index, line] of lines.entries()) {
        const units = sumOf(rewards.flatMap((reward) => (reward.line_index === index ? reward.units : [])));
        const price = line.unit_price + line.addons_total;
        expect([line.reward_units, line.reward_discount]).toEqual([units, units * price]);
        if (line.combo === null)
          expect(line.line_total).toBe((line.quantity - units) * price - line.deal_discount);
      }
    }
  });

  test('tells what it was expected to earn, which is what it earned', async () => {
    const all = await entries();
    for (const order of (await memberOrders()).filter(({ status }) => status === 'delivered')) {
      const earned = all.find(({ sale_id, kind }) => sale_id === order.id && kind === 'earn');
      expect(order.cart.loyalty?.earns).toBe(earned?.amount ?? 0);
    }
  });
});

test('cards are new, about to have a reward, with rewards ready, at the cap, and combined with another', async () => {
  const fresh = await cardOf('beit-el-bunn', 'mariam');
  expect(fresh.balance).toBe(0);
  const near = await cardOf('beit-el-bunn', 'karim');
  expect(near.progress.rewardsReady).toBe(0);
  expect(near.progress.pointsToNextReward).toBeLessThanOrEqual(10);
  expect((await cardOf('zawya', 'laila')).progress.pointsToNextReward).toBe(1);
  for (const [slug, key] of [
    ['beit-el-bunn', 'nour'],
    ['zawya', 'youssef'],
  ] as const)
    expect((await cardOf(slug, key)).progress.canRedeem).toBe(true);
  const full = await cardOf('beit-el-bunn', 'tarek');
  expect(full.balance).toBe(full.programme.balanceCap);
  const trimmed = (await entries()).filter(
    ({ card_id, shortfall }) => card_id === full.card.id && shortfall > 0,
  );
  expect(new Set(trimmed.map(({ source }) => source))).toEqual(new Set(['birthday', 'sale']));
  const [kept, ended] = [await cardOf('beit-el-bunn', 'salma'), await cardOf('beit-el-bunn', 'salma-second')];
  expect([ended.card.merged_into, ended.balance]).toEqual([kept.card.id, 0]);
  expect(kept.card.created_at).toBeLessThan(ended.card.created_at);
});

test('members have names in both languages, proven phones, addresses, and past orders on every channel', async () => {
  const customers = await db().selectFrom('customer').selectAll().execute();
  expect(new Set(customers.map(({ name }) => /[\u0600-\u06ff]/.test(name)))).toEqual(new Set([true, false]));
  const living = customers.filter(({ merged_into: into }) => into === null);
  expect(living.length).toBe(customers.length - 1);
  expect(living.every(({ phone_proven_at: proven }) => proven !== null)).toBe(true);
  const orders = await memberOrders();
  const past = demoActivity().members.flatMap(({ history }) => history.filter((event) => 'order' in event));
  expect(orders.length).toBe(past.length);
  expect(new Set(orders.map(({ channel }) => channel))).toEqual(
    new Set(['pickup', 'outside', 'in_mall', 'umbrella']),
  );
  const addresses = await db().selectFrom('customer_address').selectAll().execute();
  expect(new Set(addresses.map(({ channel }) => channel))).toEqual(
    new Set(['outside', 'in_mall', 'umbrella']),
  );
  for (const address of addresses)
    expect(orders.filter(({ address_id }) => address_id === address.id).length).toBe(address.use_count);
});

test('a start changes nothing of a member, the same day and later', async () => {
  const before = await everything();
  await startDay(world);
  expect(await everything()).toEqual(before);
  world.now += 3 * DAY;
  await startDay(world);
  expect(await everything()).toEqual(before);
  world.now -= 3 * DAY;
});

test('the demo names one card for each shop with a programme, and prints its link', async () => {
  expect(demo.members.map(({ shop, name }) => [shop, name])).toEqual([
    ['beit-el-bunn', 'نور حمدي'],
    ['zawya', 'يوسف منصور'],
  ]);
  const printed = describeDemo('https://ahwa.example', demo);
  for (const { shop, name, memberToken } of demo.members) {
    expect(printed).toContain(`    https://ahwa.example/card/${memberToken}  ${shop}, ${name}`);
    const hash = world.app.tokens.hashOf(memberToken);
    expect((await memberByToken(db(), hash, world.now))?.name).toBe(name);
  }
});

test('a card is named only while its shop has a programme', async () => {
  const only = async () => (await demoContents(world.app, demoActivity())).members.map(({ shop }) => shop);
  const set = (enabled: boolean) =>
    db().updateTable('loyalty_program').set({ enabled }).where('org_id', '=', shopId('zawya')).execute();
  await set(false);
  expect(await only()).toEqual(['beit-el-bunn']);
  await set(true);
  expect(await only()).toEqual(['beit-el-bunn', 'zawya']);
});
