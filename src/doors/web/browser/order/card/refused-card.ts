/** A card that does not pay, or that the server does not know any more. */
import { useEffect } from 'preact/hooks';
import type { ApiError } from '../../../../../client/client.ts';
import { member } from '../../../messages/compiled/member.ts';
import { forgetCard } from '../../card.ts';
import type { Reaction } from '../reaction.ts';
import { isAboutRewards } from '../refusals.ts';
import type { CardWayProps } from '../use-card.ts';

/** The branch and its channel are there: the page shows their menu. */
const isUnknownCard = ({ status, body }: ApiError): boolean => status === 404 && body.code == null;

/** An order with rewards has another price without them: the guest looks at it first. */
export const reactionWithRewards = (refusal: ApiError, language: 'ar' | 'en'): Reaction | null => {
  const dropped = { kind: 'say', remedy: null, quotesAgain: true, dropsRewards: true } as const;
  const message = member[language].withoutRewards;
  if (isAboutRewards(refusal)) return { ...dropped, message: refusal.message };
  if (refusal.body.code === 'PHONE_NOT_VERIFIED') return { ...dropped, message, forgetsGuest: true };
  return isUnknownCard(refusal) ? { ...dropped, message } : null;
};

/** Rewards that the price refuses are taken out of the cart. */
export const useRefusedCard = ({ shop, quoting, card }: CardWayProps): void => {
  const { refusal } = quoting.state;
  useEffect(() => {
    if (refusal === null || card.state.member === null) return;
    if (isAboutRewards(refusal)) card.change({ taken: [], fault: refusal.message });
    else if (isUnknownCard(refusal)) {
      forgetCard(shop.slug);
      card.change({ taken: [], member: null });
    }
  }, [refusal]);
};
