/** POST /public/order-now/{member_token}/combine. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../src/platform/store/db.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import { openShops, shopId } from '../support/shops/cafe.ts';
import { aCard, aGuest, orderOn, placed, proveOn } from '../support/people/guests.ts';
import { cardAddress, cardOf } from '../support/people/members.ts';
import {
  aMemberWith,
  aProvenGuest,
  askIdentity,
  customerRow,
  identityChangesOf,
  balancesOf,
  combinedWith,
  identityRefused,
  orderNowOf,
  pastOrdersOf,
  proofsOf,
  replacedBy,
  type CardMember,
  type ProvenGuest,
} from '../support/people/identity.ts';
import { post } from '../support/server/requests.ts';
import { aStaffedShop } from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop());
});
afterAll(() => world.close());

const delivered = (guest: ProvenGuest, more: object = {}) =>
  placed(
    world,
    orderOn('outside', {
      ...{ customer_phone: guest.typed, customer_name: 'منى السيد', device_token: guest.device },
      ...more,
    }),
  );

const entriesOf = (cardId: string) =>
  world.db.kysely
    .selectFrom('loyalty_entry')
    .select(['mode', 'kind', 'source', 'amount'])
    .where('card_id', '=', cardId)
    .where('source', '=', 'merge')
    .orderBy('position')
    .execute();

describe('two cards combined', () => {
  test('keep the sum of both balances on the older card, under the new phone', async () => {
    const older = await aMemberWith(world, { points: 120, visits: 3 });
    const newer = await aMemberWith(world, { points: 35 }, 'منى');
    expect(await combinedWith(world, newer, older)).toEqual({
      customer_id: older.customerId,
      phone_hint: `•••• ${older.phone.slice(-4)}`,
      first_name: 'منى',
      combined: true,
      member_token: older.token,
    });
    expect(await balancesOf(world, older.cardId)).toEqual({ points: 155, visits: 3 });
    expect(await balancesOf(world, newer.cardId)).toEqual({ points: 0, visits: 0 });
    const moved = { mode: 'points', kind: 'adjust', source: 'merge' };
    expect(await entriesOf(newer.cardId)).toEqual([{ ...moved, amount: -35 }]);
    expect(await entriesOf(older.cardId)).toEqual([{ ...moved, amount: 35 }]);
  });

  test('show one ledger of both, whose sum is the balance', async () => {
    const older = await aMemberWith(world, { points: 120 });
    const newer = await aMemberWith(world, { points: 35 }, 'منى');
    await combinedWith(world, newer, older);
    const { balance, entries } = await cardOf(world, older.token);
    expect(entries.map(({ source, amount }) => [source, amount]).sort()).toEqual([
      ['manual', 120],
      ['manual', 35],
      ['merge', -35],
      ['merge', 35],
    ]);
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance);
    // The other card's own token leads to the same card.
    expect((await cardOf(world, newer.token)).entries).toEqual(entries);
  });

  test('give the older card the new phone, whichever of the two was asked with', async () => {
    const older = await aMemberWith(world, { visits: 2 });
    const newer = await aMemberWith(world, { points: 7, visits: 1 });
    const { customer_id, member_token } = await combinedWith(world, older, newer, { name: 'نهى' });
    expect([customer_id, member_token]).toEqual([older.customerId, older.token]);
    expect(await customerRow(world, older.customerId)).toMatchObject({ phone: newer.phone, name: 'نهى' });
    expect(await balancesOf(world, older.cardId)).toEqual({ points: 7, visits: 3 });
  });

  test('leave no phone and no name on the other customer', async () => {
    const [older, newer] = [await aMemberWith(world, {}, 'ليلى'), await aMemberWith(world, {}, 'هالة')];
    await combinedWith(world, older, newer);
    expect(await customerRow(world, newer.customerId)).toMatchObject({
      ...{ phone: null, name: '', phone_proven_at: null, merged_into: older.customerId, erased_at: null },
    });
    // The phone that the card had is free for whoever proves it.
    expect(await aCard(world, older, 'هبة')).toMatch(/^M/);
  });

  test('have the orders and addresses of both, the same place once', async () => {
    const [older, newer] = [await aMemberWith(world), await aMemberWith(world)];
    const here = await delivered(older);
    world.now += HOUR;
    const there = await delivered(newer);
    world.now += HOUR;
    const elsewhere = await delivered(newer, { address_line: '٥ شارع طه حسين', member_token: newer.token });
    await combinedWith(world, newer, older);
    const orders = await pastOrdersOf(world, older.token);
    expect(orders.map(({ id }) => id)).toEqual([elsewhere.id, there.id, here.id]);
    const { full } = await orderNowOf(world, older.token, older.device);
    expect(full?.addresses.map(({ address_line, use_count }) => [address_line, use_count])).toEqual([
      ['٥ شارع طه حسين', 1],
      ['١٢ شارع البرازيل', 2],
    ]);
    const rows = await world.db.kysely
      .selectFrom('delivery_order')
      .select(['id', 'address_id', 'customer_id'])
      .where('customer_id', '=', older.customerId)
      .execute();
    const addressOf = (id: string) => rows.find((row) => row.id === id)?.address_id;
    expect(addressOf(there.id)).toBe(addressOf(here.id));
    expect(addressOf(elsewhere.id)).toBe(elsewhere.address_id);
  });

  test('take an order under way along, with the card that it earns for', async () => {
    const [older, newer] = [await aMemberWith(world), await aMemberWith(world)];
    const open = await delivered(newer, { member_token: newer.token });
    await world.db.kysely
      .updateTable('delivery_order')
      .set({ card_id: newer.cardId })
      .where('id', '=', open.id)
      .execute();
    await combinedWith(world, newer, older);
    const row = await world.db.kysely
      .selectFrom('delivery_order')
      .select(['card_id', 'customer_id', 'status'])
      .where('id', '=', open.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ card_id: older.cardId, customer_id: older.customerId, status: 'received' });
  });

  test('leave an order that was given to the card of a friend with that card', async () => {
    const [older, newer, friend] = [
      await aMemberWith(world),
      await aMemberWith(world),
      await aMemberWith(world),
    ];
    const orders = [await delivered(newer), await delivered(newer)];
    const { kysely } = world.db;
    await kysely
      .updateTable('delivery_order')
      .set({ card_id: friend.cardId })
      .where('id', '=', orders[0]?.id ?? '')
      .execute();
    await combinedWith(world, newer, older);
    const rows = await kysely
      .selectFrom('delivery_order')
      .select('card_id')
      .where('customer_id', '=', older.customerId)
      .orderBy('id')
      .execute();
    expect(rows.map(({ card_id }) => card_id).toSorted()).toEqual([friend.cardId, null].toSorted());
  });

  test('keep an opt-out of either, a birthday of either, and greetings once', async () => {
    const [older, newer] = [await aMemberWith(world), await aMemberWith(world)];
    const { kysely } = world.db;
    await kysely
      .updateTable('customer')
      .set({ marketing_opt_out: true, birth_month: 2, birth_day: 29 })
      .where('id', '=', newer.customerId)
      .execute();
    const greeting = { org_id: shopId(), kind: 'birthday', at: at(world.now) };
    for (const [customer_id, occasion] of [
      [older.customerId, '2025'],
      [newer.customerId, '2025'],
      [newer.customerId, '2024'],
    ] as const)
      await kysely
        .insertInto('loyalty_greeting')
        .values({ ...greeting, customer_id, occasion })
        .execute();
    await combinedWith(world, newer, older);
    expect(await customerRow(world, older.customerId)).toMatchObject({
      ...{ marketing_opt_out: true, birth_month: 2, birth_day: 29 },
    });
    const greetings = await kysely
      .selectFrom('loyalty_greeting')
      .select(['customer_id', 'occasion'])
      .where('customer_id', 'in', [older.customerId, newer.customerId])
      .orderBy('occasion')
      .execute();
    expect(greetings).toEqual(
      ['2024', '2025'].map((occasion) => ({ customer_id: older.customerId, occasion })),
    );
  });

  test('keep the changes of both: a phone replaced twice stays replaced twice', async () => {
    const [older, newer] = [await aMemberWith(world), await aMemberWith(world)];
    const phones = [await aProvenGuest(world), await aProvenGuest(world)] as const;
    await replacedBy(world, older, phones[0]);
    await replacedBy(world, newer, phones[1]);
    await combinedWith(world, { ...newer, ...phones[1] }, phones[0]);
    world.now += DAY;
    const asked = proofsOf(phones[0], await aProvenGuest(world));
    expect(await identityRefused(world, 'replace-identity', older.token, asked)).toMatchObject({
      code: 'IDENTITY_REPLACE_LIMIT',
    });
  });

  test('with a customer without a card: their orders and addresses come to the card', async () => {
    const [other, member] = [await aProvenGuest(world), await aMemberWith(world, { points: 5 })];
    const order = await delivered(other);
    const { customer_id } = await combinedWith(world, member, other);
    expect(customer_id).toBe(member.customerId);
    expect((await pastOrdersOf(world, member.token)).map(({ id }) => id)).toEqual([order.id]);
    expect(await balancesOf(world, member.cardId)).toEqual({ points: 5, visits: 0 });
    expect((await orderNowOf(world, member.token, other.device)).full?.phone).toBe(other.phone);
  });

  test('with a phone that nobody has are NOTHING_TO_COMBINE, as with the card’s own', async () => {
    const [member, fresh] = [await aMemberWith(world), await aProvenGuest(world)];
    for (const to of [fresh, member])
      expect(await identityRefused(world, 'combine', member.token, proofsOf(member, to))).toMatchObject({
        ...{ status: 409, code: 'NOTHING_TO_COMBINE' },
      });
  });

  test('lock the phone for 24 hours', async () => {
    const [older, newer, fresh] = [
      await aMemberWith(world),
      await aMemberWith(world),
      await aProvenGuest(world),
    ];
    await combinedWith(world, newer, older);
    const asked = proofsOf(older, fresh);
    world.now += DAY - 1;
    expect(await identityRefused(world, 'replace-identity', older.token, asked)).toMatchObject({
      ...{ status: 409, code: 'IDENTITY_LOCKED_AFTER_MERGE' },
    });
    world.now += 1;
    expect((await askIdentity(world, 'replace-identity', older.token, asked)).status).toBe(200);
  });

  test('answer a repeated request the same, with either token', async () => {
    const [older, newer] = [await aMemberWith(world, { points: 1 }), await aMemberWith(world, { points: 2 })];
    const first = await combinedWith(world, newer, older);
    expect(await combinedWith(world, newer, older)).toEqual(first);
    expect(await combinedWith(world, { ...newer, token: older.token }, older)).toEqual(first);
    expect(await balancesOf(world, older.cardId)).toEqual({ points: 3, visits: 0 });
    expect(await identityChangesOf(world, older)).toEqual([{ kind: 'combined' }]);
  });
});

describe('the token of a card that was combined', () => {
  test('leads to the other card for 90 days', async () => {
    const [older, newer] = [await aMemberWith(world, {}, 'هالة'), await aMemberWith(world)];
    await combinedWith(world, newer, older, { name: 'هالة سعيد' });
    const { member_token } = await cardOf(world, newer.token);
    expect(member_token).toBe(older.token);
    world.now += 90 * DAY - 1;
    expect(await orderNowOf(world, newer.token)).toMatchObject({ first_name: 'هالة' });
    world.now += 1;
    expect(await world.refused(`/public/order-now/${newer.token}`)).toMatchObject({ status: 404 });
    expect(await orderNowOf(world, older.token)).toMatchObject({ first_name: 'هالة' });
  });

  test('leads along a chain of combinations, each for its own 90 days', async () => {
    const [third, second, first] = [
      await aMemberWith(world, { points: 1 }),
      await aMemberWith(world, { points: 10 }),
      await aMemberWith(world, { points: 100 }),
    ];
    await combinedWith(world, first, second);
    world.now += 80 * DAY;
    const device = await proveOn(world, second);
    const again = await proveOn(world, third);
    await combinedWith(world, { ...first, device }, { ...third, device: again });
    expect(await balancesOf(world, third.cardId)).toEqual({ points: 111, visits: 0 });
    for (const { token } of [first, second, third])
      expect((await orderNowOf(world, token, again)).full?.customer_id).toBe(third.customerId);
    world.now += 10 * DAY;
    expect(await world.refused(`/public/order-now/${first.token}`)).toMatchObject({ status: 404 });
    expect(await orderNowOf(world, second.token)).toMatchObject({ first_name: 'منى' });
  });

  test('that was handed out unproven ends with the first proof, and the answer has the new one', async () => {
    const [member, fresh] = [await aMemberWith(world, { points: 4 }), await aProvenGuest(world)];
    await world.db.kysely
      .updateTable('loyalty_card')
      .set({ is_unproven: true })
      .where('id', '=', member.cardId)
      .execute();
    await world.db.kysely
      .updateTable('customer')
      .set({ phone_proven_at: null })
      .where('id', '=', member.customerId)
      .execute();
    expect(await orderNowOf(world, member.token)).toMatchObject({ verify_required: true });
    const { member_token } = await replacedBy(world, member, fresh);
    expect(member_token).not.toBe(member.token);
    const audited = await auditOf(world, member.cardId);
    expect(audited.map(({ action }) => action)).toContain('card.renewed');
    expect(await world.refused(`/public/order-now/${member.token}`)).toMatchObject({ status: 404 });
    expect((await orderNowOf(world, member_token ?? '', fresh.device)).full?.phone).toBe(fresh.phone);
  });
});

test('an opt-out that waits for a combination is the other card’s', async () => {
  const [older, newer] = [await aMemberWith(world), await aMemberWith(world)];
  const { waiting } = await world.db.tx(async (tx) => {
    const { customerId } = newer;
    await sql`select from customer where org_id = ${shopId()} and id = ${customerId} for update`.execute(tx);
    const opting = post(world, cardAddress(newer.token, '/preferences'), { marketing_opt_out: true });
    await lockWait(world);
    await sql`
      update loyalty_card set merged_into = ${older.cardId}, merged_at = ${at(world.now)} where id = ${newer.cardId}
    `.execute(tx);
    await sql`update customer set phone = null, merged_into = ${older.customerId} where id = ${customerId}`.execute(
      tx,
    );
    return { waiting: opting };
  });
  expect((await waiting).status).toBe(204);
  expect(await customerRow(world, older.customerId)).toMatchObject({ marketing_opt_out: true });
});

describe('20 clients at once', () => {
  test('combine one pair once; the others find it done', async () => {
    const [older, newer] = [
      await aMemberWith(world, { points: 30, visits: 2 }),
      await aMemberWith(world, { points: 12 }),
    ];
    await delivered(newer);
    const answers = await Promise.all(Array.from({ length: 20 }, () => combinedWith(world, newer, older)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await balancesOf(world, older.cardId)).toEqual({ points: 42, visits: 2 });
    expect(await identityChangesOf(world, older)).toEqual([{ kind: 'combined' }]);
    expect(await entriesOf(newer.cardId)).toHaveLength(1);
  });

  test('combine a pair from both sides: one wins, and the others are refused', async () => {
    const [older, newer] = [
      await aMemberWith(world, { points: 30 }),
      await aMemberWith(world, { points: 12 }),
    ];
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0
          ? askIdentity(world, 'combine', newer.token, proofsOf(newer, older))
          : askIdentity(world, 'combine', older.token, proofsOf(older, newer)),
      ),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(statuses.every((status) => [200, 401, 409].includes(status))).toBe(true);
    expect(await balancesOf(world, older.cardId)).toEqual({ points: 42, visits: 0 });
    expect(await identityChangesOf(world, older)).toEqual([{ kind: 'combined' }]);
  });

  test('give one phone to one of 20 cards', async () => {
    const fresh = await aProvenGuest(world);
    const members: CardMember[] = [];
    for (let n = 0; n < 20; n += 1) members.push(await aMemberWith(world));
    const replies = await Promise.all(
      members.map((member) => askIdentity(world, 'replace-identity', member.token, proofsOf(member, fresh))),
    );
    const statuses = replies.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });
});

test('an order placed while its customer is combined belongs to the survivor', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [older, newer] = [await aMemberWith(world), await aMemberWith(world)];
    const [, ...orders] = await Promise.all([
      combinedWith(world, newer, older),
      ...Array.from({ length: 4 }, () =>
        delivered(newer, {
          member_token: newer.token,
          identity_change: 'one_time',
          customer_phone: aGuest().typed,
        }).catch(() => null),
      ),
    ]);
    const stray = await world.db.kysely
      .selectFrom('delivery_order')
      .select('id')
      .where('customer_id', '=', newer.customerId)
      .execute();
    expect(stray).toEqual([]);
    expect(orders).toHaveLength(4);
  }
});
