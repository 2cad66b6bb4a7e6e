/** From the filled-in checkout to the order: proofs, questions, refusals, the answer. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError, Client } from '../../../../client/client.ts';
import { clockTime } from '../../components/format.ts';
import type { CartLine, OrderIslandProps } from '../../components/order.ts';
import { useMessages, useReader, type Reader } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import { forgetDevice, keepDevice } from '../device.ts';
import { EMPTY_FORM, faultsOf, orderOf, type CheckoutForm, type Faults, type Proofs } from './checkout.ts';
import type { Trouble } from './checkout-sheet.tsx';
import type { IdentityChoice } from './dialogs.tsx';
import { isSamePhone, readCard, useGuest, type Guest } from './guest.ts';
import { newPending, readPending, send, type Pending } from './placing.ts';
import { fieldFaults, isAboutCart } from './refusals.ts';
import type { Quoting } from './use-quote.ts';

type Question = 'code' | 'identity' | 'unsure';

interface Contact {
  readonly phone: string;
  readonly token: string;
}

interface CheckoutInput {
  readonly client: Client;
  readonly shop: OrderIslandProps;
  readonly lines: readonly CartLine[];
  readonly form: CheckoutForm;
  readonly onForm: (form: CheckoutForm) => void;
  readonly quoting: Quoting;
  readonly onFixCart: () => void;
  readonly onPlaced: (id: string) => void;
}

/** What changes from one try to the next without being drawn. */
interface Attempt {
  readonly usesCard: boolean;
  readonly identityChange: 'one_time' | null;
  /** The proof of a phone that is not the device's own. */
  readonly contact: Contact | null;
}

const NO_ATTEMPT: Attempt = { usesCard: true, identityChange: null, contact: null };

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const opensAtIn = ({ body }: ApiError, reader: Reader, zone: string): string | null => {
  const opensAt = body.vars?.['opens_at'];
  return typeof opensAt === 'string' ? clockTime(reader, zone, Date.parse(opensAt)) : null;
};

