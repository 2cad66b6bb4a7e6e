/** Balance vouchers as their holders get them (Decisions 11): what a till without the server may give rewards against. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVoucherKeys } from '../../src/adapters/voucher-keys.ts';
import { addVoucherUse } from '../../src/loyalty/store/voucher.ts';
import { createKeyring } from '../../src/platform/app/keyring.ts';
import { sweepTogether } from '../support/background/sweeper.ts';
import { newId } from '../support/database/ids.ts';
import { cardAddress } from '../support/people/members.ts';
import { aMember, aProgramme, balanceOf } from '../support/people/reward-members.ts';
import { altered, claimsOf, voucherOfCard } from '../support/people/vouchers.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aShopFile, openShops, shopId } from '../support/shops/cafe.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let world: World;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0, secretKeys: ['the key of today'] });
});
afterAll(() => world.close());

const openProgramme = (overrides: Parameters<typeof aProgramme>[0] = {}): Promise<void> =>
  openShops(world, aShopFile({ loyalty: aProgramme({ offline_limit: 60, ...overrides }) }));
beforeEach(() => openProgramme());

const refusedFor = (memberToken: string, what = '/voucher') => world.refused(cardAddress(memberToken, what));

describe('a voucher', () => {
  test('is good for the balance for half an hour, and takes nothing from it', async () => {
    const member = await aMember(world, 25);
    const { voucher, qr, ...said } = await voucherOfCard(world, member);
    const until = world.now + 30 * MINUTE;
    expect(said).toEqual({
      ...{ member_id: member.cardId, mode: 'points', limit: 25 },
      valid_until: new Date(until).toISOString(),
    });
    expect(qr.side).toBeGreaterThan(60);
    expect(claimsOf(voucher)).toMatchObject({
      ...{ orgId: shopId(), cardId: member.cardId, mode: 'points', limit: 25 },
      ...{ issuedAt: world.now, expiresAt: until },
    });
    expect(await world.app.voucherKeys.verify(voucher)).toMatchObject({ sub: member.cardId });
    expect(await balanceOf(world, member.cardId)).toBe(25);
  });

  test('is good for no more than the shop gives', async () => {
    expect(await voucherOfCard(world, await aMember(world, 500))).toMatchObject({ limit: 60 });
  });

  test('counts visits where the programme does', async () => {
    await openProgramme({ mode: 'visits' });
    expect(await voucherOfCard(world, await aMember(world, 12))).toMatchObject({ mode: 'visits', limit: 12 });
  });

  test('has the same id as another one within the half hour, and then a new one', async () => {
    world.now = Math.ceil(world.now / (30 * MINUTE)) * 30 * MINUTE;
    const [mona, huda] = [await aMember(world, 25), await aMember(world, 25)];
    const idOf = async (member: typeof mona) => claimsOf((await voucherOfCard(world, member)).voucher).id;
    const first = await idOf(mona);
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await idOf(huda)).not.toBe(first);
    world.now += 29 * MINUTE;
    expect(await idOf(mona)).toBe(first);
    world.now += MINUTE;
    expect(await idOf(mona)).not.toBe(first);
  });

  test('is never stored on the way, nor logged, as text and as QR code', async () => {
    const member = await aMember(world, 25);
    const reply = await world.get(cardAddress(member.memberToken, '/voucher'));
    const picture = await world.get(cardAddress(member.memberToken, '/voucher.svg'));
    for (const { status, headers } of [reply, picture])
      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(picture.headers['content-type']).toContain('image/svg+xml');
    expect(picture.text).toContain('fill="#fff"');
    expect(picture.text).not.toContain(member.memberToken);
    const { voucher } = reply.body as { readonly voucher: string };
    expect(voucher.length).toBeLessThan(500);
    const logged = world.logged.join('\n');
    for (const secret of [voucher, member.memberToken]) expect(logged).not.toContain(secret);
  });

  test('stays good when a new key stands before its own in SECRET_KEY, and not without it', async () => {
    const { voucher } = await voucherOfCard(world, await aMember(world, 25));
    const keysOf = (...keys: string[]) => createVoucherKeys(createKeyring(keys));
    const rotated = keysOf('the key of tomorrow', 'the key of today');
    expect(await rotated.verify(voucher)).toMatchObject({ limit: 25 });
    expect(rotated.published.map(({ kid }) => kid)).toEqual([
      ...createKeyring(['the key of tomorrow', 'the key of today']).ids,
    ]);
    expect(await keysOf('the key of tomorrow').verify(voucher)).toBeNull();
    const claims = await rotated.verify(voucher);
    const next = await rotated.sign(claims as Parameters<typeof rotated.sign>[0]);
    expect(await keysOf('the key of tomorrow').verify(next)).toEqual(claims);
    expect(await keysOf('the key of today').verify(next)).toBeNull();
  });

  test('that was changed, cut off or made up is none of ours', async () => {
    const { voucher } = await voucherOfCard(world, await aMember(world, 25));
    const [header = '', claims = '', signature = ''] = voucher.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    for (const text of [
      ...[altered(voucher), `${header}.${claims}.`, `${header}.${claims}`, '', 'x', voucher.slice(0, -2)],
      ...[`${none}.${claims}.`, `${none}.${claims}.${signature}`, `${header}..${signature}`],
    ])
      expect([text, await world.app.voucherKeys.verify(text)]).toEqual([text, null]);
  });
});

describe('a voucher is refused', () => {
  test('to a card whose balance pays for no reward', async () => {
    const { memberToken } = await aMember(world, 9);
    for (const what of ['/voucher', '/voucher.svg'])
      expect(await refusedFor(memberToken, what)).toMatchObject({
        ...{ status: 409, code: 'REWARD_UNAVAILABLE', vars: { balance: 9, cost: 10 } },
      });
  });

  test('where the shop gives none, in words of its own', async () => {
    await openShops(world, aShopFile({ loyalty: aProgramme() }));
    expect(await refusedFor((await aMember(world, 25)).memberToken)).toMatchObject({
      ...{ status: 409, code: 'LOYALTY_OFF' },
      error: 'This shop gives no rewards while its till has no internet.',
    });
  });

  test('while the programme is off', async () => {
    await openProgramme({ enabled: false });
    expect(await refusedFor((await aMember(world, 25)).memberToken)).toMatchObject({
      ...{ status: 409, code: 'LOYALTY_OFF' },
      error: 'This shop has no loyalty programme at the moment.',
    });
  });

  test('to an unknown token, as the card is', async () => {
    expect(await refusedFor('MBBBBBBBBBBBBBBBBBBBBBB')).toMatchObject({ status: 404 });
  });
});

test('a card says what one voucher is good for at most', async () => {
  const { memberToken } = await aMember(world, 25);
  expect(await world.read('getCard', cardAddress(memberToken))).toMatchObject({ offline_limit: 60 });
  await openShops(world, aShopFile({ loyalty: aProgramme() }));
  expect(await world.read('getCard', cardAddress(memberToken))).toMatchObject({ offline_limit: null });
});

test('uses of vouchers are forgotten after 90 days', async () => {
  const uses = () => world.db.kysely.selectFrom('loyalty_voucher_use').select('sale_id').execute();
  const use = { orgId: shopId(), voucherId: newId(), saleId: newId(), cost: 10 };
  expect(await addVoucherUse(world.db.kysely, use, world.now)).toBe(10);
  world.now += 89 * DAY;
  await sweepTogether(world);
  expect(await uses()).toHaveLength(1);
  world.now += 2 * DAY;
  await sweepTogether(world);
  expect(await uses()).toEqual([]);
});
