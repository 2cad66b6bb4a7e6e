/** Birthdays and absences of members (docs/spec/loyalty.md, Greetings). */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Uuid } from '../../src/kernel/ids.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { sendMessages } from '../support/background/outbox-worker.ts';
import { sweepingProcess, sweepTogether } from '../support/background/sweeper.ts';
import { changesOf } from '../support/database/stored-rows.ts';
import { asOwner } from '../support/database/test-database.ts';
import {
  aCard,
  aGuest,
  anOrder,
  placed,
  proveOn,
  type Guest,
  type OrderInput,
} from '../support/people/guests.ts';
import { aStaffedShop, changed, setCredentials, signInAs } from '../support/people/staff.ts';
import { done, post } from '../support/server/requests.ts';
import { aBranch, openShops } from '../support/shops/cafe.ts';
import { makeWorld, type World } from '../support/server/world.ts';

type Loyalty = NonNullable<ShopFile['loyalty']>;
type Overrides = Partial<Loyalty>;

const DAY = 24 * 60 * 60_000;
const at = (text: string): number => Date.parse(text);
/** 10:00 in Cairo on a date of winter. */
const tenOn = (date: string): number => at(`${date}T08:00:00Z`);
const NOW = at('2026-11-10T12:00:00Z');
const WORDS = { ar: 'كل سنة وأنت بخير يا {name}', en: 'Many happy returns, {name}' };
const BIRTHDAY = { enabled: true, amount: 25, message: WORDS };
const WIN_BACK = { enabled: true, after_days: 60, amount: 10 };

let world: World;

const open = (overrides: Overrides = {}, shop: Partial<ShopFile> = {}): Promise<void> => {
  const programme: Loyalty = { enabled: true, mode: 'points', program_name: { ar: 'نقاط' } };
  return openShops(world, aStaffedShop(undefined, { loyalty: { ...programme, ...overrides }, ...shop }));
};

interface Facts {
  readonly name?: string;
  readonly birthday?: readonly [number, number];
  readonly isProven?: boolean;
  readonly language?: 'ar' | 'en';
}

interface Member extends Guest {
  readonly cardId: Uuid;
  readonly customerId: Uuid;
  readonly memberToken: string;
}

const setCustomer = async ({ phone }: Guest, values: Record<string, unknown>): Promise<void> => {
  await world.db.kysely.updateTable('customer').set(values).where('phone', '=', phone).execute();
};

/** Joined now. */
const aMember = async ({ name, birthday, isProven = true, language = 'ar' }: Facts = {}): Promise<Member> => {
  const guest = aGuest();
  const memberToken = await aCard(world, guest, name ?? 'منى السيد');
  const [birth_month = null, birth_day = null] = birthday ?? [];
  const phone_proven_at = isProven ? sql`${new Date(world.now).toISOString()}::timestamptz` : null;
  await setCustomer(guest, { birth_month, birth_day, language, phone_proven_at });
  const { rows } = await sql<{ cardId: Uuid; customerId: Uuid }>`
    select l.id as "cardId", c.id as "customerId" from loyalty_card l join customer c on c.org_id = l.org_id and c.id = l.customer_id
    where c.phone = ${guest.phone}
  `.execute(world.db.kysely);
  const [row] = rows;
  if (row === undefined) throw new Error('a member has a card');
  return { ...guest, ...row, memberToken };
};

const queued = async ({ cardId }: Member): Promise<string[]> => {
  const { rows } = await sql<{ template: string }>`
    select payload ->> 'template' as template from outbox where subject_id = ${cardId} order by position
  `.execute(world.db.kysely);
  return rows.map(({ template }) => template);
};

/** A sweep at this time; then the greetings of the member in the outbox. */
const sweptAt = async (now: number, member: Member): Promise<string[]> => {
  world.now = now;
  const process = sweepingProcess(world);
  await process.sweeper.sweep();
  await process.close();
  expect(process.logged).toEqual([]);
  return queued(member);
};

/** As `sweptAt`, by four processes at once. */
const sweptByFourAt = async (now: number, member: Member): Promise<string[]> => {
  world.now = now;
  await sweepTogether(world);
  return queued(member);
};

