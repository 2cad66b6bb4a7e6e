import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as shop from './shop.ts';

export const endpoints = endpointsOf(shop);
