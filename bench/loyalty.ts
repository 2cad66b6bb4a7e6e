/**
 * Cards, order-now, joins, and orders with and without a reward, of eight clients, beside a replay of the same
 * statements by node-postgres alone. Nothing of them is kept ready: each asks PostgreSQL.
 */
import { compareWrites } from './support/compare-writes.ts';
import { addMembers, loyaltyJobs } from './support/loyalty.ts';

await compareWrites(addMembers, loyaltyJobs);
