/** GET /public/delivery-orders/history and /past-locations. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutFields } from '../../src/kernel/without-fields.ts';
import { insertOrder } from '../support/database/orders-and-bookings.ts';
import { newId } from '../support/database/ids.ts';
import { aBranch, aMenu, aShopFile, branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';
import {
  aCard,
  aGuest,
  anOrder,
  KARIM,
  MONA,
  placed,
  proveOn,
  type OrderInput,
} from '../support/people/guests.ts';
import { insert } from '../support/database/rows.ts';
import { makeWorld, type ReadOf, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

let world: World;
/** Device tokens. */
let mona: string;
let karim: string;
let member: string;

const SHOT = { key: 'shot', name: { ar: 'شوت', en: 'Shot' }, type: 'extra', price: 1000 } as const;

const SALMA = { typed: '01234567890', phone: '201234567890' };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeAll(async () => {
  world = await makeWorld();
  const branch = (key: string, code: string) =>
    aBranch({
      key,
      code,
      name: { ar: key, en: key },
      otp_required: false,
      location: { lat: 30.06, lng: 31.22 },
      channels: { pickup: {}, in_mall: { fee: 1000 }, umbrella: { fee: 1500 }, outside: { fee: 2500 } },
    });
  const branches = [branch('zamalek', 'ZML'), branch('maadi', 'MAD')];
  await openShops(
    world,
    aShopFile({ branches, menu: { ...aMenu(), addons: [SHOT] } }),
    aShopFile({ slug: 'kashk', active: false }),
    aShopFile({ slug: 'other' }),
  );
  mona = await proveOn(world);
  karim = await proveOn(world, KARIM);
  member = await aCard(world);
});
afterAll(() => world.close());

const withToken = (token: string) => ({ 'x-device-token': token });
const historyAt = (slug?: string): string => `/public/delivery-orders/history?org_id=${shopId(slug)}`;
const placesAt = (branch?: string): string =>
  `/public/delivery-orders/past-locations?org_id=${shopId()}&branch_id=${branchId(branch)}`;

const ok = ({ status, body, text }: Reply): unknown => {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return body;
};
const historyOf = async (token: string, slug?: string): Promise<ReadOf<'orderHistory'>> =>
  ok(await world.get(historyAt(slug), withToken(token))) as ReadOf<'orderHistory'>;
const placesOf = async (token: string, branch?: string): Promise<ReadOf<'pastLocations'>> =>
  ok(await world.get(placesAt(branch), withToken(token))) as ReadOf<'pastLocations'>;

const idsOf = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);

const outside = (address: string, more: Partial<OrderInput> = {}): OrderInput =>
  anOrder({ channel: 'outside', address_line: address, customer_lat: 30.061, customer_lng: 31.221, ...more });

describe('proof of the phone', () => {
  test('a missing, unknown or empty device token is 401 PHONE_NOT_VERIFIED', async () => {
    for (const address of [historyAt(), placesAt(), historyAt('nowhere')])
      for (const headers of [{}, withToken('dev_unknown'), withToken('')])
        expect(await world.refused(address, headers)).toMatchObject({
          status: 401,
          code: 'PHONE_NOT_VERIFIED',
        });
  });

  test('a device token proves the phone for 90 days', async () => {
    const start = world.now;
    const token = await proveOn(world, SALMA);
    world.now = start + 90 * DAY - 1;
    expect(await historyOf(token)).toEqual([]);
    world.now += 1;
    expect(await world.refused(historyAt(), withToken(token))).toMatchObject({ code: 'PHONE_NOT_VERIFIED' });
    world.now = start;
  });

  test('a phone parameter is refused with 400', async () => {
    for (const address of [historyAt(), placesAt()])
      expect(await world.refused(`${address}&phone=${MONA.phone}`, withToken(mona))).toMatchObject({
        status: 400,
        fields: [{ path: 'phone' }],
      });
  });

  test('an unknown or switched-off shop, and a branch of another shop, are 404', async () => {
    for (const slug of ['nowhere', 'kashk'])
      expect(await world.refused(historyAt(slug), withToken(mona))).toMatchObject({ status: 404 });
    for (const [org, branch] of [
      [shopId('kashk'), branchId('zamalek', 'kashk')],
      [shopId(), branchId('zamalek', 'other')],
      [shopId(), newId()],
    ])
      expect(
        await world.refused(
          `/public/delivery-orders/past-locations?org_id=${org}&branch_id=${branch}`,
          withToken(mona),
        ),
      ).toMatchObject({ status: 404 });
  });
});

