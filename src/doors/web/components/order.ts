/** What the script of the order page needs. */
import type { Reply, RequestOf } from '../../../client/client.ts';
import type { IconName } from './icon.tsx';

export type OrderBranch = Reply<'listBranches'>[number];
export type CartQuote = Reply<'quoteCart'>;
export type CartLine = NonNullable<RequestOf<'quoteCart'>['body']>['items'][number];
export type OrderBody = NonNullable<RequestOf<'placeOrder'>['body']>;
export type RewardClaim = NonNullable<OrderBody['rewards']>[number];
export type OnlineChannel = OrderBody['channel'];

export interface OrderIslandProps {
  readonly orgId: string;
  readonly slug: string;
  readonly branch: OrderBranch;
  readonly branchPhone: string | null;
  readonly channel: OnlineChannel;
  /** Other branches or channels to order by. */
  readonly hasOtherWays: boolean;
  /** A loyalty programme that a guest can join. */
  readonly hasProgramme: boolean;
}

export const CHANNEL_ICONS: Readonly<Record<OnlineChannel, IconName>> = {
  ...{ pickup: 'bag', outside: 'bike', in_mall: 'mall', umbrella: 'umbrella' },
};

/** Id of the place above the menu, and above the branches, where a guest with a card is greeted. */
export const CARD_PLACE = 'card-way';

/** What the script of the choice of branch and channel needs. */
export interface ChoiceIslandProps {
  readonly orgId: string;
  readonly slug: string;
  readonly branches: readonly {
    readonly id: string;
    readonly name: string;
    readonly name_translations?: OrderBranch['name_translations'] | undefined;
  }[];
}
