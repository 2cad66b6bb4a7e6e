/** Saved addresses of orders. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OnlineChannel } from '../../src/shops/domain/shop.ts';
import { branchId, openShops } from '../support/shops/cafe.ts';
import { aGuest, orderOn, placed, proveOn, type OrderInput } from '../support/people/guests.ts';
import { aQuotingBranch, aQuotingShop } from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

beforeAll(async () => {
  world = await makeWorld();
  const branch = (key: string, code: string, fee: number) =>
    aQuotingBranch({
      ...{ key, code, otp_required: false, location: { lat: 30.06, lng: 31.22 } },
      channels: { pickup: {}, umbrella: {}, in_mall: {}, outside: {} },
      delivery_zones: [{ key: 'all', name: 'الكل', fee, radius_meters: 9000 }],
    });
  await openShops(
    world,
    aQuotingShop({ branches: [branch('mall', 'MAL', 1000), branch('beach', 'BCH', 2000)] }),
  );
});
afterAll(() => world.close());

/** A guest with a proven phone; `saved` are their addresses, oldest first. */
const aProvenGuest = async () => {
  const guest = aGuest();
  const device_token = await proveOn(world, guest);
  const orders = (channel: OnlineChannel, more: Partial<OrderInput> = {}) =>
    placed(
      world,
      orderOn(channel, { branch_id: branchId('mall'), customer_phone: guest.typed, device_token, ...more }),
    );
  const saved = () =>
    world.db.kysely
      .selectFrom('customer_address')
      .innerJoin('customer', (join) =>
        join
          .onRef('customer.org_id', '=', 'customer_address.org_id')
          .onRef('customer.id', '=', 'customer_address.customer_id'),
      )
      .selectAll('customer_address')
      .where('customer.phone', '=', guest.phone)
      .orderBy('customer_address.created_at')
      .execute();
  return { orders, saved };
};

test('a saved address has customer, branch, zone, location, texts and times', async () => {
  const { orders, saved } = await aProvenGuest();
  const order = await orders('outside', { landmark: 'جنب الجامع', delivery_notes: 'الجرس عطلان' });
  expect(await saved()).toMatchObject([
    {
      ...{ id: order.address_id, customer_id: order.customer_id, channel: 'outside', use_count: 1 },
      ...{ branch_id: branchId('mall'), delivery_zone_id: order.delivery_zone_id, lat: 30.061, lng: 31.221 },
      ...{ address_line: '١٢ شارع البرازيل', landmark: 'جنب الجامع', delivery_notes: 'الجرس عطلان' },
      ...{ last_used_at: world.now, created_at: world.now },
    },
  ]);
  expect(order.delivery_zone_id).not.toBeNull();
});

test.each([
  ['outside', true],
  ['in_mall', true],
  ['umbrella', true],
  ['pickup', false],
] as const)(
  'an order on %s saves its address (%s), unless save_address is false',
  async (channel, isKept) => {
    const counts: number[] = [];
    for (const save_address of [undefined, null, true, false]) {
      const { orders, saved } = await aProvenGuest();
      const order = await orders(channel, save_address === undefined ? {} : { save_address });
      counts.push((await saved()).length);
      expect(order.address_id === null).toBe((await saved()).length === 0);
    }
    expect(counts).toEqual(isKept ? [1, 1, 1, 0] : [0, 0, 0, 0]);
  },
);

test('the same place in other notation or with another pin is one row with use_count 2', async () => {
  const { orders, saved } = await aProvenGuest();
  const first = await orders('outside', { address_line: '12 Road 9, Maadi', floor: '3', landmark: 'Café' });
  world.now += 60_000;
  const again = await orders('outside', {
    ...{ address_line: '  ١٢ ROAD  ٩, maadi', floor: '٣ ', landmark: 'Cafe\u0301' },
    ...{ customer_lat: 30.0615, customer_lng: 31.2215, delivery_notes: 'من الباب التاني' },
  });
  expect(again.address_id).toBe(first.address_id);
  expect(await saved()).toMatchObject([
    {
      ...{ use_count: 2, last_used_at: world.now, created_at: world.now - 60_000 },
      ...{ address_line: '12 Road 9, Maadi', delivery_notes: 'من الباب التاني', lat: 30.0615, lng: 31.2215 },
    },
  ]);
});

test('another floor, unit, landmark, place name or channel is another address', async () => {
  const { orders, saved } = await aProvenGuest();
  const where = { place_name: 'المكتب', floor: '٢', unit_number: '٧', address_line: 'المول' };
  for (const more of [
    {},
    { floor: '٣' },
    { unit_number: '٨' },
    { landmark: 'السلم' },
    { place_name: 'المخزن' },
  ])
    await orders('in_mall', { ...where, ...more });
  await orders('umbrella', where);
  await orders('outside', where);
  expect((await saved()).map(({ use_count }) => use_count)).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

test('a mall or beach place is one address per branch, a street address one per shop', async () => {
  const { orders, saved } = await aProvenGuest();
  for (const channel of ['in_mall', 'umbrella', 'outside'] as const) {
    await orders(channel);
    await orders(channel, { branch_id: branchId('beach') });
  }
  const rows = (await saved()).map(({ channel, branch_id, use_count }) => [channel, branch_id, use_count]);
  expect(rows).toHaveLength(5);
  expect(rows).toEqual(
    expect.arrayContaining([
      ['in_mall', branchId('mall'), 1],
      ['in_mall', branchId('beach'), 1],
      ['umbrella', branchId('mall'), 1],
      ['umbrella', branchId('beach'), 1],
      ['outside', branchId('beach'), 2],
    ]),
  );
});

test('two guests at one place have one address each', async () => {
  const [mona, karim] = [await aProvenGuest(), await aProvenGuest()];
  const [hers, his] = [await mona.orders('umbrella'), await karim.orders('umbrella')];
  expect(hers.address_id).not.toBe(his.address_id);
  expect([(await mona.saved()).length, (await karim.saved()).length]).toEqual([1, 1]);
});

test('twenty concurrent orders to one place make one address with use_count 20', async () => {
  const { orders, saved } = await aProvenGuest();
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => (await orders('umbrella')).address_id),
  );
  expect(new Set(ids).size).toBe(1);
  expect((await saved()).map(({ id, use_count }) => [id, use_count])).toEqual([[ids[0], 20]]);
});
