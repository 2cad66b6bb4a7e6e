import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as branches from './branches.ts';
import * as guestBooking from './guest-booking.ts';
import * as slots from './slots.ts';

export const endpoints = endpointsOf(branches, slots, guestBooking);
