/** Members at the till (Decisions 11, Staff). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendMessages } from '../support/background/outbox-worker.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { newId } from '../support/database/ids.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import { aGuest, type Guest, anOrder, placed, proveOn } from '../support/people/guests.ts';
import { aMember, aProgramme, cardAddress, cardOf, joined, tokenIn } from '../support/people/members.ts';
import { aStaffedShop, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, PUBLIC_ADDRESS, type World } from '../support/server/world.ts';
import { branchId, openShops, shopId } from '../support/shops/cafe.ts';

const OTHER = 'kashk';

let world: World;
let teller: SignedIn;
let manager: SignedIn;

beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop(), aStaffedShop(OTHER));
  await setCredentials(world);
  [teller, manager] = [await signInAs(world, 'teller'), await signInAs(world, 'manager')];
});
afterAll(() => world.close());

const MEMBERS = '/staff/loyalty/members';

const find = (query: Record<string, string>) =>
  world.get(`${MEMBERS}?${new URLSearchParams({ branch_id: branchId(), ...query }).toString()}`, {
    ...teller,
  });

const found = async (query: Record<string, string>) => done('findLoyaltyMember', await find(query));

const joinAtTill = (body: object, headers: object = {}) =>
  post(world, MEMBERS, { branch_id: branchId(), name: 'منى السيد', ...body }, { ...teller, ...headers });

const adjust = (id: string, body: object, headers: object = {}) =>
  post(world, `${MEMBERS}/${id}/adjust`, body, { ...manager, ...headers });

/** The link of the card that the phone was sent; '' without one. */
const cardLinkOf = (guest: Guest): string =>
  world.phones.messages.find(({ phone, template }) => phone === guest.phone && template === 'card_link')
    ?.parameters[1] ?? '';

/** A member with a proven phone, found by it. */
const aKnownMember = async () => {
  const guest = aGuest();
  const token = await aMember(world, guest);
  return { guest, token, member: await found({ phone: guest.typed }) };
};

describe('a look-up', () => {
  test('by phone tells first name, balance, rewards and the last four digits', async () => {
    const { guest, token, member } = await aKnownMember();
    expect(member).toMatchObject({
      ...{ first_name: 'منى', balance: 0, mode: 'points', rewards_ready: 0, can_redeem: false },
      ...{ phone_last_four: guest.phone.slice(-4), next_reward_cost: 100 },
    });
    const text = JSON.stringify(member);
    expect(text).not.toContain('السيد');
    expect(text).not.toContain(guest.phone);
    expect(text).not.toContain(token);
  });

  test('by the code of the QR, however it is typed, is the same member', async () => {
    const { token, member } = await aKnownMember();
    const { member_code: code } = await cardOf(world, token);
    if (code === null) throw new Error('the card has no code');
    expect(await found({ code })).toEqual(member);
    const inArabicDigits = code.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
    expect(await found({ code: inArabicDigits })).toEqual(member);
    expect(await found({ code: code.replaceAll('0', 'o').replaceAll('1', 'l') })).toEqual(member);
    expect(await found({ code: ` ${code.slice(0, 4)} ${code.slice(4).toLowerCase()} ` })).toEqual(member);
  });

  test('while the programme is off says so, as the card does: the balance stays', async () => {
    const { token, guest, member } = await aKnownMember();
    expect(member).toMatchObject({ enabled: true });
    done('adjustLoyaltyMember', await adjust(member.id, { amount: 120, note: 'اعتذار' }));
    await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme({ enabled: false }) }));
    const off = { enabled: false, balance: 120, rewards_ready: 1, can_redeem: true };
    expect(await found({ phone: guest.typed })).toMatchObject(off);
    expect(await cardOf(world, token)).toMatchObject(off);
    await openShops(world, aStaffedShop());
    expect(await cardOf(world, token)).toMatchObject({ ...off, enabled: true });
  });

  test('by the member token finds nobody', async () => {
    const { token } = await aKnownMember();
    expect((await find({ code: token })).status).toBe(404);
  });

  test('by a code from before the first proof finds nobody', async () => {
    const guest = aGuest();
    const { member_code } = await cardOf(world, tokenIn(await joined(world, { phone: guest.typed })));
    expect((await find({ code: member_code ?? '' })).status).toBe(200);
    await aMember(world, guest);
    expect((await find({ code: member_code ?? '' })).status).toBe(404);
  });

  test('of another shop’s member, and of an unknown one, is 404', async () => {
    const guest = aGuest();
    const token = await aMember(world, guest, { org_id: shopId(OTHER) });
    const { member_code } = await cardOf(world, token);
    for (const query of [{ phone: guest.typed }, { code: member_code ?? '' }, { code: 'NOSUCHCODE' }])
      expect((await find(query)).status).toBe(404);
  });

  test.each([{}, { code: 'A', phone: '01001234567' }, { phone: '12' }, { code: ' ' }])(
    'by %j is 400',
    async (query) => {
      expect((await find(query)).status).toBe(400);
    },
  );

  test('by the code of a card that was combined leads to the other card for 90 days', async () => {
    const [old, kept] = [await aKnownMember(), await aKnownMember()];
    const { member_code: code } = await cardOf(world, old.token);
    await sql`
      update loyalty_card set merged_into = ${kept.member.id}, merged_at = ${new Date(world.now)} where id = ${old.member.id}
    `.execute(world.db.kysely);
    expect((await found({ code: code ?? '' })).id).toBe(kept.member.id);
    expect((await cardOf(world, old.token)).member_code).toBe((await cardOf(world, kept.token)).member_code);
    const before = world.now;
    world.now += 91 * 24 * 60 * 60_000;
    const later = await signInAs(world, 'teller');
    const address = `${MEMBERS}?branch_id=${branchId()}&code=${code}`;
    expect((await world.get(address, { ...later })).status).toBe(404);
    expect((await world.get(cardAddress(old.token))).status).toBe(404);
    world.now = before;
  });

  test('leaves no phone in the log', async () => {
    const { guest } = await aKnownMember();
    await find({ phone: guest.phone });
    expect(world.logged.join('\n')).not.toContain(guest.phone);
  });
});

