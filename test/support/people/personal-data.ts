/** A shop with an owner who exports and erases guests' data. */
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import { sql, type RawBuilder } from 'kysely';
import type { ReplyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import { branchId, openShops, shopId } from '../shops/cafe.ts';
import { aMember, setPasswordAndSignIn, type SignedIn } from './staff.ts';
import { postOk } from '../server/requests.ts';
import { anOrder, placed, proveOn, type Order, type OrderInput } from './guests.ts';
import { aQuotingBranch, aQuotingShop } from '../shops/quoting-shop.ts';
import { makeWorld, type ReadOf, type World } from '../server/world.ts';

export type Export = ReplyOf<EndpointOf<'exportPerson'>>;
export type Erasure = ReplyOf<EndpointOf<'erasePerson'>>;
export type StaffOrder = Export['orders'][number];

export interface Guest {
  readonly typed: string;
  readonly phone: string;
}
export interface ProvenGuest extends Guest {
  readonly token: string;
}

export interface Entry {
  readonly staff_id: string | null;
  readonly subject: string;
  readonly subject_id: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface PersonalDataFixture {
  readonly world: World;
  readonly owner: SignedIn;
  readonly otherOwner: SignedIn;
  exportOf(guest: Guest, who?: SignedIn): Promise<Export>;
  erase(guest: Guest, who?: SignedIn): Promise<Erasure>;
  order(more?: Partial<OrderInput>): Promise<Order>;
  orderDelivery(guest: ProvenGuest, more?: Partial<OrderInput>): Promise<Order>;
  deliver(id: string, who?: SignedIn): Promise<unknown>;
  /** Waits for the order and delivers it. */
  delivered(placing: Promise<Order>, who?: SignedIn): Promise<Order>;
  newGuest(): Promise<ProvenGuest>;
  historyOf(token: string): Promise<ReadOf<'orderHistory'>>;
  placesOf(token: string): Promise<ReadOf<'pastLocations'>>;
  staffView(id: string): Promise<StaffOrder>;
  auditOf(action: string): Promise<readonly Entry[]>;
  close(): Promise<void>;
}

/** The tables with a row that contains this text. */
export const mentions = (world: Pick<World, 'db'>, text: string): Promise<string[]> =>
  tablesWhere(world, (row) => sql`strpos(${row}, ${text}) > 0`);

/** The tables with a row that contains exactly this number: six digits occur inside instants and phones. */
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

const shopFile = (more: Partial<ShopFile>, slug?: string) =>
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
    ...more,
  });

/** `more`: of both shops. */
export const openPersonalDataFixture = async (more: Partial<ShopFile> = {}): Promise<PersonalDataFixture> => {
  const world = await makeWorld();
  await openShops(world, shopFile(more), shopFile(more, 'other'));
  const owner = await setPasswordAndSignIn(world, 'owner');
  const otherOwner = await setPasswordAndSignIn(world, 'owner', 'other');
  const order: PersonalDataFixture['order'] = (more) => placed(world, anOrder(more));
  const deliver: PersonalDataFixture['deliver'] = (id, who = owner) =>
    postOk(world, who, `/staff/orders/${id}/finalize`, { payment_method: 'cash', revision: 1 });
  const own = async (token: string, address: string): Promise<unknown> =>
    (await world.get(address, { 'x-device-token': token })).body;
  let known = 20_000_000;
  return {
    world,
    owner,
    otherOwner,
    exportOf: async ({ typed }, who = owner) =>
      (await postOk(world, who, '/staff/people/export', { phone: typed })) as Export,
    erase: async ({ typed }, who = owner) =>
      (await postOk(world, who, '/staff/people/erase', { phone: typed })) as Erasure,
    order,
    orderDelivery: ({ typed, token }, more) =>
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
    newGuest: async () => {
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
