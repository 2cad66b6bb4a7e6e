import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as delivery from './delivery.ts';

export const endpoints = endpointsOf(delivery);
