/** Every public read with an address that answers 200, for tests about all reads. */
import { endpoints, type EndpointOf, type OperationId } from '../../../src/service/contract/endpoints.ts';
import type { BodyOf, Endpoint } from '../../../src/platform/contract/endpoint.ts';
import { insertOrder } from '../database/orders-and-bookings.ts';
import { aBranch, aShopFile, aTable, branchId, openShops, shopId, tableId } from '../shops/cafe.ts';
import type { World } from '../server/world.ts';

/** Operations without a body. */
type AnyReadId = {
  [Id in OperationId]: BodyOf<EndpointOf<Id>> extends undefined ? Id : never;
}[OperationId];

/** Reads that need no token. */
type ReadId = Exclude<
  AnyReadId,
  | 'orderHistory'
  | 'pastLocations'
  | 'getDevice'
  | 'pastOrders'
  | 'orderNow'
  | 'getBooking'
  | 'getBookingCalendar'
  | 'getBookingChangeSlots'
  | 'cancelBooking'
  | 'getCard'
  | 'getCardQr'
  | 'getVoucher'
  | 'getVoucherQr'
  | 'getPass'
>;

export interface Operation {
  readonly id: string;
  readonly endpoint: Endpoint;
  /** Answers 200. */
  readonly address: string;
}

/** Opens a shop that every read can answer about. */
export const openShopForReads = async (world: World): Promise<readonly Operation[]> => {
  const branch = aBranch({ tables: [aTable('t1', 4)], booking: { enabled: true } });
  await openShops(world, aShopFile({ branches: [branch] }), aShopFile({ slug: 'kashk', active: false }));
  const order = await insertOrder(world);
  const addresses: Record<ReadId, string> = {
    about: '/',
    openapi: '/openapi.json',
    health: '/health',
    ready: '/ready',
    getBrand: '/public/orgs/brand?slug=beit-el-bunn',
    getLinks: `/public/orgs/links?org_id=${shopId()}`,
    listBranches: `/public/branches?org_id=${shopId()}`,
    getBranchMenu: `/public/branches/${branchId()}/menu?channel=pickup`,
    getBookingSlots: `/public/branches/${branchId()}/booking-slots?date=2026-11-21&party_size=2`,
    getBookingInfo: `/public/branches/${branchId()}/booking-info`,
    listBookingBranches: `/public/booking-branches?org_id=${shopId()}`,
    trackOrder: `/public/delivery-orders/${order}/track`,
    quoteDelivery: `/public/branches/${branchId()}/delivery-quote?channel=pickup`,
    getJoinInfo: `/public/loyalty/join-info?org_id=${shopId()}`,
    getTable: `/public/tables/${tableId('t1')}`,
    getTableMenu: `/public/tables/${tableId('t1')}/menu`,
  };
  const table: Readonly<Record<string, Endpoint>> = endpoints;
  return Object.entries(addresses).flatMap(([id, address]) => {
    const endpoint = table[id];
    return endpoint === undefined ? [] : [{ id, endpoint, address }];
  });
};
