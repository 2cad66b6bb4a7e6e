/** Columns of a new order and of its saved address. */
import { createHash } from 'node:crypto';
import type { BodyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/checkout.ts';
import type { Checkout } from '../domain/checkout.ts';
import type { Identity } from '../domain/customer.ts';
import type { Delivery, Distance } from '../../delivery/domain/delivery.ts';
import type { StoredCart } from '../domain/order.ts';
import { frozenCart } from '../../pricing/domain/frozen-cart.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/names.ts';
import type { BrakeLimits } from '../domain/brake.ts';
import { wholePercent } from '../../menu/domain/deals-and-discounts.ts';
import { earningReply } from '../../pricing/app/quote-reply.ts';
import type { Forecast } from '../../loyalty/domain/forecast.ts';
import type { Quote } from '../../pricing/domain/quote.ts';
import { addressKey } from '../domain/saved-address.ts';
import type { Instant } from '../../kernel/time.ts';
import type { AddressToSave } from '../../customers/app/shared.ts';
import type { SavedChannel } from '../../customers/domain/address.ts';
import type { CheckoutFacts, OrderRow } from '../store/checkout.ts';
import { at } from '../../platform/store/db.ts';
import type { App } from '../../platform/app/app.ts';
import type { SaleNow } from '../../pricing/app/pricebooks.ts';

type Body = BodyOf<typeof contract.placeOrder>;

export interface OrderDecision {
  readonly sale: SaleNow;
  readonly brake: BrakeLimits;
  readonly facts: CheckoutFacts;
  readonly checkout: Checkout;
  readonly identity: Identity;
  readonly delivery: Extract<Delivery, { status: 'ok' }>;
  readonly distance: Distance | null;
  readonly quote: Quote;
  /** Null without a card, and while the programme is off. */
  readonly forecast: Forecast | null;
  readonly language: Language;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Where an order goes, as its guest wrote it. */
export type OrderPlace = Pick<Checkout, 'address' | 'deliveryNotes' | 'point'>;

interface SavedPlace {
  readonly channel: SavedChannel;
  readonly branchId: Uuid;
  readonly zoneId: Uuid | null;
  readonly place: OrderPlace;
}

export const savedAddress = (
  { random }: Pick<App, 'random'>,
  { channel, branchId, zoneId, place }: SavedPlace,
): AddressToSave => ({
  id: random.uuid(),
  key: sha256(addressKey(channel, branchId, place.address)),
  ...{ channel, branchId, zoneId, ...place.address },
  deliveryNotes: place.deliveryNotes,
  lat: place.point?.lat ?? null,
  lng: place.point?.lng ?? null,
});

/** Null: no address is saved. */
export const addressToSave = (app: App, body: Body, decided: OrderDecision): AddressToSave | null => {
  const { identity, checkout: place, delivery, sale } = decided;
  const { channel } = body;
  if (!identity.savesAddress || channel === 'pickup') return null;
  return savedAddress(app, { channel, branchId: sale.branch.id, zoneId: delivery.zoneId, place });
};

type PricedSale = Pick<OrderDecision, 'sale' | 'quote' | 'forecast'>;

const discountColumns = ({ sale, quote }: Omit<PricedSale, 'forecast'>) => {
  const { discount } = sale.book.menu;
  if (discount === null || quote.bill.discount === 0)
    return { discount_id: null, discount_type: null, discount_rate: null, discount_value: null };
  const { cut } = discount;
  return {
    discount_id: discount.id,
    discount_type: cut.dtype,
    discount_rate: cut.dtype === 'percentage' ? cut.rate : '0',
    // Shapes, DeliveryMenuDiscount: whole per cent, or piastres.
    discount_value: cut.dtype === 'percentage' ? wholePercent(cut.rate) : cut.amount,
  };
};

export const soldColumns = ({ sale, quote, forecast }: PricedSale) => {
  const { bill } = quote;
  const loyalty = forecast === null ? {} : { loyalty: earningReply(forecast) };
  const cart: StoredCart = { ...frozenCart(quote), ...loyalty };
  return {
    cart: JSON.stringify(cart),
    subtotal: quote.totalAfterDeals,
    ...discountColumns({ sale, quote }),
    discount_amount: bill.discount,
    service_charge_amount: bill.service,
    delivery_fee: bill.fee,
    tax_rate_applied: sale.branch.taxRate,
    tax_inclusive: bill.taxInclusive,
    tax_amount: bill.tax,
    total: bill.total,
    reward_cost: quote.rewardCost,
  };
};

export const placeColumns = ({ address, deliveryNotes, point }: OrderPlace) => ({
  address_line: address.addressLine,
  floor: address.floor,
  unit_number: address.unitNumber,
  landmark: address.landmark,
  place_name: address.placeName,
  delivery_notes: deliveryNotes,
  customer_lat: point?.lat ?? null,
  customer_lng: point?.lng ?? null,
});

export const routeColumns = ({ delivery, distance }: Pick<OrderDecision, 'delivery' | 'distance'>) => ({
  delivery_zone_id: delivery.zoneId,
  road_distance_meters: distance?.meters ?? null,
  distance_source: distance?.source ?? null,
});

/** Known only inside the transaction. */
interface WriteFacts {
  readonly orderId: Uuid;
  readonly ref: string;
  readonly stock: readonly { readonly id: Uuid; readonly units: number }[];
  readonly notified: boolean;
  readonly now: Instant;
}

export const rowOf = (body: Body, decided: OrderDecision, facts: WriteFacts): OrderRow => {
  const { orderId, ref, stock, notified, now } = facts;
  const { sale, identity, language } = decided;
  const { branch } = sale;
  return {
    org_id: branch.orgId,
    id: orderId,
    branch_id: branch.id,
    channel: body.channel,
    delivery_ref: ref,
    language,
    customer_name: identity.contact.name,
    customer_phone: identity.contact.phone,
    notified,
    otp_verified: identity.otpVerified,
    card_id: decided.facts.card?.cardId ?? null,
    contact_override: identity.contactOverride,
    ...placeColumns(decided.checkout),
    ...routeColumns(decided),
    payment_method_hint: body.payment_method_hint,
    base_prep_minutes: branch.basePrepMinutes,
    stock_taken: JSON.stringify(stock),
    ...soldColumns(decided),
    created_at: at(now),
    updated_at: at(now),
  };
};
