/** The sums of a quote. */
import { useName } from '../../components/names.ts';
import type { CartQuote, OnlineChannel } from '../../components/order.ts';
import { Price } from '../../components/price.tsx';
import { useMessages } from '../../components/reader.ts';
import { Sum } from '../../components/totals.tsx';
import { order } from '../../messages/compiled/order.ts';
import { isAboutRewards } from './refusals.ts';
import type { Quoting } from './use-quote.ts';

interface BillProps {
  readonly quote: CartQuote;
  /** Null: at a table. */
  readonly channel: OnlineChannel | null;
}

const Fee = ({ quote, channel }: BillProps) => {
  const t = useMessages(order);
  const isRefused = quote.delivery !== null && quote.delivery.status !== 'ok';
  if (channel === null || channel === 'pickup' || isRefused) return null;
  const fee = quote.delivery?.fee ?? null;
  const instead = fee === null ? t.feeLater : fee === 0 ? t.free : null;
  return <Sum label={t.fee} amount={fee ?? 0} {...(instead === null ? {} : { instead })} />;
};

const Bill = ({ quote, channel }: BillProps) => {
  const t = useMessages(order);
  const nameOf = useName();
  const tax = quote.order_tax_amount ?? quote.tax_amount;
  return (
    <dl class="sums">
      <Sum label={t.items} amount={quote.items_total} />
      {quote.rewards.map((reward) => (
        <Sum
          key={`${reward.reward_id} ${reward.line_index}`}
          label={<bdi>{t.reward({ reward: nameOf(reward) })}</bdi>}
          amount={0}
          instead={t.free}
        />
      ))}
      {quote.deals.map((deal) => (
        <Sum key={deal.deal_rule_id} label={<bdi>{nameOf(deal)}</bdi>} amount={-deal.discount} />
      ))}
      {quote.discount_amount > 0 && <Sum label={t.discount} amount={-quote.discount_amount} />}
      {quote.service_charge_amount > 0 && <Sum label={t.service} amount={quote.service_charge_amount} />}
      <Fee {...{ quote, channel }} />
      {tax > 0 && !quote.tax_inclusive && <Sum label={t.tax} amount={tax} />}
      <Sum label={t.total} amount={quote.order_total ?? quote.total} isTotal />
      {tax > 0 && quote.tax_inclusive && (
        <Sum label={<small class="muted">{t.taxIncluded}</small>} amount={tax} />
      )}
    </dl>
  );
};

/** The bill, or why there is none. Changes are said to a screen reader. */
export const QuotedBill = ({
  quoting,
  channel,
}: {
  readonly quoting: Quoting;
  readonly channel: OnlineChannel | null;
}) => {
  const t = useMessages(order);
  const { state, again } = quoting;
  return (
    <div class="bill" role="status">
      {state.status === 'asking' && <p class="muted">{t.counting}</p>}
      {state.status === 'ready' && <Bill quote={state.quote} channel={channel} />}
      {state.status === 'refused' && !isAboutRewards(state.refusal) && (
        <p class="fault">{state.refusal.message}</p>
      )}
      {state.status === 'failed' && (
        <>
          <p class="fault">{t.noPrice}</p>
          <button type="button" class="button quiet" onClick={again}>
            {t.retry}
          </button>
        </>
      )}
    </div>
  );
};

/** What the order comes to, on a button; empty while it is not known. */
export const QuotedTotal = ({ quoting: { state } }: { readonly quoting: Quoting }) =>
  state.status === 'ready' ? (
    <span class="amount">
      {' '}
      <Price amount={state.quote.order_total ?? state.quote.total} />
    </span>
  ) : null;
