import { endpointsOf } from '../../platform/contract/registry.ts';
import * as booking from './booking.ts';

export const endpoints = endpointsOf(booking);