describe('a join at the till', () => {
  test('makes an unproven member, whose card’s link goes to the phone and not to the staff', async () => {
    const guest = aGuest();
    const reply = await joinAtTill({ phone: guest.typed });
    expect(reply.status).toBe(201);
    expect(done('joinLoyaltyMember', reply)).toMatchObject({
      ...{ first_name: 'منى', balance: 0, already_member: false, card_link_sent: true },
    });
    await sendMessages(world);
    const link = cardLinkOf(guest);
    expect(link.startsWith(`${PUBLIC_ADDRESS}/card/M`)).toBe(true);
    const token = link.split('/').at(-1) ?? '';
    expect(reply.text).not.toContain(token);
    expect((await cardOf(world, token)).name).toBe('منى السيد');
    expect(await aMember(world, guest)).not.toBe(token);
    expect((await world.get(cardAddress(token))).status).toBe(404);
  });

  test('that waits for the end of the phone’s customer gives the card to a new one', async () => {
    const guest = aGuest();
    await placed(world, anOrder({ customer_phone: guest.typed, device_token: await proveOn(world, guest) }));
    const { waiting } = await world.db.tx(async (tx) => {
      await sql`update customer set phone = null, name = '' where phone = ${guest.phone}`.execute(tx);
      const joining = joinAtTill({ phone: guest.typed });
      await lockWait(world);
      return { waiting: joining };
    });
    expect((await waiting).status).toBe(201);
    const { rows } = await sql<{ phone: string; isUnproven: boolean }>`
      select c.phone, l.is_unproven as "isUnproven" from loyalty_card l join customer c on c.org_id = l.org_id and c.id = l.customer_id
      where c.phone = ${guest.phone} or c.phone is null
    `.execute(world.db.kysely);
    expect(rows).toEqual([{ phone: guest.phone, isUnproven: true }]);
  });

  test('of a member is 200 and changes nothing', async () => {
    const { guest, member } = await aKnownMember();
    const reply = await joinAtTill({ phone: guest.typed, name: 'Nona' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ ...member, already_member: true, card_link_sent: false });
  });

  test('is answered again as it was, the sent link too', async () => {
    const [guest, key] = [aGuest(), { 'idempotency-key': `till ${newId()}` }];
    const first = await joinAtTill({ phone: guest.typed }, key);
    const again = await joinAtTill({ phone: guest.typed }, key);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(first.body).toMatchObject({ card_link_sent: true });
    expect(again.body).toEqual(first.body);
  });

  test('gives a customer who ordered before a card that stands', async () => {
    const guest = aGuest();
    await placed(world, anOrder({ customer_phone: guest.typed, device_token: await proveOn(world, guest) }));
    expect((await joinAtTill({ phone: guest.typed })).status).toBe(201);
    await sendMessages(world);
    const link = cardLinkOf(guest);
    expect((await world.get(cardAddress(link.split('/').at(-1) ?? ''))).status).toBe(200);
  });

  test('sends no link of a card that was combined before the message was sent', async () => {
    const [guest, kept] = [aGuest(), await aKnownMember()];
    const { id } = done('joinLoyaltyMember', await joinAtTill({ phone: guest.typed }));
    await sql`
      update loyalty_card set merged_into = ${kept.member.id}, merged_at = ${new Date(world.now)} where id = ${id}
    `.execute(world.db.kysely);
    await sendMessages(world);
    expect([cardLinkOf(guest), cardLinkOf(kept.guest)]).toEqual(['', '']);
  });

  test('under a key happens once', async () => {
    const body = { phone: aGuest().typed };
    const key = { 'idempotency-key': 'till-1' };
    expect((await joinAtTill(body, key)).status).toBe(201);
    expect((await joinAtTill(body, key)).status).toBe(200);
    expect((await joinAtTill({ ...body, name: 'Nona' }, key)).status).toBe(422);
    const another = { phone: aGuest().typed };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => joinAtTill(another, { 'idempotency-key': 'till-2' })),
    );
    const joinedOnce = replies.map((reply) => done('joinLoyaltyMember', reply));
    expect(joinedOnce.map(({ already_member }) => already_member)).toEqual(joinedOnce.map(() => false));
    await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme({ enabled: false }) }));
    expect((await joinAtTill(body, key)).status).toBe(200);
    await openShops(world, aStaffedShop());
  });

  test('without a name or with a wrong phone is 400, and LOYALTY_OFF without a programme', async () => {
    const refusal = refusalOf(await joinAtTill({ name: '\u200b', phone: '12' }));
    expect(refusal.fields?.map(({ path }) => path)).toEqual(['name', 'phone']);
    await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme({ enabled: false }) }));
    expect(refusalOf(await joinAtTill({ phone: aGuest().typed })).code).toBe('LOYALTY_OFF');
    await openShops(world, aStaffedShop());
  });
});

