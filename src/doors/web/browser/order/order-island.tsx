/** The script of the order page: items open in a sheet, the cart, the checkout. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Client } from '../../../../client/client.ts';
import type { Menu, MenuItem } from '../../components/deal-text.ts';
import { itemIn } from '../../components/item-address.ts';
import { useName } from '../../components/names.ts';
import type { OrderIslandProps } from '../../components/order.ts';
import { useMessages, useReader } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import { whenIdle } from '../idle.ts';
import { menuLoader } from '../menu-loader.ts';
import { MenuSearch } from '../menu-search.tsx';
import { Sheet } from '../sheet.tsx';
import { watchSections } from '../section-in-view.ts';
import { clientFor } from '../start.tsx';
import { endWaiting, showWaiting, tapped } from '../tap.ts';
import { CartBar } from './cart-bar.tsx';
import { CartSheet } from './cart-sheet.tsx';
import { useCart } from './cart.ts';
import { CheckoutSheet } from './checkout-sheet.tsx';
import { priceOf, type CheckoutForm } from './checkout.ts';
import { CodeDialog } from './code-dialog.tsx';
import { ChangeDialog, IdentityDialog, DoubtDialog } from './dialogs.tsx';
import { ItemSheet } from './item-sheet.tsx';
import { useCard, type CardWayProps, type LoadCardPart } from './use-card.ts';
import { useCheckout, type Checkout } from './use-checkout.ts';
import { useForm } from './use-form.ts';
import { useQuote, type Quoting } from './use-quote.ts';
import { useView, type View } from './view.ts';

/** Of the channel's menu, also while it is closed. */
const loaderOf = (client: Client, { branch: { id }, channel }: OrderIslandProps): (() => Promise<Menu>) =>
  menuLoader(client, { path: { id }, query: { channel, preview: true } });

type MenuState = { readonly menu: Menu | null; readonly hasFailed: boolean };

/** The menu, once something of it is shown; it is loaded before, so that it is there by then. */
const useMenu = (load: () => Promise<Menu>, isNeeded: boolean): MenuState => {
  const [state, setState] = useState<MenuState>({ menu: null, hasFailed: false });
  useEffect(() => whenIdle(() => void load().catch(() => undefined)), [load]);
  useEffect(() => {
    if (!isNeeded) {
      setState((before) => (before.hasFailed ? { ...before, hasFailed: false } : before));
      return;
    }
    load().then(
      (menu) => setState({ menu, hasFailed: false }),
      () => setState({ menu: null, hasFailed: true }),
    );
  }, [isNeeded, load]);
  return state;
};

const NO_ITEM = 'order-no-item';

/** An item that cannot be shown: it has left the menu, or the menu cannot be loaded. */
const NoItem = ({ message, onClose }: { readonly message: string; readonly onClose: () => void }) => {
  const t = useMessages(order);
  return (
    <Sheet headingId={NO_ITEM} onClose={onClose} isSmall>
      <h2 id={NO_ITEM} tabIndex={-1}>
        {message}
      </h2>
      <p class="actions">
        <button type="button" class="button wide" onClick={onClose}>
          {t.backToMenu}
        </button>
      </p>
    </Sheet>
  );
};

/** A tap on an item opens it here; a new tab shows its page. `shown`: null while the menu has not come. */
const useItemTaps = (open: (view: View) => void, shown: View | null): void => {
  useEffect(() => {
    if (shown !== null) endWaiting();
  }, [shown]);
  useEffect(() => {
    const onClick = (event: MouseEvent): void => {
      const link = tapped(event, 'a.item');
      const id = link instanceof HTMLAnchorElement ? itemIn(link.pathname) : null;
      if (link === null || id === null) return;
      event.preventDefault();
      showWaiting(link);
      open(`item-${id}`);
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  });
};

const itemOf = (menu: Menu | null, view: View): MenuItem | null =>
  (view.startsWith('item-') ? menu?.items.find(({ id }) => `item-${id}` === view) : null) ?? null;

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
  const nameOf = useName();
  const client = useMemo(() => clientFor(language), [language]);
  const loadMenu = useMemo(() => loaderOf(client, shop), [client]);
  const cart = useCart(shop);
  const { view, open, openCheckout, backToCart, close, leave } = useView();
  const { form, setForm, onTyped, onKnown, dropTyped } = useForm(shop);
  const card = useCard(shop, loadCardPart, cart.lines);
  const [added, setAdded] = useState<string | null>(null);
  const quoting = useQuote(client, {
    ...{ branchId: shop.branch.id, channel: shop.channel, lines: cart.lines },
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
  const item = itemOf(menu, view);
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
      {view.startsWith('item-') && item === null && (menu !== null || hasFailed) && (
        <NoItem message={hasFailed ? t.noMenu : t.notOnSale} onClose={close} />
      )}
      {item !== null && menu !== null && (
        <ItemSheet
          key={item.id}
          {...{ shop, client, menu, item }}
          onClose={close}
          onAdd={(line) => {
            cart.add(line);
            setAdded(nameOf(item));
            close();
          }}
        />
      )}
      {view === 'cart' && (
        <CartSheet {...{ shop, cart, menu, quoting, card }} onClose={close} onCheckout={openCheckout} />
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
