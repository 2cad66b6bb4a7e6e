/** A guest's earlier orders and addresses, for a proven phone (Decisions 2). */
import type { HeadersOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/history.ts';
import type { Phone } from '../../kernel/phone.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import { firstWord } from '../../kernel/names.ts';
import { pastLineReply } from './past-line-reply.ts';
import { isRedacted } from '../domain/tracking.ts';
import { locationsOfPhone, ordersOfPhone, type PastLocation, type PastOrder } from '../store/history.ts';
import { customerWithPhone } from '../../customers/app/shared.ts';
import { isActiveShop, isLiveBranch } from '../../shops/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { provenPhones } from '../../identity/app/otp.ts';

type History = ReplyOf<typeof contract.orderHistory>;
type Locations = ReplyOf<typeof contract.pastLocations>;

/** Decisions 2. */
const MAX_HISTORY = 50;

const NO_PLACE = { address_line: null, place_name: null, customer_lat: null, customer_lng: null };

/** Checked first, so a request without proof does not reveal whether the shop exists. */
const phoneOf = async (app: App, headers: HeadersOf<typeof contract.orderHistory>): Promise<Phone> => {
  const [phone] = await provenPhones(app, headers['x-device-token']);
  if (!phone) throw new Refusal('PHONE_NOT_VERIFIED');
  return phone;
};

/**
 * Name and place may be another person's where the phone was only typed or is the contact of someone else's
 * order. The phone's owner then sees what the tracking link shows, for as long.
 */
const personOf = (order: PastOrder, now: Instant) => {
  const { customerName, addressLine, placeName, lat, lng } = order;
  const place = { address_line: addressLine, place_name: placeName, customer_lat: lat, customer_lng: lng };
  if (order.isOwn) return { customer_name: customerName, ...place };
  return isRedacted(order.ends, now)
    ? { customer_name: firstWord(customerName), ...NO_PLACE }
    : { customer_name: customerName, ...place, customer_lat: null, customer_lng: null };
};

const summary = (order: PastOrder, now: Instant): History[number] => ({
  id: order.id,
  branch_id: order.branchId,
  branch_name: order.branchName,
  branch_name_translations: order.branchNameTranslations,
  status: order.status,
  channel: order.channel,
  delivery_ref: order.deliveryRef,
  ...personOf(order, now),
  created_at: isoInstant(order.createdAt),
  subtotal: order.subtotal,
  delivery_fee: order.deliveryFee,
  discount_amount: order.discountAmount,
  tax_amount: order.taxAmount,
  total: order.total,
  tax_inclusive: order.taxInclusive,
  items: order.cart.lines.map(pastLineReply),
});

/** GET /public/delivery-orders/history. */
export const orderHistory =
  (app: App) =>
  async ({
    query,
    headers,
  }: {
    query: QueryOf<typeof contract.orderHistory>;
    headers: HeadersOf<typeof contract.orderHistory>;
  }): Promise<History> => {
    const phone = await phoneOf(app, headers);
    if (!(await isActiveShop(app.db.kysely, query.org_id))) throw new Refusal('NOT_FOUND');
    const orders = await ordersOfPhone(app.db.kysely, query.org_id, phone, MAX_HISTORY);
    const now = app.clock.now();
    return orders.map((order) => summary(order, now));
  };

const location = (saved: PastLocation): Locations[number] => ({
  branch_id: saved.branchId,
  channel: saved.channel,
  last_used_at: isoInstant(saved.lastUsedAt),
  address_line: saved.addressLine,
  floor: saved.floor,
  landmark: saved.landmark,
  place_name: saved.placeName,
  unit_number: saved.unitNumber,
  customer_lat: saved.lat,
  customer_lng: saved.lng,
});

/** GET /public/delivery-orders/past-locations. */
export const pastLocations =
  (app: App) =>
  async ({
    query,
    headers,
  }: {
    query: QueryOf<typeof contract.pastLocations>;
    headers: HeadersOf<typeof contract.pastLocations>;
  }): Promise<Locations> => {
    const phone = await phoneOf(app, headers);
    const { org_id: orgId, branch_id: branchId } = query;
    const { kysely } = app.db;
    if (!(await isActiveShop(kysely, orgId)) || !(await isLiveBranch(kysely, orgId, branchId)))
      throw new Refusal('NOT_FOUND');
    return (await locationsOfPhone(kysely, orgId, phone, branchId, MAX_HISTORY)).map(location);
  };

/** GET /public/otp/device. */
export const getDevice =
  (app: App) =>
  async ({
    query,
    headers,
  }: {
    query: QueryOf<typeof contract.getDevice>;
    headers: HeadersOf<typeof contract.getDevice>;
  }): Promise<ReplyOf<typeof contract.getDevice>> => {
    const phone = await phoneOf(app, headers);
    if (!(await isActiveShop(app.db.kysely, query.org_id))) throw new Refusal('NOT_FOUND');
    const customer = await customerWithPhone(app.db.kysely, query.org_id, phone);
    // Before the first proof, anyone may have typed the name.
    const isOwn = customer !== null && customer.phone_proven_at !== null && customer.name !== '';
    return { phone, name: isOwn ? customer.name : null };
  };
