import { about, health, openapi, ready } from './about.ts';
import { getBookingSlots } from '../../bookings/contract/booking.ts';
import { placeOrder } from '../../orders/contract/checkout.ts';
import { quoteDelivery } from '../../delivery/contract/delivery.ts';
import type { Endpoint } from '../../platform/contract/endpoint.ts';
import { orderHistory, pastLocations } from '../../orders/contract/history.ts';
import { getBranchMenu, getTableMenu } from '../../menu/contract/menu.ts';
import { requestOtp, verifyOtp } from '../../identity/contract/otp.ts';
import { trackOrder } from '../../orders/contract/order.ts';
import { quoteCart, quoteTableCart } from '../../pricing/contract/quote.ts';
import { getBrand, getLinks, listBranches } from '../../shops/contract/shop.ts';
import {
  listDevices,
  listPinStaff,
  makePairingCode,
  pairDevice,
  revokeDevice,
} from '../../staff/contract/devices.ts';
import {
  changePassword,
  changePin,
  endOtherSessions,
  endOwnSession,
  listSessions,
} from '../../staff/contract/me.ts';
import {
  boardEvents,
  cancelOrder,
  finalizeOrder,
  getOrder,
  listOrders,
  markPrinted,
  moveOrder,
  setPrepTime,
} from '../../orders/contract/staff-orders.ts';
import { setOrderBrake } from '../../orders/contract/brake.ts';
import { erasePerson, exportPerson, listAudit } from '../../people/contract/people.ts';
import { setAvailability, setChannelMode } from '../../menu/contract/sale.ts';
import {
  beginPasskey,
  beginTotp,
  confirmPasskey,
  confirmTotp,
  listSecondFactors,
  makeRecoveryCodes,
  removeSecondFactor,
} from '../../staff/contract/second-factor.ts';
import { pinSignIn, reauthenticate, staffSignIn, staffSignOut } from '../../staff/contract/sign-in.ts';
import { getTable } from '../../floor/contract/ticket.ts';

/** The public operations, keyed by operation id. Everything that knows an address reads it here. */
export const endpoints = {
  about,
  openapi,
  health,
  ready,
  getBrand,
  getLinks,
  listBranches,
  getBranchMenu,
  getBookingSlots,
  trackOrder,
  getTable,
  getTableMenu,
  quoteCart,
  quoteTableCart,
  requestOtp,
  verifyOtp,
  quoteDelivery,
  placeOrder,
  orderHistory,
  pastLocations,
} as const satisfies Record<string, Endpoint>;

/** The staff's own operations, which have a document of their own. */
export const staffEndpoints = {
  staffSignIn,
  reauthenticate,
  staffSignOut,
  changePassword,
  changePin,
  listSessions,
  endOwnSession,
  endOtherSessions,
  makePairingCode,
  pairDevice,
  listDevices,
  revokeDevice,
  listPinStaff,
  pinSignIn,
  listSecondFactors,
  beginTotp,
  confirmTotp,
  beginPasskey,
  confirmPasskey,
  makeRecoveryCodes,
  removeSecondFactor,
  listOrders,
  getOrder,
  moveOrder,
  cancelOrder,
  finalizeOrder,
  setPrepTime,
  markPrinted,
  setOrderBrake,
  boardEvents,
  setChannelMode,
  setAvailability,
  exportPerson,
  erasePerson,
  listAudit,
} as const satisfies Record<string, Endpoint>;

export const allEndpoints = { ...endpoints, ...staffEndpoints };

export type OperationId = keyof typeof endpoints;
export type StaffOperationId = keyof typeof staffEndpoints;
export type EndpointOf<Id extends OperationId | StaffOperationId> = (typeof allEndpoints)[Id];