const proofsOf = (form: CheckoutForm, guest: Guest | null, card: string | null, attempt: Attempt): Proofs => {
  const { contact, identityChange } = attempt;
  const phone = form.customer_phone;
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

/** The guest that the device knows fills in what he has not typed. */
const useKnownGuest = ({ client, shop, form, onForm }: CheckoutInput) => {
  const [guest, setGuest] = useGuest(client, shop);
  useEffect(() => {
    if (guest === null) return;
    onForm({
      ...form,
      customer_name: form.customer_name === '' ? (guest.name ?? '') : form.customer_name,
      customer_phone: form.customer_phone === '' ? guest.phone : form.customer_phone,
    });
  }, [guest?.token]);
  return [guest, setGuest] as const;
};

export const useCheckout = (input: CheckoutInput) => {
  const { client, shop, lines, form, onForm, quoting, onFixCart, onPlaced } = input;
  const t = useMessages(order);
  const reader = useReader();
  const [guest, setGuest] = useKnownGuest(input);
  const [faults, setFaults] = useState<Faults>({});
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [isPlacing, setIsPlacing] = useState(false);
  const isBusy = useRef(false);
  const attempt = useRef<Attempt>(NO_ATTEMPT);
  const pending = useRef<Pending | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);

  const cardInUse = (): string | null => (attempt.current.usesCard ? readCard(shop.slug) : null);
  const say = (message: string, more: Partial<Trouble> = {}): void =>
    setTrouble({ message, action: null, callsBranch: false, ...more });

  const needsCode = (known: Guest | null): boolean => {
    const { contact } = attempt.current;
    const isProven = [known, contact].some(
      (each) => each !== null && isSamePhone(each.phone, form.customer_phone),
    );
    // A card's own proof comes first: the server says whether the typed phone needs one too.
    return shop.branch.otp_required && !isProven && (cardInUse() === null || known === null);
  };

  const refused = (refusal: ApiError, known: Guest | null): void => {
    const { code } = refusal.body;
    const message = refusal.message;
    const fields = fieldFaults(refusal);
    const isOfForm = Object.keys(fields).some((path) => path in EMPTY_FORM);
    if (isAboutCart(refusal)) {
      quoting.again();
      say(message, { action: { label: t.fixCart, run: onFixCart } });
    } else if (isOfForm)
      setFaults(
        Object.fromEntries(Object.entries(fields).map(([path, fault]) => [path, capitalized(fault)])),
      );
    else if (code === 'LOCATION_REQUIRED' || code === 'OUT_OF_RANGE') setFaults({ point: message });
    else if (code === 'IDENTITY_CHOICE_REQUIRED') setQuestion('identity');
    else if (code === 'CONTACT_VERIFICATION_REQUIRED') setQuestion('code');
    else if (cardInUse() !== null && (code === 'PHONE_NOT_VERIFIED' || refusal.status === 404)) {
      attempt.current = { ...attempt.current, usesCard: false };
      submit(known);
    } else if (code === 'PHONE_NOT_VERIFIED') {
      forgetDevice();
      setGuest(null);
      attempt.current = { ...attempt.current, contact: null };
      setQuestion('code');
    } else if (code === 'QUOTE_CHANGED') {
      quoting.again();
      say(message);
    } else if (code === 'CHANNEL_CLOSED') {
      const when = opensAtIn(refusal, reader, shop.branch.timezone);
      say(when === null ? t.closedNow : t.closedUntil({ when }), {
        action: { label: t.otherWay, run: () => location.assign(`/${shop.slug}/order`) },
      });
    } else say(message, { callsBranch: true });
  };

  const deliver = async (known: Guest | null): Promise<void> => {
    const sending = pending.current;
    if (sending === null || isBusy.current) return;
    isBusy.current = true;
    setIsPlacing(true);
    const outcome = await send(client, shop, sending);
    isBusy.current = false;
    if (outcome.kind === 'placed') {
      onPlaced(outcome.id);
      return;
    }
    setIsPlacing(false);
    if (outcome.kind === 'unknown') {
      setQuestion('unsure');
      return;
    }
    pending.current = null;
    setQuestion(null);
    refused(outcome.refusal, known);
  };

  const submit = (known: Guest | null = guest, total?: number): void => {
    if (isBusy.current || pending.current !== null) return;
    setTrouble(null);
    const found = faultsOf(t, form, shop.branch, shop.channel);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    const quotedTotal = total ?? quoting.state.quote?.order_total ?? null;
    if (quotedTotal === null) {
      const status = quoting.state.quote?.delivery?.status;
      setFaults({ point: status === 'out_of_range' ? t.tooFar : t.noDelivery });
      return;
    }
    if (needsCode(known)) {
      setQuestion('code');
      return;
    }
    const proofs = proofsOf(form, known, cardInUse(), attempt.current);
    const parts = { branch: shop.branch, channel: shop.channel, lines, form, proofs, quotedTotal };
    pending.current = newPending(shop, orderOf({ ...parts, locale: reader.language }));
    void deliver(known);
  };

  const proven = (token: string): void => {
    setQuestion(null);
    const phone = form.customer_phone;
    if (cardInUse() !== null && guest !== null && !isSamePhone(guest.phone, phone)) {
      attempt.current = { ...attempt.current, contact: { phone, token } };
      submit(guest);
      return;
    }
    keepDevice(token);
    const known = { token, phone, name: null, places: [] };
    setGuest(known);
    submit(known);
  };

  const choose = (choice: IdentityChoice): void => {
    setQuestion(null);
    if (choice === 'forMe') {
      onForm({ ...form, customer_phone: guest?.phone ?? form.customer_phone });
      return;
    }
    attempt.current =
      choice === 'forOther'
        ? { ...attempt.current, identityChange: 'one_time' }
        : { ...attempt.current, usesCard: false };
    submit(guest);
  };

  useEffect(() => {
    pending.current = readPending(shop);
    if (pending.current !== null) {
      setQuestion('unsure');
      void deliver(null);
    }
  }, []);

  /** A field that is changed loses its fault. */
  const change = (next: CheckoutForm): void => {
    const before = new Map<string, unknown>(Object.entries(form));
    const now = new Map<string, unknown>(Object.entries(next));
    const kept = Object.entries(faults).filter(([name]) => before.get(name) === now.get(name));
    if (kept.length < Object.keys(faults).length) setFaults(Object.fromEntries(kept));
    onForm(next);
  };

  return {
    ...{ guest, faults, trouble, isPlacing, question, submit, proven, choose, change },
    closeQuestion: () => setQuestion(null),
    phoneFault: (fault: string) => {
      setQuestion(null);
      setFaults({ customer_phone: capitalized(fault) });
    },
    retry: () => void deliver(guest),
  };
};

export type Checkout = ReturnType<typeof useCheckout>;
