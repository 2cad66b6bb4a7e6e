/** The card as its holder reads it (Decisions 11, Card). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShops, aShopFile, branchId, shopId } from '../support/shops/cafe.ts';
import { aGuest } from '../support/people/guests.ts';
import { aMember, aShopWithCards, cardAddress, cardOf } from '../support/people/members.ts';
import { post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aShopWithCards(), aShopFile({ slug: 'no-programme' }));
});
afterAll(() => world.close());

describe('what a shop says of its programme', () => {
  const info = (query: string) => world.read('getJoinInfo', `/public/loyalty/join-info?${query}`);

  test('is its mode, cost, rewards and colours, with the branch that was named', async () => {
    expect(await info(`branch_id=${branchId()}`)).toMatchObject({
      ...{ enabled: true, require_otp: false, mode: 'points', next_reward_cost: 100 },
      ...{
        earn_piastres_per_point: 1000,
        birthday_enabled: false,
        branch_id: branchId(),
        branch_name: 'الزمالك',
      },
      brand: { org_name: 'بيت البن', program_name: 'Bean club', program_name_ar: 'نادي البن' },
      rewards: [{ name: 'قهوة تركي', cost_currency: 'points', cost_amount: 100 }],
    });
  });

  test('is neutral and off where there is none', async () => {
    expect(await info(`org_id=${shopId('no-programme')}`)).toMatchObject({
      ...{ enabled: false, rewards: [], mode: 'points', birthday_enabled: false, branch_id: null },
    });
  });

  test('is refused without a shop, with two that disagree, and of an unknown one', async () => {
    const other = shopId('no-programme');
    const statuses = [];
    for (const query of ['', `org_id=${other}&branch_id=${branchId()}`, `org_id=${branchId()}`])
      statuses.push((await world.get(`/public/loyalty/join-info?${query}`)).status);
    expect(statuses).toEqual([400, 400, 404]);
  });
});

describe('a card', () => {
  test('is never stored on the way, and names no phone', async () => {
    const guest = aGuest();
    const reply = await world.get(cardAddress(await aMember(world, guest)));
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.text).not.toContain(guest.phone.slice(-8));
  });

  test.each(['', 'M', 'x'.repeat(500), 'MAAAAAAAAAAAAAAAAAAAAAA', '%00', '..%2f..'])(
    'with the token %j is the same 404',
    async (token) => {
      const unknown = await world.get(cardAddress('MBBBBBBBBBBBBBBBBBBBBBB'));
      const reply = await world.get(cardAddress(token));
      expect([reply.status, reply.text]).toEqual([404, unknown.text]);
    },
  );

  test('of a shop that was switched off is 404', async () => {
    const token = await aMember(world, aGuest());
    await openShops(world, aShopWithCards({}, { active: false }));
    expect((await world.get(cardAddress(token))).status).toBe(404);
    await openShops(world, aShopWithCards());
    expect((await world.get(cardAddress(token))).status).toBe(200);
  });

  test('shows a change of its shop and of its branches in the next answer', async () => {
    const token = await aMember(world, aGuest());
    const before = await cardOf(world, token);
    const REWARD = { key: 'coffee', name: { ar: 'قهوة' }, cost: 40 };
    await openShops(world, aShopWithCards({ rewards: [REWARD] }, { name: { ar: 'بيت الشاي' } }));
    expect(await cardOf(world, token)).toMatchObject({
      ...{ next_reward_cost: 40, rewards: [{ name: 'قهوة' }], brand: { org_name: 'بيت الشاي' } },
    });
    const [branch] = aShopFile().branches;
    if (branch === undefined) throw new Error('the shop has no branch');
    await openShops(world, aShopWithCards({}, { branches: [{ ...branch, channels: {} }] }));
    expect((await cardOf(world, token)).order_now_url).toBeNull();
    await openShops(world, aShopWithCards());
    expect(await cardOf(world, token)).toEqual(before);
  });

  test('has its address for online orders where the shop takes them', async () => {
    const token = await aMember(world, aGuest());
    expect((await cardOf(world, token)).order_now_url).toMatch(/\/beit-el-bunn\/order$/);
  });

  test('has a QR code of its member code, dark on white', async () => {
    const token = await aMember(world, aGuest());
    const reply = await world.get(cardAddress(token, '/qr.svg'));
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toContain('image/svg+xml');
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.text).toContain('fill="#fff"');
    expect(reply.text).not.toContain(token);
  });
});

describe('preferences', () => {
  const prefer = (token: string, body: unknown) => post(world, cardAddress(token, '/preferences'), body);

  test('are set by name, and what is null or absent stays', async () => {
    const token = await aMember(world, aGuest(), { locale: 'ar' });
    const reply = await prefer(token, { marketing_opt_out: true });
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await cardOf(world, token)).toMatchObject({ marketing_opt_out: true, locale: 'ar' });
    await prefer(token, { locale: 'en', marketing_opt_out: null });
    expect(await cardOf(world, token)).toMatchObject({ marketing_opt_out: true, locale: 'en' });
    await prefer(token, { marketing_opt_out: false });
    expect(await cardOf(world, token)).toMatchObject({ marketing_opt_out: false, locale: 'en' });
    expect((await prefer(token, {})).status).toBe(204);
  });

  test.each([{ locale: 'fr' }, { marketing_opt_out: 'yes' }, { name: 'x' }, []])(
    'of %j are 400',
    async (body) => {
      expect(refusalOf(await prefer(await aMember(world, aGuest()), body)).status).toBe(400);
    },
  );

  test('of an unknown card are 404', async () => {
    expect(refusalOf(await prefer('MBBBBBBBBBBBBBBBBBBBBBB', {})).status).toBe(404);
  });
});
