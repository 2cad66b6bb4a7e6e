/** The orders of the demo: told relative to the moment they are laid out, sold and named as any order is (Decisions 7, 8). */
import type { Kysely } from 'kysely';
import { deliveryOf, type Delivery } from '../../../delivery/domain/delivery.ts';
import { metersBetween, type GeoPoint } from '../../../kernel/geo.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { OrderStatus, StaffCancelReason, TimedStep } from '../../../orders/domain/order.ts';
import { quote } from '../../../pricing/domain/quote.ts';
import { deliveryRef, numberInRef } from '../../../orders/domain/reference.ts';
import { isOffered, type Branch, type OnlineChannel } from '../../../shops/domain/shop.ts';
import { addMinutes, businessDate, type Instant, type LocalDate } from '../../../kernel/time.ts';
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
import { soldColumns } from '../../../orders/app/row.ts';
import type { PriceBooks, SaleNow } from '../../../pricing/app/pricebooks.ts';
import { derivedId, shopIdOf, uuid5 } from '../../../shopfile/app/identity.ts';

/** An order of `shops/demo-activity.json`. */
export interface OrderStory {
  readonly key: string;
  readonly shop: string;
  readonly branch: string;
  readonly channel: OnlineChannel;
  readonly customer_name: string;
  readonly placed_minutes_ago: number;
  /** Minutes after placing. */
  readonly steps: Readonly<Partial<Record<TimedStep, number>>>;
  readonly status: OrderStatus;
  readonly items: readonly ItemStory[];
  readonly address: Readonly<
    Partial<Record<'address_line' | 'floor' | 'unit_number' | 'place_name' | 'landmark', string>>
  >;
  /** Where it is brought. */
  readonly point?: GeoPoint;
  readonly delivery_notes?: string;
  readonly payment_method_hint: string;
  readonly payment_method?: string;
  readonly cancel_reason?: StaffCancelReason;
  readonly extra_prep_minutes: number;
}

/** A line of a cart, by the keys of the shop file. */
interface ItemStory {
  readonly item: string;
  readonly size: string | null;
  readonly quantity: number;
  /** One of each on every unit. */
  readonly addons?: readonly string[];
  readonly notes?: string;
}

/** The id under which an order of the demo is tracked, the same at every start. */
export const orderIdOf = (story: OrderStory): Uuid => uuid5(shopIdOf(story.shop), `demo order\n${story.key}`);

// ── What was sold ───────────────────────────────────────────────────────────────────────────────

