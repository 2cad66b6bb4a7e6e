/** A shop with an owner who hands out and erases what is kept of its guests. */
import { sql, type RawBuilder } from 'kysely';
import type { ReplyOf } from '../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../src/service/contract/index.ts';
import { branchId, openShops, shopId } from './cafe.ts';
import { aMember, asked, signIn, type SignedIn } from './crew.ts';
import { anOrder, placed, proveOn, type Order, type OrderInput } from './guests.ts';
import { aQuotingBranch, aQuotingShop } from './quotes.ts';
import { makeWorld, type ReadOf, type World } from './world.ts';

export type Export = ReplyOf<EndpointOf<'exportPerson'>>;
export type Erasure = ReplyOf<EndpointOf<'erasePerson'>>;
export type StaffOrder = Export['orders'][number];

export interface Guest {
  readonly typed: string;
  readonly phone: string;
}
/** A guest and the device on which their phone is proven. */
export interface ProvenGuest extends Guest {
  readonly token: string;
}

/** The columns of an entry of the audit log that say who did what. */
export interface Entry {
  readonly staff_id: string | null;
  readonly subject: string;
  readonly subject_id: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface House {
  readonly world: World;
  readonly owner: SignedIn;
  /** Owns another shop. */
  readonly otherOwner: SignedIn;
  exportOf(guest: Guest, who?: SignedIn): Promise<Export>;
  erase(guest: Guest, who?: SignedIn): Promise<Erasure>;
  order(more?: Partial<OrderInput>): Promise<Order>;
  /** To the door of a guest whose phone is proven. */
  toTheDoor(guest: ProvenGuest, more?: Partial<OrderInput>): Promise<Order>;
  deliver(id: string, who?: SignedIn): Promise<unknown>;
  /** The order, once it was placed and delivered. */
  delivered(placing: Promise<Order>, who?: SignedIn): Promise<Order>;
  /** A guest whom no other test knows. */
  somebody(): Promise<ProvenGuest>;
  historyOf(token: string): Promise<ReadOf<'orderHistory'>>;
  placesOf(token: string): Promise<ReadOf<'pastLocations'>>;
  staffView(id: string): Promise<StaffOrder>;
  /** What the audit log has of an action, oldest first. */
  auditOf(action: string): Promise<readonly Entry[]>;
  close(): Promise<void>;
}

/** The tables with a row that has this text anywhere. */
export const mentions = (world: Pick<World, 'db'>, text: string): Promise<string[]> =>
  tablesWhere(world, (row) => sql`strpos(${row}, ${text}) > 0`);

/** The tables with a row that has these digits with no other digit beside them: six digits are in many a moment and phone. */
export const mentionsNumber = (world: Pick<World, 'db'>, digits: string): Promise<string[]> =>
  tablesWhere(world, (row) => sql`${row} ~ ${`(^|\\D)${digits}(\\D|$)`}`);

const tablesWhere = async (
  { db }: Pick<World, 'db'>,
  holds: (row: RawBuilder<string>) => RawBuilder<unknown>,
): Promise<string[]> => {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema() order by 1
  `.execute(db.kysely);
  const found: string[] = [];
  for (const { name } of tables) {
    const row = sql<string>`to_jsonb(t)::text`;
    const { rows } = await sql`select from ${sql.table(name)} t where ${holds(row)}`.execute(db.kysely);
    if (rows.length > 0) found.push(name);
  }
  return found;
};

/** Takes orders of typed phones, to the counter and to the door. */
const shopFile = (slug?: string) =>
  aQuotingShop({
    ...(slug === undefined ? {} : { slug }),
    branches: [
      aQuotingBranch({
        otp_required: false,
        location: { lat: 30.06, lng: 31.22 },
        channels: { pickup: {}, outside: { fee: 2500 } },
      }),
    ],
    staff: [aMember('owner', 'owner', {}, slug), aMember('manager', 'manager', {}, slug)],
  });

export const openHouse = async (): Promise<House> => {
  const world = await makeWorld();
  await openShops(world, shopFile(), shopFile('other'));
  const owner = await signIn(world, 'owner');
  const otherOwner = await signIn(world, 'owner', 'other');
  const order: House['order'] = (more) => placed(world, anOrder(more));
  const deliver: House['deliver'] = (id, who = owner) =>
    asked(world, who, `/staff/orders/${id}/finalize`, { payment_method: 'cash', revision: 1 });
  const own = async (token: string, address: string): Promise<unknown> =>
    (await world.get(address, { 'x-device-token': token })).body;
  let known = 20_000_000;
  return {
    world,
    owner,
    otherOwner,
    exportOf: async ({ typed }, who = owner) =>
      (await asked(world, who, '/staff/people/export', { phone: typed })) as Export,
    erase: async ({ typed }, who = owner) =>
      (await asked(world, who, '/staff/people/erase', { phone: typed })) as Erasure,
    order,
    toTheDoor: ({ typed, token }, more) =>
      order({
        ...{ channel: 'outside', address_line: '١٢ شارع البرازيل', landmark: 'جنب الصيدلية', floor: '٣' },
        ...{ customer_lat: 30.061, customer_lng: 31.221, delivery_notes: 'الجرس بايظ' },
        ...{ customer_phone: typed, device_token: token },
        ...more,
      }),
    deliver,
    delivered: async (placing, who) => {
      const taken = await placing;
      await deliver(taken.id, who);
      return taken;
    },
    somebody: async () => {
      known += 1;
      const guest = { typed: `010${known}`, phone: `2010${known}` };
      return { ...guest, token: await proveOn(world, guest) };
    },
    historyOf: async (token) =>
      (await own(token, `/public/delivery-orders/history?org_id=${shopId()}`)) as ReadOf<'orderHistory'>,
    placesOf: async (token) =>
      (await own(
        token,
        `/public/delivery-orders/past-locations?org_id=${shopId()}&branch_id=${branchId()}`,
      )) as ReadOf<'pastLocations'>,
    staffView: async (id) => (await world.get(`/staff/orders/${id}`, owner)).body as StaffOrder,
    auditOf: (action) =>
      world.db.kysely
        .selectFrom('audit')
        .select(['staff_id', 'subject', 'subject_id', 'detail'])
        .where('org_id', '=', shopId())
        .where('action', '=', action)
        .orderBy('at')
        .execute(),
    close: () => world.close(),
  };
};
