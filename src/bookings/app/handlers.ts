import type { App } from '../../platform/app/app.ts';
import { getBookingInfo, listBookingBranches } from './branches.ts';
import { bookTable } from './book-table.ts';
import { getBooking } from './booking-view.ts';
import { cancelBooking, changeBooking } from './change-booking.ts';
import { getBookingSlots } from './slots.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = (app: App) => ({
  getBookingSlots: getBookingSlots(app),
  getBookingInfo: getBookingInfo(app),
  listBookingBranches: listBookingBranches(app),
  bookTable: bookTable(app),
  getBooking: getBooking(app),
  changeBooking: changeBooking(app),
  cancelBooking: cancelBooking(app),
});
