/** Priced and numbered as real orders are (Decisions 7, 8). */
import type { Kysely } from 'kysely';
import { deliveryOf, type Delivery } from '../../../delivery/domain/delivery.ts';
import { orderScope, type Change } from '../../../kernel/change.ts';
import { metersBetween, type GeoPoint } from '../../../kernel/geo.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { OrderStatus, StaffCancelReason, TimedStep } from '../../../orders/domain/order.ts';
import { quote, type Quote } from '../../../pricing/domain/quote.ts';
import type { Redemption } from '../../../pricing/domain/rewards.ts';
import { deliveryRef, numberInRef } from '../../../orders/domain/reference.ts';
import { isOffered, type Branch, type OnlineChannel } from '../../../shops/domain/shop.ts';
import { businessDate } from '../../../kernel/business-date.ts';
import { addMinutes, type Instant, type LocalDate } from '../../../kernel/time.ts';
import { at } from '../../../platform/store/db.ts';
import {
  drawOrderNumber,
  freeReferences,
  lastOrderNumber,
  referencesOf,
  saveDemoOrder,
  type DemoOrder,
  type SoldColumns,
} from '../../store/demo.ts';
import type { ChangeLog } from '../../../platform/app/commit.ts';
import type { Database } from '../../../platform/store/schema.ts';
import { cartOf } from '../../../pricing/app/cart-input.ts';
import { forecastFor, type CardFacts } from '../../../orders/app/order-rewards.ts';
import { placeColumns, routeColumns, soldColumns, type OrderPlace } from '../../../orders/app/order-row.ts';
import type { PriceBooks, SaleNow } from '../../../pricing/app/pricebooks.ts';
import { bookDemoSales } from './sales.ts';
import { derivedId, shopIdOf, uuid5, type EntityKind } from '../../../shopfile/app/entity-ids.ts';

/** An order of `shops/demo-activity.json`. */
export interface OrderScenario {
  readonly key: string;
  readonly shop: string;
  readonly branch: string;
  readonly channel: OnlineChannel;
  readonly customer_name: string;
  readonly placed_minutes_ago: number;
  /** Minutes after the order was placed. */
  readonly steps: Readonly<Partial<Record<TimedStep, number>>>;
  readonly status: OrderStatus;
  readonly items: readonly LineScenario[];
  readonly address: Readonly<
    Partial<Record<'address_line' | 'floor' | 'unit_number' | 'place_name' | 'landmark', string>>
  >;
  readonly point?: GeoPoint;
  readonly delivery_notes?: string;
  readonly payment_method_hint: string;
  readonly payment_method?: string;
  readonly cancel_reason?: StaffCancelReason;
  readonly extra_prep_minutes: number;
}

/** A cart line, by keys of the shop file. */
interface LineScenario {
  readonly item: string;
  readonly size: string | null;
  readonly quantity: number;
  /** One of each per unit. */
  readonly addons?: readonly string[];
  readonly notes?: string;
}

/** The same at every start. */
export const orderIdOf = (scenario: OrderScenario): Uuid =>
  uuid5(shopIdOf(scenario.shop), `demo order\n${scenario.key}`);

/** The id that an import gives to a thing of the shop with this key. */
export const idOfKey = (orgId: Uuid, kind: EntityKind, key: string): Uuid =>
  derivedId(orgId, kind, orgId, { key });

export const orderChange = (id: Uuid): Change => ({
  ...{ scope: orderScope(id), type: 'delivery', id, op: 'upsert' },
});

// ── Sale ────────────────────────────────────────────────────────────────────────────────────────

const cartOfScenario = (orgId: Uuid, { items }: OrderScenario) =>
  cartOf(
    items.map(({ item, size, quantity, addons = [], notes = null }) => ({
      menu_item_id: idOfKey(orgId, 'item', item),
      size_label: size,
      quantity,
      addons: addons.map((key) => ({ addon_item_id: idOfKey(orgId, 'addon', key), quantity: 1 })),
      notes,
    })),
  );

type OkDelivery = Extract<Delivery, { status: 'ok' }>;

/**
 * By great-circle distance, so that a start calls no routing server. Null when the branch does not deliver
 * there.
 */
