import { endpointsOf } from '../../platform/contract/registry.ts';
import * as shop from './shop.ts';

export const endpoints = endpointsOf(shop);
