import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as booking from './booking.ts';

export const endpoints = endpointsOf(booking);
