import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as menu from './menu.ts';
import * as sale from './sale.ts';

export const endpoints = endpointsOf(menu);

export const staffEndpoints = endpointsOf(sale);
