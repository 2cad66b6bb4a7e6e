/** What the script of the order page needs. */
import type { Reply, RequestOf } from '../../../client/client.ts';

export type OrderBranch = Reply<'listBranches'>[number];
export type CartQuote = Reply<'quoteCart'>;
export type CartLine = NonNullable<RequestOf<'quoteCart'>['body']>['items'][number];
export type OrderBody = NonNullable<RequestOf<'placeOrder'>['body']>;
export type OnlineChannel = OrderBody['channel'];

export interface OrderIslandProps {
  readonly orgId: string;
  readonly slug: string;
  readonly branch: OrderBranch;
  readonly branchPhone: string | null;
  readonly channel: OnlineChannel;
  /** Other branches or channels to order by. */
  readonly hasOtherWays: boolean;
}
