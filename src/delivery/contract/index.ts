import { endpointsOf } from '../../platform/contract/registry.ts';
import * as delivery from './delivery.ts';

export const endpoints = endpointsOf(delivery);
