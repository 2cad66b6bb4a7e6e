/** The way to the cart: how much is in it, what it costs, which deals count. */
import { figure, money } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { useName } from '../../components/names.ts';
import type { CartQuote } from '../../components/order.ts';
import { useMessages, useReader } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import { QuotedTotal } from './bill.tsx';
import type { Quoting } from './use-quote.ts';

const Deals = ({ quote }: { readonly quote: CartQuote }) => {
  const t = useMessages(order);
  const reader = useReader();
  const nameOf = useName();
  const [hint] = (quote.hints ?? []).filter(({ saving }) => saving > 0);
  if (quote.deals.length === 0 && hint === undefined) return null;
  return (
    <p class="small">
      <Icon name="tag" />
      <span>
        {quote.deals.map((deal) => (
          <bdi key={deal.deal_rule_id}>{`${nameOf(deal)} (${money(reader, -deal.discount)}) `}</bdi>
        ))}
        {hint !== undefined && t.hint({ item: nameOf(hint), amount: money(reader, hint.saving) })}
      </span>
    </p>
  );
};

interface CartBarProps {
  readonly count: number;
  readonly quoting: Quoting;
  /** What was added last. */
  readonly added: string | null;
  readonly onOpen: () => void;
}

export const CartBar = ({ count, quoting, added, onOpen }: CartBarProps) => {
  const t = useMessages(order);
  const reader = useReader();
  return (
    <div class={count === 0 ? 'cart-bar empty' : 'cart-bar'}>
      <p role="status" class="visually-hidden">
        {added !== null && t.added({ item: added })}
      </p>
      {count > 0 && (
        <>
          {quoting.state.status === 'ready' && <Deals quote={quoting.state.quote} />}
          <button type="button" class="button wide" onClick={onOpen}>
            <Icon name="bag" />
            <span>
              {t.viewCart} · {t.count({ count, n: figure(reader, count) })}
            </span>
            <QuotedTotal quoting={quoting} />
          </button>
        </>
      )}
    </div>
  );
};