type PersonFields = Record<'customer_name' | 'address_line' | 'place_name', string | null>;
const personFieldsOf = ({ customer_name, address_line, place_name }: PersonFields): PersonFields => ({
  customer_name,
  address_line,
  place_name,
});

describe('GET /public/delivery-orders/history', () => {
  test('returns items, amounts, address and location of each order', async () => {
    const order = await placed(world, outside('١٢ شارع البرازيل', { device_token: mona }));
    expect(await historyOf(mona)).toEqual([
      {
        id: order.id,
        branch_id: branchId(),
        branch_name: 'zamalek',
        branch_name_translations: { en: 'zamalek' },
        status: 'received',
        channel: 'outside',
        delivery_ref: order.delivery_ref,
        customer_name: 'منى السيد',
        address_line: '١٢ شارع البرازيل',
        place_name: null,
        customer_lat: 30.061,
        customer_lng: 31.221,
        created_at: order.created_at,
        subtotal: 4500,
        delivery_fee: 2500,
        discount_amount: 0,
        tax_amount: 0,
        total: 7000,
        tax_inclusive: true,
        items: [
          {
            ...{ name: 'قهوة تركي', name_translations: { en: 'Turkish coffee' }, quantity: 1 },
            ...{
              menu_item_id: thingId('item', 'turkish'),
              size_label: null,
              optional_field_ids: [],
              addons: [],
              combo: null,
            },
          },
        ],
      },
    ]);
  });

  test('returns lines that order the same again, with add-ons and without notes', async () => {
    const guest = aGuest();
    const token = await proveOn(world, guest);
    const lines = [
      {
        menu_item_id: thingId('item', 'turkish'),
        quantity: 2,
        notes: 'no sugar',
        addons: [{ addon_item_id: thingId('addon', 'shot') }],
      },
    ];
    const first = await placed(world, anOrder({ customer_phone: guest.typed, items: lines }));
    const [{ items } = { items: [] }] = await historyOf(token);
    expect(items).toMatchObject([{ addons: [{ addon_item_id: thingId('addon', 'shot'), quantity: 1 }] }]);
    const again = items.map((line) => withoutFields(line, 'name', 'name_translations'));
    const second = await placed(world, anOrder({ customer_phone: guest.typed, items: again }));
    expect(second.cart.lines).toEqual(first.cart.lines.map((line) => ({ ...line, notes: null })));
  });

  test('returns the orders of all branches of the shop, newest first, and of no other phone', async () => {
    const before = idsOf(await historyOf(mona));
    const ids: string[] = [];
    for (const branch of ['zamalek', 'maadi']) {
      world.now += MINUTE;
      ids.unshift((await placed(world, anOrder({ branch_id: branchId(branch), device_token: mona }))).id);
    }
    await placed(world, anOrder({ customer_phone: KARIM.typed, device_token: karim }));
    expect(idsOf(await historyOf(mona))).toEqual([...ids, ...before]);
    expect(await historyOf(mona, 'other')).toEqual([]);
  });

  test('returns an order with an unproven phone as tracking shows it, without the location', async () => {
    const order = await placed(
      world,
      outside('٧ شارع غريب', {
        customer_name: 'غريب الدار',
        customer_phone: KARIM.typed,
        place_name: 'مكان',
      }),
    );
    const both = async () => {
      const listed = (await historyOf(karim)).find(({ id }) => id === order.id);
      const { body } = await world.get(`/public/delivery-orders/${order.id}/track`);
      return [listed, body].map((shown) => personFieldsOf(shown as PersonFields));
    };
    const listed = (await historyOf(karim)).find(({ id }) => id === order.id);
    expect(listed).toMatchObject({ customer_lat: null, customer_lng: null, total: 7000 });
    await sql`update delivery_order set status = 'cancelled', cancelled_at = ${new Date(world.now)}
              where id = ${order.id}`.execute(world.db.kysely);
    const whole = { customer_name: 'غريب الدار', address_line: '٧ شارع غريب', place_name: 'مكان' };
    expect(await both()).toEqual([whole, whole]);
    const before = world.now;
    world.now += DAY;
    const little = { customer_name: 'غريب', address_line: null, place_name: null };
    expect(await both()).toEqual([little, little]);
    world.now = before;
  });

  test('returns an order of a card for another phone to both phones', async () => {
    const order = await placed(
      world,
      anOrder({
        customer_name: 'كريم',
        customer_phone: KARIM.typed,
        member_token: member,
        identity_change: 'one_time',
        device_token: mona,
        contact_device_token: karim,
      }),
    );
    for (const token of [mona, karim])
      expect((await historyOf(token)).find(({ id }) => id === order.id)).toMatchObject({
        customer_name: 'كريم',
      });
  });

  test('returns the location of an order for another phone to the card’s owner alone', async () => {
    const order = await placed(
      world,
      outside('٩ شارع الهدايا', {
        ...{ customer_name: 'كريم', customer_phone: KARIM.typed },
        ...{ member_token: member, identity_change: 'one_time', save_address: true, device_token: mona },
      }),
    );
    expect(order).toMatchObject({ otp_verified: true, contact_override: true });
    expect(order.address_id).toEqual(expect.any(String));
    const of = async (token: string) => (await historyOf(token)).find(({ id }) => id === order.id);
    expect(await of(mona)).toMatchObject({ address_line: '٩ شارع الهدايا', customer_lat: 30.061 });
    expect(await of(karim)).toMatchObject({ address_line: '٩ شارع الهدايا', customer_lat: null });
  });

  test('returns at most 50 orders', async () => {
    const start = Date.parse('2026-11-01T10:00:00Z');
    const ids: string[] = [];
    for (let n = 0; n < 52; n += 1)
      ids.unshift(
        await insertOrder(world, {
          createdAt: new Date(start + n * MINUTE).toISOString(),
          row: { customer_phone: SALMA.phone, otp_verified: true },
        }),
      );
    world.now += 2 * MINUTE;
    const salma = await proveOn(world, SALMA);
    expect(idsOf(await historyOf(salma))).toEqual(ids.slice(0, 50));
  });

  test('is answered with no-store', async () => {
    const { headers } = await world.get(historyAt(), withToken(mona));
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('GET /public/delivery-orders/past-locations', () => {
  const NADA = { typed: '01098765432', phone: '201098765432' };
  let nada: string;
  const order = (more: Partial<OrderInput>): Promise<unknown> => {
    world.now += MINUTE;
    return placed(world, { ...outside('١ شارع النيل'), customer_phone: NADA.typed, ...more });
  };
  beforeAll(async () => {
    nada = await proveOn(world, NADA);
  });

  test('returns no place of an order with an unproven phone', async () => {
    await order({});
    expect(await placesOf(nada)).toEqual([]);
  });

  test('returns the saved addresses, newest first, each place once', async () => {
    await order({ device_token: nada, landmark: 'جنب الصيدلية', floor: '٣', unit_number: '٩' });
    await order({ device_token: nada, address_line: '٢ شارع النيل' });
    await order({ device_token: nada, address_line: '٣ شارع النيل', save_address: false });
    await order({ device_token: nada, landmark: 'جنب الصيدلية', floor: '3', unit_number: '9' });
    const [first, second, ...others] = await placesOf(nada);
    expect(first).toEqual({
      branch_id: branchId(),
      channel: 'outside',
      last_used_at: new Date(world.now).toISOString(),
      address_line: '١ شارع النيل',
      floor: '٣',
      landmark: 'جنب الصيدلية',
      place_name: null,
      unit_number: '٩',
      customer_lat: 30.061,
      customer_lng: 31.221,
    });
    expect(second).toMatchObject({ address_line: '٢ شارع النيل' });
    expect(others).toEqual([]);
  });

  test('returns mall and beach places at their own branch and street addresses at every branch', async () => {
    await order({ device_token: nada, channel: 'umbrella', address_line: null, place_name: 'شمسية ٤٢' });
    await order({
      ...{ device_token: nada, channel: 'in_mall', branch_id: branchId('maadi'), address_line: null },
      ...{ place_name: 'مول', floor: '2', unit_number: '7' },
    });
    const placeOf = ({ address_line, place_name }: ReadOf<'pastLocations'>[number]) =>
      place_name ?? address_line;
    const streets = ['١ شارع النيل', '٢ شارع النيل'];
    expect((await placesOf(nada)).map(placeOf)).toEqual(['شمسية ٤٢', ...streets]);
    const atMaadi = await placesOf(nada, 'maadi');
    expect(atMaadi.map(placeOf)).toEqual(['مول', ...streets]);
    expect(atMaadi.map(({ branch_id }) => branch_id)).toEqual([branchId('maadi'), branchId(), branchId()]);
  });

  test('returns at most 50 addresses, and none of another customer', async () => {
    const customer = newId();
    const [org_id, created_at] = [shopId(), '2026-01-01T00:00:00Z'];
    const OMAR = { typed: '01511112222', phone: '201511112222' };
    await insert(world.db.kysely, 'customer', {
      ...{ org_id, id: customer, phone: OMAR.phone, name: 'عمر', language: 'ar' },
      ...{ created_at, updated_at: created_at },
    });
    const saved = Array.from({ length: 51 }, (_, n) => ({
      ...{ org_id, id: newId(), customer_id: customer, channel: 'outside', branch_id: branchId() },
      ...{ address_key: String(n), address_line: String(n), use_count: 1, created_at },
      last_used_at: new Date(world.now + n).toISOString(),
    }));
    await insert(world.db.kysely, 'customer_address', ...saved);
    const omar = await proveOn(world, OMAR);
    const listed = await placesOf(omar);
    expect(listed.map(({ address_line }) => address_line)).toEqual(
      Array.from({ length: 50 }, (_, n) => String(50 - n)),
    );
    expect(await placesOf(karim)).toEqual([]);
  });
});

describe('the owner of a device', () => {
  const deviceAt = (slug?: string): string => `/public/otp/device?org_id=${shopId(slug)}`;

  test('has the proven phone, and the name of its proven customer at that shop alone', async () => {
    const guest = aGuest();
    await placed(world, anOrder({ customer_phone: guest.typed, customer_name: 'اسم كتبه غيره' }));
    const token = await proveOn(world, guest);
    const owner = async (slug?: string) => ok(await world.get(deviceAt(slug), withToken(token)));
    expect(await owner()).toEqual({ phone: guest.phone, name: null });
    await placed(
      world,
      anOrder({ customer_phone: guest.typed, customer_name: 'هند صبري', device_token: token }),
    );
    expect(await owner()).toEqual({ phone: guest.phone, name: 'هند صبري' });
    expect(await owner('other')).toEqual({ phone: guest.phone, name: null });
  });

  test('is refused without a live token, and at a shop that is switched off', async () => {
    expect(await world.refused(deviceAt())).toMatchObject({ status: 401, code: 'PHONE_NOT_VERIFIED' });
    expect(await world.refused(deviceAt(), withToken('dev_none'))).toMatchObject({ status: 401 });
    expect(await world.refused(deviceAt('kashk'), withToken(mona))).toMatchObject({ status: 404 });
  });
});
