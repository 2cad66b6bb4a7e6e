import type { Kysely } from 'kysely';
import { dayScope, orderScope, type Change } from '../domain/change.ts';
import type { Uuid } from '../domain/ids.ts';
import { parseRate, taxOn } from '../domain/money.ts';
import type { CartLine, OrderStatus, TimedStep } from '../domain/order.ts';
import type { Branch, OnlineChannel } from '../domain/shop.ts';
import { serviceDateOf } from '../domain/slots.ts';
import {
  addDays,
  addMinutes,
  businessDate,
  parseWallTime,
  resolveStart,
  type Instant,
} from '../domain/time.ts';
import {
  addDemoBooking,
  demoShops,
  demoTables,
  isEmpty,
  markDemo,
  saveDemoOrder,
  type DemoBooking,
  type DemoOrder,
  type DemoTable,
} from '../store/demo.ts';
import type { Database } from '../store/schema.ts';
import { branchesOf } from '../store/shop.ts';
import { recordChanges } from '../store/versions.ts';
import type { App } from './app.ts';
import { getBranchMenu } from './menu.ts';
import { derivedId, shopIdOf, uuid5 } from './shopfile/identity.ts';

/** What goes on in the demo shops, told relative to the moment it is laid out (`shops/demo-activity.json`). */
export interface DemoActivity {
  readonly orders: readonly OrderStory[];
  readonly bookings: readonly BookingStory[];
}

interface OrderStory {
  readonly key: string;
  readonly shop: string;
  readonly branch: string;
  readonly channel: OnlineChannel;
  readonly customer_name: string;
  readonly placed_minutes_ago: number;
  /** Minutes after placing. */
  readonly steps: Readonly<Partial<Record<TimedStep, number>>>;
  readonly status: OrderStatus;
  readonly items: readonly {
    readonly item: string;
    readonly size: string | null;
    readonly quantity: number;
  }[];
  readonly delivery_fee: number;
  readonly address: DemoOrder['address'];
  readonly payment_method_hint: string;
  readonly payment_method?: string;
  readonly cancel_reason?: string;
  readonly extra_prep_minutes: number;
}

interface BookingStory {
  readonly shop: string;
  readonly branch: string;
  readonly days_from_today: number;
  /** On the branch's clock; before the opening it is after midnight. */
  readonly at: string;
  readonly party_size: number;
  readonly guest_name: string;
  readonly tables: readonly string[];
  readonly status: 'confirmed' | 'cancelled';
  readonly notes?: string;
}

const branchIdOf = (shopId: Uuid, key: string): Uuid => derivedId(shopId, 'branch', shopId, { key });

/** The id under which an order of the demo is tracked, the same at every start. */
const orderIdOf = (story: OrderStory): Uuid => uuid5(shopIdOf(story.shop), `demo order\n${story.key}`);

type Menu = Awaited<ReturnType<ReturnType<typeof getBranchMenu>>>['body'];
type MenuOf = (branch: Branch, channel: OnlineChannel) => Promise<Menu>;

/** Reads each menu once, however many orders name it. */
const menusOf = (app: App): MenuOf => {
  const menus = new Map<string, Promise<Menu>>();
  const read = async (id: Uuid, channel: OnlineChannel): Promise<Menu> =>
    (await getBranchMenu(app)({ path: { id }, query: { channel, preview: true } })).body;
  return ({ id }, channel) => {
    const key = `${id} ${channel}`;
    const menu = menus.get(key) ?? read(id, channel);
    menus.set(key, menu);
    return menu;
  };
};

const linesOf = async (menuOf: MenuOf, story: OrderStory, branch: Branch): Promise<CartLine[]> => {
  const shopId = branch.orgId;
  const menu = await menuOf(branch, story.channel);
  return story.items.map(({ item: key, size, quantity }) => {
    const id = derivedId(shopId, 'item', shopId, { key });
    const item = menu.items.find((candidate) => candidate.id === id);
    const price = size === null ? item?.price : item?.sizes.find(({ label }) => label === size)?.price;
    if (item === undefined || price === undefined)
      throw new RangeError(
        `the demo order ${story.key} names ${key} (${size ?? 'no size'}), which is not sold there`,
      );
    return {
      name: item.name,
      name_translations: item.name_translations,
      size_label: size,
      quantity,
      line_total: price * quantity,
    };
  });
};

const stepTimesOf = (story: OrderStory, placedAt: Instant): DemoOrder['stepTimes'] =>
  Object.fromEntries(
    Object.entries(story.steps).map(([step, minutes]) => [step, addMinutes(placedAt, minutes)]),
  );

const demoOrder = async (
  menuOf: MenuOf,
  story: OrderStory,
  branch: Branch,
  number: number,
  now: Instant,
): Promise<DemoOrder> => {
  const createdAt = addMinutes(now, -story.placed_minutes_ago);
  const lines = await linesOf(menuOf, story, branch);
  const subtotal = lines.reduce((sum, line) => sum + line.line_total, 0);
  const taxAmount = taxOn(subtotal, parseRate(branch.taxRate), branch.taxInclusive);
  const day = businessDate(branch.zone, createdAt, branch.dayStartsAt).slice(2).replaceAll('-', '');
  return {
    id: orderIdOf(story),
    branchId: branch.id,
    channel: story.channel,
    status: story.status,
    deliveryRef: `D-${branch.code}-${day}-${String(number).padStart(4, '0')}`,
    customerName: story.customer_name,
    address: story.address,
    paymentMethodHint: story.payment_method_hint,
    paymentMethod: story.payment_method ?? null,
    cancelReason: story.cancel_reason ?? null,
    basePrepMinutes: branch.basePrepMinutes,
    extraPrepMinutes: story.extra_prep_minutes,
    cart: { lines, deals: [] },
    subtotal,
    deliveryFee: story.delivery_fee,
    taxRate: branch.taxRate,
    taxInclusive: branch.taxInclusive,
    taxAmount,
    total: subtotal + story.delivery_fee + (branch.taxInclusive ? 0 : taxAmount),
    createdAt,
    stepTimes: stepTimesOf(story, createdAt),
  };
};

