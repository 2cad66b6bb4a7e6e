/** The script of the order page: items open in a sheet, the cart, the checkout. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Client } from '../../../../client/client.ts';
import type { Menu } from '../../components/deal-text.ts';
import type { OrderIslandProps } from '../../components/order.ts';
import { useMessages, useReader } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import { menuLoader } from '../menu-loader.ts';
import { MenuSearch } from '../menu-search.tsx';
import { watchSections } from '../section-in-view.ts';
import { clientFor } from '../start.tsx';
import { CartBar } from './cart-bar.tsx';
import { CartSheet } from './cart-sheet.tsx';
import { useCart } from './cart.ts';
import { CheckoutSheet } from './checkout-sheet.tsx';
import { priceOf, type CheckoutForm } from './checkout.ts';
import { CodeDialog } from './code-dialog.tsx';
import { ChangeDialog, IdentityDialog, DoubtDialog } from './dialogs.tsx';
import { ItemOfView } from '../item-of-view.tsx';
import { JoinLine } from '../loyalty/join-line.tsx';
import { useItemTaps, useMenu } from '../shown-item.tsx';
import { useCard, type CardWayProps, type LoadCardPart } from './use-card.ts';
import { useCheckout, type Checkout } from './use-checkout.ts';
import { useForm } from './use-form.ts';
import { useQuote, type Quoting } from './use-quote.ts';
import { useView, type View } from './view.ts';

/** Of the channel's menu, also while it is closed. */
const loaderOf = (client: Client, { branch: { id }, channel }: OrderIslandProps): (() => Promise<Menu>) =>
  menuLoader(client, { path: { id }, query: { channel, preview: true } });

interface QuestionsProps {
  readonly shop: OrderIslandProps;
  readonly client: Client;
  readonly form: CheckoutForm;
  readonly view: View;
  readonly quoting: Quoting;
  readonly checkout: Checkout;
}

/** Dialogs above the sheets. */
const Questions = ({ shop, client, form, view, quoting, checkout }: QuestionsProps) => {
  const t = useMessages(order);
  const { change, acceptChange } = quoting;
  const isCheckout = view === 'checkout';
  /** The order was refused for its price. */
  const orders = isCheckout && checkout.trouble !== null;
  return (
    <>
      {change !== null && (view === 'cart' || isCheckout) && (
        <ChangeDialog
          change={change}
          acceptLabel={orders ? t.acceptPrice : t.acceptShown}
          onAccept={() => {
            acceptChange();
            if (orders) checkout.submit(undefined, priceOf(change.now));
          }}
          onClose={acceptChange}
        />
      )}
      {checkout.question === 'code' && (
        <CodeDialog
          client={client}
          phone={form.customer_phone}
          onProven={checkout.proven}
          onPhoneFault={checkout.phoneFault}
          onClose={checkout.closeQuestion}
        />
      )}
      {checkout.question === 'identity' && (
        <IdentityDialog
          name={form.customer_name}
          phone={form.customer_phone}
          ownPhone={checkout.guest?.phone ?? null}
          onChoose={checkout.choose}
          onClose={checkout.closeQuestion}
        />
      )}
      {checkout.doubt !== null && (
        <DoubtDialog
          doubt={checkout.doubt}
          phone={shop.branchPhone}
          onRepeat={checkout.repeat}
          onSend={checkout.send}
          onForget={checkout.forget}
        />
      )}
    </>
  );
};

/** There is no checkout of nothing, unless it says why an order was refused. */
const useEmptyCheckout = (isEmpty: boolean, leave: () => void): void =>
  useEffect(() => {
    if (isEmpty) leave();
  }, [isEmpty]);

interface CardGreetingProps
  extends Omit<CardWayProps, 'onAgain'>, Pick<ReturnType<typeof useView>, 'open' | 'openCheckout'> {}

/** An earlier order that is whole in the cart is ready to be placed; else the cart says what is left out. */
const CardGreeting = ({ open, openCheckout, ...props }: CardGreetingProps) => {
  const { card } = props;
  if (card.part === null) return null;
  const onAgain = (leftOut: readonly string[]): void => {
    card.change({ leftOut });
    if (leftOut.length === 0) openCheckout();
    else open('cart');
  };
  return <card.part.CardWay {...props} onAgain={onAgain} />;
};

interface OrderIslandInput extends OrderIslandProps {
  readonly loadCardPart: LoadCardPart;
}

export const OrderIsland = ({ loadCardPart, ...shop }: OrderIslandInput) => {
  const { language } = useReader();
  const client = useMemo(() => clientFor(language), [language]);
  const loadMenu = useMemo(() => loaderOf(client, shop), [client]);
  const cart = useCart(`${shop.branch.id} ${shop.channel}`);
  const place = { branchId: shop.branch.id, channel: shop.channel };
  const { view, open, openCheckout, backToCart, close, leave } = useView();
  const { form, setForm, onTyped, onKnown, dropTyped } = useForm(shop);
  const card = useCard(shop, loadCardPart, cart.lines);
  const [added, setAdded] = useState<string | null>(null);
  const quoting = useQuote(client, {
    ...{ place, lines: cart.lines },
    point: shop.channel === 'outside' ? form.point : null,
    hints: view !== 'checkout',
    ...{ member: card.state.member, rewards: card.claims },
  });
  const checkout = useCheckout({
    ...{ client, shop, form, quoting, card, lines: cart.lines, onForm: setForm, onTyped, onFixCart: close },
    onRefused: openCheckout,
    onPlaced: (id, { items }) => {
      cart.takeOff(items);
      card.part?.forgetRewards(shop);
      dropTyped();
      leave();
      location.assign(`/track/${id}`);
    },
  });
  const { faults, guest, trouble, isPlacing } = checkout;
  useEmptyCheckout(view === 'checkout' && cart.count === 0 && trouble === null && !isPlacing, backToCart);
  const { menu, hasFailed } = useMenu(loadMenu, view !== '');
  const t = useMessages(order);
  useItemTaps(open, menu !== null || hasFailed ? view : null);
  useEffect(watchSections, []);
  return (
    <>
      <MenuSearch loadMenu={loadMenu} opensAtOnce={false} />
      <CardGreeting
        {...{ client, shop, card, cart, form, guest, quoting, onKnown, open, openCheckout }}
        onGuest={checkout.meet}
      />
      <CartBar count={cart.count} {...{ quoting, added }} onOpen={() => open('cart')} />
      <ItemOfView {...{ view, place, client, menu, hasFailed, cart }} onAdded={setAdded} onClose={close} />
      {view === 'cart' && (
        <CartSheet
          {...{ cart, menu, quoting, card }}
          channel={shop.channel}
          onClose={close}
          action={{ label: t.checkout, isDisabled: false, onClick: openCheckout }}
        >
          <JoinLine shop={shop} />
        </CartSheet>
      )}
      {view === 'checkout' && (
        <CheckoutSheet
          {...{ shop, form, quoting, card, faults, guest, trouble, isPlacing }}
          onForm={checkout.change}
          onPlace={() => checkout.submit()}
          onClose={close}
        />
      )}
      <Questions {...{ shop, client, form, view, quoting, checkout }} />
    </>
  );
};
