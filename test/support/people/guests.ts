/** Guests: they prove their phones and place orders over HTTP. */
import { sql } from 'kysely';
import type { BodyOf } from '../../../src/platform/contract/endpoint.ts';
import type { ErrorBody } from '../../../src/platform/contract/error.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import type { OnlineChannel } from '../../../src/shops/domain/shop.ts';
import { makeCard } from '../../../src/loyalty/app/card.ts';
import { provenCustomer } from '../../../src/loyalty/store/member.ts';
import { branchId, shopId, thingId } from '../shops/cafe.ts';
import type { Reply } from '../server/http-client.ts';
import { post, refusalOf } from '../server/requests.ts';
import type { ReadOf, World } from '../server/world.ts';

export type OrderInput = BodyOf<EndpointOf<'placeOrder'>>;
export type Order = ReadOf<'placeOrder'>;

/** A phone as typed, and as stored. */
export const MONA = { typed: '0100 123 4567', phone: '201001234567' };
export const KARIM = { typed: '01112345678', phone: '201112345678' };

export interface Guest {
  readonly typed: string;
  readonly phone: string;
}

let met = 0;
/** A guest with a phone that no other guest of this worker has. */
export const aGuest = (): Guest => {
  met += 1;
  const digits = String(met).padStart(8, '0');
  return { typed: `010${digits}`, phone: `2010${digits}` };
};

export const PLACES: Readonly<Record<OnlineChannel, Partial<OrderInput>>> = {
  pickup: {},
  outside: { address_line: '١٢ شارع البرازيل', customer_lat: 30.061, customer_lng: 31.221 },
  in_mall: {
    ...{ place_name: 'مكتبة الكتب', floor: '٢', unit_number: 'B14' },
    ...{ customer_lat: 30.0601, customer_lng: 31.2201 },
  },
  umbrella: { place_name: 'شمسية ٤٢' },
};

export const destinationOn = (
  channel: OnlineChannel,
): { readonly delivery?: { readonly lat: number; readonly lng: number } } => {
  const { customer_lat: lat, customer_lng: lng } = PLACES[channel];
  return typeof lat === 'number' && typeof lng === 'number' ? { delivery: { lat, lng } } : {};
};

/** An order body with the place that its channel requires. */
export const orderOn = (channel: OnlineChannel, overrides: Partial<OrderInput> = {}): OrderInput =>
  anOrder({ channel, ...PLACES[channel], ...overrides });

/** Proves a phone with the code sent to it; returns the device token. */
export const proveOn = async (world: World, { typed, phone } = MONA): Promise<string> => {
  const asked = await post(world, '/public/otp/request', { phone: typed });
  if (asked.status !== 200) throw new Error(`no code: ${asked.status} ${asked.text}`);
  const answer = await post(world, '/public/otp/verify', { phone: typed, code: world.phones.codeOf(phone) });
  if (answer.status !== 200) throw new Error(`not proven: ${answer.status} ${answer.text}`);
  return (answer.body as ReadOf<'verifyOtp'>).device_token;
};

/** A customer of the shop whose phone counts as proven: the token of a card made for it stands. */
export const aProvenCustomer = async (
  world: World,
  { phone }: Pick<Guest, 'phone'>,
  name: string,
  slug?: string,
): Promise<void> => {
  const customer = { orgId: shopId(slug), id: world.app.random.uuid(), phone, name, language: 'ar' } as const;
  await provenCustomer(
    world.db.kysely,
    { ...customer, birthday: null, isLanguageChosen: false },
    world.app.clock.now(),
  );
};

/** Makes a loyalty card for a proven phone; returns its `member_token`. */
export const aCard = async (
  world: World,
  guest = MONA,
  name = 'منى السيد',
  slug?: string,
): Promise<string> => {
  await aProvenCustomer(world, guest, name, slug);
  const card = await makeCard(world.app, shopId(slug), { phone: guest.typed, name });
  if (card === null) throw new Error('there is a card already');
  return card.memberToken;
};

/** A member with a card of their own; returns the customer's id. */
export const aMemberOf = async (world: World, slug?: string, { typed } = aGuest()): Promise<string> => {
  const card = await makeCard(world.app, shopId(slug), { phone: typed, name: 'هدى' });
  if (card === null) throw new Error('there is a card already');
  return card.customerId;
};

/** An order body: one Turkish coffee, pickup, for Mona. */
export const anOrder = (overrides: Partial<OrderInput> = {}): OrderInput => ({
  branch_id: branchId(),
  channel: 'pickup',
  customer_name: 'منى السيد',
  customer_phone: MONA.typed,
  payment_method_hint: 'cash',
  items: [{ menu_item_id: thingId('item', 'turkish'), quantity: 1 }],
  ...overrides,
});

export const place = (
  world: World,
  order: OrderInput = anOrder(),
  headers: Record<string, string> = {},
): Promise<Reply> => post(world, '/public/delivery-orders', order, headers);

export const refused = async (
  world: World,
  order: unknown,
  headers: Record<string, string> = {},
): Promise<ErrorBody & { readonly status: number }> =>
  refusalOf(await post(world, '/public/delivery-orders', order, headers));

const leftBehind = async ({ db }: World): Promise<unknown> => {
  const { rows } = await sql`
    select (select count(*) from delivery_order) as orders, (select count(*) from customer) as customers,
           (select count(*) from customer_address) as addresses, (select count(*) from outbox) as told,
           (select count(*) from idempotency_key) as keys, (select sum(last) from order_number) as numbers,
           (select count(*) from locator) as located, (select sum(seq) from change_counter) as changes,
           (select jsonb_agg(stock order by subject_id) from availability) as stock
  `.execute(db.kysely);
  return rows[0];
};

/** As `refused`; throws when the refused order changed the database: a number, a key or stock. */
export const refusedAndNothing = async (
  world: World,
  order: unknown,
  headers: Record<string, string> = {},
): ReturnType<typeof refused> => {
  const before = await leftBehind(world);
  const refusal = await refused(world, order, { 'idempotency-key': 'refused', ...headers });
  const after = await leftBehind(world);
  if (JSON.stringify(after) !== JSON.stringify(before))
    throw new Error(`a refused order left something: ${JSON.stringify({ before, after })}`);
  return refusal;
};

/** Places an order that must be accepted. */
export const placed = async (
  world: World,
  order: OrderInput = anOrder(),
  headers: Record<string, string> = {},
): Promise<Order> => {
  const { status, body, text } = await place(world, order, headers);
  if (status !== 201) throw new Error(`no order: ${status} ${text}`);
  return body as Order;
};