const deliveryOfScenario = (
  { branch, delivery: terms }: SaleNow,
  scenario: OrderScenario,
): OkDelivery | null => {
  if (terms === null) return null;
  const { lat, lng } = branch;
  const point = scenario.point ?? null;
  const isMeasured = scenario.channel === 'outside' && point !== null && lat !== null && lng !== null;
  const distance = isMeasured
    ? ({ meters: metersBetween({ lat, lng }, point), source: 'haversine' } as const)
    : null;
  const delivery = deliveryOf(scenario.channel, terms, point, distance);
  return delivery.status === 'ok' ? delivery : null;
};

/** What prices an order. */
export interface SaleOfOrder {
  readonly sale: SaleNow;
  readonly delivery: OkDelivery;
}

/**
 * As if the channel were open, because a start may happen at any hour. Null: the channel is not offered, or the place
 * out of range.
 */
export const saleOfOrder = async (
  books: PriceBooks,
  branch: Branch,
  scenario: OrderScenario,
): Promise<SaleOfOrder | null> => {
  if (!isOffered(branch, scenario.channel)) return null;
  const sale = await books.saleOf(branch.id, scenario.channel, []);
  const delivery = deliveryOfScenario(sale, scenario);
  return delivery === null ? null : { sale, delivery };
};

/** The card that an order is placed with, and the rewards that it pays for. */
export interface CardOfScenario {
  readonly facts: CardFacts;
  readonly redemption: Redemption;
}

export interface PricedOrder {
  readonly quote: Quote;
  readonly sold: SoldColumns;
}

/** Null: something is sold out or off the menu, or the card does not pay for the rewards. */
export const priceOrder = (
  scenario: OrderScenario,
  { sale, delivery }: SaleOfOrder,
  card: CardOfScenario | null,
): PricedOrder | null => {
  const result = quote({
    ...{ book: sale.book, lines: cartOfScenario(sale.branch.orgId, scenario), stock: sale.stock },
    ...{ terms: { ...sale.terms, fee: delivery.fee }, redemption: card?.redemption ?? null },
  });
  if ('faults' in result) return null;
  const forecast = card === null ? null : forecastFor(result.quote, sale, card.facts);
  return {
    quote: result.quote,
    sold: {
      ...soldColumns({ sale, quote: result.quote, forecast }),
      // The order took no stock, so a cancellation must return none.
      stock_taken: '[]',
      ...routeColumns({ delivery, distance: delivery.distance }),
    },
  };
};

// ── Progress ────────────────────────────────────────────────────────────────────────────────────

const stepColumns = ({ steps }: OrderScenario, createdAt: Instant) => {
  const time = (step: TimedStep) => {
    const minutes = steps[step];
    return minutes === undefined ? null : at(addMinutes(createdAt, minutes));
  };
  return {
    confirmed_at: time('confirmed'),
    preparing_at: time('preparing'),
    ready_at: time('ready'),
    out_for_delivery_at: time('out_for_delivery'),
    delivered_at: time('delivered'),
    cancelled_at: time('cancelled'),
    rejected_at: time('rejected'),
  };
};

/** Overwrites changes since the last start. */
const endColumns = (scenario: OrderScenario) => ({
  payment_method: scenario.payment_method ?? null,
  order_id: scenario.status === 'delivered' ? orderIdOf(scenario) : null,
  till_id: null,
  cancel_reason: scenario.cancel_reason ?? null,
  cancel_note: null,
  cancel_restocked: scenario.status === 'cancelled' || scenario.status === 'rejected' ? true : null,
  receipt_printed_at: null,
});

export interface PreparedOrder extends DemoOrder {
  readonly branchCode: string;
  /** Business date of the order number. */
  readonly date: LocalDate;
  readonly createdAt: Instant;
}

export const placeOf = ({ address, point, delivery_notes: notes }: OrderScenario): OrderPlace => ({
  address: {
    addressLine: address.address_line ?? null,
    placeName: address.place_name ?? null,
    floor: address.floor ?? null,
    unitNumber: address.unit_number ?? null,
    landmark: address.landmark ?? null,
  },
  deliveryNotes: notes ?? null,
  point: point ?? null,
});

