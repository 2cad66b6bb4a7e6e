/** A guest with a card: greeted above the menu; what the shop knows fills in the order. */
import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../../../../client/client.ts';
import { figure } from '../../../components/format.ts';
import { CARD_PLACE, type CartLine } from '../../../components/order.ts';
import { useMessages, useReader } from '../../../components/reader.ts';
import { member } from '../../../messages/compiled/member.ts';
import { keepDevice } from '../../device.ts';
import { takeAgain } from '../again.ts';
import { placeFields, type CheckoutForm } from '../checkout.ts';
import { asTyped } from '../guest.ts';
import type { CardWayProps } from '../use-card.ts';
import { lineIn, soldOf, type Sold } from './again-lines.ts';
import { Elsewhere } from './elsewhere.tsx';
import { digitsIn, Greeting, lineName, type Again, type PastOrder } from './greeting.tsx';
import { useCardContext, type CardState } from './member-context.ts';
import { placesOf } from './places.ts';
import { useRefusedCard } from './refused-card.ts';
import { useKeptRewards } from './taken-rewards.ts';
import { ProofDialog } from './proof-dialog.tsx';

/** Newest first; null: not known yet. */
const usePastOrders = (client: Client, card: CardState): readonly PastOrder[] | null => {
  const [orders, setOrders] = useState<readonly PastOrder[] | null>(null);
  const token = card === undefined ? undefined : (card?.token ?? null);
  useEffect(() => {
    if (token === undefined) return;
    const asked =
      token === null
        ? Promise.resolve([])
        : client.pastOrders({ path: { member_token: token } }).then(({ body }) => body?.orders ?? []);
    asked.then(setOrders, () => setOrders([]));
  }, [token]);
  return orders;
};

/** The reference in the address, once: a reload finds the cart as the guest left it. Null: there is none. */
const takeNamed = (): string | null => {
  const { pathname, searchParams: query, hash } = new URL(location.href);
  const reference = query.get('again');
  query.delete('again');
  if (reference !== null) history.replaceState(history.state, '', `${pathname}?${query.toString()}${hash}`);
  return reference;
};

const useAgain = ({ client, shop, cart, onAgain }: CardWayProps, orders: readonly PastOrder[] | null) => {
  const t = useMessages(member);
  const reader = useReader();
  const [again, setAgain] = useState<Again>('idle');
  const quote = (items: readonly CartLine[]): Promise<unknown> =>
    client.quoteCart({
      path: { id: shop.branch.id },
      body: { items: [...items], channel: shop.channel },
    });
  const named = ({ leftOut }: Sold, lines: readonly CartLine[], known: PastOrder | undefined): string[] =>
    leftOut.map(({ index, available }) => {
      const line = known?.lines[index];
      const item = line === undefined ? figure(reader, lines[index]?.quantity ?? 1) : lineName(reader, line);
      return available > 0 ? t.lessOf({ item, n: figure(reader, available) }) : item;
    });
  const bring = async (lines: readonly CartLine[], known: PastOrder | undefined): Promise<void> => {
    setAgain('looking');
    try {
      const sold = await soldOf(quote, lines);
      cart.include(sold.lines);
      setAgain('idle');
      onAgain(named(sold, lines, known));
    } catch {
      setAgain('failed');
    }
  };
  const orderAgain = (past: PastOrder): void => void bring(past.lines.map(lineIn), past);
  /** From the page of the card: the order that the address names, or the one that the tab keeps. */
  useEffect(() => {
    if (orders === null) return;
    const [named, kept] = [takeNamed(), takeAgain(shop.slug)];
    const past = orders.find(({ delivery_ref: reference }) => reference !== null && reference === named);
    if (past !== undefined) orderAgain(past);
    else if (kept !== null) void bring(kept.lines.map(lineIn), undefined);
    else if (named !== null) setAgain('missing');
  }, [orders]);
  return { again, orderAgain };
};

const hasNoPlace = (form: CheckoutForm): boolean =>
  Object.entries(placeFields({})).every(([field, empty]) => form[field as keyof CheckoutForm] === empty);

/** What the owner of the card need not type. */
const useKnown = (props: CardWayProps, known: CardState): void => {
  const { shop, form, guest, card, onKnown, onGuest } = props;
  const t = useMessages(member);
  useEffect(() => {
    if (known === undefined) return;
    const places = known === null ? [] : placesOf(t, shop, known.context);
    card.change({ member: known && { token: known.token, proof: known.proof, places } });
    const full = known?.context.full;
    if (known == null || full == null) return;
    const phone = asTyped(full.phone);
    if (known.proof !== null && guest?.token !== known.proof)
      onGuest({ token: known.proof, phone, name: full.name, places: [] });
    const [last] = places.filter(({ stale }) => stale === null);
    onKnown({
      ...{ customer_name: full.name, customer_phone: phone },
      ...(full.last_payment_hint == null ? {} : { payment: full.last_payment_hint }),
      ...(last !== undefined && hasNoPlace(form) ? placeFields(last.place) : {}),
    });
  }, [known]);
};

/** Its place above the menu is kept free until it is known whether there is a card. */
const usePlace = (card: CardState): void =>
  useEffect(() => {
    const place = document.getElementById(CARD_PLACE);
    if (place !== null && card !== undefined) place.hidden = card === null;
  }, [card]);

export const CardWay = (props: CardWayProps) => {
  const { client, form, guest, card } = props;
  const reader = useReader();
  const { card: known, ask } = useCardContext(client, props.shop, guest?.token ?? null);
  const orders = usePastOrders(client, known);
  const { again, orderAgain } = useAgain(props, orders);
  useKnown(props, known);
  useKeptRewards(props.shop, card, props.cart.lines);
  useRefusedCard(props);
  usePlace(known);
  const setProving = (isProving: boolean): void => card.change({ isProving });
  const prove = async (token: string): Promise<boolean> => {
    if (!(await ask(token))) return false;
    keepDevice(token);
    setProving(false);
    return true;
  };
  if (known == null || card.state.member === null) return null;
  return (
    <>
      <Elsewhere id={CARD_PLACE}>
        <Greeting
          {...{ card: known, again, last: orders?.[0] ?? null }}
          onAgain={orderAgain}
          onProve={() => setProving(true)}
        />
      </Elsewhere>
      {card.state.isProving && (
        <ProofDialog
          client={client}
          digits={digitsIn(reader, known)}
          typed={form.customer_phone}
          onToken={prove}
          onClose={() => setProving(false)}
        />
      )}
    </>
  );
};