const received = async ({ phone }: Guest) => {
  await sendMessages(world);
  return world.phones.messages.filter((message) => message.phone === phone);
};

interface Ledger {
  readonly points: number;
  readonly entries: readonly {
    readonly source: string;
    readonly amount: number;
    readonly shortfall: number;
  }[];
}
const ledgerOf = async ({ cardId }: Member): Promise<Ledger | undefined> => {
  const { rows } = await sql<Ledger>`
    select points, coalesce((
      select json_agg(json_build_object('source', source, 'amount', amount, 'shortfall', shortfall) order by position)
      from loyalty_entry e where e.org_id = l.org_id and e.card_id = l.id), '[]') as entries
    from loyalty_card l where id = ${cardId}
  `.execute(world.db.kysely);
  return rows[0];
};

const occasionsOf = async ({ customerId }: Member): Promise<string[]> => {
  const { rows } = await sql<{ occasion: string }>`
    select kind || ' ' || occasion as occasion from loyalty_greeting where customer_id = ${customerId} order by at
  `.execute(world.db.kysely);
  return rows.map(({ occasion }) => occasion);
};

/** An order under this phone, paid and handed over now. */
const sold = async ({ typed }: Guest, more: Partial<OrderInput> = {}): Promise<string> => {
  const owner = await signInAs(world, 'owner');
  const { id } = await placed(world, anOrder({ customer_phone: typed, ...more }));
  await changed(world, owner, id, 'finalize', { payment_method: 'cash', from: 'received' });
  return id;
};

const buys = async (member: Member): Promise<string> =>
  sold(member, { device_token: await proveOn(world, member) });

beforeAll(async () => {
  world = await makeWorld();
  world.now = NOW;
  await open();
  await setCredentials(world);
});
beforeEach(async () => {
  world.now = NOW;
  await asOwner(world.database, 'truncate outbox, loyalty_greeting, loyalty_entry, loyalty_card cascade');
});
afterAll(() => world.close());

