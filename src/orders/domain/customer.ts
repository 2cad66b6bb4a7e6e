/**
 * Whose order it is: the contact that it carries, the customer whom it belongs to, and what it may change of them
 * (Decisions 8; Shapes, DeliveryOrderInput). Typing a phone is no proof of owning it, so that whatever was only typed
 * changes no profile and shows none.
 */
import { isSameName } from '../../kernel/freetext.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';

/** `one_time`: this order alone; `update_name`: the name of the profile is corrected. */
export const IDENTITY_CHANGES = ['one_time', 'update_name'] as const;
export type IdentityChange = (typeof IDENTITY_CHANGES)[number];

export interface Contact {
  readonly name: string;
  readonly phone: Phone;
}

/** A customer of the shop. */
export interface Profile extends Contact {
  readonly id: Uuid;
  /** Whether a device ever proved the phone; until then anyone may have typed the name. */
  readonly isProven: boolean;
}

export interface IdentityInput {
  readonly typed: Contact;
  /** Whose card the `member_token` is; null without one. */
  readonly card: Profile | null;
  /** The customer of the shop who has the typed phone, if any; not looked at with a card. */
  readonly known: Profile | null;
  /** Not looked at without a card. */
  readonly change: IdentityChange | null;
  readonly otpRequired: boolean;
  /** The phone that a live `device_token` proves. */
  readonly provenPhone: Phone | null;
  /** The phone that a live `contact_device_token` proves. */
  readonly provenContact: Phone | null;
  /** Null: not said. */
  readonly saveAddress: boolean | null;
  readonly channel: OnlineChannel;
}

export type CustomerOfOrder =
  /** None has the phone yet. */
  | { readonly kind: 'new'; readonly name: string; readonly phone: Phone; readonly isProven: boolean }
  | {
      readonly kind: 'known';
      readonly id: Uuid;
      /** What its owner corrects the profile's name to; null: it stays. */
      readonly rename: string | null;
      /** The profile's name if nobody proved its phone before: from now on it is its owner's. Null: nothing is proven. */
      readonly provesAs: string | null;
    };

export interface Identity {
  /** What the order itself carries: always what was typed, so that nothing of a profile is shown by it. */
  readonly contact: Contact;
  readonly customer: CustomerOfOrder;
  /** The contact stands on this order in the place of the profile's. */
  readonly contactOverride: boolean;
  /** The customer's own phone is proven: only then is anything of theirs shown, and only such an order feeds order-now. */
  readonly otpVerified: boolean;
  /** This request proves the contact's phone. */
  readonly isContactProven: boolean;
  readonly savesAddress: boolean;
}

/** An address is saved for its owner, who did not say no; of what is picked up there is none. */
const savesAddress = (input: IdentityInput, isOwner: boolean, unlessSaid: boolean): boolean =>
  isOwner && input.channel !== 'pickup' && (input.saveAddress ?? unlessSaid);

// ── Without a card ──────────────────────────────────────────────────────────────────────────────

/**
 * The customer who has the typed phone. Its first proof makes the profile its owner's, who corrects the name that anyone
 * may have typed; after that a name is corrected by `update_name` alone, because people order for each other.
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

/** What the order is to the profile; `ask`: the guest must say. */
type Ruling = 'ordinary' | 'one_time' | 'correct_name' | 'ask';

/** By what differs from the card, the phone before the name, and what the guest chose. Only its owner corrects a name. */
const RULINGS: Readonly<Record<Difference, Readonly<Record<Choice, Ruling>>>> = {
  none: { none: 'ordinary', one_time: 'one_time', update_name: 'correct_name' },
  name: { none: 'one_time', one_time: 'one_time', update_name: 'correct_name' },
  phone: { none: 'ask', one_time: 'one_time', update_name: 'ask' },
};

const differenceOf = (typed: Contact, card: Contact): Difference => {
  if (typed.phone !== card.phone) return 'phone';
  return isSameName(typed.name, card.name) ? 'none' : 'name';
};

/**
 * The order is the card's, whatever contact is typed. The proof of the card's phone is asked for before anything is said
 * about it, so that no one learns from a card whose phone it has.
 */
const withCard = (input: IdentityInput, card: Profile): Identity => {
  const { typed, change } = input;
  const isOwner = input.provenPhone === card.phone;
  if (input.otpRequired && !isOwner) throw new Refusal('PHONE_NOT_VERIFIED');
  const difference = differenceOf(typed, card);
  const ruling = RULINGS[difference][change ?? 'none'];
  if (ruling === 'ask') throw new Refusal('IDENTITY_CHOICE_REQUIRED', {}, { beside: { kind: 'phone' } });
  const isContactProven = typed.phone === card.phone ? isOwner : input.provenContact === typed.phone;
  if (input.otpRequired && !isContactProven) throw new Refusal('CONTACT_VERIFICATION_REQUIRED');
  const corrects = ruling === 'correct_name' && isOwner;
  const isOneTime = ruling === 'one_time' || (difference === 'name' && !corrects);
  return {
    contact: typed,
    customer: {
      kind: 'known',
      id: card.id,
      // Who corrects a name means the very letters, also where they compare as the same.
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
 * Who an order is for and whose it is. Refused with PHONE_NOT_VERIFIED where the branch asks for a proof that is not
 * there, IDENTITY_CHOICE_REQUIRED where the guest must choose, CONTACT_VERIFICATION_REQUIRED where another's phone needs
 * its own proof. Both phones in their canonical form.
 */
export const identityOf = (input: IdentityInput): Identity =>
  input.card === null ? withoutCard(input) : withCard(input, input.card);
