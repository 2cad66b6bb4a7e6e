/** What a guest without a card could have. */
import { Icon } from '../../components/icon.tsx';
import type { OrderIslandProps } from '../../components/order.ts';
import { useMessages } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import { readCard } from '../card.ts';

export const JoinLine = ({ shop }: { readonly shop: OrderIslandProps }) => {
  const t = useMessages(order);
  if (!shop.hasProgramme || readCard(shop.slug) !== null) return null;
  return (
    <p class="forecast">
      <Icon name="gift" />
      <a href={`/${shop.slug}/join`}>{t.join}</a>
    </p>
  );
};
