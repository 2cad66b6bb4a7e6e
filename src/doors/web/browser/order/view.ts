/** Which sheet is open: a part of the address, so that the browser's back button closes it. */
import { useEffect, useState } from 'preact/hooks';

/** `item-…`: the item with that id. */
export type View = '' | 'cart' | 'checkout' | `item-${string}`;

const viewIn = (hash: string): View => {
  const name = hash.slice(1);
  if (name === 'cart' || name === 'checkout') return name;
  return /^item-[0-9a-f-]{36}$/.test(name) ? `item-${name.slice('item-'.length)}` : '';
};

const isItem = (view: View): boolean => view.startsWith('item-');

const OPENED_HERE = 'opened here';

export const useView = () => {
  const [view, setView] = useState<View>('');
  useEffect(() => {
    const follow = (): void => setView(viewIn(location.hash));
    follow();
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  /** Of two taps on items, while the first one is still to come, the second counts. */
  const open = (next: View): void => {
    const before = viewIn(location.hash);
    if (before === next) return;
    if (isItem(before) && isItem(next)) history.replaceState(history.state, '', `#${next}`);
    else history.pushState(OPENED_HERE, '', `#${next}`);
    setView(next);
  };
  return {
    view,
    open,
    /** As from the cart, which the back button leads to. */
    openCheckout: (): void => {
      const before = viewIn(location.hash);
      if (before === 'checkout') return;
      if (before !== 'cart') open('cart');
      open('checkout');
    },
    backToCart: (): void => {
      if (history.state === OPENED_HERE) history.back();
      else {
        history.replaceState(null, '', '#cart');
        setView('cart');
      }
    },
    close: (): void => {
      if (history.state === OPENED_HERE) history.back();
      else {
        history.replaceState(null, '', location.pathname + location.search);
        setView('');
      }
    },
    /** Without a way back to it. */
    leave: (): void => {
      history.replaceState(null, '', location.pathname + location.search);
      setView('');
    },
  };
};
