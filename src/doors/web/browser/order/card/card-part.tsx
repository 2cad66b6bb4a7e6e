/**
 * The script of guests with a card on the order page. It imports the page itself for the bundler: what both use is then
 * not cut out of the page's files into ten more, which weigh 4 KB more for every guest.
 */
import '../order-island.tsx';
import type { CardPart } from '../use-card.ts';
import { CardWay } from './card-way.tsx';
import { reactionWithRewards } from './refused-card.ts';
import { Balance, Forecast, LeftOut, LineReward } from './rewards-in-cart.tsx';
import { claimsOn, forgetRewards } from './taken-rewards.ts';

export { greetAtChoice } from './choice.tsx';

export const cardPart: CardPart = {
  ...{ CardWay, LineReward, Balance, Forecast, LeftOut },
  ...{ claimsOn, forgetRewards, reactionWithRewards },
};
