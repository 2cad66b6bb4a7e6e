import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as guestRounds from './guest-rounds.ts';
import * as partPayments from './part-payments.ts';
import * as settle from './settle.ts';
import * as table from './dining-table.ts';
import * as tableOrders from './table-orders.ts';
import * as tickets from './tickets.ts';

export const endpoints = endpointsOf(table, tableOrders);

export const staffEndpoints = endpointsOf(tickets, guestRounds, partPayments, settle);
