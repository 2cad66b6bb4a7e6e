/** From the filled-in checkout to the order: faults, questions, refusals, the answer. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError, Client } from '../../../../client/client.ts';
import type { CartLine, OrderBody, OrderIslandProps, RewardClaim } from '../../components/order.ts';
import { useMessages, useReader } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import {
  faultsOf,
  formOf,
  orderOf,
  priceIn,
  priceOf,
  type CheckoutForm,
  type Faults,
  type OnForm,
  type Price,
} from './checkout.ts';
import type { Trouble } from './checkout-sheet.tsx';
import type { IdentityChoice } from './dialogs.tsx';
import type { Guest } from './guest.ts';
import { usePlacing } from './placing.ts';
import { reactionTo, type Question, type Reaction, type Remedy } from './reaction.ts';
import { isAboutCart, isAboutRewards } from './refusals.ts';
import type { Card } from './use-card.ts';
import { useIdentity } from './use-identity.ts';
import type { Quoting } from './use-quote.ts';

interface CheckoutInput {
  readonly client: Client;
  readonly shop: OrderIslandProps;
  readonly lines: readonly CartLine[];
  readonly form: CheckoutForm;
  readonly onForm: (update: (form: CheckoutForm) => CheckoutForm) => void;
  readonly onTyped: OnForm;
  readonly quoting: Quoting;
  readonly card: Card;
  readonly onFixCart: () => void;
  /** The checkout shows why. */
  readonly onRefused: () => void;
  readonly onPlaced: (id: string, body: OrderBody) => void;
}

const useFaults = ({ form, onTyped }: Pick<CheckoutInput, 'form' | 'onTyped'>) => {
  const [faults, setFaults] = useState<Faults>({});
  /** A field that is changed loses its fault. */
  const change: OnForm = (changed) => {
    const before = new Map<string, unknown>(Object.entries(form));
    const now = new Map<string, unknown>(Object.entries(changed));
    const isKept = (name: string): boolean => !now.has(name) || now.get(name) === before.get(name);
    setFaults((shown) => {
      const kept = Object.entries(shown).filter(([name]) => isKept(name));
      return kept.length < Object.keys(shown).length ? Object.fromEntries(kept) : shown;
    });
    onTyped(changed);
  };
  return { faults, setFaults, change };
};

interface Said {
  readonly message: string;
  readonly remedy: Remedy | null;
}

/** Of a cart that has no price any more. */
const saidOfQuote = ({ state: { refusal } }: Quoting): Said | null =>
  refusal === null || isAboutRewards(refusal)
    ? null
    : { message: refusal.message, remedy: isAboutCart(refusal) ? 'fixCart' : 'callBranch' };

type TroubleInput = Pick<CheckoutInput, 'shop' | 'lines' | 'quoting' | 'onFixCart'>;

/** What the last order was refused for, until the cart changes; else the cart's price. */
const useTrouble = ({ shop, lines, quoting, onFixCart }: TroubleInput) => {
  const t = useMessages(order);
  const [said, setSaid] = useState<Said | null>(null);
  const forgive = (): void => setSaid(null);
  const fixCart = (): void => {
    forgive();
    onFixCart();
  };
  const actions: Readonly<Record<Remedy, Trouble['action']>> = {
    fixCart: { label: t.fixCart, run: fixCart },
    otherWay: { label: t.otherWay, run: () => location.assign(`/${shop.slug}/order`) },
    callBranch: null,
  };
  useEffect(forgive, [lines]);
  const shown = said ?? saidOfQuote(quoting);
  const trouble: Trouble | null = shown && {
    message: shown.message,
    action: shown.remedy && actions[shown.remedy],
    callsBranch: shown.remedy === 'callBranch',
  };
  return {
    trouble,
    forgive,
    say: (message: string, remedy: Remedy | null): void => setSaid({ message, remedy }),
  };
};

/** Of the form; of one without faults, that its place has no price. */
const findFaults = (
  t: (typeof order)['ar' | 'en'],
  { form, shop, quoting: { state } }: CheckoutInput,
  price: Price | null,
): Faults => {
  const found = faultsOf(t, form, shop.branch, shop.channel);
  if (price !== null || state.status !== 'ready' || Object.keys(found).length > 0) return found;
  return { point: state.quote.delivery?.status === 'out_of_range' ? t.tooFar : t.noDelivery };
};

interface Means {
  readonly identity: Pick<ReturnType<typeof useIdentity>, 'forget' | 'dropCard'>;
  readonly dropRewards: () => void;
  readonly say: (message: string, remedy: Remedy | null) => void;
  readonly mark: (faults: Faults) => void;
  readonly ask: (question: Question) => void;
  readonly quoteAgain: () => void;
  readonly submitAgain: () => void;
}

