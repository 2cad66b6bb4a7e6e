/** Orders and bookings inserted as rows, without the use cases that place them. */
import { dayScope, orderScope } from '../../../src/kernel/change.ts';
import type { FrozenCart } from '../../../src/pricing/domain/frozen-cart.ts';
import type { Uuid } from '../../../src/kernel/ids.ts';
import type { OrderStatus, TimedStep } from '../../../src/orders/domain/order.ts';
import type { OnlineChannel } from '../../../src/shops/domain/shop.ts';
import { recordChanges } from '../../../src/platform/store/change-log.ts';
import { branchId, shopId, thingId } from '../shops/cafe.ts';
import { newId } from './ids.ts';
import { insert, insertLocated, type Row } from './rows.ts';
import type { World } from '../server/world.ts';

export interface OrderFacts {
  readonly slug?: string;
  readonly branch?: string;
  readonly channel?: OnlineChannel;
  readonly status?: OrderStatus;
  /** ISO instants. */
  readonly createdAt?: string;
  readonly steps?: Partial<Record<TimedStep, string>>;
  /** Other columns of the row. */
  readonly row?: Row;
}

const aFrozenCoffee = (slug?: string): FrozenCart => ({
  lines: [
    {
      ...{ menu_item_id: thingId('item', 'turkish', slug), name: 'قهوة تركي', name_translations: {} },
      ...{ size_label: null, size_translations: {}, quantity: 1, unit_price: 4500, addons_total: 0 },
      ...{ addons: [], optionals: [], notes: null, combo: null, deal_discount: 0, line_total: 4500 },
    },
  ],
  deals: [],
});

/** Inserts an order of one Turkish coffee, 45 pounds, and its locator row. Publishes no change. Returns the id. */
export const insertOrder = async (world: World, facts: OrderFacts = {}): Promise<Uuid> => {
  const { slug, branch, status = 'received', createdAt = '2026-11-20T17:00:00Z' } = facts;
  const id = newId();
  const steps = Object.entries(facts.steps ?? {}).map(([step, moment]) => [`${step}_at`, moment] as const);
  await insertLocated(world.db.kysely, 'order', 'delivery_order', {
    org_id: shopId(slug),
    id,
    branch_id: branchId(branch, slug),
    channel: facts.channel ?? 'pickup',
    status,
    customer_name: 'منى عبد الله',
    payment_method_hint: 'cash',
    payment_method: status === 'delivered' ? 'cash' : null,
    base_prep_minutes: 20,
    extra_prep_minutes: 0,
    cart: aFrozenCoffee(slug),
    subtotal: 4500,
    discount_amount: 0,
    service_charge_amount: 0,
    delivery_fee: 0,
    tax_rate_applied: '0.14',
    tax_inclusive: true,
    tax_amount: 553,
    total: 4500,
    created_at: createdAt,
    updated_at: createdAt,
    ...Object.fromEntries(steps),
    ...facts.row,
  });
  return id;
};

/** Logs a change of an order, as a move would. Returns its sequence number. */
export const publishOrderChange = (world: World, id: Uuid, slug?: string): Promise<number> =>
  world.db.tx((tx) =>
    recordChanges(
      tx,
      shopId(slug),
      [{ scope: orderScope(id), type: 'delivery', id, op: 'upsert' }],
      world.now,
    ),
  );

export interface BookingFacts {
  readonly branch?: string;
  readonly serviceDate: string;
  /** ISO instants. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly tables?: readonly Uuid[];
  readonly party?: number;
  readonly status?: 'confirmed' | 'seated' | 'completed' | 'no_show' | 'cancelled';
}

/** Inserts a booking and publishes it. A cancelled booking and a no-show hold no tables. Returns the id. */
export const insertBooking = async (world: World, facts: BookingFacts): Promise<Uuid> => {
  const { branch, status = 'confirmed', tables = [] } = facts;
  const id = newId();
  const org_id = shopId();
  const branch_id = branchId(branch);
  await insert(world.db.kysely, 'booking', {
    org_id,
    id,
    branch_id,
    service_date: facts.serviceDate,
    status,
    party_size: facts.party ?? 2,
    starts_at: facts.startsAt,
    ends_at: facts.endsAt,
    guest_name: 'حازم',
    created_at: '2026-11-01T00:00:00Z',
  });
  const during = `[${facts.startsAt},${facts.endsAt})`;
  const stands = status !== 'cancelled' && status !== 'no_show';
  for (const table_id of stands ? tables : [])
    await insert(world.db.kysely, 'booking_table', { org_id, booking_id: id, table_id, branch_id, during });
  const change = {
    scope: dayScope(branch_id, facts.serviceDate),
    type: 'booking',
    id,
    op: 'upsert',
  } as const;
  await world.db.tx((tx) => recordChanges(tx, org_id, [change], world.now));
  await world.hearOfChanges();
  return id;
};
