/**
 * Durable orders of eight clients at one branch and at all branches, beside a replay of the same statements by
 * node-postgres alone.
 */
import { compareWrites } from './support/compare-writes.ts';
import { addOrderingGuests, orderJobs } from './support/orders.ts';

await compareWrites(addOrderingGuests, orderJobs);
