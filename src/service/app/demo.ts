import type { Log } from '../../ports.ts';
import type { Kysely } from 'kysely';
import { dayScope, type Change } from '../../kernel/change.ts';
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
  existingOrders,
  ownersOf,
  setDemoSecrets,
  type DemoBooking,
  type DemoOwner,
  type DemoTable,
} from '../store/demo.ts';
import { closedShops } from '../../platform/store/closed-shop.ts';
import type { Database } from '../../platform/store/schema.ts';
import { branchesOf } from '../../shops/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { openDemoFloor, type FloorScenario } from './demo/floor.ts';
import { fireDemoOrders } from './demo/kitchen.ts';
import type { MemberScenario } from './demo/member.ts';
import { membersToShow, prepareMembers, saveMembers, type DemoMember } from './demo/members.ts';
import {
  idOfKey,
  orderChange,
  orderIdOf,
  prepareOrders,
  saveOrders,
  type OrderScenario,
} from './demo/orders.ts';
import { createPriceBooks } from '../../pricing/app/pricebooks.ts';
import { derivedId, shopIdOf, uuid5 } from '../../shopfile/app/entity-ids.ts';
import type { StaffDeps } from '../../staff/app/access.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';

/** Orders, bookings and members of the demo shops, relative to the current time (`shops/demo-activity.json`). */
export interface DemoActivity {
  readonly orders: readonly OrderScenario[];
  readonly bookings: readonly BookingScenario[];
  readonly members: readonly MemberScenario[];
  readonly floors: readonly FloorScenario[];
}

interface BookingScenario {
  readonly shop: string;
  readonly branch: string;
  readonly days_from_today: number;
  /** Local time; before the opening time it is after midnight. */
  readonly at: string;
  readonly party_size: number;
  readonly guest_name: string;
  readonly tables: readonly string[];
  readonly status: 'confirmed' | 'cancelled';
  readonly notes?: string;
}

const demoBooking = (scenario: BookingScenario, branch: Branch, now: Instant): DemoBooking => {
  const { hours, defaultDurationMinutes } = branch.booking;
  const serviceDate = addDays(serviceDateOf(hours, branch.zone, now), scenario.days_from_today);
  const minutes = parseWallTime(scenario.at) ?? 0;
  const opens = Math.min(...hours.weekly.map((range) => range.open));
  const startsAt = resolveStart(
    branch.zone,
    minutes < opens ? addDays(serviceDate, 1) : serviceDate,
    minutes,
  );
  return {
    id: uuid5(branch.id, `demo booking\n${serviceDate}\n${scenario.at}\n${scenario.tables.join(' ')}`),
    branchId: branch.id,
    serviceDate,
    startsAt,
    endsAt: addMinutes(startsAt, defaultDurationMinutes),
    partySize: scenario.party_size,
    status: scenario.status,
    guestName: scenario.guest_name,
    notes: scenario.notes ?? null,
    tableIds: scenario.tables.map((key) => derivedId(branch.orgId, 'table', branch.id, { key })),
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

/** Uses the same ids every time. */
const refreshActivityOf = async (
  { app, log: warnings }: { readonly app: App; readonly log: Pick<Log, 'warn'> },
  slug: string,
  orgId: Uuid,
  activity: DemoActivity,
): Promise<void> => {
  const now = app.clock.now();
  const branches = await branchesOf(app.db.kysely, orgId);
  const withBranch = <S extends { shop: string; branch: string }>(scenarios: readonly S[]) =>
    scenarios
      .filter((scenario) => scenario.shop === slug)
      .flatMap((scenario) => {
        const branch = branches.find(({ id }) => id === idOfKey(orgId, 'branch', scenario.branch));
        return branch === undefined ? [] : [{ scenario, branch }];
      });
  const books = createPriceBooks(app);
  const orders = await prepareOrders(books, withBranch(activity.orders), now);
  const bookings = withBranch(activity.bookings).map(({ scenario, branch }) =>
    demoBooking(scenario, branch, now),
  );
  const mine = activity.members.filter(({ shop }) => shop === slug);
  const members = await prepareMembers(app, books, orgId, mine, branches);
  await commitAndPublish(app, async (tx, log) => {
    const orderIds = await saveOrders(tx, log, orgId, orders);
    log.add(orgId, ...orderIds.map(orderChange));
    await fireDemoOrders(app, tx, log, orgId, orderIds);
    await saveMembers(tx, log, app, members);
    log.add(orgId, ...(await saveBookings(tx, orgId, bookings, now)));
  });
  for (const floor of withBranch(activity.floors)) await openDemoFloor(app, floor, warnings);
};

export const needsDemo = (app: App): Promise<boolean> => isEmpty(app.db.kysely);

/** (Decisions 12) */
export const DEMO_PASSWORD = 'ahwa-demo';
export const DEMO_PIN = '2468';

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

/** A shop that is closed has moved, or is about to. */
export const refreshDemo = async (
  app: App,
  activity: DemoActivity,
  log: Pick<Log, 'warn'>,
): Promise<void> => {
  const closed = await closedShops(app.db.kysely);
  for (const shop of await demoShops(app.db.kysely))
    if (shop.isActive && !closed.has(shop.orgId))
      await refreshActivityOf({ app, log }, shop.slug, shop.orgId, activity);
};

export interface DemoContents {
  readonly shops: readonly { slug: string; orgId: Uuid; branches: readonly { id: Uuid; name: string }[] }[];
  readonly tables: readonly DemoTable[];
  readonly orders: readonly { id: Uuid; shop: string; status: OrderStatus }[];
  readonly owners: readonly DemoOwner[];
  /** One for each shop with a programme. */
  readonly members: readonly DemoMember[];
}

/** Empty lists without a demo. */
export const demoContents = async (app: App, activity: DemoActivity): Promise<DemoContents> => {
  const { kysely } = app.db;
  const shops = (await demoShops(kysely)).filter((shop) => shop.isActive);
  const withBranches = [];
  for (const { slug, orgId } of shops) {
    const branches = await branchesOf(kysely, orgId);
    withBranches.push({ slug, orgId, branches: branches.map(({ id, name }) => ({ id, name })) });
  }
  const existing = await existingOrders(
    kysely,
    shops.map(({ orgId }) => orgId),
    activity.orders.map(orderIdOf),
  );
  return {
    shops: withBranches,
    tables: await demoTables(kysely),
    orders: activity.orders
      .map((scenario) => ({ id: orderIdOf(scenario), shop: scenario.shop, status: scenario.status }))
      .filter(({ id }) => existing.has(id)),
    owners: await ownersOf(kysely),
    members: await membersToShow(app, activity.members),
  };
};
