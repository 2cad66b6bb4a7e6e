import type { Timers } from '../../ports.ts';
import type { App } from '../../platform/app/app.ts';
import { getBookingInfo, listBookingBranches } from './branches.ts';
import { bookTable } from './book-table.ts';
import { getBookingCalendar } from './calendar.ts';
import { getBooking } from './booking-view.ts';
import { cancelBooking, changeBooking, getBookingChangeSlots } from './change-booking.ts';
import { holdStart, releaseHold } from './holds.ts';
import { SlotsAhead } from './slots-ahead.ts';
import { getBookingSlots } from './slots.ts';
import { blockTimes, liftBlock } from './staff/blocks.ts';
import { changeStaffBooking } from './staff/change-booking.ts';
import { createStaffBooking } from './staff/create-booking.ts';
import { getStaffBooking, listStaffBookings } from './staff/day.ts';
import {
  cancelStaffBooking,
  completeBooking,
  markNoShow,
  moveBooking,
  seatBooking,
  type MoveTickets,
} from './staff/seat-guests.ts';

interface HandlerParts {
  readonly app: App;
  readonly background: App;
  readonly timers: Timers;
  readonly moveTickets: MoveTickets;
}

/** The use case behind each operation of the topic, by operation id. */
export const handlers = ({ app, background, timers, moveTickets }: HandlerParts) => {
  const ahead = new SlotsAhead(background, timers);
  return {
    getBookingSlots: getBookingSlots(app, (asked) => ahead.note(asked)),
    getBookingInfo: getBookingInfo(app),
    listBookingBranches: listBookingBranches(app),
    bookTable: bookTable(app),
    getBooking: getBooking(app),
    getBookingCalendar: getBookingCalendar(app),
    changeBooking: changeBooking(app),
    cancelBooking: cancelBooking(app),
    getBookingChangeSlots: getBookingChangeSlots(app),
    holdStart: holdStart(app),
    releaseHold: releaseHold(app),
    listStaffBookings: listStaffBookings(app),
    getStaffBooking: getStaffBooking(app),
    createStaffBooking: createStaffBooking(app),
    changeStaffBooking: changeStaffBooking(app),
    seatBooking: seatBooking(app),
    moveBooking: moveBooking(app, moveTickets),
    completeBooking: completeBooking(app),
    markNoShow: markNoShow(app),
    cancelStaffBooking: cancelStaffBooking(app),
    blockTimes: blockTimes(app),
    liftBlock: liftBlock(app),
  };
};