describe('a birthday', () => {
  test('is greeted once by four sweepers from 10:00 of the shop’s day, with one gift and one change', async () => {
    await open({ birthday: BIRTHDAY });
    const member = await aMember({ birthday: [11, 20] });
    expect(await sweptByFourAt(tenOn('2026-11-20') - 1, member)).toEqual([]);
    expect(await sweptByFourAt(tenOn('2026-11-20'), member)).toEqual(['birthday_gift']);
    const changes = await changesOf(world, 'card', member.cardId);
    expect(await sweptAt(tenOn('2026-11-20') + 60_000, member)).toEqual(['birthday_gift']);
    expect(await ledgerOf(member)).toEqual({
      points: 25,
      entries: [{ source: 'birthday', amount: 25, shortfall: 0 }],
    });
    expect(await changesOf(world, 'card', member.cardId)).toEqual(changes);
    // One when the card was made, one with the gift.
    expect(changes).toHaveLength(2);
  });

  test('of 29 February is greeted once a year, on the 28th where the year has no 29th', async () => {
    await open({ birthday: BIRTHDAY });
    const member = await aMember({ birthday: [2, 29] });
    const days = [
      '2027-02-27',
      '2027-02-28',
      '2027-03-01',
      '2028-02-28',
      '2028-02-29',
      '2028-03-01',
      '2029-02-28',
    ];
    const counts: number[] = [];
    for (const day of days)
      for (const later of [0, 5 * 60 * 60_000])
        counts.push((await sweptAt(tenOn(day) + later, member)).length);
    expect(counts).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
    expect(await occasionsOf(member)).toEqual(['birthday 2027', 'birthday 2028', 'birthday 2029']);
    expect((await ledgerOf(member))?.points).toBe(75);
  });

  test('is greeted later on its day where no sweeper ran at 10:00, and on no other day', async () => {
    await open({ birthday: BIRTHDAY });
    const [late, missed] = [await aMember({ birthday: [11, 20] }), await aMember({ birthday: [11, 21] })];
    expect(await sweptAt(at('2026-11-20T21:59:59Z'), late)).toHaveLength(1);
    expect(await sweptAt(tenOn('2026-11-22'), missed)).toEqual([]);
  });

  test('is one of the zone of the shop’s first branch by name', async () => {
    const inTokyo = aBranch({ key: 'zamalek', name: { ar: 'ا', en: 'A' }, time_zone: 'Asia/Tokyo' });
    const inCairo = aBranch({ key: 'maadi', code: 'MAD', name: { ar: 'ب', en: 'B' } });
    await open({ birthday: BIRTHDAY }, { branches: [inCairo, inTokyo] });
    const member = await aMember({ birthday: [11, 20] });
    expect(await sweptAt(at('2026-11-20T00:59:59Z'), member)).toEqual([]);
    expect(await sweptAt(at('2026-11-20T01:00:00Z'), member)).toHaveLength(1);
  });

  test('gives no more than the balance cap leaves, and a full card no gift', async () => {
    await open({ birthday: BIRTHDAY, balance_cap: 30 });
    const member = await aMember({ birthday: [11, 20] });
    await sweptAt(tenOn('2026-11-20'), member);
    await sweptAt(tenOn('2027-11-20'), member);
    expect(await sweptAt(tenOn('2028-11-20'), member)).toEqual([
      'birthday_gift',
      'birthday_gift',
      'birthday',
    ]);
    expect(await ledgerOf(member)).toMatchObject({
      points: 30,
      entries: [
        { amount: 25, shortfall: 0 },
        { amount: 5, shortfall: 20 },
        { amount: 0, shortfall: 25 },
      ],
    });
  });

  test.each<[string, Overrides, Facts]>([
    ['whose phone is not proven', { birthday: BIRTHDAY }, { isProven: false }],
    ['of a shop that greets no birthdays', { birthday: { ...BIRTHDAY, enabled: false } }, {}],
    ['of a shop whose programme is off', { enabled: false, birthday: BIRTHDAY }, {}],
  ])('of a member %s is not greeted', async (_, programme, facts) => {
    await open(programme);
    const member = await aMember({ birthday: [11, 20], ...facts });
    expect(await sweptAt(tenOn('2026-11-20'), member)).toEqual([]);
  });

  test('of one who opted out, was erased or was combined with another is not greeted', async () => {
    await open({ birthday: BIRTHDAY });
    const born = { birthday: [11, 20] } as const;
    const [out, erased] = [await aMember(born), await aMember(born)];
    const [merged, other] = [await aMember(born), await aMember()];
    await setCustomer(out, { marketing_opt_out: true });
    await setCustomer(merged, { merged_into: other.customerId, phone: null });
    await setCustomer(erased, { phone: null, name: '' });
    expect(await sweptAt(tenOn('2026-11-20'), out)).toEqual([]);
    expect([await queued(erased), await queued(merged)]).toEqual([[], []]);
  });
});