const cartOfStory = (orgId: Uuid, { items }: OrderStory) => {
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

/** How it is brought; by the great circle, so that a start asks nobody. Null where the branch does not go there. */
const deliveryOfStory = (
  { branch, delivery: terms }: SaleNow,
  story: OrderStory,
): Extract<Delivery, { status: 'ok' }> | null => {
  if (terms === null) return null;
  const { lat, lng } = branch;
  const point = story.point ?? null;
  const isMeasured = story.channel === 'outside' && point !== null && lat !== null && lng !== null;
  const distance = isMeasured
    ? ({ meters: metersBetween({ lat, lng }, point), source: 'haversine' } as const)
    : null;
  const delivery = deliveryOf(story.channel, terms, point, distance);
  return delivery.status === 'ok' ? delivery : null;
};

/**
 * What the order is sold at, whether or not the channel is open: a start may come at any hour. Null where it cannot be
 * had at all: something ran out or was taken off the menu, the channel, or the map.
 */
const soldAt = async (books: PriceBooks, branch: Branch, story: OrderStory): Promise<SoldColumns | null> => {
  if (!isOffered(branch, story.channel)) return null;
  const sale = await books.saleOf(branch.id, story.channel, []);
  const delivery = deliveryOfStory(sale, story);
  if (delivery === null) return null;
  const lines = cartOfStory(branch.orgId, story);
  const terms = { ...sale.terms, fee: delivery.fee };
  const result = quote({ book: sale.book, lines, stock: sale.stock, terms });
  if ('faults' in result) return null;
  return {
    ...soldColumns({ sale, quote: result.quote }),
    // It took nothing off the shelf, so that cancelling it puts nothing there.
    stock_taken: '[]',
    delivery_zone_id: delivery.zoneId,
    road_distance_meters: delivery.distance?.meters ?? null,
    distance_source: delivery.distance?.source ?? null,
  };
};

// ── What became of it ───────────────────────────────────────────────────────────────────────────

const stepColumns = ({ steps }: OrderStory, createdAt: Instant) => {
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

/** The end of an order as finalizing or cancelling it leaves it; whatever was tried with it since the last start is undone. */
const endColumns = (story: OrderStory) => ({
  payment_method: story.payment_method ?? null,
  order_id: story.status === 'delivered' ? uuid5(orderIdOf(story), 'sale') : null,
  till_id: null,
  cancel_reason: story.cancel_reason ?? null,
  cancel_note: null,
  cancel_restocked: story.status === 'cancelled' || story.status === 'rejected' ? true : null,
  receipt_printed_at: null,
});

/** An order that can be written once it has a name. */
interface Told extends DemoOrder {
  readonly branchCode: string;
  /** On which it is numbered. */
  readonly date: LocalDate;
  readonly createdAt: Instant;
}

const told = (story: OrderStory, branch: Branch, sold: SoldColumns | null, now: Instant): Told => {
  const createdAt = addMinutes(now, -story.placed_minutes_ago);
  const minutes = Object.values(story.steps);
  return {
    orgId: branch.orgId,
    id: orderIdOf(story),
    branchCode: branch.code,
    date: businessDate(branch.zone, createdAt, branch.dayStartsAt),
    createdAt,
    sold,
    changes: minutes.length + (story.extra_prep_minutes === 0 ? 0 : 1),
    row: {
      branch_id: branch.id,
      channel: story.channel,
      status: story.status,
      language: 'ar',
      customer_name: story.customer_name,
      // No range of numbers is kept free of people: whoever tries the demo must not ring one up.
      customer_phone: null,
      address_line: story.address.address_line ?? null,
      floor: story.address.floor ?? null,
      unit_number: story.address.unit_number ?? null,
      landmark: story.address.landmark ?? null,
      place_name: story.address.place_name ?? null,
      delivery_notes: story.delivery_notes ?? null,
      customer_lat: story.point?.lat ?? null,
      customer_lng: story.point?.lng ?? null,
      payment_method_hint: story.payment_method_hint,
      base_prep_minutes: branch.basePrepMinutes,
      extra_prep_minutes: story.extra_prep_minutes,
      ...endColumns(story),
      created_at: at(createdAt),
      updated_at: at(addMinutes(createdAt, Math.max(0, ...minutes))),
      ...stepColumns(story, createdAt),
    },
  };
};

/** The orders of one shop, the first that was placed first. */
export const tellOrders = async (
  books: PriceBooks,
  stories: readonly { readonly story: OrderStory; readonly branch: Branch }[],
  now: Instant,
): Promise<readonly Told[]> => {
  const orders: Told[] = [];
  for (const { story, branch } of stories)
    orders.push(told(story, branch, await soldAt(books, branch, story), now));
  return orders.sort((a, b) => a.createdAt - b.createdAt);
};

// ── What it is called ───────────────────────────────────────────────────────────────────────────

/** The references that orders may keep: those of the same branch and day, if their number was drawn as real ones are. */
const keptReferences = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  orders: readonly Told[],
  before: ReadonlyMap<Uuid, string | null>,
): Promise<ReadonlyMap<Uuid, string>> => {
  const kept = new Map<Uuid, string>();
  for (const { id, branchCode, date } of orders) {
    const reference = before.get(id) ?? '';
    const number = numberInRef(reference, branchCode, date);
    if (number !== null && number <= (await lastOrderNumber(tx, orgId, branchCode, date)))
      kept.set(id, reference);
  }
  return kept;
};

const idsOf = (orders: readonly Told[]): readonly Uuid[] => orders.map(({ id }) => id);

/**
 * Writes the orders, numbered among the real ones of their day, so that no two are ever called alike, whenever a start
 * lays the day out anew. One that cannot be sold now keeps what it was sold at before, and is not made. Gives those
 * that are there.
 */
export const saveOrders = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  all: readonly Told[],
): Promise<readonly Uuid[]> => {
  const before = await referencesOf(tx, orgId, idsOf(all));
  const orders = all.filter(({ id, sold }) => sold !== null || before.has(id));
  const kept = await keptReferences(tx, orgId, orders, before);
  await freeReferences(tx, orgId, idsOf(orders.filter(({ id }) => !kept.has(id))));
  for (const order of orders) {
    const { branchCode, date } = order;
    const reference =
      kept.get(order.id) ?? deliveryRef(branchCode, date, await drawOrderNumber(tx, orgId, branchCode, date));
    await saveDemoOrder(tx, order, reference);
  }
  return idsOf(orders);
};