/** `sold`: null where it cannot be sold now. */
export const prepareOrder = (
  scenario: OrderScenario,
  branch: Branch,
  sold: SoldColumns | null,
  createdAt: Instant,
): PreparedOrder => {
  const minutes = Object.values(scenario.steps);
  return {
    orgId: branch.orgId,
    id: orderIdOf(scenario),
    branchCode: branch.code,
    date: businessDate(branch.zone, createdAt, branch.dayStartsAt),
    createdAt,
    sold,
    changes: minutes.length + (scenario.extra_prep_minutes === 0 ? 0 : 1),
    row: {
      branch_id: branch.id,
      channel: scenario.channel,
      status: scenario.status,
      language: 'ar',
      customer_name: scenario.customer_name,
      // Every phone number may belong to a person, and a visitor of the demo must not call one.
      customer_phone: null,
      ...placeColumns(placeOf(scenario)),
      payment_method_hint: scenario.payment_method_hint,
      base_prep_minutes: branch.basePrepMinutes,
      extra_prep_minutes: scenario.extra_prep_minutes,
      ...endColumns(scenario),
      created_at: at(createdAt),
      updated_at: at(addMinutes(createdAt, Math.max(0, ...minutes))),
      ...stepColumns(scenario, createdAt),
    },
  };
};

export const placedAt = (
  { placed_minutes_ago: ago }: Pick<OrderScenario, 'placed_minutes_ago'>,
  now: Instant,
) => addMinutes(now, -ago);

/** Of guests without a card, oldest first. */
export const prepareOrders = async (
  books: PriceBooks,
  scenarios: readonly { readonly scenario: OrderScenario; readonly branch: Branch }[],
  now: Instant,
): Promise<readonly PreparedOrder[]> => {
  const orders: PreparedOrder[] = [];
  for (const { scenario, branch } of scenarios) {
    const sale = await saleOfOrder(books, branch, scenario);
    const priced = sale === null ? null : priceOrder(scenario, sale, null);
    orders.push(prepareOrder(scenario, branch, priced?.sold ?? null, placedAt(scenario, now)));
  }
  return orders.sort((a, b) => a.createdAt - b.createdAt);
};

// ── Reference ───────────────────────────────────────────────────────────────────────────────────

/** References that can stay: same branch and date, and a number that was drawn. */
const reusableReferences = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  orders: readonly PreparedOrder[],
  before: ReadonlyMap<Uuid, string | null>,
): Promise<ReadonlyMap<Uuid, string>> => {
  const reusable = new Map<Uuid, string>();
  for (const { id, branchCode, date } of orders) {
    const reference = before.get(id) ?? '';
    const number = numberInRef(reference, branchCode, date);
    if (number !== null && number <= (await lastOrderNumber(tx, orgId, branchCode, date)))
      reusable.set(id, reference);
  }
  return reusable;
};

const idsOf = (orders: readonly PreparedOrder[]): readonly Uuid[] => orders.map(({ id }) => id);

/**
 * Writes the orders with numbers drawn among the real ones of their day, so that references stay unique. An
 * order that cannot be sold now keeps its earlier sale; without one it is not created. Returns the orders
 * that exist.
 */
export const saveOrders = async (
  tx: Kysely<Database>,
  log: ChangeLog,
  orgId: Uuid,
  all: readonly PreparedOrder[],
): Promise<readonly Uuid[]> => {
  const before = await referencesOf(tx, orgId, idsOf(all));
  const orders = all.filter(({ id, sold }) => sold !== null || before.has(id));
  const kept = await reusableReferences(tx, orgId, orders, before);
  await freeReferences(tx, orgId, idsOf(orders.filter(({ id }) => !kept.has(id))));
  for (const order of orders) {
    const { branchCode, date } = order;
    const reference =
      kept.get(order.id) ?? deliveryRef(branchCode, date, await drawOrderNumber(tx, orgId, branchCode, date));
    await saveDemoOrder(tx, order, reference);
  }
  await bookDemoSales(tx, log, orgId, idsOf(orders));
  return idsOf(orders);
};
