import type { Timers } from '../../ports.ts';
import { listAudit } from '../../people/app/audit.ts';
import { health, ready } from './about.ts';
import type { App } from '../../platform/app/app.ts';
import {
  cancelOrder,
  finalizeOrder,
  getOrder,
  listOrders,
  markPrinted,
  moveOrder,
  setPrepTime,
} from '../../orders/app/board.ts';
import { BoardEvents, boardEvents } from '../../orders/app/board-events.ts';
import { getBookingSlots } from '../../bookings/app/booking.ts';
import { placeOrder } from '../../orders/app/checkout.ts';
import { quoteDelivery } from '../../delivery/app/delivery.ts';
import { EventTally } from '../../platform/app/event-tally.ts';
import { orderHistory, pastLocations } from '../../orders/app/history.ts';
import type { LookupLimit } from '../../platform/app/lookup-limit.ts';
import { getBranchMenu, getTableMenu } from '../../menu/app/menu.ts';
import type { MessageLeases } from '../../messaging/app/message-leases.ts';
import { trackOrder } from '../../orders/app/order.ts';
import { setOrderBrake } from '../../orders/app/brake.ts';
import { requestOtp, verifyOtp } from '../../identity/app/otp.ts';
import { erasePerson, exportPerson } from '../../people/app/people.ts';
import { createPriceBooks } from '../../pricing/app/pricebooks.ts';
import { quoteCart, quoteTableCart } from '../../pricing/app/quote.ts';
import type { Readiness } from '../../platform/app/readiness.ts';
import { setAvailability, setChannelMode } from '../../menu/app/sale-control.ts';
import { getBrand, getLinks, listBranches } from '../../shops/app/shop.ts';
import {
  beginPasskey,
  beginTotp,
  confirmPasskey,
  confirmTotp,
  listSecondFactors,
  makeRecoveryCodes,
  removeSecondFactor,
} from '../../staff/app/second-factor-handlers.ts';
import {
  listDevices,
  listPinStaff,
  makePairingCode,
  pairDevice,
  pinSignIn,
  reauthenticate,
  revokeDevice,
  staffSignIn,
  staffSignOut,
} from '../../staff/app/handlers.ts';
import {
  changePassword,
  changePin,
  endOtherSessions,
  endOwnSession,
  listSessions,
} from '../../staff/app/me.ts';
import { getTable } from '../../floor/app/ticket.ts';
import { Turns } from '../../platform/app/scheduler.ts';

/** The use case behind each public operation of the endpoint table, by its id. */
const publicHandlers = ({ app, timers, lookups, leases, readiness }: Omit<HandlerParts, 'background'>) => {
  const tally = new EventTally(app.security, timers);
  const books = createPriceBooks(app);
  const turns = new Turns();
  return {
    health,
    ready: ready(readiness),
    getBrand: getBrand(app),
    getLinks: getLinks(app),
    listBranches: listBranches(app),
    getBranchMenu: getBranchMenu(app),
    getBookingSlots: getBookingSlots(app),
    trackOrder: trackOrder(app),
    getTable: getTable(app),
    getTableMenu: getTableMenu(app),
    quoteCart: quoteCart(app, books, turns, lookups),
    quoteTableCart: quoteTableCart(app, books, turns),
    requestOtp: requestOtp(app),
    verifyOtp: verifyOtp(app, tally),
    quoteDelivery: quoteDelivery(app),
    placeOrder: placeOrder({ app, books, turns, tally, leases }),
    orderHistory: orderHistory(app),
    pastLocations: pastLocations(app),
  };
};

/** The same for the staff's side. */
const staffHandlers = (app: App, boards: BoardEvents) => ({
  staffSignIn: staffSignIn(app),
  reauthenticate: reauthenticate(app),
  staffSignOut: staffSignOut(app, boards),
  changePassword: changePassword(app, boards),
  changePin: changePin(app, boards),
  listSessions: listSessions(app),
  endOwnSession: endOwnSession(app, boards),
  endOtherSessions: endOtherSessions(app, boards),
  makePairingCode: makePairingCode(app),
  pairDevice: pairDevice(app),
  listDevices: listDevices(app),
  revokeDevice: revokeDevice(app, boards),
  listPinStaff: listPinStaff(app),
  pinSignIn: pinSignIn(app),
  listSecondFactors: listSecondFactors(app),
  beginTotp: beginTotp(app),
  confirmTotp: confirmTotp(app),
  beginPasskey: beginPasskey(app),
  confirmPasskey: confirmPasskey(app),
  makeRecoveryCodes: makeRecoveryCodes(app),
  removeSecondFactor: removeSecondFactor(app),
  listOrders: listOrders(app),
  getOrder: getOrder(app),
  moveOrder: moveOrder(app),
  cancelOrder: cancelOrder(app),
  finalizeOrder: finalizeOrder(app),
  setPrepTime: setPrepTime(app),
  markPrinted: markPrinted(app),
  setOrderBrake: setOrderBrake(app),
  boardEvents: boardEvents(app, boards),
  setChannelMode: setChannelMode(app),
  setAvailability: setAvailability(app),
  exportPerson: exportPerson(app),
  erasePerson: erasePerson(app),
  listAudit: listAudit(app),
});

interface HandlerParts {
  readonly app: App;
  /** The same for what goes on by itself while somebody listens, on connections that no request waits for. */
  readonly background: App;
  readonly timers: Timers;
  readonly lookups: LookupLimit;
  readonly leases: MessageLeases;
  readonly readiness: Readiness;
}

export const handlersOf = ({ background, ...parts }: HandlerParts) => ({
  ...publicHandlers(parts),
  ...staffHandlers(parts.app, new BoardEvents(background, parts.timers)),
});
