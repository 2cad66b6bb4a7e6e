import type { App } from '../../platform/app/app.ts';
import { getBookingSlots } from './booking.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = (app: App) => ({ getBookingSlots: getBookingSlots(app) });
