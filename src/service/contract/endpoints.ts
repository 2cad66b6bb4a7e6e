import { endpoints as bookings, staffEndpoints as staffBookings } from '../../bookings/contract/index.ts';
import { endpoints as delivery } from '../../delivery/contract/index.ts';
import { endpoints as floor, staffEndpoints as staffFloor } from '../../floor/contract/index.ts';
import { endpoints as identity } from '../../identity/contract/index.ts';
import { staffEndpoints as staffKitchen } from '../../kitchen/contract/index.ts';
import { endpoints as loyalty, staffEndpoints as staffLoyalty } from '../../loyalty/contract/index.ts';
import { endpoints as menu, staffEndpoints as staffMenu } from '../../menu/contract/index.ts';
import { endpoints as orders, staffEndpoints as staffOrders } from '../../orders/contract/index.ts';
import { endpoints as people, staffEndpoints as staffPeople } from '../../people/contract/index.ts';
import type { Endpoint } from '../../platform/contract/endpoint.ts';
import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import { endpoints as pricing } from '../../pricing/contract/index.ts';
import { staffEndpoints as staffReports } from '../../reports/contract/index.ts';
import { staffEndpoints as staffSales } from '../../sales/contract/index.ts';
import { endpoints as shops } from '../../shops/contract/index.ts';
import { staffEndpoints as staff } from '../../staff/contract/index.ts';
import { staffEndpoints as sync } from '../../sync/contract/index.ts';
import * as service from './about.ts';

/** The order of operations in published documents, kept since they were first published; new ones follow. */
const PUBLISHED_FIRST = [
  ...['about', 'openapi', 'health', 'ready', 'getBrand', 'getLinks', 'listBranches', 'getBranchMenu'],
  ...[
    'getBookingSlots',
    'trackOrder',
    'getTable',
    'getTableMenu',
    'quoteCart',
    'quoteTableCart',
    'requestOtp',
  ],
  ...['verifyOtp', 'quoteDelivery', 'placeOrder', 'orderHistory', 'pastLocations'],
  ...['staffSignIn', 'reauthenticate', 'staffSignOut', 'changePassword', 'changePin', 'listSessions'],
  ...['endOwnSession', 'endOtherSessions', 'makePairingCode', 'pairDevice', 'listDevices', 'revokeDevice'],
  ...['listPinStaff', 'pinSignIn', 'listSecondFactors', 'beginTotp', 'confirmTotp', 'beginPasskey'],
  ...['confirmPasskey', 'makeRecoveryCodes', 'removeSecondFactor', 'listOrders', 'getOrder', 'moveOrder'],
  ...[
    'cancelOrder',
    'finalizeOrder',
    'reopenOrder',
    'setPrepTime',
    'markPrinted',
    'setOrderBrake',
    'boardEvents',
  ],
  ...['setChannelMode', 'setAvailability', 'exportPerson', 'erasePerson', 'listAudit'],
];

const positionOf = (id: string): number => {
  const position = PUBLISHED_FIRST.indexOf(id);
  return position === -1 ? PUBLISHED_FIRST.length : position;
};

const inPublishedOrder = <T extends Readonly<Record<string, Endpoint>>>(table: T): T =>
  Object.fromEntries(Object.entries(table).sort(([a], [b]) => positionOf(a) - positionOf(b))) as T;

/** The public operations by operation id. Everything that needs an address reads it here. */
export const endpoints = inPublishedOrder(
  endpointsOf(service, shops, identity, menu, delivery, pricing, orders, bookings, floor, loyalty, people),
);

/** The operations of the staff API, which has a separate document. */
export const staffEndpoints = inPublishedOrder(
  endpointsOf(
    staff,
    staffMenu,
    staffOrders,
    staffPeople,
    staffBookings,
    staffLoyalty,
    staffSales,
    staffFloor,
    staffKitchen,
    staffReports,
    sync,
  ),
);

export const allEndpoints = { ...endpoints, ...staffEndpoints };

export type OperationId = keyof typeof endpoints;
export type StaffOperationId = keyof typeof staffEndpoints;
export type EndpointOf<Id extends OperationId | StaffOperationId> = (typeof allEndpoints)[Id];