const carryOut = (reaction: Reaction, means: Means): void => {
  switch (reaction.kind) {
    case 'say':
      if (reaction.dropsRewards === true) means.dropRewards();
      if (reaction.forgetsGuest === true) means.identity.forget();
      if (reaction.quotesAgain === true) means.quoteAgain();
      means.say(reaction.message, reaction.remedy);
      break;
    case 'mark':
      means.mark(reaction.faults);
      break;
    case 'ask':
      if (reaction.forgetsGuest === true) means.identity.forget();
      means.ask(reaction.question);
      break;
    case 'dropCard':
      means.identity.dropCard();
      means.submitAgain();
  }
};

/** The order of before a reload. */
const useResumed = ({ resume }: ReturnType<typeof usePlacing>, onResumed: (body: OrderBody) => void): void =>
  useEffect(() => {
    const body = resume();
    if (body !== null) onResumed(body);
  }, []);

/** It ends when another tab empties the cart. */
const useQuestion = (lines: readonly CartLine[]) => {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    if (lines.length === 0) setQuestion(null);
  }, [lines]);
  return [question, setQuestion] as const;
};

/** Only an order with the card has its rewards. */
const claimsOf = (card: Card, { usesCard }: Pick<ReturnType<typeof useIdentity>, 'usesCard'>) => ({
  claims: (): readonly RewardClaim[] => (usesCard() ? card.claims : []),
  dropRewards: (): void => card.change({ taken: [] }),
});

export const useCheckout = (input: CheckoutInput) => {
  const { client, shop, lines, form, onForm, quoting, card, onRefused, onPlaced } = input;
  const [t, reader] = [useMessages(order), useReader()];
  const identity = useIdentity(input);
  const placing = usePlacing(client, shop);
  const { faults, setFaults, change } = useFaults(input);
  const { trouble, say, forgive } = useTrouble(input);
  const [question, setQuestion] = useQuestion(lines);
  /** The price that the guest has agreed to, for when a question comes first. */
  const agreed = useRef<Price | null>(null);

  const { claims, dropRewards } = claimsOf(card, identity);
  const react = (refusal: ApiError): void => {
    const usesCard = identity.usesCard();
    const withRewards = claims().length > 0 ? card.part?.reactionWithRewards(refusal, reader.language) : null;
    carryOut(withRewards ?? reactionTo(refusal, { t, reader, shop, usesCard, now: Date.now() }), {
      ...{ say, identity, dropRewards, quoteAgain: quoting.again, mark: setFaults, ask: setQuestion },
      submitAgain: () => submitNow.current(undefined, agreed.current),
    });
  };

  const deliver = async (send = placing.deliver): Promise<void> => {
    const outcome = await send();
    if (outcome?.kind === 'placed') onPlaced(outcome.id, outcome.body);
    if (outcome?.kind !== 'refused') return;
    agreed.current = priceIn(outcome.body);
    onRefused();
    react(outcome.refusal);
  };

  /** `agreedPrice`: null for what the button says. */
  const submit = (known: Guest | null = identity.guest, agreedPrice: Price | null = null): void => {
    if (placing.isUnderWay() || lines.length === 0) return;
    forgive();
    const price = agreedPrice ?? (quoting.state.quote && priceOf(quoting.state.quote));
    const found = findFaults(t, input, price);
    setFaults(found);
    if (quoting.state.status === 'failed' || quoting.state.status === 'refused') quoting.again();
    if (price === null || Object.keys(found).length > 0) return;
    agreed.current = price;
    if (identity.needsCode(known)) {
      setQuestion('code');
      return;
    }
    const proofs = identity.proofs(known);
    const parts = { ...shop, lines, form, proofs, rewards: claims(), price, locale: reader.language };
    placing.begin(orderOf(parts));
    void deliver();
  };
  /** With the form of the moment: the answer comes later than the render that sent the order. */
  const submitNow = useRef(submit);
  submitNow.current = submit;

  useResumed(placing, (body) => {
    onForm(() => formOf(body));
    void deliver(placing.repeat);
  });

  return {
    ...{ faults, trouble, question, submit, change, guest: identity.guest, meet: identity.meet },
    ...{ isPlacing: placing.isPlacing, doubt: placing.doubt },
    closeQuestion: (): void => setQuestion(null),
    proven: (token: string): void => {
      setQuestion(null);
      submit(identity.prove(token), agreed.current);
    },
    choose: (choice: IdentityChoice): void => {
      setQuestion(null);
      // Without its rewards the order has another price, which the guest looks at first.
      const isDearer = choice === 'withoutCard' && claims().length > 0;
      if (isDearer) dropRewards();
      if (identity.choose(choice) && !isDearer) submit(undefined, agreed.current);
    },
    phoneFault: (fault: string): void => {
      setQuestion(null);
      setFaults({ customer_phone: fault });
    },
    send: (): void => void deliver(),
    repeat: (): void => void deliver(placing.repeat),
    forget: placing.forget,
  };
};

export type Checkout = ReturnType<typeof useCheckout>;
