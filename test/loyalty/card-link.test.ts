/** The link of a card, sent to a phone that nobody has proven (Decisions 11, Join). */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sendMessages } from '../support/background/outbox-worker.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { aGuest, anOrder, placed, proveOn, type Guest } from '../support/people/guests.ts';
import { aMember, aShopWithCards, cardAddress, joined, tokenIn } from '../support/people/members.ts';
import { aBranch, openShops, shopId } from '../support/shops/cafe.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, PUBLIC_ADDRESS, type World, type WorldOptions } from '../support/server/world.ts';

const DAY_MS = 24 * 60 * 60_000;
const OTHER = 'kashk';

let database: TestDatabase;
let world: World;

beforeAll(async () => {
  database = await freshDatabase();
  world = await makeWorld({ database });
  const branches = [aBranch({ otp_required: false })];
  await openShops(world, aShopWithCards({}, { branches }), aShopWithCards({}, { slug: OTHER, branches }));
  await world.close();
});
afterEach(() => world.close());
afterAll(() => database.release());

/** With an empty outbox. */
const open = async (options: WorldOptions = {}): Promise<void> => {
  world = await makeWorld({ limitScale: 1, database, ...options });
  await asOwner(database, 'truncate message_budget, outbox, guest_phone cascade');
};

const linksTo = async ({ phone }: Guest): Promise<string[]> => {
  await sendMessages(world);
  return world.phones.messages
    .filter((message) => message.phone === phone && message.template === 'card_link')
    .map(({ parameters }) => parameters[1] ?? '');
};

/** A stranger types the phone. */
const typed = (guest: Guest, slug?: string) =>
  joined(world, { phone: guest.typed, name: 'A Stranger', org_id: shopId(slug) });

describe('a phone that the shop knows', () => {
  test('gets the link of its card, which the answer does not have', async () => {
    await open();
    const guest = aGuest();
    const token = await aMember(world, guest);
    const answer = await typed(guest);
    expect(answer).toMatchObject({ verify_required: true, card_link_sent: true });
    expect(JSON.stringify(answer)).not.toContain(token);
    expect(await linksTo(guest)).toEqual([`${PUBLIC_ADDRESS}/card/${token}`]);
  });

  test('gets it once a day, over all shops', async () => {
    await open();
    const guest = aGuest();
    await aMember(world, guest);
    await typed(guest, OTHER);
    expect((await typed(guest)).card_link_sent).toBe(true);
    expect((await typed(guest)).card_link_sent).toBe(false);
    expect((await typed(guest, OTHER)).card_link_sent).toBe(false);
    world.now += DAY_MS;
    world.elapsed += DAY_MS;
    expect((await typed(guest, OTHER)).card_link_sent).toBe(true);
    expect(await linksTo(guest)).toHaveLength(2);
  });

  test('without a card is answered likewise, and gets the link of a card made for it', async () => {
    await open();
    const guest = aGuest();
    await placed(world, anOrder({ customer_phone: guest.typed, device_token: await proveOn(world, guest) }));
    const answer = await typed(guest);
    expect(answer).toMatchObject({ verify_required: true, card_link_sent: true, already_member: true });
    const [link = ''] = await linksTo(guest);
    expect((await world.get(cardAddress(link.split('/').at(-1) ?? ''))).status).toBe(200);
  });

  test('gets a link that leads to the card, where the token before ended with a proof', async () => {
    await open();
    const guest = aGuest();
    const old = tokenIn(await joined(world, { phone: guest.typed }));
    await placed(world, anOrder({ customer_phone: guest.typed, device_token: await proveOn(world, guest) }));
    expect((await typed(guest)).card_link_sent).toBe(true);
    const [link = ''] = await linksTo(guest);
    expect(link).not.toContain(old);
    expect((await world.get(cardAddress(link.split('/').at(-1) ?? ''))).status).toBe(200);
  });

  test('gets no card once its customer has ended', async () => {
    await open();
    const guest = aGuest();
    await placed(world, anOrder({ customer_phone: guest.typed, device_token: await proveOn(world, guest) }));
    const { waiting } = await world.db.tx(async (tx) => {
      await sql`update customer set phone = null, name = '' where phone = ${guest.phone}`.execute(tx);
      const asking = typed(guest);
      await lockWait(world);
      return { waiting: asking };
    });
    await waiting;
    const { rows } = await sql`
      select from loyalty_card l join customer c on c.org_id = l.org_id and c.id = l.customer_id where c.phone is null
    `.execute(world.db.kysely);
    expect(rows).toEqual([]);
  });

  test('twenty times at once gets one link', async () => {
    await open();
    const guest = aGuest();
    await aMember(world, guest);
    const answers = await Promise.all(Array.from({ length: 20 }, () => typed(guest)));
    expect(answers.filter(({ card_link_sent }) => card_link_sent)).toHaveLength(1);
    expect(await linksTo(guest)).toHaveLength(1);
  });

  test('gets it though it wants no greetings', async () => {
    await open();
    const guest = aGuest();
    const token = await aMember(world, guest);
    await post(world, cardAddress(token, '/preferences'), { marketing_opt_out: true, locale: 'en' });
    await typed(guest);
    expect(await linksTo(guest)).toHaveLength(1);
  });
});

test('no link is sent, and none is said to be, where there is no sender of messages', async () => {
  await open();
  world.phones.isReady = false;
  const guest = aGuest();
  await joined(world, { phone: guest.typed });
  expect(await typed(guest)).toMatchObject({ verify_required: true, card_link_sent: false });
});

test('a new phone gets its token and no link', async () => {
  await open();
  const guest = aGuest();
  expect((await typed(guest)).card_link_sent).toBe(false);
  expect(await linksTo(guest)).toEqual([]);
});
