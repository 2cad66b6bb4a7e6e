/** Guests of a test's shop: they prove their phones, and order. */
import { sql } from 'kysely';
import type { BodyOf } from '../../src/platform/contract/endpoint.ts';
import type { ErrorBody } from '../../src/platform/contract/error.ts';
import type { EndpointOf } from '../../src/service/contract/index.ts';
import type { OnlineChannel } from '../../src/shops/domain/shop.ts';
import { makeCard } from '../../src/loyalty/app/card.ts';
import { branchId, shopId, thingId } from './cafe.ts';
import type { ReadOf, Reply, World } from './world.ts';

export type OrderInput = BodyOf<EndpointOf<'placeOrder'>>;
export type Order = ReadOf<'placeOrder'>;

/** A phone as a guest types it, and as it is kept. */
export const MONA = { typed: '0100 123 4567', phone: '201001234567' };
export const KARIM = { typed: '01112345678', phone: '201112345678' };

export interface Guest {
  readonly typed: string;
  readonly phone: string;
}

let met = 0;
/** A guest whom nobody else of this test file has met. */
export const aGuest = (): Guest => {
  met += 1;
  const digits = String(met).padStart(8, '0');
  return { typed: `010${digits}`, phone: `2010${digits}` };
};

/** What each channel needs to know of where an order goes. */
export const PLACES: Readonly<Record<OnlineChannel, Partial<OrderInput>>> = {
  pickup: {},
  outside: { address_line: '١٢ شارع البرازيل', customer_lat: 30.061, customer_lng: 31.221 },
  in_mall: {
    ...{ place_name: 'مكتبة الكتب', floor: '٢', unit_number: 'B14' },
    ...{ customer_lat: 30.0601, customer_lng: 31.2201 },
  },
  umbrella: { place_name: 'شمسية ٤٢' },
};

/** The same place as a quote takes it, where it does. */
export const destinationOn = (
  channel: OnlineChannel,
): { readonly delivery?: { readonly lat: number; readonly lng: number } } => {
  const { customer_lat: lat, customer_lng: lng } = PLACES[channel];
  return typeof lat === 'number' && typeof lng === 'number' ? { delivery: { lat, lng } } : {};
};

/** An order on a channel, with what that needs. */
export const orderOn = (channel: OnlineChannel, overrides: Partial<OrderInput> = {}): OrderInput =>
  anOrder({ channel, ...PLACES[channel], ...overrides });

export const post = (
  world: World,
  address: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  world.send('POST', address, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));

/** The refusal of a POST, with its status. */
export const refusalOf = ({ status, body, text }: Reply): ErrorBody & { readonly status: number } => {
  if (status < 400) throw new Error(`not refused: ${status} ${text.slice(0, 500)}`);
  // The shape was checked against the document.
  return { ...(body as ErrorBody), status };
};

/** A device on which the phone is proven, by the code that was sent to it. */
export const proveOn = async (world: World, { typed, phone } = MONA): Promise<string> => {
  const asked = await post(world, '/public/otp/request', { phone: typed });
  if (asked.status !== 200) throw new Error(`no code: ${asked.status} ${asked.text}`);
  const answer = await post(world, '/public/otp/verify', { phone: typed, code: world.phones.codeOf(phone) });
  if (answer.status !== 200) throw new Error(`not proven: ${answer.status} ${answer.text}`);
  return (answer.body as ReadOf<'verifyOtp'>).device_token;
};

/** A card of the shop for a phone, as the operator makes it; gives its `member_token`. */
export const aCard = async (
  world: World,
  { typed } = MONA,
  name = 'منى السيد',
  slug?: string,
): Promise<string> => {
  const card = await makeCard(world.app, shopId(slug), { phone: typed, name });
  if (card === null) throw new Error('there is a card already');
  return card.memberToken;
};

/** One Turkish coffee to pick up, for Mona. */
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

/** The refusal of an order, with its status and words. */
export const refused = async (
  world: World,
  order: unknown,
  headers: Record<string, string> = {},
): Promise<ErrorBody & { readonly status: number }> =>
  refusalOf(await post(world, '/public/delivery-orders', order, headers));

/** All that orders leave in the database. */
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

/** The same, after which everything is as it was: no number, no key, no stock was used up. */
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

/** The order that was taken. */
export const placed = async (
  world: World,
  order: OrderInput = anOrder(),
  headers: Record<string, string> = {},
): Promise<Order> => {
  const { status, body, text } = await place(world, order, headers);
  if (status !== 201) throw new Error(`no order: ${status} ${text}`);
  return body as Order;
};
