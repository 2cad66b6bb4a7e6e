/** POST /public/order-now/{member_token}/replace-identity and /combine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShops } from '../support/shops/cafe.ts';
import { anOrder, placed } from '../support/people/guests.ts';
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
  proofsOf,
  replacedBy,
} from '../support/people/identity.ts';
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

describe('a phone that is replaced', () => {
  test('is the card’s from then on, and the token stays', async () => {
    const [member, fresh] = [await aMemberWith(world, { points: 30 }), await aProvenGuest(world)];
    expect(await replacedBy(world, member, fresh)).toEqual({
      customer_id: member.customerId,
      phone_hint: `•••• ${fresh.phone.slice(-4)}`,
      first_name: 'منى',
      combined: false,
      member_token: member.token,
    });
    expect(await orderNowOf(world, member.token, fresh.device)).toMatchObject({
      full: { customer_id: member.customerId, phone: fresh.phone },
    });
    expect(await orderNowOf(world, member.token, member.device)).toMatchObject({ verify_required: true });
    expect(await balancesOf(world, member.cardId)).toEqual({ points: 30, visits: 0 });
  });

  test('takes the name with it where one is given, on one line', async () => {
    const [member, fresh] = [await aMemberWith(world), await aProvenGuest(world)];
    const { first_name } = await replacedBy(world, member, fresh, { name: '  نهى \n علي ' });
    expect(first_name).toBe('نهى');
    expect(await customerRow(world, member.customerId)).toMatchObject({
      name: 'نهى علي',
      phone: fresh.phone,
    });
  });

  test('repeated after its answer was lost answers the same', async () => {
    const [member, fresh] = [await aMemberWith(world), await aProvenGuest(world)];
    const first = await replacedBy(world, member, fresh);
    expect(await replacedBy(world, member, fresh)).toEqual(first);
    expect(await identityChangesOf(world, member)).toHaveLength(1);
  });

  test('by itself changes the name alone, and does not count', async () => {
    const member = await aMemberWith(world);
    expect(await replacedBy(world, member, member, { name: 'منى أحمد' })).toMatchObject({ combined: false });
    expect(await customerRow(world, member.customerId)).toMatchObject({
      name: 'منى أحمد',
      phone: member.phone,
    });
    expect(await identityChangesOf(world, member)).toEqual([]);
  });

  test('a third time within 30 days is IDENTITY_REPLACE_LIMIT, later accepted', async () => {
    const member = await aMemberWith(world);
    const phones = [await aProvenGuest(world), await aProvenGuest(world), await aProvenGuest(world)] as const;
    await replacedBy(world, member, phones[0]);
    world.now += 10 * DAY;
    await replacedBy(world, { ...member, ...phones[0] }, phones[1]);
    const third = proofsOf(phones[1], phones[2]);
    expect(await identityRefused(world, 'replace-identity', member.token, third)).toMatchObject({
      ...{ status: 409, code: 'IDENTITY_REPLACE_LIMIT' },
    });
    world.now += 20 * DAY;
    expect((await askIdentity(world, 'replace-identity', member.token, third)).status).toBe(200);
  });

  test('of another customer is PHONE_BELONGS_TO_ANOTHER and says that they can be combined', async () => {
    const [member, other] = [await aMemberWith(world), await aProvenGuest(world)];
    await placed(world, anOrder({ customer_phone: other.typed, device_token: other.device }));
    const asked = proofsOf(member, other);
    expect(await identityRefused(world, 'replace-identity', member.token, asked)).toMatchObject({
      ...{ status: 409, code: 'PHONE_BELONGS_TO_ANOTHER', can_combine: true },
    });
  });

  test('of a customer combined today is PHONE_BELONGS_TO_ANOTHER without can_combine', async () => {
    const [member, other, third] = [
      await aMemberWith(world),
      await aMemberWith(world),
      await aMemberWith(world),
    ];
    await combinedWith(world, other, third);
    const asked = proofsOf(member, third);
    expect(await identityRefused(world, 'replace-identity', member.token, asked)).toMatchObject({
      ...{ code: 'PHONE_BELONGS_TO_ANOTHER', can_combine: false },
      error: expect.stringContaining('Combine the two after that') as string,
    });
    expect(await identityRefused(world, 'combine', member.token, asked)).toMatchObject({
      ...{ status: 409, code: 'IDENTITY_LOCKED_AFTER_MERGE' },
    });
  });
});

describe('proof', () => {
  test.each(['replace-identity', 'combine'] as const)(
    'of both phones is needed to %s, before anything about the card is told',
    async (what) => {
      const [member, other, stranger] = [
        await aMemberWith(world),
        await aMemberWith(world),
        await aProvenGuest(world),
      ];
      const proven = proofsOf(member, other);
      const lacking = [
        { ...proven, device_token: '' },
        { ...proven, device_token: stranger.device },
        { ...proven, new_phone_device_token: '' },
        { ...proven, new_phone_device_token: stranger.device },
        { ...proven, new_phone: member.typed },
        { ...proven, new_phone: stranger.typed },
        { ...proven, device_token: 'dev_unknown', new_phone_device_token: 'dev_unknown' },
      ];
      for (const body of lacking)
        expect(await identityRefused(world, what, member.token, body)).toMatchObject({
          ...{ status: 401, code: 'PHONE_NOT_VERIFIED' },
        });
    },
  );

  test('is not asked of an unknown token, which is 404', async () => {
    const [from, to] = [await aProvenGuest(world), await aProvenGuest(world)];
    for (const token of [`M${'x'.repeat(22)}`, 'x', '%00', 'ت'])
      for (const what of ['replace-identity', 'combine'] as const)
        expect(
          await identityRefused(world, what, encodeURIComponent(token), proofsOf(from, to)),
        ).toMatchObject({ status: 404 });
  });

  test.each([
    ['new_phone', { new_phone: '123' }],
    ['name', { name: ' \u200b ' }],
    ['name', { name: 'x'.repeat(81) }],
    ['device_token', { device_token: undefined }],
    ['phone', { phone: '01001234567' }],
  ])('of a malformed body is 400 with %s named', async (path, more) => {
    const member = await aMemberWith(world);
    const body = { ...proofsOf(member, member), ...more };
    const refusal = await identityRefused(world, 'combine', member.token, body);
    expect(refusal.status).toBe(400);
    expect(refusal.fields?.map((field) => field.path)).toContain(path);
  });
});
