/** What the pages of loyalty draw. */
import type { Reply } from '../../../../client/client.ts';

export type JoinInfo = Reply<'getJoinInfo'>;
export type Card = Reply<'getCard'>;
export type Mode = Card['mode'];
export type Reward = Card['rewards'][number];
export type Entry = Card['entries'][number];
export type PastOrder = Reply<'pastOrders'>['orders'][number];
