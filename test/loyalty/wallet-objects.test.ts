/** Objects of Google Wallet follow their cards by the outbox. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWalletTwo } from '../../src/adapters/wallets/wallet-two.ts';
import { passLinksOf } from '../../src/loyalty/app/wallets/pass-links.ts';
import { aShopFile, openShops, shopId } from '../support/shops/cafe.ts';
import { aCard, aGuest, proveOn } from '../support/people/guests.ts';
import { aShopWithCards, joined, tokenIn } from '../support/people/members.ts';
import { cardIdOf, earn } from '../support/people/wallets.ts';
import { sendMessages } from '../support/background/outbox-worker.ts';
import { emptyOutbox } from '../support/background/outbox.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openWalletTwo, walletTwoError, type WalletTwoServer } from '../support/stand-ins/wallet-two.ts';

const MINUTE = 60_000;
/** Shop that asks for no code. */
const OPEN = 'open-cafe';

let server: WalletTwoServer;
let world: World;

const aShop = (background = '#3B2417') =>
  aShopFile({
    brand: { colors: { background, foreground: '#FBF7F1', accent: '#E0A458' } },
    loyalty: {
      ...{ enabled: true, mode: 'points', program_name: { ar: 'أصحاب البن', en: 'Bunn Friends' } },
      rewards: [{ key: 'latte', name: { ar: 'لاتيه', en: 'Latte' }, cost: 50 }],
    },
  });

beforeAll(async () => {
  server = await openWalletTwo();
  const clock = { now: () => world.now };
  const walletTwo = createWalletTwo({ ...server.settings, clock, origin: 'https://ahwa.example' });
  world = await makeWorld({ walletTwo });
  server.now = () => world.now;
  await openShops(world, aShop(), aShopWithCards({}, { slug: OPEN }));
});
beforeEach(async () => {
  await emptyOutbox(world.db);
  await sql`delete from wallet_class`.execute(world.db.kysely);
  for (const kept of [server.classes, server.objects]) kept.clear();
  server.calls.length = 0;
  server.instead = null;
});
afterAll(async () => {
  await world.close();
  await server.stop();
});

const linksOf = async (memberToken: string) =>
  passLinksOf(world.db.kysely, world.app, {
    orgId: shopId(),
    cardId: await cardIdOf(world, memberToken),
    ...{ generation: null, memberToken },
  });

/** A card whose holder has saved it. */
const aSavedCard = async () => {
  const memberToken = await aCard(world, aGuest());
  const cardId = await cardIdOf(world, memberToken);
  await server.save((await linksOf(memberToken)).wallet_two_url ?? '');
  return { cardId, memberToken };
};

const objectOf = (cardId: string) => server.objects.get(`${server.issuer}.${cardId}-1`);
const balanceOf = (cardId: string) => objectOf(cardId)?.['loyaltyPoints'];

const rows = async () => {
  const found = await sql<{ kind: string; status: string; reason: string | null; payload: object }>`
    select kind, status, last_error as reason, payload from outbox order by position
  `.execute(world.db.kysely);
  return found.rows;
};

describe('a saved card', () => {
  test('is patched after each change, and its link names it by its ids', async () => {
    const { cardId, memberToken } = await aSavedCard();
    await earn(world, cardId, 13);
    await sendMessages(world);
    expect(balanceOf(cardId)).toMatchObject({ balance: { int: 13 } });
    expect(objectOf(cardId)).toMatchObject({
      secondaryLoyaltyPoints: { balance: { int: 37 } },
      linksModuleData: { uris: [{ uri: `https://ahwa.example/card/${memberToken}` }] },
    });
    await earn(world, cardId, 1);
    await sendMessages(world);
    expect(balanceOf(cardId)).toMatchObject({ balance: { int: 14 } });
    const { payload } = await server.claimsOf((await linksOf(memberToken)).wallet_two_url ?? '');
    expect(Object.keys(payload['loyaltyObjects']?.[0] ?? {})).toEqual(['id', 'classId']);
  });

  test('has one row for many changes, which holds no token and no balance', async () => {
    const { cardId } = await aSavedCard();
    for (let change = 0; change < 4; change += 1) await earn(world, cardId, 1);
    const waiting = (await rows()).filter(({ status }) => status === 'waiting');
    expect(waiting).toEqual([{ kind: 'wallet_two', status: 'waiting', reason: null, payload: {} }]);
    await sendMessages(world);
    expect(balanceOf(cardId)).toMatchObject({ balance: { int: 4 } });
  });

  test('that its holder has removed from the vendor is patched no more', async () => {
    const { cardId } = await aSavedCard();
    await earn(world, cardId, 1);
    await sendMessages(world);
    server.objects.clear();
    world.now += MINUTE;
    await earn(world, cardId, 1);
    await sendMessages(world);
    expect((await rows()).at(-1)).toMatchObject({
      ...{ status: 'dropped', reason: 'the API answered 404: there is no such object' },
    });
    expect(server.objects.size).toBe(0);
  });

  test.each([401, 403, 410, 429, 500, 503])('waits while the vendor answers %i', async (status) => {
    const { cardId } = await aSavedCard();
    server.instead = walletTwoError(status);
    await earn(world, cardId, 5);
    await sendMessages(world);
    expect((await rows()).at(-1)).toMatchObject({
      status: 'waiting',
      reason: `the API answered ${status}`,
    });
    // Nothing else waits: the card, its page and its pass have the balance.
    server.instead = null;
    world.now += MINUTE;
    await sendMessages(world);
    expect(balanceOf(cardId)).toMatchObject({ balance: { int: 5 } });
  });
});

