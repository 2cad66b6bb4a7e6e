import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as branches from './branches.ts';
import * as guestBooking from './guest-booking.ts';
import * as holds from './holds.ts';
import * as slots from './slots.ts';
import * as staffBlocks from './staff-blocks.ts';
import * as staffBookings from './staff-bookings.ts';

export const endpoints = endpointsOf(branches, slots, guestBooking, holds);

export const staffEndpoints = endpointsOf(staffBookings, staffBlocks);
