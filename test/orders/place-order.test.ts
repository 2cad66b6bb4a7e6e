/** Orders on every channel from menu to delivery, with and without phone codes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ONLINE_CHANNELS, type OnlineChannel } from '../../src/shops/domain/shop.ts';
import { branchId, openShops, shopId } from '../support/shops/cafe.ts';
import { aMember, setPasswordAndSignIn, type SignedIn } from '../support/people/staff.ts';
import { postOk } from '../support/server/requests.ts';
import {
  aGuest,
  anOrder,
  orderOn,
  place,
  placed,
  PLACES,
  proveOn,
  refused,
  type Guest,
  type Order,
} from '../support/people/guests.ts';
import {
  addon,
  aQuotingBranch,
  aQuotingShop,
  atBranch,
  item,
  line,
  meal,
  quoteOf,
} from '../support/shops/quoting-shop.ts';
import { makeWorld, type ReadOf, type World } from '../support/server/world.ts';

let world: World;
let teller: SignedIn;

const FEES: Readonly<Record<OnlineChannel, number>> = {
  pickup: 0,
  in_mall: 1000,
  umbrella: 1500,
  outside: 2500,
};
const channels = {
  pickup: {},
  in_mall: { fee: 1000 },
  umbrella: { fee: 1500 },
  outside: { fee: 2500, max_distance_meters: 5000 },
};
const location = { lat: 30.06, lng: 31.22 };

beforeAll(async () => {
  world = await makeWorld();
  await openShops(
    world,
    aQuotingShop({
      branches: [
        aQuotingBranch({ key: 'open', code: 'OPN', otp_required: false, location, channels }),
        aQuotingBranch({ key: 'asking', code: 'ASK', otp_required: true, location, channels }),
      ],
      staff: [aMember('teller', 'manager')],
    }),
  );
  teller = await setPasswordAndSignIn(world, 'teller');
});
afterAll(() => world.close());

const tracked = ({ id }: Pick<Order, 'id'>): Promise<ReadOf<'trackOrder'>> =>
  world.read('trackOrder', `/public/delivery-orders/${id}/track`);

const staffOrder = ({ id }: Pick<Order, 'id'>) => `/staff/orders/${id}`;

/** Reads and posts of a guest. */
const orderedFrom = async (branch: string, channel: OnlineChannel, guest: Guest, token?: string) => {
  const menu = await world.read(
    'getBranchMenu',
    `/public/branches/${branchId(branch)}/menu?channel=${channel}`,
  );
  const coffee = menu.items.find(({ name }) => name === 'قهوة تركي');
  if (coffee === undefined) throw new Error('there is no coffee on the menu');
  const items = [{ menu_item_id: coffee.id, quantity: 2 }, meal()];
  const quote = await quoteOf(world, items, { address: atBranch(branch), channel });
  const { customer_lat: lat, customer_lng: lng } = PLACES[channel];
  const at = lat === undefined ? '' : `&lat=${lat}&lng=${lng}`;
  const delivery = await world.read(
    'quoteDelivery',
    `/public/branches/${branchId(branch)}/delivery-quote?channel=${channel}${at}`,
  );
  const order = await placed(
    world,
    orderOn(channel, {
      branch_id: branchId(branch),
      items,
      customer_phone: guest.typed,
      quoted_total: quote.total + (delivery.fee ?? 0),
      ...(token === undefined ? {} : { device_token: token }),
    }),
  );
  return { coffee, quote, delivery, order };
};

const stepsOf = (channel: OnlineChannel) => [
  'confirmed',
  'preparing',
  'ready',
  ...(channel === 'pickup' ? [] : ['out_for_delivery']),
];

describe.each(ONLINE_CHANNELS)('on %s', (channel) => {
  test.each(['open', 'asking'])(
    'an order is quoted, placed, moved, delivered and tracked (branch: %s)',
    async (branch) => {
      const guest = aGuest();
      const isAsking = branch === 'asking';
      const token = isAsking ? await proveOn(world, guest) : undefined;
      const { coffee, quote, delivery, order } = await orderedFrom(branch, channel, guest, token);

      expect(delivery).toMatchObject({ status: 'ok', fee: FEES[channel] });
      expect(order).toMatchObject({
        ...{ channel, status: 'received', revision: 1, otp_verified: isAsking, contact_override: false },
        ...{ org_id: shopId(), branch_id: branchId(branch), customer_phone: guest.phone },
        ...{ subtotal: coffee.price * 2 + 9000, delivery_fee: FEES[channel], discount_amount: 0 },
        ...{ total: quote.total + FEES[channel], tax_amount: quote.tax_amount, tax_rate_applied: 0.14 },
        ...{ payment_method: null, payment_method_hint: 'cash', service_charge_amount: 0 },
      });
      expect(order.cart.lines.map(({ line_total }) => line_total)).toEqual(
        quote.lines.map(({ line_total }) => line_total),
      );

      const shown = await tracked(order);
      expect(shown).toMatchObject({
        ...{ status: 'received', channel, total: order.total, delivery_fee: FEES[channel] },
        ...{ delivery_ref: order.delivery_ref, customer_name: 'منى السيد' },
        ...{ place_name: PLACES[channel].place_name ?? null },
        items: [{ quantity: 2, line_total: coffee.price * 2 }, { line_total: 9000 }],
      });
      expect(JSON.stringify(shown)).not.toContain(guest.phone.slice(2));

      let from = 'received';
      for (const to of stepsOf(channel)) {
        await postOk(world, teller, `${staffOrder(order)}/move`, { to, from });
        // The tracking page changes at once.
        expect((await tracked(order)).status).toBe(to);
        from = to;
      }
      await postOk(world, teller, `${staffOrder(order)}/finalize`, { payment_method: 'cash', from });
      expect(await tracked(order)).toMatchObject({ status: 'delivered', total: order.total });
      const after = (await postOk(world, teller, `${staffOrder(order)}/printed`, {})) as Order;
      expect(after).toMatchObject({ payment_method: 'cash', total: order.total, cart: order.cart });
      expect(after.order_id).toEqual(expect.any(String));
    },
  );

  test('a branch that requires codes refuses a missing, unknown or foreign device token', async () => {
    const guest = aGuest();
    const others = await proveOn(world, aGuest());
    const order = orderOn(channel, { branch_id: branchId('asking'), customer_phone: guest.typed });
    for (const device_token of [undefined, null, '', 'dev_', others, `${others}x`])
      expect(
        await refused(world, { ...order, ...(device_token === undefined ? {} : { device_token }) }),
      ).toMatchObject({ status: 401, code: 'PHONE_NOT_VERIFIED' });
  });

  test('a branch that requires no codes accepts any device token and verifies a valid one', async () => {
    const guest = aGuest();
    const order = orderOn(channel, { branch_id: branchId('open'), customer_phone: guest.typed });
    const verified: boolean[] = [];
    for (const device_token of [null, '', 'nonsense', await proveOn(world, guest)])
      verified.push((await placed(world, { ...order, device_token })).otp_verified);
    expect(verified).toEqual([false, false, false, true]);
  });
});

