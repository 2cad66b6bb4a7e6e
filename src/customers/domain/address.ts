import type { OnlineChannel } from '../../shops/domain/shop.ts';

/** Pickup has no address (Shapes, CustomerAddress). */
export type SavedChannel = Exclude<OnlineChannel, 'pickup'>;
