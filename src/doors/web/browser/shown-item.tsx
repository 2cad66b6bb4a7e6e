/** The item that a tap on the menu opens, at the order page and at a table. */
import { useEffect, useState } from 'preact/hooks';
import type { Menu, MenuItem } from '../components/deal-text.ts';
import { itemIn } from '../components/item-address.ts';
import { useMessages } from '../components/reader.ts';
import { order } from '../messages/compiled/order.ts';
import { whenIdle } from './idle.ts';
import { Sheet } from './sheet.tsx';
import { endWaiting, showWaiting, tapped } from './tap.ts';
import type { View } from './order/view.ts';

type MenuState = { readonly menu: Menu | null; readonly hasFailed: boolean };

/** The menu, once something of it is shown; it is loaded before, so that it is there by then. */
export const useMenu = (load: () => Promise<Menu>, isNeeded: boolean): MenuState => {
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
export const NoItem = ({ message, onClose }: { readonly message: string; readonly onClose: () => void }) => {
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
export const useItemTaps = (open: (view: View) => void, shown: View | null): void => {
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

export const itemOf = (menu: Menu | null, view: View): MenuItem | null =>
  (view.startsWith('item-') ? menu?.items.find(({ id }) => `item-${id}` === view) : null) ?? null;
