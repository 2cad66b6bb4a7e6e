/**
 * Durable bookings of eight clients at all branches and at one date of one branch, beside a replay of the same
 * statements by node-postgres alone.
 */
import { compareWrites } from './support/compare-writes.ts';
import { addBookingGuests, bookingJobs } from './support/table-bookings.ts';

await compareWrites(addBookingGuests, bookingJobs);