describe('an adjustment', () => {
  test('changes the balance that card and till show, with its reason in the ledger and in the audit log', async () => {
    const { token, member } = await aKnownMember();
    const given = done('adjustLoyaltyMember', await adjust(member.id, { amount: 120, note: ' اعتذار ' }));
    expect(given).toMatchObject({ balance: 120, rewards_ready: 1, can_redeem: true });
    done('adjustLoyaltyMember', await adjust(member.id, { amount: -20, note: 'تصحيح' }));
    const card = await cardOf(world, token);
    expect(card).toMatchObject({
      balance: 100,
      rewards_ready: 1,
      progress_to_next: 0,
      points_to_next_reward: 100,
    });
    expect(card.entries).toMatchObject([
      { kind: 'adjust', source: 'manual', amount: -20, note: 'تصحيح', sale: null, rewards: [] },
      { kind: 'adjust', source: 'manual', amount: 120, note: 'اعتذار', sale: null, rewards: [] },
    ]);
    const audited = (await auditOf(world, member.id)).filter(({ action }) => action === 'card.adjusted');
    expect(audited).toHaveLength(2);
  });

  test.each([
    [{ amount: -1, note: 'x' }, 'amount'],
    [{ amount: 0, note: 'x' }, 'amount'],
    [{ amount: 1.5, note: 'x' }, 'amount'],
    [{ amount: 1_000_001, note: 'x' }, 'amount'],
    [{ amount: 5 }, 'note'],
    [{ amount: 5, note: ' ' }, 'note'],
  ])('of %j is 400 and leaves the balance', async (body, field) => {
    const { token, member } = await aKnownMember();
    const refusal = refusalOf(await adjust(member.id, body));
    expect([refusal.status, refusal.fields?.map(({ path }) => path)]).toEqual([400, [field]]);
    expect(await cardOf(world, token)).toMatchObject({ balance: 0, entries: [] });
  });

  test('under a key is posted once', async () => {
    const { token, member } = await aKnownMember();
    const [body, key] = [{ amount: 7, note: 'x' }, { 'idempotency-key': 'adjust-1' }];
    await adjust(member.id, body, key);
    expect(done('adjustLoyaltyMember', await adjust(member.id, body, key)).balance).toBe(7);
    expect((await cardOf(world, token)).entries).toHaveLength(1);
    expect((await adjust(member.id, { ...body, amount: 8 }, key)).status).toBe(422);
  });

  test('of twenty at once that together go below 0 stops at 0', async () => {
    const { token, member } = await aKnownMember();
    await adjust(member.id, { amount: 10, note: 'x' });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => adjust(member.id, { amount: -1, note: 'y' })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect((await cardOf(world, token)).balance).toBe(0);
  });

  test('of another shop’s member is 404', async () => {
    const token = await aMember(world, aGuest(), { org_id: shopId(OTHER) });
    const { rows } = await sql<{ id: string }>`
      select id from loyalty_card where token_hash = ${world.app.tokens.hashOf(token)}
    `.execute(world.db.kysely);
    expect((await adjust(rows[0]?.id ?? '', { amount: 1, note: 'x' })).status).toBe(404);
  });
});

