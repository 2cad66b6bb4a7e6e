/** What of a guest's last order still holds (Decisions 8, Order-now staleness). */
import type { Delivery } from '../../delivery/domain/delivery.ts';
import type { Instant } from '../../kernel/time.ts';
import { channelOpenAt, isOffered, type Branch, type OnlineChannel } from '../../shops/domain/shop.ts';

export const ADDRESS_FAULTS = ['out_of_zone', 'zone_unavailable', 'branch_unavailable'] as const;
export type AddressFault = (typeof ADDRESS_FAULTS)[number];

export const BRANCH_FAULTS = ['branch_unavailable', 'channel_closed'] as const;
export type BranchFault = (typeof BRANCH_FAULTS)[number];

const FAULT_OF_DELIVERY: Readonly<Record<Delivery['status'], AddressFault | null>> = {
  ok: null,
  out_of_range: 'out_of_zone',
  unavailable: 'zone_unavailable',
};

/** Null: the address can be ordered to. `delivery` is null where the branch is gone or does not offer the channel. */
export const faultOfAddress = (delivery: Delivery | null): AddressFault | null =>
  delivery === null ? 'branch_unavailable' : FAULT_OF_DELIVERY[delivery.status];

/** Null: the branch takes an order on the channel now. `branch` is null where it is gone or off. */
export const faultOfBranch = (
  branch: Branch | null,
  channel: OnlineChannel,
  now: Instant,
): BranchFault | null => {
  if (branch === null) return 'branch_unavailable';
  return isOffered(branch, channel) && channelOpenAt(branch, channel, now) ? null : 'channel_closed';
};