describe('an absence', () => {
  test('is greeted once, and again only after a sale and another absence', async () => {
    await open({ win_back: WIN_BACK });
    const member = await aMember();
    world.now = at('2026-11-12T12:00:00Z');
    await buys(member);
    expect(await sweptAt(tenOn('2027-01-10'), member)).toEqual([]);
    expect(await sweptAt(tenOn('2027-01-11') - 1, member)).toEqual([]);
    expect(await sweptAt(tenOn('2027-01-11'), member)).toEqual(['win_back_gift']);
    for (const days of [1, 30, 200])
      expect(await sweptAt(tenOn('2027-01-11') + days * DAY, member)).toHaveLength(1);
    world.now = at('2027-12-01T12:00:00Z');
    await buys(member);
    expect(await sweptAt(tenOn('2028-01-29'), member)).toHaveLength(1);
    expect(await sweptAt(tenOn('2028-01-30'), member)).toHaveLength(2);
    expect(await sweptAt(tenOn('2028-02-01'), member)).toHaveLength(2);
    expect(await occasionsOf(member)).toEqual(['win_back 2026-11-12', 'win_back 2027-12-01']);
    expect((await ledgerOf(member))?.entries.filter(({ source }) => source === 'win_back')).toHaveLength(2);
  });

  test('that was greeted is not greeted again for a card that joined before the greeting and is combined after it', async () => {
    await open({ win_back: WIN_BACK });
    const member = await aMember();
    world.now = tenOn('2026-12-20');
    const second = await aMember();
    expect(await sweptAt(tenOn('2027-01-09'), member)).toEqual(['win_back_gift']);
    const owner = await signInAs(world, 'owner');
    const merge = { customer_id: second.customerId };
    done('mergeCustomers', await post(world, `/staff/customers/${member.customerId}/merge`, merge, owner));
    expect(await sweptAt(tenOn('2027-02-20'), member)).toEqual(['win_back_gift']);
    await buys(member);
    expect(await sweptAt(tenOn('2027-05-01'), member)).toHaveLength(2);
  });

  test('begins anew with a sale of somebody without a card that is given to the member', async () => {
    await open({ win_back: WIN_BACK });
    const member = await aMember();
    world.now = tenOn('2027-01-01');
    const sale = await sold(aGuest());
    const owner = await signInAs(world, 'owner');
    done('awardSale', await post(world, `/staff/sales/${sale}/award`, { member_id: member.cardId }, owner));
    expect(await sweptAt(tenOn('2027-01-20'), member)).toEqual([]);
    expect(await sweptAt(tenOn('2027-03-03'), member)).toEqual(['win_back_gift']);
  });

  test('goes on where somebody types the phone of the member for an order', async () => {
    await open({ win_back: WIN_BACK });
    const member = await aMember();
    world.now = tenOn('2027-01-01');
    await sold(member);
    expect(await sweptAt(tenOn('2027-01-09'), member)).toEqual(['win_back_gift']);
  });

  test('of a member who never bought counts from the day on which they joined', async () => {
    await open({ win_back: WIN_BACK });
    const member = await aMember();
    expect(await sweptAt(tenOn('2027-01-08'), member)).toEqual([]);
    expect(await sweptAt(tenOn('2027-01-09'), member)).toEqual(['win_back_gift']);
    expect(await occasionsOf(member)).toEqual(['win_back 2026-11-10']);
  });

  test('that began before the shop switched these messages on is greeted once', async () => {
    await open();
    const member = await aMember();
    expect(await sweptAt(tenOn('2027-06-01') - DAY, member)).toEqual([]);
    await open({ win_back: WIN_BACK });
    expect(await sweptAt(tenOn('2027-06-02'), member)).toHaveLength(1);
    expect(await sweptAt(tenOn('2027-06-03'), member)).toHaveLength(1);
  });

  test('of one who has opted out by then is passed over until the next one', async () => {
    await open({ win_back: WIN_BACK });
    const member = await aMember();
    await setCustomer(member, { marketing_opt_out: true });
    expect(await sweptAt(tenOn('2027-01-09'), member)).toEqual([]);
    await setCustomer(member, { marketing_opt_out: false });
    expect(await sweptAt(tenOn('2027-01-10'), member)).toEqual([]);
    await buys(member);
    expect(await sweptAt(tenOn('2027-03-11'), member)).toHaveLength(1);
  });

  test('that falls due on the birthday is greeted the day after', async () => {
    await open({ birthday: BIRTHDAY, win_back: WIN_BACK });
    const member = await aMember({ birthday: [1, 9] });
    expect(await sweptAt(tenOn('2027-01-09'), member)).toEqual(['birthday_gift']);
    expect(await sweptAt(tenOn('2027-01-10'), member)).toEqual(['birthday_gift', 'win_back_gift']);
  });
});

