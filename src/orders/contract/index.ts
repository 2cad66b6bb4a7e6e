import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as award from './award.ts';
import * as brake from './brake.ts';
import * as checkout from './checkout.ts';
import * as history from './history.ts';
import * as orderAgain from './order-again.ts';
import * as order from './tracking.ts';
import * as staffOrders from './staff-orders.ts';
import * as streamTokens from './stream-tokens.ts';

export const endpoints = endpointsOf(checkout, history, order, orderAgain);

export const staffEndpoints = endpointsOf(award, brake, staffOrders, streamTokens);