describe('the ledger', () => {
  test('is read by the staff in pages, newest first', async () => {
    const { member } = await aKnownMember();
    for (const amount of [1, 2, 3]) await adjust(member.id, { amount, note: `n${amount}` });
    const page = async (query: string) =>
      done('listMemberEntries', await world.get(`${MEMBERS}/${member.id}/ledger${query}`, { ...teller }));
    const first = await page('?limit=2');
    expect(first.map(({ amount }) => amount)).toEqual([3, 2]);
    const rest = await page(`?before=${first[1]?.id}`);
    expect(rest).toMatchObject([{ amount: 1, note: 'n1', shortfall: 0, sale_id: null }]);
  });

  test('by the id of a combined card is that of the other card', async () => {
    const [old, kept] = [await aKnownMember(), await aKnownMember()];
    await adjust(old.member.id, { amount: 5, note: 'قبل' });
    await sql`
      update loyalty_card set merged_into = ${kept.member.id}, merged_at = ${new Date(world.now)} where id = ${old.member.id}
    `.execute(world.db.kysely);
    const adjusted = done('adjustLoyaltyMember', await adjust(old.member.id, { amount: 7, note: 'بعد' }));
    expect(adjusted).toMatchObject({ id: kept.member.id, balance: 7 });
    for (const { id } of [old.member, kept.member]) {
      const entries = done('listMemberEntries', await world.get(`${MEMBERS}/${id}/ledger`, { ...teller }));
      expect(entries.map(({ note }) => note)).toEqual(['بعد', 'قبل']);
    }
  });

  test('of the card has at most 100 lines, and says when there are more', async () => {
    const { token, member } = await aKnownMember();
    for (let count = 0; count < 4; count += 1)
      await Promise.all(Array.from({ length: 26 }, () => adjust(member.id, { amount: 1, note: 'x' })));
    const card = await cardOf(world, token);
    expect([card.balance, card.entries.length, card.has_older_entries]).toEqual([104, 100, true]);
    const other = await aKnownMember();
    await adjust(other.member.id, { amount: 1, note: 'x' });
    expect((await cardOf(world, other.token)).has_older_entries).toBe(false);
  });
});