describe('a greeting', () => {
  const inBoth = { birthday: BIRTHDAY, win_back: WIN_BACK };

  test.each([
    ['ar', ['بيت البن', 'كل سنة وأنت بخير يا منى', '25 نقطة']],
    ['en', ['Beit El Bunn', 'Many happy returns, منى', '25 points']],
  ] as const)('is sent in the language of the guest: %s', async (language, parameters) => {
    await open(inBoth);
    const member = await aMember({ birthday: [11, 20], language });
    await sweptAt(tenOn('2026-11-20'), member);
    expect(await received(member)).toEqual([
      {
        ...{ phone: member.phone, template: 'birthday_gift', language },
        parameters: [...parameters, `${world.app.baseUrl}/card/${member.memberToken}`],
      },
    ]);
  });

  test('takes a name as it is, and the name stands in no row of the outbox', async () => {
    await open(inBoth);
    const member = await aMember({ name: '{name}$& x', birthday: [11, 20], language: 'en' });
    await sweptAt(tenOn('2026-11-20'), member);
    const { rows } = await sql<{ payload: string }>`select payload::text from outbox`.execute(
      world.db.kysely,
    );
    expect(JSON.stringify(rows)).not.toContain('$&');
    expect((await received(member))[0]?.parameters[1]).toBe('Many happy returns, {name}$&');
  });

  test.each<[string, (member: Member) => Promise<void>]>([
    ['the member has opted out', (member) => setCustomer(member, { marketing_opt_out: true })],
    ['the member was erased', (member) => setCustomer(member, { phone: null, name: '' })],
    ['the shop has switched it off', () => open()],
    ['the programme was ended', () => open({ ...inBoth, enabled: false })],
    ['the day is over', () => Promise.resolve(void (world.now = tenOn('2026-11-21')))],
  ])('that waits is dropped once %s', async (_, happen) => {
    await open(inBoth);
    const member = await aMember({ birthday: [11, 20] });
    await sweptAt(tenOn('2026-11-20'), member);
    await happen(member);
    expect(await received(member)).toEqual([]);
    const { status } = await world.db.kysely
      .selectFrom('outbox')
      .select('status')
      .where('subject_id', '=', member.cardId)
      .executeTakeFirstOrThrow();
    expect(status).toBe('dropped');
  });

  test('of an absence that waits is dropped once the member has bought again', async () => {
    await open(inBoth);
    const member = await aMember();
    await sweptAt(tenOn('2027-01-09'), member);
    await buys(member);
    expect((await received(member)).filter(({ template }) => template.startsWith('win_back'))).toEqual([]);
  });

  test('is sent once after failures of the provider', async () => {
    await open(inBoth);
    const member = await aMember({ birthday: [11, 20] });
    await sweptAt(tenOn('2026-11-20'), member);
    world.phones.outcome = { sent: false, again: 'later', waitMs: null, reason: 'answered 503' };
    expect(await received(member)).toEqual([]);
    world.phones.outcome = null;
    for (const later of [60_000, 120_000]) {
      await sweptAt(tenOn('2026-11-20') + later, member);
      expect(await received(member)).toHaveLength(1);
    }
  });

  test('is not recorded, nor its gift, where its message cannot be kept', async () => {
    await open(inBoth);
    const member = await aMember({ birthday: [11, 20] });
    await asOwner(world.database, `alter table outbox add constraint no_room check (subject <> 'card')`);
    world.now = tenOn('2026-11-20');
    const process = sweepingProcess(world);
    await process.sweeper.sweep();
    await process.close();
    expect(process.logged.join()).toContain('birthdays and absences of members');
    await asOwner(world.database, 'alter table outbox drop constraint no_room');
    expect(await ledgerOf(member)).toEqual({ points: 0, entries: [] });
    expect(await occasionsOf(member)).toEqual([]);
    expect(await sweptAt(world.now + 60_000, member)).toEqual(['birthday_gift']);
    expect((await ledgerOf(member))?.points).toBe(25);
  });

  test('waits while no message can be sent, and follows the same day', async () => {
    await open(inBoth);
    const member = await aMember({ birthday: [11, 20] });
    world.phones.isReady = false;
    expect(await sweptAt(tenOn('2026-11-20'), member)).toEqual([]);
    world.phones.isReady = true;
    expect(await sweptAt(tenOn('2026-11-20') + 60_000, member)).toHaveLength(1);
  });

  test('goes to each of 60 members once by four sweepers', async () => {
    await open(inBoth);
    for (let nth = 0; nth < 60; nth += 1) await aMember({ birthday: [11, 20] });
    world.now = tenOn('2026-11-20');
    await sweepTogether(world);
    const { rows } = await sql<{ greetings: number; entries: number; told: number }>`
      select (select count(*)::int from loyalty_greeting) as greetings,
             (select count(*)::int from loyalty_entry) as entries,
             (select count(distinct subject_id)::int from outbox where subject = 'card') as told
    `.execute(world.db.kysely);
    expect(rows).toEqual([{ greetings: 60, entries: 60, told: 60 }]);
  });
});
