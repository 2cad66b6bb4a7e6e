/** Statements that other topics run in their own transactions. */
export { MINUTES_IN_FEED } from './staff/feed.ts';
export { bookingsOfPhone, eraseBookingsOfPhone, type StoredBooking } from '../store/booking.ts';
