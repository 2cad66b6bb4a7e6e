/** What a stranger learns from joining and from cards: nothing about a phone but whether it must be verified. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGuest } from '../support/people/guests.ts';
import { aJoin, aMember, aShopWithCards, cardAddress, join } from '../support/people/members.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops } from '../support/shops/cafe.ts';

/** A name and the last digits of a phone that no other text has. */
const CANARY = 'Zqxv Wkjhg';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aShopWithCards({ require_otp: true }));
});
afterAll(() => world.close());

const stored = async (): Promise<unknown> => {
  const { rows } = await sql`
    select (select jsonb_agg(to_jsonb(c)) from customer c) as customers, (select count(*) from loyalty_card) as cards,
           (select count(*) from outbox) as outbox, (select jsonb_agg(to_jsonb(g)) from guest_phone g) as phones,
           (select count(*) from idempotency_key) as keys, (select count(*) from audit) as audited
  `.execute(world.db.kysely);
  return rows;
};

test('a join without proof answers a known phone as an unknown one, and stores nothing for either', async () => {
  const member = aGuest();
  await aMember(world, member, { name: CANARY });
  const before = await stored();
  const known = await join(world, aJoin({ phone: member.typed }));
  const unknown = await join(world, aJoin({ phone: aGuest().typed }));
  expect(await stored()).toEqual(before);
  const linesOf = ({ headers }: typeof known) => Object.keys(headers).toSorted();
  expect([known.status, known.text, linesOf(known)]).toEqual([
    unknown.status,
    unknown.text,
    linesOf(unknown),
  ]);
});

test('the name of a member is on the card alone, and the phone nowhere', async () => {
  const member = aGuest();
  const token = await aMember(world, member, { name: CANARY });
  const card = await world.get(cardAddress(token));
  const others = [
    await world.get(cardAddress(token, '/qr.svg')),
    await world.get(`/public/loyalty/join-info?org_id=${aJoin().org_id}`),
    await join(world, aJoin({ phone: member.typed })),
  ];
  expect(card.text).toContain(CANARY);
  for (const { text } of others) expect(text).not.toContain(CANARY);
  for (const { text } of [card, ...others, { text: world.logged.join('\n') }]) {
    expect(text).not.toContain(member.phone.slice(2));
    expect(text).not.toContain(member.typed);
  }
  expect(world.logged.join('\n')).not.toContain(token);
});
