/** The pass of wallet one over HTTP, and the links to both wallets. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWalletTwo } from '../../src/adapters/wallets/wallet-two.ts';
import { faceOf } from '../../src/loyalty/app/wallets/face.ts';
import { passLinksOf } from '../../src/loyalty/app/wallets/pass-links.ts';
import { aBranch, aShopFile, openShops, shopId } from '../support/shops/cafe.ts';
import { aCard, aGuest } from '../support/people/guests.ts';
import { aWalletOne, balanceOn, cardIdOf, earn, passJsonOf } from '../support/people/wallets.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import {
  fileWith,
  issue,
  keyText,
  passSubject,
  walletChain,
} from '../support/stand-ins/wallet-certificates.ts';
import { openWalletTwo, type WalletTwoServer } from '../support/stand-ins/wallet-two.ts';

const aShop = () =>
  aShopFile({
    branches: [aBranch({ location: { lat: 30.0626, lng: 31.2197 } })],
    loyalty: {
      ...{ enabled: true, mode: 'points', program_name: { ar: 'أصحاب البن', en: 'Bunn Friends' } },
      rewards: [{ key: 'latte', name: { ar: 'لاتيه', en: 'Latte' }, cost: 50 }],
      terms: { ar: 'تسري سنة', en: 'Valid for a year' },
    },
  });

const passAt = (token: string): string => `/public/loyalty/pass/${token}.pkpass`;

describe('with Apple Wallet', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({ walletOne: aWalletOne() });
    await openShops(world, aShop());
  });
  afterAll(() => world.close());

  test('a card is a pass with its balance, its code and nothing that names its holder in full', async () => {
    const guest = aGuest();
    const token = await aCard(world, guest, 'منى السيد');
    const cardId = await cardIdOf(world, token);
    await earn(world, cardId, 42);
    const { status, headers, bytes } = await world.get(passAt(token));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      ...{ 'content-type': 'application/vnd.apple.pkpass', 'cache-control': 'no-store' },
      'content-disposition': 'attachment; filename="card.pkpass"',
    });
    const json = passJsonOf(bytes);
    const code = world.app.tokens.memberCode({ id: cardId, generation: 1 });
    expect(json).toMatchObject({
      ...{ serialNumber: cardId, voided: false, barcodes: [{ message: code }] },
      ...{ webServiceURL: 'https://ahwa.example/wallet', organizationName: 'Beit El Bunn' },
      locations: [{ latitude: 30.0626, longitude: 31.2197 }],
      storeCard: {
        headerFields: [{ label: 'Points', value: 42 }],
        secondaryFields: [{ value: 'منى' }, { value: 'Latte (50)' }],
        auxiliaryFields: [{ value: 8 }, { value: 0 }],
        backFields: [
          { value: 'Bunn Friends' },
          { value: `https://ahwa.example/card/${token}` },
          { value: 'Valid for a year' },
        ],
      },
    });
    const archive = bytes.toString('utf8');
    expect(archive).not.toContain('السيد');
    for (const text of [guest.phone, guest.typed]) expect(archive).not.toContain(text);
  });

  test('each download has the balance of its second', async () => {
    const token = await aCard(world, aGuest());
    const cardId = await cardIdOf(world, token);
    for (const balance of [10, 20]) {
      await earn(world, cardId, 10);
      expect(balanceOn(passJsonOf((await world.get(passAt(token))).bytes))).toBe(balance);
    }
  });

  test.each([
    ['unknown', 'MAAAAAAAAAAAAAAAAAAAAAA'],
    ['malformed', 'x'],
    ['not UTF-8', '%ff'],
    ['a path', '..%2f..'],
  ])('a token that is %s is 404', async (_, token) => {
    expect(await world.refused(passAt(token))).toMatchObject({ status: 404, error: 'Not found.' });
  });

  test('the token of an erased or switched-off shop is 404', async () => {
    await openShops(world, { ...aShop(), slug: 'kashk', active: false });
    const token = await aCard(world, aGuest(), 'منى', 'kashk');
    expect(await world.refused(passAt(token))).toMatchObject({ status: 404 });
  });

  test('an address without the ending is 404', async () => {
    const token = await aCard(world, aGuest());
    expect(await world.refused(`/public/loyalty/pass/${token}`)).toMatchObject({ status: 404 });
  });

  test('the links of a card lead to the pass alone', async () => {
    const memberToken = await aCard(world, aGuest());
    const cardId = await cardIdOf(world, memberToken);
    expect(
      await passLinksOf(world.db.kysely, world.app, {
        orgId: shopId(),
        cardId,
        generation: null,
        memberToken,
      }),
    ).toEqual({
      ...{ any: true, wallet_one_url: passAt(memberToken), wallet_two_url: null },
    });
  });

  test('a token that has ended since it was checked does not give the card', async () => {
    const memberToken = await aCard(world, aGuest());
    const card = { orgId: shopId(), cardId: await cardIdOf(world, memberToken) };
    expect(await faceOf(world.app, { ...card, generation: 1 })).toMatchObject({ cardId: card.cardId });
    await sql`update loyalty_card set generation = 2 where id = ${card.cardId}`.execute(world.db.kysely);
    expect(await faceOf(world.app, { ...card, generation: 1 })).toBeNull();
  });

  test('the logo of a shop is a square PNG for the vendor of wallet two', async () => {
    const { status, headers, bytes } = await world.get(`/wallet/logo/${shopId()}.png`);
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([660, 660]);
    expect((await world.get('/wallet/logo/x.png')).status).toBe(404);
    expect((await world.get(`/wallet/logo/${shopId('nowhere')}.png`)).status).toBe(404);
  });
});

describe('without it', () => {
  test('a pass without signing material is 503, an unknown token 404, and links are null', async () => {
    const world = await makeWorld();
    await openShops(world, aShop());
    const memberToken = await aCard(world, aGuest());
    const cardId = await cardIdOf(world, memberToken);
    expect(await world.refused(passAt(memberToken))).toMatchObject({
      ...{ status: 503, error: 'Passes for the wallet are not available now.' },
    });
    expect(await world.refused(passAt('M'))).toMatchObject({ status: 404 });
    expect(
      await passLinksOf(world.db.kysely, world.app, {
        orgId: shopId(),
        cardId,
        generation: null,
        memberToken,
      }),
    ).toEqual({
      ...{ any: false, wallet_one_url: null, wallet_two_url: null },
    });
    // A change of a card leaves nothing in the outbox.
    await earn(world, cardId, 10);
    const { rows } = await sql`select from outbox`.execute(world.db.kysely);
    expect(rows).toHaveLength(0);
    await world.close();
  });

  test('a certificate that expires while the server runs makes passes 503 from then on', async () => {
    const made = issue({ subject: passSubject(), by: walletChain().intermediate, until: '261201000000Z' });
    const own = { certificate: fileWith(made.certificate), key: fileWith(keyText(made)) };
    const world = await makeWorld({ walletOne: aWalletOne('https://push.invalid', own) });
    await openShops(world, aShop());
    const memberToken = await aCard(world, aGuest());
    expect((await world.get(passAt(memberToken))).status).toBe(200);
    world.now = Date.parse('2026-12-01T00:00:00Z');
    expect((await world.get(passAt(memberToken))).status).toBe(503);
    expect((await world.get(`/public/orgs/brand?slug=beit-el-bunn`)).status).toBe(200);
    const cardId = await cardIdOf(world, memberToken);
    expect(
      await passLinksOf(world.db.kysely, world.app, {
        orgId: shopId(),
        cardId,
        generation: null,
        memberToken,
      }),
    ).toMatchObject({
      ...{ any: true, wallet_one_url: null },
    });
    await world.close();
  });
});

describe('with Google Wallet', () => {
  let server: WalletTwoServer;
  let world: World;
  beforeAll(async () => {
    server = await openWalletTwo();
    const clock = { now: () => Date.parse('2026-11-20T18:00:00Z') };
    const walletTwo = createWalletTwo({ ...server.settings, clock, origin: 'https://ahwa.example' });
    world = await makeWorld({ walletTwo });
    await openShops(world, aShop());
  });
  afterAll(async () => {
    await world.close();
    await server.stop();
  });

  test('the save link of a card makes its object at the vendor, without phone and full name', async () => {
    const guest = aGuest();
    const memberToken = await aCard(world, guest, 'منى السيد');
    const cardId = await cardIdOf(world, memberToken);
    const links = await passLinksOf(world.db.kysely, world.app, {
      orgId: shopId(),
      cardId,
      generation: null,
      memberToken,
    });
    expect(links).toMatchObject({ any: true, wallet_one_url: null });
    await server.save(links.wallet_two_url ?? '');
    expect(server.objects.get(`${server.issuer}.${cardId}-1`)).toMatchObject({
      ...{ state: 'ACTIVE', accountName: 'منى', loyaltyPoints: { balance: { int: 0 } } },
      barcode: { type: 'QR_CODE', value: world.app.tokens.memberCode({ id: cardId, generation: 1 }) },
    });
    const carried = JSON.stringify(await server.claimsOf(links.wallet_two_url ?? ''));
    for (const text of [guest.phone, guest.typed, 'السيد']) expect(carried).not.toContain(text);
  });

  test('a token that has ended since it was checked gives no link', async () => {
    const memberToken = await aCard(world, aGuest());
    const cardId = await cardIdOf(world, memberToken);
    await sql`update loyalty_card set generation = 2 where id = ${cardId}`.execute(world.db.kysely);
    const links = await passLinksOf(world.db.kysely, world.app, {
      ...{ orgId: shopId(), cardId, generation: 1, memberToken },
    });
    expect(links.wallet_two_url).toBeNull();
  });
});