test('an object saved before the phone was proven ends without code and link, and the next token has another', async () => {
  const owner = aGuest();
  const org_id = shopId(OPEN);
  const result = await joined(world, { org_id, phone: owner.typed });
  const cardId = await cardIdOf(world, tokenIn(result));
  await server.save(result.passes?.wallet_two_url ?? '');
  await earn(world, cardId, 1, org_id);
  await sendMessages(world);
  const device_token = await proveOn(world, owner);
  const proven = await joined(world, { org_id, phone: owner.typed, device_token });
  await sendMessages(world);
  expect(objectOf(cardId)).toMatchObject({
    ...{ state: 'INACTIVE', accountName: null, barcode: null, linksModuleData: null, loyaltyPoints: null },
  });
  await server.save(proven.passes?.wallet_two_url ?? '');
  await earn(world, cardId, 4, org_id);
  await sendMessages(world);
  expect(server.objects.get(`${server.issuer}.${cardId}-2`)).toMatchObject({
    ...{ state: 'ACTIVE', loyaltyPoints: { balance: { int: 5 } } },
  });
  expect(objectOf(cardId)).toMatchObject({ state: 'INACTIVE', loyaltyPoints: null });
});

describe('a card that nobody has saved', () => {
  test('is not written to the vendor, which is asked for its id alone, twice', async () => {
    const memberToken = await aCard(world, aGuest());
    const cardId = await cardIdOf(world, memberToken);
    await earn(world, cardId, 5);
    await sendMessages(world);
    expect(server.calls).toEqual(['POST loyaltyClass', 'GET loyaltyObject']);
    world.now += 40 * MINUTE;
    await sendMessages(world);
    expect(server.calls).toEqual(['POST loyaltyClass', 'GET loyaltyObject', 'GET loyaltyObject']);
    expect(await rows()).toMatchObject([{ status: 'dropped' }]);
    expect(server.objects.size).toBe(0);
  });

  test('that is saved by a link of before the change gets the change', async () => {
    const memberToken = await aCard(world, aGuest());
    const cardId = await cardIdOf(world, memberToken);
    const { wallet_two_url: link } = await linksOf(memberToken);
    await earn(world, cardId, 5);
    await sendMessages(world);
    await server.save(link ?? '');
    expect(balanceOf(cardId)).toMatchObject({ balance: { int: 0 } });
    world.now += 40 * MINUTE;
    await sendMessages(world);
    expect(balanceOf(cardId)).toMatchObject({ balance: { int: 5 } });
  });
});

test('the class of a shop is written once, and again after the shop has changed', async () => {
  const { cardId } = await aSavedCard();
  for (const background of ['#3B2417', '#102030']) {
    await openShops(world, aShop(background));
    for (let change = 0; change < 2; change += 1) {
      world.now += MINUTE;
      await earn(world, cardId, 1);
      await sendMessages(world);
    }
    expect(server.classes.get(`${server.issuer}.${shopId()}`)).toMatchObject({
      ...{ hexBackgroundColor: background, issuerName: 'Beit El Bunn', programName: 'Bunn Friends' },
      localizedProgramName: { translatedValues: [{ language: 'ar', value: 'أصحاب البن' }] },
    });
  }
  expect(server.calls.filter((call) => call.endsWith('loyaltyClass'))).toEqual([
    // The save link made the class before us.
    ...['POST loyaltyClass', 'PATCH loyaltyClass', 'PATCH loyaltyClass'],
  ]);
});
