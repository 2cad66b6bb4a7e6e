/** Joining a programme (Decisions 11, Join). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { asOwner } from '../support/database/test-database.ts';
import { openShops, aShopFile, branchId, shopId } from '../support/shops/cafe.ts';
import { aGuest, anOrder, place, placed, proveOn, type Guest } from '../support/people/guests.ts';
import {
  aJoin,
  aMember,
  aShopWithCards,
  cardAddress,
  cardOf,
  join,
  joined,
  tokenIn,
} from '../support/people/members.ts';
import { done, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
afterAll(() => world.close());

/** Shop with codes, without a programme, and switched off. */
const STRICT = 'strict-cafe';
const NONE = 'no-programme';
const OFF = 'programme-off';
const CLOSED = 'closed-cafe';

beforeAll(async () => {
  world = await makeWorld();
  await openShops(
    world,
    aShopWithCards({ birthday: { enabled: true } }),
    aShopWithCards({ require_otp: true }, { slug: STRICT }),
    aShopFile({ slug: NONE }),
    aShopWithCards({ enabled: false }, { slug: OFF }),
    aShopWithCards({}, { slug: CLOSED, active: false }),
  );
});

const at = (slug: string) => ({ org_id: shopId(slug) });

const customerOf = async ({ phone }: Guest) =>
  (
    await sql<{
      name: string;
      language: string;
      birth_month: number | null;
      birth_day: number | null;
      isProven: boolean;
      cards: number;
    }>`
      select name, language, birth_month, birth_day, phone_proven_at is not null as "isProven",
             (select count(*)::int from loyalty_card l where l.org_id = c.org_id and l.customer_id = c.id) as cards
      from customer c where phone = ${phone} and org_id = ${shopId()}
    `.execute(world.db.kysely)
  ).rows;

/** A minute after the code before. */
const provenAgain = (guest: Guest): Promise<string> => {
  world.now += 61_000;
  return proveOn(world, guest);
};

/** The status of reading a card. */
const statusOf = async (token: string): Promise<number> => (await world.get(cardAddress(token))).status;

describe('a new phone', () => {
  test('gets a token at once where the shop asks for no code', async () => {
    const guest = aGuest();
    const result = await joined(world, { phone: guest.typed, name: '  منى\tالسيد ' });
    expect(result).toMatchObject({
      ...{ name: 'منى السيد', balance: 0, mode: 'points', next_reward_cost: 100 },
      ...{ already_member: false, verify_required: false, card_link_sent: false },
      passes: { any: false, wallet_one_url: null, wallet_two_url: null },
    });
    expect(result.member_token).toMatch(/^M[A-Za-z0-9_-]{22}$/);
    expect(await cardOf(world, tokenIn(result))).toMatchObject({ name: 'منى السيد', balance: 0 });
    expect(await customerOf(guest)).toMatchObject([{ isProven: false, cards: 1 }]);
  });

  test('that its device proves is proven from then on', async () => {
    const guest = aGuest();
    await aMember(world, guest);
    expect(await customerOf(guest)).toMatchObject([{ isProven: true, cards: 1 }]);
  });

  test('joins by the id of a branch', async () => {
    const result = await join(world, { name: 'Mona', phone: aGuest().typed, branch_id: branchId() });
    expect(done('joinLoyalty', result).verify_required).toBe(false);
  });
});

