/**
 * The guest's loyalty card on the order page: what the page holds of it, and what the script of cards adds to the page.
 * Only a guest with a card loads that script.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiError, Client } from '../../../../client/client.ts';
import {
  CARD_PLACE,
  type CartLine,
  type CartQuote,
  type OrderIslandProps,
  type RewardClaim,
} from '../../components/order.ts';
import { readCard } from '../card.ts';
import { hasAgain } from './again.ts';
import type { Cart } from './cart.ts';
import type { CheckoutForm, KnownPlace, OnForm } from './checkout.ts';
import type { Guest } from './guest.ts';
import type { Reaction } from './reaction.ts';
import type { QuotedCard, Quoting } from './use-quote.ts';

/** The owner of the card, as the server knows it. */
interface Member extends QuotedCard {
  readonly places: readonly KnownPlace[];
}

/** A reward that pays for units of a line. */
export interface TakenReward {
  /** The making of the line, whose place in the cart may change. */
  readonly making: string;
  readonly rewardId: string;
  readonly units: number;
}

interface CardState {
  /** Null: there is no card. */
  readonly member: Member | null;
  readonly taken: readonly TakenReward[];
  /** Why rewards were taken out of the cart; null: they were not. */
  readonly fault: string | null;
  readonly isProving: boolean;
  /** What of an earlier order is not in the cart, because it is not sold any more. */
  readonly leftOut: readonly string[];
}

const NO_CARD: CardState = { member: null, taken: [], fault: null, isProving: false, leftOut: [] };

export interface CardWayProps {
  readonly client: Client;
  readonly shop: OrderIslandProps;
  readonly card: Card;
  readonly cart: Cart;
  readonly form: CheckoutForm;
  /** Whom the page knows by the device. */
  readonly guest: Guest | null;
  readonly quoting: Quoting;
  /** Fills in what the guest has not typed. */
  readonly onKnown: OnForm;
  readonly onGuest: (guest: Guest) => void;
  /** An earlier order is in the cart, but for these. */
  readonly onAgain: (leftOut: readonly string[]) => void;
}

interface InCartProps {
  readonly card: Card;
  readonly quote: CartQuote | null;
}

export interface LineRewardProps extends InCartProps {
  readonly line: CartLine;
  /** The place of the line. */
  readonly index: number;
  readonly name: string;
}

type Draw<Props> = (props: Props) => ComponentChildren;

/** The script of cards. */
export interface CardPart {
  /** Above the menu. */
  readonly CardWay: Draw<CardWayProps>;
  /** Below a line of the cart. */
  readonly LineReward: Draw<LineRewardProps>;
  /** Below the bill of the cart. */
  readonly Balance: Draw<InCartProps>;
  /** Below a bill. */
  readonly Forecast: Draw<Pick<InCartProps, 'quote'>>;
  readonly LeftOut: Draw<{ readonly names: readonly string[] }>;
  readonly claimsOn: (taken: readonly TakenReward[], lines: readonly CartLine[]) => readonly RewardClaim[];
  readonly forgetRewards: (shop: OrderIslandProps) => void;
  /** Null: the refusal is not about the card. */
  readonly reactionWithRewards: (refusal: ApiError, language: 'ar' | 'en') => Reaction | null;
}

export type LoadCardPart = () => Promise<{ readonly cardPart: CardPart }>;

export interface Card {
  /** Null: there is no card, or its script has not come. */
  readonly part: CardPart | null;
  readonly state: CardState;
  readonly claims: readonly RewardClaim[];
  readonly change: (changed: Partial<CardState>) => void;
}

export const useCard = (shop: OrderIslandProps, load: LoadCardPart, lines: readonly CartLine[]): Card => {
  const [part, setPart] = useState<CardPart | null>(null);
  const [state, setState] = useState(NO_CARD);
  useEffect(() => {
    const hasCard = readCard(shop.slug) !== null;
    if (!hasCard && !hasAgain(shop.slug)) return;
    // The place is kept free, so that no item moves away from a finger.
    const place = document.getElementById(CARD_PLACE);
    if (place !== null) place.hidden = !hasCard;
    load().then(
      ({ cardPart }) => setPart(cardPart),
      () => undefined,
    );
  }, []);
  return {
    ...{ part, state },
    claims: part?.claimsOn(state.taken, lines) ?? [],
    change: (changed) => setState((latest) => ({ ...latest, ...changed })),
  };
};
