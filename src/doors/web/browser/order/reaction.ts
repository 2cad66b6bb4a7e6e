/** What the checkout does about a refused order. */
import type { ApiError } from '../../../../client/client.ts';
import { whenText } from '../../components/format.ts';
import type { OrderIslandProps } from '../../components/order.ts';
import type { Reader } from '../../components/reader.ts';
import type { order } from '../../messages/compiled/order.ts';
import { EMPTY_FORM, type Faults } from './checkout.ts';
import { fieldFaults, isAboutCart } from './refusals.ts';

/** Before an order can be sent again: a code proves the phone, or the guest says who it is for. */
export type Question = 'code' | 'identity';
export type Remedy = 'fixCart' | 'otherWay' | 'callBranch';

export type Reaction =
  /** `quotesAgain`: the cart costs something else by now. `dropsRewards`: the card does not pay for any. */
  | {
      readonly kind: 'say';
      readonly message: string;
      readonly remedy: Remedy | null;
      readonly quotesAgain?: true;
      readonly dropsRewards?: true;
      readonly forgetsGuest?: true;
    }
  | { readonly kind: 'mark'; readonly faults: Faults }
  /** `forgetsGuest`: the device's proof of the phone is not accepted any more. */
  | { readonly kind: 'ask'; readonly question: Question; readonly forgetsGuest?: true }
  /** The order is sent again without the loyalty card. */
  | { readonly kind: 'dropCard' };

interface Circumstances {
  readonly t: (typeof order)['ar' | 'en'];
  readonly reader: Reader;
  readonly shop: OrderIslandProps;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the order named a loyalty card. */
  readonly usesCard: boolean;
}

const closedText = ({ body }: ApiError, { t, reader, shop, now }: Circumstances): string => {
  const opensAt = body.vars?.['opens_at'];
  if (typeof opensAt !== 'string') return t.closedNow;
  return t.closedUntil({ when: whenText(reader, shop.branch.timezone, Date.parse(opensAt), now) });
};

export const reactionTo = (refusal: ApiError, circumstances: Circumstances): Reaction => {
  const { message, status, body } = refusal;
  const faults = fieldFaults(refusal);
  if (isAboutCart(refusal)) return { kind: 'say', message, remedy: 'fixCart', quotesAgain: true };
  if (Object.keys(faults).some((path) => path in EMPTY_FORM)) return { kind: 'mark', faults };
  if (circumstances.usesCard && (body.code === 'PHONE_NOT_VERIFIED' || status === 404))
    return { kind: 'dropCard' };
  switch (body.code ?? '') {
    case 'LOCATION_REQUIRED':
    case 'OUT_OF_RANGE':
      return { kind: 'mark', faults: { point: message } };
    case 'IDENTITY_CHOICE_REQUIRED':
      return { kind: 'ask', question: 'identity' };
    case 'CONTACT_VERIFICATION_REQUIRED':
      return { kind: 'ask', question: 'code' };
    case 'PHONE_NOT_VERIFIED':
      return { kind: 'ask', question: 'code', forgetsGuest: true };
    case 'QUOTE_CHANGED':
      return { kind: 'say', message, remedy: null, quotesAgain: true };
    case 'CHANNEL_CLOSED':
      return {
        kind: 'say',
        message: closedText(refusal, circumstances),
        remedy: circumstances.shop.hasOtherWays ? 'otherWay' : 'callBranch',
      };
    default:
      return { kind: 'say', message, remedy: 'callBranch' };
  }
};
