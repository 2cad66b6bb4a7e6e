import type { Kysely } from 'kysely';
import { dayScope, orderScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { OrderStatus } from '../../orders/domain/order.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { serviceDateOf } from '../../bookings/domain/slots.ts';
import { addDays, addMinutes, parseWallTime, resolveStart, type Instant } from '../../kernel/time.ts';
import {
  addDemoBooking,
  demoShops,
  demoTables,
  isEmpty,
  markDemo,
  ordersThere,
  ownersOf,
  setDemoSecrets,
  type DemoBooking,
  type DemoOwner,
  type DemoTable,
} from '../store/demo.ts';
import type { Database } from '../../platform/store/schema.ts';
import { branchesOf } from '../../shops/store/shop.ts';
import type { App } from '../../platform/app/app.ts';
import { orderIdOf, saveOrders, tellOrders, type OrderStory } from './demo/orders.ts';
import { createPriceBooks } from '../../pricing/app/pricebooks.ts';
import { derivedId, shopIdOf, uuid5 } from '../../shopfile/app/identity.ts';
import type { StaffDeps } from '../../staff/app/access.ts';
import { writing } from '../../platform/app/write.ts';

/** What goes on in the demo shops, told relative to the moment it is laid out (`shops/demo-activity.json`). */
export interface DemoActivity {
  readonly orders: readonly OrderStory[];
  readonly bookings: readonly BookingStory[];
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
  const orders = await tellOrders(createPriceBooks(app), withBranch(activity.orders), now);
  const bookings = withBranch(activity.bookings).map(({ story, branch }) => demoBooking(story, branch, now));
  await writing(app, orgId, async (tx, note) => {
    const saved = await saveOrders(tx, orgId, orders);
    note(...saved.map((id): Change => ({ scope: orderScope(id), type: 'delivery', id, op: 'upsert' })));
    note(...(await saveBookings(tx, orgId, bookings, now)));
  });
};

/** Whether the database has no shop yet. */
export const needsDemo = (app: App): Promise<boolean> => isEmpty(app.db.kysely);

/** What everybody who has an e-mail address, and everybody, signs in with at a demo shop (Decisions 12). */
export const DEMO_PASSWORD = 'ahwa-demo';
export const DEMO_PIN = '2468';

/** Marks imported shops as the demo's own, and lets their staff in. Each secret is hashed once for all. */
export const markAsDemo = async (
  { db, passwords }: Pick<StaffDeps, 'db' | 'passwords'>,
  slugs: readonly string[],
): Promise<void> => {
  const [password, pin] = await Promise.all([passwords.hash(DEMO_PASSWORD), passwords.hash(DEMO_PIN)]);
  await db.tx(async (tx) => {
    await markDemo(tx, slugs.map(shopIdOf));
    await setDemoSecrets(tx, password, pin);
  });
};

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
  /** Owners, who sign in with the demo's password. */
  readonly owners: readonly DemoOwner[];
}

/** The demo's shops, a table per branch, the orders to track and who signs in; empty lists where there is no demo. */
export const demoPlaces = async (app: App, activity: DemoActivity): Promise<DemoPlaces> => {
  const { kysely } = app.db;
  const shops = (await demoShops(kysely)).filter((shop) => shop.isActive);
  const withBranches = [];
  for (const { slug, orgId } of shops) {
    const branches = await branchesOf(kysely, orgId);
    withBranches.push({ slug, orgId, branches: branches.map(({ id, name }) => ({ id, name })) });
  }
  const there = await ordersThere(
    kysely,
    shops.map(({ orgId }) => orgId),
    activity.orders.map(orderIdOf),
  );
  return {
    shops: withBranches,
    tables: await demoTables(kysely),
    orders: activity.orders
      .map((story) => ({ id: orderIdOf(story), shop: story.shop, status: story.status }))
      .filter(({ id }) => there.has(id)),
    owners: await ownersOf(kysely),
  };
};
