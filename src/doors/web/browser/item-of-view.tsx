/** The sheet of the item that a tap has opened, at the order page and at a table. */
import type { Client } from '../../../client/client.ts';
import type { Menu } from '../components/deal-text.ts';
import { useName } from '../components/names.ts';
import { useMessages } from '../components/reader.ts';
import { order } from '../messages/compiled/order.ts';
import { itemOf, NoItem } from './shown-item.tsx';
import type { Cart } from './order/cart.ts';
import { ItemSheet } from './order/item-sheet.tsx';
import type { QuotedPlace } from './order/use-quote.ts';
import type { View } from './order/view.ts';

interface ItemOfViewProps {
  readonly view: View;
  readonly place: QuotedPlace;
  readonly client: Client;
  /** Null: it has not come, or cannot be loaded. */
  readonly menu: Menu | null;
  readonly hasFailed: boolean;
  readonly cart: Cart;
  /** With the name of what is in the cart now. */
  readonly onAdded: (name: string) => void;
  readonly onClose: () => void;
}

export const ItemOfView = ({ view, place, client, menu, hasFailed, ...rest }: ItemOfViewProps) => {
  const { cart, onAdded, onClose } = rest;
  const t = useMessages(order);
  const nameOf = useName();
  const item = itemOf(menu, view);
  if (item !== null && menu !== null)
    return (
      <ItemSheet
        key={item.id}
        {...{ place, client, menu, item, onClose }}
        onAdd={(line) => {
          cart.add(line);
          onAdded(nameOf(item));
          onClose();
        }}
      />
    );
  const isMissing = view.startsWith('item-') && (menu !== null || hasFailed);
  return isMissing ? <NoItem message={hasFailed ? t.noMenu : t.notOnSale} onClose={onClose} /> : null;
};
