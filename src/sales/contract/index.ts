import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as counter from './counter-sale.ts';
import * as receipts from './receipts.ts';
import * as refund from './refund.ts';
import * as sales from './sales.ts';
import * as tills from './tills.ts';

export const staffEndpoints = endpointsOf(counter, receipts, refund, sales, tills);