const demoBooking = (story: BookingStory, branch: Branch, now: Instant): DemoBooking => {
  const { hours, defaultDurationMinutes } = branch.booking;
  const serviceDate = addDays(serviceDateOf(hours, branch.zone, now), story.days_from_today);
  const minutes = parseWallTime(story.at) ?? 0;
  const opens = Math.min(...hours.weekly.map((range) => range.open));
  const startsAt = resolveStart(
    branch.zone,
    minutes < opens ? addDays(serviceDate, 1) : serviceDate,
    minutes,
  );
  return {
    id: uuid5(branch.id, `demo booking\n${serviceDate}\n${story.at}\n${story.tables.join(' ')}`),
    branchId: branch.id,
    serviceDate,
    startsAt,
    endsAt: addMinutes(startsAt, defaultDurationMinutes),
    partySize: story.party_size,
    status: story.status,
    guestName: story.guest_name,
    notes: story.notes ?? null,
    tableIds: story.tables.map((key) => derivedId(branch.orgId, 'table', branch.id, { key })),
  };
};

const saveOrders = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  orders: readonly DemoOrder[],
): Promise<Change[]> => {
  for (const order of orders) await saveDemoOrder(tx, orgId, order);
  return orders.map(({ id }) => ({ scope: orderScope(id), type: 'delivery', id, op: 'upsert' }));
};

const saveBookings = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  bookings: readonly DemoBooking[],
  now: Instant,
): Promise<Change[]> => {
  const changes: Change[] = [];
  for (const booking of bookings)
    if (await addDemoBooking(tx, orgId, booking, now))
      changes.push({
        scope: dayScope(booking.branchId, booking.serviceDate),
        type: 'booking',
        id: booking.id,
        op: 'upsert',
      });
  return changes;
};

/** Lays the activity of one demo shop out around the present moment, under the same ids every time. */
const layOut = async (app: App, slug: string, orgId: Uuid, activity: DemoActivity): Promise<void> => {
  const now = app.clock.now();
  const branches = await branchesOf(app.db.kysely, orgId);
  const withBranch = <S extends { shop: string; branch: string }>(stories: readonly S[]) =>
    stories
      .filter((story) => story.shop === slug)
      .flatMap((story) => {
        const branch = branches.find(({ id }) => id === branchIdOf(orgId, story.branch));
        return branch === undefined ? [] : [{ story, branch }];
      });
  const menuOf = menusOf(app);
  const orders: DemoOrder[] = [];
  for (const [index, { story, branch }] of withBranch(activity.orders).entries())
    orders.push(await demoOrder(menuOf, story, branch, index + 1, now));
  const bookings = withBranch(activity.bookings).map(({ story, branch }) => demoBooking(story, branch, now));
  await app.db.tx(async (tx) => {
    const changes = [
      ...(await saveOrders(tx, orgId, orders)),
      ...(await saveBookings(tx, orgId, bookings, now)),
    ];
    await recordChanges(tx, orgId, changes, now);
  });
};

/** Whether the database has no shop yet. */
export const needsDemo = (app: App): Promise<boolean> => isEmpty(app.db.kysely);

/** Marks imported shops as the demo's own. */
export const markAsDemo = (app: App, slugs: readonly string[]): Promise<void> =>
  markDemo(app.db.kysely, slugs.map(shopIdOf));

/** Lays out the orders and bookings of every demo shop around now; nothing where there is no demo shop. */
export const layOutDemo = async (app: App, activity: DemoActivity): Promise<void> => {
  for (const shop of await demoShops(app.db.kysely))
    if (shop.isActive) await layOut(app, shop.slug, shop.orgId, activity);
};

/** What a newcomer may look at. */
export interface DemoPlaces {
  readonly shops: readonly { slug: string; orgId: Uuid; branches: readonly { id: Uuid; name: string }[] }[];
  readonly tables: readonly DemoTable[];
  readonly orders: readonly { id: Uuid; shop: string; status: OrderStatus }[];
}

/** The demo's shops, a table per branch and the orders to track; empty lists where there is no demo. */
export const demoPlaces = async (app: App, activity: DemoActivity): Promise<DemoPlaces> => {
  const shops = (await demoShops(app.db.kysely)).filter((shop) => shop.isActive);
  const known = new Set(shops.map(({ slug }) => slug));
  const withBranches = [];
  for (const { slug, orgId } of shops) {
    const branches = await branchesOf(app.db.kysely, orgId);
    withBranches.push({ slug, orgId, branches: branches.map(({ id, name }) => ({ id, name })) });
  }
  return {
    shops: withBranches,
    tables: await demoTables(app.db.kysely),
    orders: activity.orders
      .filter((story) => known.has(story.shop))
      .map((story) => ({ id: orderIdOf(story), shop: story.shop, status: story.status })),
  };
};