describe('a device token', () => {
  test('proves one phone in any notation, at another shop too, for 90 days', async () => {
    const guest = aGuest();
    const device_token = await proveOn(world, guest);
    await openShops(world, aQuotingShop({ slug: 'kashk', branches: [aQuotingBranch({ code: 'KSK' })] }));
    const elsewhere = { ...anOrder(), items: [{ menu_item_id: item('turkish', 'kashk'), quantity: 1 }] };
    const arabic = guest.typed.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
    for (const customer_phone of [
      arabic,
      ` +${guest.phone}`,
      `00${guest.phone}`,
      `(${guest.typed.slice(0, 4)}) ${guest.typed.slice(4)}`,
    ])
      expect(
        await placed(world, {
          ...elsewhere,
          ...{ branch_id: branchId('zamalek', 'kashk'), customer_phone, device_token },
        }),
      ).toMatchObject({ otp_verified: true, customer_phone: guest.phone });
    const order = anOrder({ branch_id: branchId('asking'), customer_phone: guest.typed, device_token });
    const evening = world.now;
    world.now = evening + 90 * 86_400_000 - 1;
    expect((await placed(world, order)).otp_verified).toBe(true);
    world.now = evening + 90 * 86_400_000;
    expect(await refused(world, order)).toMatchObject({ status: 401, code: 'PHONE_NOT_VERIFIED' });
    world.now = evening;
  });
});

describe('a placed order', () => {
  test('has the normalized texts and every line as it was sold', async () => {
    const guest = aGuest();
    const order = await placed(
      world,
      orderOn('outside', {
        ...{ branch_id: branchId('open'), customer_phone: guest.typed, customer_name: '  منى \n السيد ' },
        ...{ floor: '٣', unit_number: '7', landmark: 'جنب  الجامع', place_name: 'المكتب' },
        ...{ delivery_notes: 'الجرس عطلان\n\n اتصل', payment_method_hint: 'card' },
        items: [
          line('latte', {
            ...{ size_label: 'كبير', quantity: 3, notes: ' من غير سكر ' },
            addons: [{ addon_item_id: addon('oat') }, { addon_item_id: addon('syrup'), quantity: 2 }],
          }),
        ],
      }),
    );
    expect(order).toMatchObject({
      ...{ customer_name: 'منى السيد', floor: '٣', unit_number: '7', landmark: 'جنب الجامع' },
      ...{ place_name: 'المكتب', delivery_notes: 'الجرس عطلان\nاتصل', payment_method_hint: 'card' },
      ...{ address_line: '١٢ شارع البرازيل', customer_lat: 30.061, customer_lng: 31.221 },
      ...{ distance_source: 'haversine', road_distance_meters: expect.any(Number) as number },
      subtotal: 3 * (7000 + 1200 + 2400),
      cart: {
        deals: [],
        lines: [
          {
            ...{ name: 'لاتيه', name_translations: { en: 'Latte' }, size_label: 'كبير' },
            ...{ quantity: 3, unit_price: 7000, addons_total: 3600, notes: 'من غير سكر', line_total: 31800 },
            addons: [
              { addon_item_id: addon('oat'), quantity: 1, unit_price: 1200 },
              { addon_item_id: addon('syrup'), quantity: 2, unit_price: 1200 },
            ],
          },
        ],
      },
    });
  });

  test('has no address and no location for pickup, also when they were sent', async () => {
    const order = await placed(world, {
      ...orderOn('outside', { branch_id: branchId('open'), customer_phone: aGuest().typed }),
      channel: 'pickup',
    });
    expect(order).toMatchObject({
      address_line: null,
      customer_lat: null,
      customer_lng: null,
      address_id: null,
    });
    expect(await tracked(order)).toMatchObject({ address_line: null });
  });

  test('has a location without a distance for umbrella and in_mall', async () => {
    for (const channel of ['umbrella', 'in_mall'] as const)
      expect(
        await placed(
          world,
          orderOn(channel, {
            ...{ branch_id: branchId('open'), customer_phone: aGuest().typed },
            // Alexandria: recorded without a range check.
            ...{ customer_lat: 31.2, customer_lng: 29.9 },
          }),
        ),
      ).toMatchObject({ customer_lat: 31.2, distance_source: null, road_distance_meters: null });
  });

  test('is answered with 201 and no-store', async () => {
    const { status, headers } = await place(world, anOrder({ branch_id: branchId('open') }));
    expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
  });
});
