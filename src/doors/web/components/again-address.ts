import type { OnlineChannel } from './order.ts';

interface OrderWay {
  readonly branchId: string;
  readonly channel: OnlineChannel;
  /** Reference of the earlier order that is ordered again; null: none. */
  readonly again: string | null;
}

/** Of the order page. A reference names neither the guest nor the card, and opens no order. */
export const wayQuery = ({ branchId, channel, again }: OrderWay): string =>
  `branch=${branchId}&channel=${channel}${again === null ? '' : `&again=${again}`}`;

/** Of the order page that takes an earlier order over. */
export const againAddress = ({ slug, ...way }: OrderWay & { readonly slug: string }): string =>
  `/${slug}/order?${wayQuery(way)}`;
