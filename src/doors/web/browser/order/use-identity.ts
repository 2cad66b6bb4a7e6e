/** Who orders: the guest that the device knows, the loyalty card, and what was proven and chosen for this order. */
import { useEffect, useRef } from 'preact/hooks';
import type { Client } from '../../../../client/client.ts';
import type { OrderIslandProps } from '../../components/order.ts';
import { readCard } from '../card.ts';
import { forgetDevice, keepDevice } from '../device.ts';
import type { CheckoutForm, OnForm, Proofs } from './checkout.ts';
import type { IdentityChoice } from './dialogs.tsx';
import { isSamePhone, useGuest, type Guest } from './guest.ts';

interface Contact {
  readonly phone: string;
  readonly token: string;
}

/** What changes from one try to the next without being drawn. */
interface Attempt {
  readonly usesCard: boolean;
  readonly identityChange: 'one_time' | null;
  /** The proof of a phone that is not the device's own. */
  readonly contact: Contact | null;
}

const NO_ATTEMPT: Attempt = { usesCard: true, identityChange: null, contact: null };

interface IdentityInput {
  readonly client: Client;
  readonly shop: OrderIslandProps;
  readonly form: CheckoutForm;
  readonly onForm: (update: (form: CheckoutForm) => CheckoutForm) => void;
  readonly onTyped: OnForm;
}

/** The guest that the device knows fills in what he has not typed. */
const useKnownGuest = ({ client, shop, onForm }: Omit<IdentityInput, 'form' | 'onTyped'>) => {
  const [guest, setGuest] = useGuest(client, shop);
  useEffect(() => {
    if (guest === null) return;
    onForm((form) => ({
      ...form,
      customer_name: form.customer_name === '' ? (guest.name ?? '') : form.customer_name,
      customer_phone: form.customer_phone === '' ? guest.phone : form.customer_phone,
    }));
  }, [guest?.token]);
  return [guest, setGuest] as const;
};

const proofsOf = (phone: string, guest: Guest | null, card: string | null, attempt: Attempt): Proofs => {
  const { contact, identityChange } = attempt;
  const own = guest !== null && (card !== null || isSamePhone(guest.phone, phone)) ? guest.token : null;
  const other = contact !== null && isSamePhone(contact.phone, phone) ? contact.token : null;
  const device = own ?? other;
  return {
    ...(device === null ? {} : { device_token: device }),
    ...(card === null ? {} : { member_token: card }),
    ...(card === null || other === null ? {} : { contact_device_token: other }),
    ...(card === null || identityChange === null ? {} : { identity_change: identityChange }),
  };
};

export const useIdentity = (input: IdentityInput) => {
  const { shop, form, onTyped } = input;
  const phone = form.customer_phone;
  const [guest, setGuest] = useKnownGuest(input);
  const attempt = useRef<Attempt>(NO_ATTEMPT);
  const change = (changed: Partial<Attempt>): void => {
    attempt.current = { ...attempt.current, ...changed };
  };
  const card = (): string | null => (attempt.current.usesCard ? readCard(shop.slug) : null);
  return {
    guest,
    /** Whom the card's owner proves to be. */
    meet: setGuest,
    usesCard: (): boolean => card() !== null,
    dropCard: (): void => change({ usesCard: false }),
    proofs: (known: Guest | null): Proofs => proofsOf(phone, known, card(), attempt.current),
    needsCode: (known: Guest | null): boolean => {
      const isProven = [known, attempt.current.contact].some(
        (each) => each !== null && isSamePhone(each.phone, phone),
      );
      // A card's own proof comes first: the server says whether the typed phone needs one too.
      return shop.branch.otp_required && !isProven && (card() === null || known === null);
    },
    /** Returns the guest that the device knows from now on. */
    prove: (token: string): Guest | null => {
      if (card() !== null && guest !== null && !isSamePhone(guest.phone, phone)) {
        change({ contact: { phone, token } });
        return guest;
      }
      keepDevice(token);
      const known = { token, phone, name: null, places: [] };
      setGuest(known);
      return known;
    },
    forget: (): void => {
      forgetDevice();
      setGuest(null);
      change({ contact: null });
    },
    /** Returns whether the order is sent again: another phone is looked at first. */
    choose: (choice: IdentityChoice): boolean => {
      if (choice === 'forMe') onTyped({ customer_phone: guest?.phone ?? phone });
      else change(choice === 'forOther' ? { identityChange: 'one_time' } : { usesCard: false });
      return choice !== 'forMe';
    },
  };
};
