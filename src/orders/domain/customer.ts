/**
 * The contact, customer and profile changes of an order (Decisions 8; Shapes, DeliveryOrderInput). An
 * unproven phone neither changes nor shows a profile.
 */
import { isSameName } from '../../kernel/free-text.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';

/** `one_time`: for this order only; `update_name`: corrects the profile's name. */
export const IDENTITY_CHANGES = ['one_time', 'update_name'] as const;
export type IdentityChange = (typeof IDENTITY_CHANGES)[number];

export interface Contact {
  readonly name: string;
  readonly phone: Phone;
}

export interface Profile extends Contact {
  readonly id: Uuid;
  /** A device proved the phone; before that, anyone may have typed the name. */
  readonly isProven: boolean;
}

export interface IdentityInput {
  readonly typed: Contact;
  /** Owner of the `member_token`. */
  readonly card: Profile | null;
  /** Customer with the typed phone; ignored with a card. */
  readonly known: Profile | null;
  /** Ignored without a card. */
  readonly change: IdentityChange | null;
  readonly otpRequired: boolean;
  /** Proven by a live `device_token`. */
  readonly provenPhone: Phone | null;
  /** Proven by a live `contact_device_token`. */
  readonly provenContact: Phone | null;
  /** Null: not specified. */
  readonly saveAddress: boolean | null;
  readonly channel: OnlineChannel;
}

export type CustomerOfOrder =
  | { readonly kind: 'new'; readonly name: string; readonly phone: Phone; readonly isProven: boolean }
  | {
      readonly kind: 'known';
      readonly id: Uuid;
      /** New profile name; null: unchanged. */
      readonly rename: string | null;
      /** Name of the profile if this order is the first proof of its phone; null: no first proof. */
      readonly provesAs: string | null;
    };

export interface Identity {
  /** Always as typed, so that the order does not reveal the profile. */
  readonly contact: Contact;
  readonly customer: CustomerOfOrder;
  /** The contact replaces the profile's for this order. */
  readonly contactOverride: boolean;
  /** The customer's own phone is proven: required for showing profile data and for one-tap reordering. */
  readonly otpVerified: boolean;
  readonly isContactProven: boolean;
  readonly savesAddress: boolean;
}

/** Saved for a proven owner only, never for pickup. */
const savesAddress = (input: IdentityInput, isOwner: boolean, byDefault: boolean): boolean =>
  isOwner && input.channel !== 'pickup' && (input.saveAddress ?? byDefault);

// ── Without a card ──────────────────────────────────────────────────────────────────────────────

/**
 * The first proof gives the profile to its owner and takes the owner's name. Later only `update_name` changes
 * the name, because people order for each other.
 */
const byPhone = ({ typed, known }: IdentityInput, isOwner: boolean): CustomerOfOrder => {
  if (known === null) return { kind: 'new', ...typed, isProven: isOwner };
  return {
    kind: 'known',
    id: known.id,
    rename: null,
    provesAs: isOwner && !known.isProven ? typed.name : null,
  };
};

const withoutCard = (input: IdentityInput): Identity => {
  const isOwner = input.provenPhone === input.typed.phone;
  if (input.otpRequired && !isOwner) throw new Refusal('PHONE_NOT_VERIFIED');
  return {
    contact: input.typed,
    customer: byPhone(input, isOwner),
    contactOverride: false,
    otpVerified: isOwner,
    isContactProven: isOwner,
    savesAddress: savesAddress(input, isOwner, true),
  };
};

// ── With a card ─────────────────────────────────────────────────────────────────────────────────

type Difference = 'none' | 'name' | 'phone';
type Choice = IdentityChange | 'none';

/** `ask`: the guest must choose. */
type IdentityDecision = 'ordinary' | 'one_time' | 'correct_name' | 'ask';

/** By difference from the card (phone before name) and the guest's choice. */
const DECISIONS: Readonly<Record<Difference, Readonly<Record<Choice, IdentityDecision>>>> = {
  none: { none: 'ordinary', one_time: 'one_time', update_name: 'correct_name' },
  name: { none: 'one_time', one_time: 'one_time', update_name: 'correct_name' },
  phone: { none: 'ask', one_time: 'one_time', update_name: 'ask' },
};

const differenceOf = (typed: Contact, card: Contact): Difference => {
  if (typed.phone !== card.phone) return 'phone';
  return isSameName(typed.name, card.name) ? 'none' : 'name';
};

/**
 * The order belongs to the card's owner. The proof is checked before anything about the card is reported, so
 * a card does not reveal its phone.
 */
const withCard = (input: IdentityInput, card: Profile): Identity => {
  const { typed, change } = input;
  const isOwner = input.provenPhone === card.phone;
  if (input.otpRequired && !isOwner) throw new Refusal('PHONE_NOT_VERIFIED');
  const difference = differenceOf(typed, card);
  const decision = DECISIONS[difference][change ?? 'none'];
  if (decision === 'ask')
    throw new Refusal('IDENTITY_CHOICE_REQUIRED', {}, { extraFields: { kind: 'phone' } });
  const isContactProven = typed.phone === card.phone ? isOwner : input.provenContact === typed.phone;
  if (input.otpRequired && !isContactProven) throw new Refusal('CONTACT_VERIFICATION_REQUIRED');
  const corrects = decision === 'correct_name' && isOwner;
  const isOneTime = decision === 'one_time' || (difference === 'name' && !corrects);
  return {
    contact: typed,
    customer: {
      kind: 'known',
      id: card.id,
      // A correction may change only letter case.
      rename: corrects && typed.name !== card.name ? typed.name : null,
      provesAs: isOwner && !card.isProven ? card.name : null,
    },
    contactOverride: isOneTime,
    otpVerified: isOwner,
    isContactProven,
    savesAddress: savesAddress(input, isOwner, !isOneTime),
  };
};

/**
 * Throws PHONE_NOT_VERIFIED, IDENTITY_CHOICE_REQUIRED and CONTACT_VERIFICATION_REQUIRED. Both phones are in
 * canonical form.
 */
export const identityOf = (input: IdentityInput): Identity =>
  input.card === null ? withoutCard(input) : withCard(input, input.card);
