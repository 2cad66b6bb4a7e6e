/** GET /public/loyalty/card/{member_token}/orders and GET /public/order-now/{member_token}. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertOrder } from '../support/database/orders-and-bookings.ts';
import { branchId, openShops, shopId, SLUG } from '../support/shops/cafe.ts';
import { anOrder, aGuest, orderOn, placed, type OrderInput } from '../support/people/guests.ts';
import {
  aMemberWith,
  aProvenGuest,
  orderNowOf,
  pastOrdersOf,
  type CardMember,
  type ProvenGuest,
} from '../support/people/identity.ts';
import {
  addon,
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  item,
  line,
  meal,
  optional,
  pick,
  quoteOf,
  slot,
} from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const DAY = 24 * 3_600_000;

const CHANNELS = {
  pickup: {},
  in_mall: { fee: 1000 },
  umbrella: { fee: 1500 },
  outside: { fee: 2500, max_distance_meters: 5000 },
};

const branch = (key: string, code: string) =>
  aQuotingBranch({
    ...{ key, code, name: { ar: key, en: key }, otp_required: false, location: { lat: 30.06, lng: 31.22 } },
    channels: CHANNELS,
  });

const shop = (): Parameters<typeof openShops>[1] =>
  aQuotingShop({ branches: [branch('zamalek', 'ZML'), branch('maadi', 'MAD')], menu: aQuotingMenu() });

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, shop());
});
afterAll(() => world.close());

const ordered = (guest: ProvenGuest, channel: OrderInput['channel'], more: Partial<OrderInput> = {}) => {
  world.now += 1_000;
  return placed(
    world,
    orderOn(channel, { customer_phone: guest.typed, device_token: guest.device, ...more }),
  );
};

const aMember = (): Promise<CardMember> => aMemberWith(world);

const fullOf = async ({ token, device }: CardMember) => {
  const { full } = await orderNowOf(world, token, device);
  if (full === undefined || full === null) throw new Error('masked');
  return full;
};

describe('past orders of a card', () => {
  test('are told newest first, an item as 2 × name, and nothing that names the guest', async () => {
    const member = await aMember();
    const first = await ordered(member, 'outside', { items: [line('turkish', { quantity: 2 })] });
    const second = await ordered(member, 'pickup', { items: [line('cake', { notes: 'شمعة' })] });
    const orders = await pastOrdersOf(world, member.token);
    expect(orders.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(orders[1]).toMatchObject({
      ...{ placed_at: first.created_at, branch_name: 'zamalek', branch_id: branchId(), total: first.total },
      ...{ channel: 'outside', status: 'received', delivery_ref: first.delivery_ref },
      items: [expect.stringMatching(/^2 × /)],
    });
    const text = JSON.stringify(orders);
    for (const words of ['شمعة', 'البرازيل', 'منى', member.phone.slice(2)]) expect(text).not.toContain(words);
  });

  test('carry lines that order the same again, for the same price', async () => {
    const member = await aMember();
    const items = [
      line('latte', {
        ...{ size_label: 'كبير', quantity: 2, optional_field_ids: [optional('latte', 'cup')] },
        addons: [{ addon_item_id: addon('oat'), quantity: 1 }],
      }),
      meal([pick('drink', 'latte', { size_label: 'صغير' }), pick('sweet', 'cake')], { quantity: 2 }),
    ];
    const order = await ordered(member, 'pickup', { items });
    const [again] = await pastOrdersOf(world, member.token);
    expect(
      again?.lines[1]?.combo?.picks.map(({ slot_id, menu_item_id, quantity }) => [
        ...[slot_id, menu_item_id, quantity],
      ]),
    ).toEqual([
      [slot('drink'), item('latte'), 1],
      [slot('sweet'), item('cake'), 1],
    ]);
    const cart = again?.lines.map(({ name, name_translations, ...asked }) => {
      expect([name, typeof name_translations]).toEqual([name, 'object']);
      return asked;
    });
    const { order_total } = await quoteOf(world, cart ?? []);
    expect(order_total).toBe(order.total);
  });

  test('are at most 50', async () => {
    const member = await aMember();
    const placedAt = (n: number) => new Date(world.now - n * DAY).toISOString();
    for (let n = 0; n < 51; n += 1)
      await insertOrder(world, {
        createdAt: placedAt(n),
        row: { customer_id: member.customerId, card_id: member.cardId },
      });
    const orders = await pastOrdersOf(world, member.token);
    expect(orders.map(({ placed_at }) => placed_at)).toEqual(
      Array.from({ length: 50 }, (_, n) => placedAt(n)),
    );
  });

  test('of a phone that was never proven are those placed with the card alone', async () => {
    const guest = aGuest();
    const member = await aMemberWith(world, {}, 'هدى', { ...guest, device: '' });
    const order = anOrder({ customer_phone: guest.typed, device_token: '' });
    await placed(world, order);
    expect(await pastOrdersOf(world, member.token)).toEqual([]);
    const own = await placed(world, { ...order, member_token: member.token });
    await world.db.kysely
      .updateTable('delivery_order')
      .set({ card_id: member.cardId })
      .where('id', '=', own.id)
      .execute();
    expect((await pastOrdersOf(world, member.token)).map(({ id }) => id)).toEqual([own.id]);
  });
});

describe('order-now', () => {
  test('without proof of the phone tells the first word of the name and the last four digits', async () => {
    const [member, stranger] = [await aMember(), await aProvenGuest(world)];
    await ordered(member, 'outside');
    for (const device of [undefined, 'dev_unknown', stranger.device])
      expect(await orderNowOf(world, member.token, device)).toEqual({
        ...{ verify_required: true, org_id: shopId(), org_name: expect.any(String) as string },
        ...{ org_name_translations: expect.any(Object) as object, org_slug: SLUG },
        ...{ first_name: 'منى', phone_hint: `•••• ${member.phone.slice(-4)}` },
        ...{ last_branch_name: 'zamalek', logo_url: null },
      });
  });

  test('with proof fills in name, phone, last branch, payment and addresses', async () => {
    const member = await aMember();
    await ordered(member, 'umbrella');
    const last = await ordered(member, 'outside', {
      ...{ branch_id: branchId('maadi'), payment_method_hint: 'card' },
    });
    expect(await fullOf(member)).toMatchObject({
      ...{ customer_id: member.customerId, name: 'منى السيد', phone: member.phone, locale: 'ar' },
      last_branch: {
        id: branchId('maadi'),
        name: 'maadi',
        channel: 'outside',
        stale: false,
        stale_reason: null,
      },
      last_payment_hint: 'card',
      addresses: [
        { id: last.address_id, channel: 'outside', use_count: 1, stale: false, stale_reason: null },
        { channel: 'umbrella', place_name: 'شمسية ٤٢', stale: false },
      ],
    });
  });

  test('has at most eight addresses, the most recent first', async () => {
    const member = await aMember();
    for (let n = 1; n <= 9; n += 1) {
      await ordered(member, 'umbrella', { place_name: `شمسية ${n}` });
      world.now += DAY;
    }
    const { addresses } = await fullOf(member);
    expect(addresses.map(({ place_name }) => place_name)).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2].map((n) => `شمسية ${n}`),
    );
  });

  test('is fed by no order with an unproven phone', async () => {
    const member = await aMember();
    await placed(world, orderOn('outside', { customer_phone: member.typed, device_token: '' }));
    expect(await orderNowOf(world, member.token)).toMatchObject({ last_branch_name: null });
    expect(await fullOf(member)).toMatchObject({
      ...{ addresses: [], last_branch: null, last_payment_hint: null },
    });
  });

  test('says which address is out of the zone, and which cannot be measured', async () => {
    const member = await aMember();
    await ordered(member, 'outside');
    await world.db.kysely
      .updateTable('customer_address')
      .set({ lat: 31.2, lng: 29.9 })
      .where('customer_id', '=', member.customerId)
      .execute();
    expect((await fullOf(member)).addresses).toMatchObject([{ stale: true, stale_reason: 'out_of_zone' }]);
    await world.db.kysely
      .updateTable('customer_address')
      .set({ lat: null, lng: null })
      .where('customer_id', '=', member.customerId)
      .execute();
    expect((await fullOf(member)).addresses).toMatchObject([
      { stale: true, stale_reason: 'zone_unavailable' },
    ]);
  });

  test('says that a closed channel takes no order, and that a branch is gone', async () => {
    const member = await aMember();
    await ordered(member, 'umbrella', { branch_id: branchId('maadi') });
    const { kysely } = world.db;
    const closed = (mode: 'closed' | 'auto') =>
      kysely.updateTable('branch_channel').set({ mode }).where('branch_id', '=', branchId('maadi')).execute();
    await closed('closed');
    expect(await fullOf(member)).toMatchObject({
      last_branch: { stale: true, stale_reason: 'channel_closed' },
      addresses: [{ stale: false }],
    });
    await closed('auto');
    const active = (is_active: boolean) =>
      kysely.updateTable('branch').set({ is_active }).where('id', '=', branchId('maadi')).execute();
    await active(false);
    expect(await fullOf(member)).toMatchObject({
      last_branch: { name: 'maadi', stale: true, stale_reason: 'branch_unavailable' },
      addresses: [{ stale: true, stale_reason: 'branch_unavailable' }],
    });
    await active(true);
  });

  test('of an unknown or malformed token is 404, as that of past orders', async () => {
    for (const token of [`M${'A'.repeat(22)}`, 'M', '%20', `M${'A'.repeat(300)}`])
      for (const address of [`/public/order-now/${token}`, `/public/loyalty/card/${token}/orders`])
        expect(await world.refused(address)).toMatchObject({ status: 404 });
  });
});