describe('a known phone', () => {
  test('typed in six ways is one member', async () => {
    const ways = [
      '01234567890',
      '+20 123 456 7890',
      '0020 123-456-7890',
      '٠١٢٣٤٥٦٧٨٩٠',
      '201234567890',
      '\u200e۰۱۲۳۴۵۶۷۸۹۰',
    ];
    const results = [];
    for (const phone of ways) results.push(await joined(world, { phone }));
    expect(results.map(({ verify_required }) => verify_required)).toEqual([
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(await customerOf({ typed: '', phone: '201234567890' })).toMatchObject([{ cards: 1 }]);
  });

  test('that is not proven is told to verify, and nothing of its profile', async () => {
    const guest = aGuest();
    await aMember(world, guest, { name: 'Someone Else' });
    const reply = await join(world, aJoin({ phone: guest.typed, name: 'A Stranger' }));
    expect(done('joinLoyalty', reply)).toMatchObject({
      ...{ name: 'A Stranger', balance: 0, verify_required: true, already_member: true },
    });
    expect(reply.body).not.toHaveProperty('member_token');
    expect(reply.body).not.toHaveProperty('passes');
    expect(reply.text).not.toContain('Someone');
  });

  test('without a card is answered as one with a card', async () => {
    const [member, buyer] = [aGuest(), aGuest()];
    await aMember(world, member);
    await placed(world, anOrder({ customer_phone: buyer.typed, device_token: await proveOn(world, buyer) }));
    const [a, b] = [
      await joined(world, { phone: member.typed }),
      await joined(world, { phone: buyer.typed }),
    ];
    expect(a.verify_required).toBe(true);
    expect({ ...b }).toEqual({ ...a });
  });

  test('that is proven gets its token again', async () => {
    const guest = aGuest();
    const token = await aMember(world, guest);
    const again = await joined(world, {
      phone: guest.typed,
      device_token: await provenAgain(guest),
      name: 'Nona',
    });
    expect(again).toMatchObject({
      already_member: true,
      verify_required: false,
      name: 'منى السيد',
      member_token: token,
    });
  });
});

describe('the first proof of a phone', () => {
  test('gives the card a new token and name, and ends the token handed out unproven', async () => {
    const guest = aGuest();
    const old = tokenIn(await joined(world, { phone: guest.typed, name: 'A Stranger' }));
    const token = await aMember(world, guest, { name: 'منى' });
    expect(token).not.toBe(old);
    expect([await statusOf(old), await statusOf(token)]).toEqual([404, 200]);
    expect(await customerOf(guest)).toMatchObject([{ name: 'منى', isProven: true, cards: 1 }]);
  });

  test('by an order ends it too, and the card is got by joining again', async () => {
    const guest = aGuest();
    const old = tokenIn(await joined(world, { phone: guest.typed }));
    const device_token = await proveOn(world, guest);
    await placed(world, anOrder({ customer_phone: guest.typed, device_token }));
    expect(await statusOf(old)).toBe(404);
    const token = tokenIn(await joined(world, { phone: guest.typed, device_token }));
    expect([await statusOf(old), await statusOf(token)]).toEqual([404, 200]);
  });

  test('by an order with the card gives its new token with the order, and again to who repeats it', async () => {
    const guest = aGuest();
    const old = tokenIn(await joined(world, { phone: guest.typed }));
    const device_token = await proveOn(world, guest);
    const key = { 'idempotency-key': `first-proof ${guest.phone}` };
    const order = anOrder({ customer_phone: guest.typed, device_token, member_token: old });
    const first = done('placeOrder', await place(world, order, key));
    const token = first.member_token ?? '';
    expect(token).not.toBe(old);
    expect([await statusOf(old), await statusOf(token)]).toEqual([404, 200]);
    expect(done('placeOrder', await place(world, order, key)).member_token).toBe(token);
    const unproven = done('placeOrder', await place(world, { ...order, device_token: null }, key));
    expect(unproven).not.toHaveProperty('member_token');
    expect(await placed(world, { ...order, member_token: token })).not.toHaveProperty('member_token');
  });

  test('by twenty repetitions of one order at once gives all of them the new token', async () => {
    const guest = aGuest();
    const old = tokenIn(await joined(world, { phone: guest.typed }));
    const device_token = await proveOn(world, guest);
    const key = { 'idempotency-key': `first-proof ${guest.phone}` };
    const order = anOrder({ customer_phone: guest.typed, device_token, member_token: old });
    const replies = await Promise.all(Array.from({ length: 20 }, () => place(world, order, key)));
    const tokens = new Set(replies.map((reply) => done('placeOrder', reply).member_token ?? ''));
    expect(tokens.size).toBe(1);
    expect(await Promise.all([old, ...tokens].map(statusOf))).toEqual([404, 200]);
  });

  test('by an order without the card gives its new token too, and again to who repeats it', async () => {
    const guest = aGuest();
    const old = tokenIn(await joined(world, { phone: guest.typed }));
    const order = anOrder({ customer_phone: guest.typed, device_token: await proveOn(world, guest) });
    const key = { 'idempotency-key': `first-proof ${guest.phone}` };
    const { member_token = '' } = done('placeOrder', await place(world, order, key));
    expect([await statusOf(old), await statusOf(member_token)]).toEqual([404, 200]);
    expect(done('placeOrder', await place(world, order, key)).member_token).toBe(member_token);
    expect(await placed(world, order)).not.toHaveProperty('member_token');
  });

  test('by an order is placed also when the card’s token cannot be renewed, and a repetition gives it', async () => {
    const guest = aGuest();
    await joined(world, { phone: guest.typed });
    const order = anOrder({ customer_phone: guest.typed, device_token: await proveOn(world, guest) });
    const key = { 'idempotency-key': `first-proof ${guest.phone}` };
    await asOwner(
      world.database,
      `create function refuse_renewal() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
       create trigger refuse_renewal before update of generation on loyalty_card
       for each row execute function refuse_renewal()`,
    );
    const first = await place(world, order, key);
    expect(done('placeOrder', first)).not.toHaveProperty('member_token');
    expect(world.logged.join('\n')).toContain('a background task failed');
    await asOwner(world.database, 'drop trigger refuse_renewal on loyalty_card');
    const { id, member_token = '' } = done('placeOrder', await place(world, order, key));
    expect(id).toBe(done('placeOrder', first).id);
    expect(await statusOf(member_token)).toBe(200);
  });

  test('by an order, while the guest joins without proof, leaves a token that works', async () => {
    const guest = aGuest();
    for (let round = 0; round < 8; round += 1) {
      const device_token = await proveOn(world, guest);
      const order = anOrder({ customer_phone: guest.typed, device_token });
      const [join, made] = await Promise.all([joined(world, { phone: guest.typed }), placed(world, order)]);
      const tokens = [made.member_token, join.member_token].filter((token) => typeof token === 'string');
      // Without a token the guest was asked to verify, and joins with the proof.
      const token = tokens[0] ?? tokenIn(await joined(world, { phone: guest.typed, device_token }));
      expect(await statusOf(token)).toBe(200);
      Object.assign(guest, aGuest());
    }
  });

  test('of another phone, sent with the card, ends nothing', async () => {
    const guest = aGuest();
    const token = tokenIn(await joined(world, { phone: guest.typed }));
    const device_token = await proveOn(world, aGuest());
    const order = anOrder({ customer_phone: guest.typed, device_token, member_token: token });
    expect((await place(world, order)).status).toBe(401);
    expect(await statusOf(token)).toBe(200);
  });
});

describe('where a shop asks for codes', () => {
  test('a join without proof is 401, whether the phone is known or not', async () => {
    const guest = aGuest();
    await aMember(world, guest, at(STRICT));
    const known = refusalOf(await join(world, aJoin({ ...at(STRICT), phone: guest.typed })));
    const unknown = refusalOf(await join(world, aJoin({ ...at(STRICT), phone: aGuest().typed })));
    expect(known).toEqual(unknown);
    expect(known).toMatchObject({ status: 401, code: 'PHONE_NOT_VERIFIED' });
  });

  test('the proof of another phone is none', async () => {
    const device_token = await proveOn(world, aGuest());
    const reply = await join(world, aJoin({ ...at(STRICT), phone: aGuest().typed, device_token }));
    expect(refusalOf(reply).code).toBe('PHONE_NOT_VERIFIED');
  });
});

describe('a birthday', () => {
  const withBirthday = (birthday: object) =>
    join(world, { ...aJoin({ phone: aGuest().typed }), ...birthday });

  test('is a real day of any year, and kept without a year', async () => {
    const guest = aGuest();
    const token = await aMember(world, guest, { birth_month: 2, birth_day: 29 });
    expect(await customerOf(guest)).toMatchObject([{ birth_month: 2, birth_day: 29 }]);
    expect((await cardOf(world, token)).birthday).toBe(true);
  });

  test.each([
    { birth_month: 4 },
    { birth_day: 4 },
    { birth_month: 4, birth_day: 31 },
    { birth_month: 2, birth_day: 30 },
    { birth_month: 13, birth_day: 1 },
    { birth_month: 1, birth_day: 32 },
    { birth_month: 0, birth_day: 1 },
    { birth_month: 1, birth_day: 1, birth_year: 1990 },
    { birth_month: '4', birth_day: 3 },
  ])('of %j is 400', async (birthday) => {
    const refusal = refusalOf(await withBirthday(birthday));
    expect(refusal.status).toBe(400);
    expect(JSON.stringify(refusal.fields)).toContain('birth_');
  });

  test('is never overwritten', async () => {
    const guest = aGuest();
    await aMember(world, guest, { birth_month: 5, birth_day: 6 });
    await joined(world, {
      ...{ phone: guest.typed, device_token: await provenAgain(guest) },
      ...{ birth_month: 7, birth_day: 8 },
    });
    expect(await customerOf(guest)).toMatchObject([{ birth_month: 5, birth_day: 6 }]);
  });

  test('is ignored where the shop does not ask', async () => {
    await openShops(world, aShopWithCards());
    const guest = aGuest();
    expect(
      (await cardOf(world, await aMember(world, guest, { birth_month: 5, birth_day: 6 }))).birthday,
    ).toBe(false);
  });
});

describe('a join is refused', () => {
  test.each([
    ['without a name', { name: '\u200b' }, 'name'],
    ['with a name of 81 characters', { name: 'x'.repeat(81) }, 'name'],
    ['with a landline', { phone: '0223456789' }, 'phone'],
    ['without a shop', { org_id: null }, 'org_id'],
    ['with an unknown field', { colour: 'red' }, 'colour'],
    ['with a language that is not served', { locale: 'fr' }, 'locale'],
  ])('%s', async (_, wrong, field) => {
    const refusal = refusalOf(await join(world, { ...aJoin({ phone: aGuest().typed }), ...wrong }));
    expect(refusal.status).toBe(400);
    expect(refusal.fields?.map(({ path }) => path)).toContain(field);
  });

  test('with a branch of another shop than the named one', async () => {
    const reply = await join(world, aJoin({ branch_id: branchId('zamalek', STRICT) }));
    expect(refusalOf(reply)).toMatchObject({ status: 400, fields: [{ path: 'branch_id' }] });
  });

  test.each([NONE, OFF])('with LOYALTY_OFF at %s', async (slug) => {
    const refusal = refusalOf(await join(world, aJoin(at(slug))));
    expect(refusal).toMatchObject({ status: 409, code: 'LOYALTY_OFF' });
  });

  test('with 404 at an unknown shop, and at one that is switched off', async () => {
    const unknown = await join(world, aJoin({ org_id: '00000000-0000-4000-8000-000000000000' }));
    const closed = await join(world, aJoin(at(CLOSED)));
    expect([unknown.status, closed.status, closed.text]).toEqual([404, 404, unknown.text]);
  });
});

describe('a join under a key', () => {
  const withKey = (key: string, input: Parameters<typeof aJoin>[0]) =>
    join(world, aJoin(input), { 'idempotency-key': key });

  test('is answered again with its token while the phone is unproven', async () => {
    const { typed: phone } = aGuest();
    const first = done('joinLoyalty', await withKey('join-1', { phone }));
    expect(done('joinLoyalty', await withKey('join-1', { phone }))).toEqual(first);
    expect(refusalOf(await withKey('join-1', { phone, name: 'Nona' }))).toMatchObject({ status: 422 });
  });

  test('gives no token without proof once the phone is proven', async () => {
    const guest = aGuest();
    await withKey('join-2', { phone: guest.typed });
    await aMember(world, guest);
    const again = done('joinLoyalty', await withKey('join-2', { phone: guest.typed }));
    expect(again).toMatchObject({ verify_required: true });
    expect(again).not.toHaveProperty('member_token');
  });

  test('that was told to verify is done under the same key with the proof', async () => {
    const guest = aGuest();
    const token = await aMember(world, guest);
    expect(done('joinLoyalty', await withKey('join-3', { phone: guest.typed })).verify_required).toBe(true);
    const device_token = await provenAgain(guest);
    const proven = done('joinLoyalty', await withKey('join-3', { phone: guest.typed, device_token }));
    expect(proven).toMatchObject({ member_token: token, already_member: true });
  });

  test('gives its token to each of twenty requests at once, and sends no link', async () => {
    const guest = aGuest();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => withKey(`join-${guest.phone}`, { phone: guest.typed })),
    );
    const tokens = results.map((result) => tokenIn(done('joinLoyalty', result)));
    expect(new Set(tokens).size).toBe(1);
    expect(world.phones.messages.filter(({ phone }) => phone === guest.phone)).toEqual([]);
  });

  test('of a proven phone is answered again as it was', async () => {
    const guest = aGuest();
    const device_token = await proveOn(world, guest);
    const first = done('joinLoyalty', await withKey('join-4', { phone: guest.typed, device_token }));
    expect(first.already_member).toBe(false);
    expect(done('joinLoyalty', await withKey('join-4', { phone: guest.typed, device_token }))).toEqual(first);
  });

  test('is answered again after the shop switched the programme off, or began to ask for codes', async () => {
    const slug = 'switched-cafe';
    const input = { ...at(slug), phone: aGuest().typed };
    await openShops(world, aShopWithCards({}, { slug }));
    const first = done('joinLoyalty', await withKey('join-5', input));
    for (const [loyalty, code] of [
      [{ enabled: false }, 'LOYALTY_OFF'],
      [{ require_otp: true }, 'PHONE_NOT_VERIFIED'],
    ] as const) {
      await openShops(world, aShopWithCards(loyalty, { slug }));
      expect(tokenIn(done('joinLoyalty', await withKey('join-5', input)))).toBe(tokenIn(first));
      const other = await join(world, aJoin({ ...at(slug), phone: aGuest().typed }));
      expect(refusalOf(other).code).toBe(code);
    }
  });
});

describe('twenty joins of one phone at once', () => {
  test('make one card, and one of them gets its token', async () => {
    const guest = aGuest();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => joined(world, { phone: guest.typed })),
    );
    expect(results.filter(({ member_token }) => typeof member_token === 'string')).toHaveLength(1);
    expect(await customerOf(guest)).toMatchObject([{ cards: 1 }]);
  });

  test('with proof all get the one token', async () => {
    const guest = aGuest();
    await joined(world, { phone: guest.typed });
    const device_token = await proveOn(world, guest);
    const results = await Promise.all(
      Array.from({ length: 20 }, () => joined(world, { phone: guest.typed, device_token })),
    );
    expect(new Set(results.map(tokenIn)).size).toBe(1);
    expect(await statusOf(tokenIn(results[0] ?? (await joined(world))))).toBe(200);
    expect(await customerOf(guest)).toMatchObject([{ cards: 1 }]);
  });
});
