/** The items of a followed order, what they cost, and what they do for a card. */
import type { Language } from '../../../kernel/names.ts';
import { missingForNext } from '../../../loyalty/domain/progress.ts';
import { track } from '../messages/compiled/track.ts';
import { useNextReward } from './card/next-reward.ts';
import type { Card } from './card/shapes.ts';
import { useAmount } from './card/words.ts';
import { COMMA, figure, percentage } from './format.ts';
import { Icon } from './icon.tsx';
import { textIn, translated } from './names.ts';
import { Price } from './price.tsx';
import { useMessages, useReader } from './reader.ts';
import { Sum } from './totals.tsx';
import { hasEnded, type TrackedOrder } from './tracked-order.ts';

type Item = NonNullable<TrackedOrder['items']>[number];
type Part = NonNullable<Item['parts']>[number];

const useTimes = () => {
  const reader = useReader();
  return (quantity: number): string => `${figure(reader, quantity)} ×`;
};

const sizedName = (language: Language, item: Item | Part): string => {
  const { size_label: size, size_translations: others } = item;
  const name = translated(language, item);
  return size === null ? name : `${name} · ${textIn(language, size, others)}`;
};

const Extras = ({ extras = [] }: { readonly extras: Item['extras'] | undefined }) => {
  const { language } = useReader();
  const times = useTimes();
  if (extras.length === 0) return null;
  return (
    <small class="muted">
      {extras.map((extra, index) => (
        <span key={extra.name}>
          {index > 0 && COMMA[language]}
          {extra.quantity > 1 && `${times(extra.quantity)} `}
          <bdi>{translated(language, extra)}</bdi>
        </span>
      ))}
    </small>
  );
};

const ItemLine = ({ item }: { readonly item: Item }) => {
  const { language } = useReader();
  const times = useTimes();
  return (
    <li class="line">
      <span class="count">{times(item.quantity)}</span>
      <span class="what">
        <bdi>{sizedName(language, item)}</bdi>
        <Extras extras={item.extras} />
        {item.parts?.map((part, index) => (
          <small key={index} class="muted">
            {part.quantity > item.quantity && `${times(part.quantity)} `}
            <bdi>{sizedName(language, part)}</bdi> <Extras extras={part.extras} />
          </small>
        ))}
      </span>
      <Price amount={item.line_total} />
    </li>
  );
};

const Totals = ({ order }: { readonly order: TrackedOrder }) => {
  const t = useMessages(track);
  const reader = useReader();
  const percent = percentage(reader, order.tax_rate_applied);
  const amountOf = useAmount(order.loyalty?.mode ?? 'points');
  const hasTax = order.tax_amount > 0;
  return (
    <dl class="sums">
      <Sum label={t.subtotal} amount={order.subtotal} />
      {order.rewards?.map(({ units, cost, ...reward }, index) => {
        const named = { n: figure(reader, units), reward: translated(reader.language, reward) };
        return (
          <Sum
            key={index}
            label={<bdi>{units > 1 ? t.rewards(named) : t.reward(named)}</bdi>}
            amount={0}
            instead={order.loyalty == null ? t.free : amountOf(cost)}
          />
        );
      })}
      {order.discount_amount > 0 && <Sum label={t.discount} amount={-order.discount_amount} />}
      {order.channel !== 'pickup' && (
        <Sum
          label={t.fee}
          amount={order.delivery_fee}
          {...(order.delivery_fee === 0 ? { instead: t.free } : {})}
        />
      )}
      {hasTax && !order.tax_inclusive && <Sum label={t.tax({ percent })} amount={order.tax_amount} />}
      <Sum label={t.total} amount={order.total} isTotal />
      {hasTax && order.tax_inclusive && (
        <Sum label={<small class="muted">{t.taxIncluded({ percent })}</small>} amount={order.tax_amount} />
      )}
    </dl>
  );
};

interface BillProps {
  readonly order: TrackedOrder;
  /** The card that this device keeps; null: none. */
  readonly card: Card | null;
}

/** How far the next reward is on the card after the order; `toCome`: what it will earn, null: it has earned. */
const NextReward = ({ card, toCome }: { readonly card: Card; readonly toCome: number | null }) => {
  const cost = card.next_reward_cost;
  const next = card.rewards.find(({ cost_amount: amount }) => amount === cost);
  const balance = card.balance + (toCome ?? 0);
  const nextReward = useNextReward(card.mode);
  const after = { balance, isNow: toCome === null, left: missingForNext(cost, balance) };
  return <>{nextReward({ ...after, next: next === undefined ? null : { ...next, cost } })}</>;
};

/** What the order does for the card; the balance only where the device keeps a card, as the link does not open it. */
const Loyalty = ({ order: { loyalty, rewards = [], status }, card }: BillProps) => {
  const t = useMessages(track);
  const amountOf = useAmount(loyalty?.mode ?? 'points');
  if (status === 'cancelled' || status === 'rejected')
    return rewards.length === 0 ? null : <p class="muted small">{t.givenBack}</p>;
  const earned = loyalty?.earned ?? null;
  const points = earned ?? loyalty?.earns ?? 0;
  if (points === 0) return null;
  const amount = amountOf(points, 'object');
  const isOfCard = card !== null && card.enabled && card.mode === loyalty?.mode;
  return (
    <p class="earned">
      <Icon name="gift" />
      <span>
        {earned === null ? t.earns({ amount }) : t.earned({ amount })}
        {isOfCard && (
          <>
            {' · '}
            <NextReward card={card} toCome={earned === null ? points : null} />
          </>
        )}
      </span>
    </p>
  );
};

export const TrackedBill = ({ order, card }: BillProps) => {
  const t = useMessages(track);
  const pay = { cash: t.payCash, card: t.payCard }[order.payment_method_hint ?? ''];
  return (
    <section class="card bill" aria-labelledby="items">
      <h2 id="items">{t.items}</h2>
      <ul>
        {order.items?.map((item, index) => (
          <ItemLine key={index} item={item} />
        ))}
      </ul>
      <Totals order={order} />
      <Loyalty order={order} card={card} />
      {pay !== undefined && order.total > 0 && !hasEnded(order) && <p class="muted small">{pay}</p>}
    </section>
  );
};
