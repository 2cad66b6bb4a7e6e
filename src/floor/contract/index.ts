import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as ticket from './dining-table.ts';

export const endpoints = endpointsOf(ticket);
