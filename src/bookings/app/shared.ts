/** Statements that other topics run in their own transactions. */
export { bookingsOfPhone, eraseBookingsOfPhone, type StoredBooking } from '../store/booking.ts';
