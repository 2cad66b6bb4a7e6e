/**
 * A chain of ten branches that require codes, and guests with proven phones. Orders are deterministic by number: three
 * lines of a menu with six deals and counted stock of every fourth item; every third guest orders a delivery to a place
 * with a stored distance; each guest orders four times, first as a new customer.
 */
import type { App } from '../../src/platform/app/app.ts';
import { shopIdOf } from '../../src/shopfile/app/entity-ids.ts';
import type { BodyOf } from '../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import type { GeoPoint } from '../../src/kernel/geo.ts';
import { cacheDistance } from '../../src/delivery/store/delivery.ts';
import { cafeBy, linesBy, USUAL } from './cafe.ts';
import { cafeShop, inputsOf } from './cafe-shop.ts';
import { addShops } from './data.ts';
import { guestOf, proveGuests, type Guest } from './guests.ts';
import { branchId, shopFile } from './shop.ts';
import { inputOf, type WriteJob, type WriteRequest } from './write-job.ts';

const SLUG = 'bench-orders';
const BRANCHES = 10;
const COUNTED = 4;
const PLENTY = 1_000_000;
const DELIVERED = 3;
/** Delivery places per branch. */
const PLACES = 40;

const CAFE = cafeBy(1, USUAL, { items: 24, deals: 6 });

const SPREADS = ['one branch', 'all branches'] as const;
type Spread = (typeof SPREADS)[number];

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

// ── The shop ────────────────────────────────────────────────────────────────────────────────────

const locationOf = (branch: number): GeoPoint => ({ lat: 30.05 + branch / 100, lng: 31.2 });

const placeOf = (branch: number, place: number): GeoPoint => {
  const { lat, lng } = locationOf(branch);
  return { lat: lat + place / 1000, lng: lng + place / 1000 };
};

const countedAtAll = range(BRANCHES).map((branch) => ({ branch: `branch-${branch}`, stock: PLENTY }));

const chain = (): ShopFile => {
  const cafe = cafeShop(SLUG, CAFE);
  const { branches } = shopFile({ slug: SLUG, items: 0, branches: BRANCHES, tables: 0 });
  return {
    ...cafe,
    branches: branches.map((branch, index) => ({
      ...branch,
      otp_required: true,
      location: locationOf(index),
    })),
    menu: {
      ...cafe.menu,
      items: (cafe.menu.items ?? []).map((item, index) =>
        index % COUNTED === 0 ? { ...item, availability: countedAtAll } : item,
      ),
    },
  };
};

// ── Orders ──────────────────────────────────────────────────────────────────────────────────────

const destinationOf = (branch: number, { number }: Guest) => {
  const { lat, lng } = placeOf(branch, number % PLACES);
  return { address_line: `${number} شارع البرازيل`, customer_lat: lat, customer_lng: lng };
};

const orderOf = (
  spread: Spread,
  client: number,
  turn: number,
): WriteRequest<BodyOf<EndpointOf<'placeOrder'>>> => {
  const guest = guestOf(SPREADS.indexOf(spread), client, turn);
  const branch = spread === 'one branch' ? 0 : (client + turn) % BRANCHES;
  const isDelivered = guest.number % DELIVERED === 0;
  return {
    key: `${spread} ${client} ${turn}`,
    body: {
      branch_id: branchId(SLUG, branch),
      channel: isDelivered ? 'outside' : 'pickup',
      customer_name: 'منى السيد',
      customer_phone: guest.phone,
      payment_method_hint: 'cash',
      device_token: guest.token,
      items: inputsOf(SLUG, linesBy(client * 10_000 + turn, CAFE, [1, 2, 1])),
      ...(isDelivered ? destinationOf(branch, guest) : {}),
    },
  };
};

// ── Creating the data ──────────────────────────────────────────────────────────────────────────────

const measureWays = async ({ db, clock }: App): Promise<void> => {
  for (const branch of range(BRANCHES))
    for (const place of range(PLACES))
      await cacheDistance(
        db.kysely,
        {
          orgId: shopIdOf(SLUG),
          branchId: branchId(SLUG, branch),
          from: locationOf(branch),
          to: placeOf(branch, place),
        },
        { meters: 100 + 120 * place, source: 'osrm' },
        clock.now(),
      );
};

/** Imports the chain, proves the phones of each client's guests, stores their road distances. */
export const addOrderingGuests = async (app: App): Promise<void> => {
  await addShops(app, chain());
  await proveGuests(app, SPREADS.length);
  await measureWays(app);
};

// ── The jobs ────────────────────────────────────────────────────────────────────────────────────

export const orderJobs: readonly WriteJob[] = SPREADS.map((spread) => ({
  ...{ title: 'Placing orders', one: 'order', many: 'orders', spread },
  ...{ path: '/public/delivery-orders', table: 'delivery_order' },
  goal: { ratio: 0.5, trips: 6, commits: 1 },
  requestOf: (client, turn) => orderOf(spread, client, turn),
  run: ({ placeOrder }, client, turn) => placeOrder(inputOf(orderOf(spread, client, turn))),
}));
