/** Priced and numbered as real orders are (Decisions 7, 8). */
import type { Kysely } from 'kysely';
import { deliveryOf, type Delivery } from '../../../delivery/domain/delivery.ts';
import { metersBetween, type GeoPoint } from '../../../kernel/geo.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { OrderStatus, StaffCancelReason, TimedStep } from '../../../orders/domain/order.ts';
import { quote } from '../../../pricing/domain/quote.ts';
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
import type { Database } from '../../../platform/store/schema.ts';
import { cartOf } from '../../../pricing/app/cart-input.ts';
import { soldColumns } from '../../../orders/app/order-row.ts';
import type { PriceBooks, SaleNow } from '../../../pricing/app/pricebooks.ts';
import { derivedId, shopIdOf, uuid5 } from '../../../shopfile/app/entity-ids.ts';

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

// ── Sale ────────────────────────────────────────────────────────────────────────────────────────

const cartOfScenario = (orgId: Uuid, { items }: OrderScenario) => {
  const idOf = (kind: 'item' | 'addon', key: string): Uuid => derivedId(orgId, kind, orgId, { key });
  return cartOf(
    items.map(({ item, size, quantity, addons = [], notes = null }) => ({
      menu_item_id: idOf('item', item),
      size_label: size,
      quantity,
      addons: addons.map((key) => ({ addon_item_id: idOf('addon', key), quantity: 1 })),
      notes,
    })),
  );
};

/**
 * By great-circle distance, so that a start calls no routing server. Null when the branch does not deliver
 * there.
 */
const deliveryOfScenario = (
  { branch, delivery: terms }: SaleNow,
  scenario: OrderScenario,
): Extract<Delivery, { status: 'ok' }> | null => {
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

/**
 * The sale, priced as if the channel were open, because a start may happen at any hour. Null when the order
 * is impossible: sold out, off the menu, channel not offered, or out of range.
 */
const soldAt = async (
  books: PriceBooks,
  branch: Branch,
  scenario: OrderScenario,
): Promise<SoldColumns | null> => {
  if (!isOffered(branch, scenario.channel)) return null;
  const sale = await books.saleOf(branch.id, scenario.channel, []);
  const delivery = deliveryOfScenario(sale, scenario);
  if (delivery === null) return null;
  const lines = cartOfScenario(branch.orgId, scenario);
  const terms = { ...sale.terms, fee: delivery.fee };
  const result = quote({ book: sale.book, lines, stock: sale.stock, terms });
  if ('faults' in result) return null;
  return {
    ...soldColumns({ sale, quote: result.quote }),
    // The order took no stock, so a cancellation must return none.
    stock_taken: '[]',
    delivery_zone_id: delivery.zoneId,
    road_distance_meters: delivery.distance?.meters ?? null,
    distance_source: delivery.distance?.source ?? null,
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
  order_id: scenario.status === 'delivered' ? uuid5(orderIdOf(scenario), 'sale') : null,
  till_id: null,
  cancel_reason: scenario.cancel_reason ?? null,
  cancel_note: null,
  cancel_restocked: scenario.status === 'cancelled' || scenario.status === 'rejected' ? true : null,
  receipt_printed_at: null,
});

interface PreparedOrder extends DemoOrder {
  readonly branchCode: string;
  /** Business date of the order number. */
  readonly date: LocalDate;
  readonly createdAt: Instant;
}

const prepareOrder = (
  scenario: OrderScenario,
  branch: Branch,
  sold: SoldColumns | null,
  now: Instant,
): PreparedOrder => {
  const createdAt = addMinutes(now, -scenario.placed_minutes_ago);
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
      address_line: scenario.address.address_line ?? null,
      floor: scenario.address.floor ?? null,
      unit_number: scenario.address.unit_number ?? null,
      landmark: scenario.address.landmark ?? null,
      place_name: scenario.address.place_name ?? null,
      delivery_notes: scenario.delivery_notes ?? null,
      customer_lat: scenario.point?.lat ?? null,
      customer_lng: scenario.point?.lng ?? null,
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

/** Oldest first. */
export const prepareOrders = async (
  books: PriceBooks,
  scenarios: readonly { readonly scenario: OrderScenario; readonly branch: Branch }[],
  now: Instant,
): Promise<readonly PreparedOrder[]> => {
  const orders: PreparedOrder[] = [];
  for (const { scenario, branch } of scenarios)
    orders.push(prepareOrder(scenario, branch, await soldAt(books, branch, scenario), now));
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
  return idsOf(orders);
};
