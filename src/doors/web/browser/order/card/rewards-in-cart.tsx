/** What the card pays for in the cart, and could pay for: figures of the quote alone. */
import { money } from '../../../components/format.ts';
import type { Mode } from '../../../components/card/shapes.ts';
import { useNextReward } from '../../../components/card/next-reward.ts';
import { useAmount } from '../../../components/card/words.ts';
import { Icon } from '../../../components/icon.tsx';
import { useName } from '../../../components/names.ts';
import type { CartQuote } from '../../../components/order.ts';
import { useMessages, useReader } from '../../../components/reader.ts';
import { member } from '../../../messages/compiled/member.ts';
import type { LineRewardProps } from '../use-card.ts';
import { withoutRewardsOf, withReward } from './taken-rewards.ts';

interface OfferProps {
  readonly offer: NonNullable<CartQuote['reward_hints']>[number];
  readonly mode: Mode;
  /** Of the line. */
  readonly name: string;
  readonly onTake: () => void;
}

/** Cost and saving are each on one line, however narrow the screen is. */
const Offer = ({ offer, mode, name, onTake }: OfferProps) => {
  const t = useMessages(member);
  const reader = useReader();
  const amountOf = useAmount(mode);
  const spend = t.spend({ cost: amountOf(offer.cost, 'object') });
  const saves = t.saves({ amount: money(reader, offer.saving) });
  return (
    <button type="button" class="button quiet" aria-label={`${spend} ${saves}: ${name}`} onClick={onTake}>
      <Icon name="gift" />
      <span>
        <span class="whole">{spend}</span> <span class="whole">{saves}</span>
      </span>
    </button>
  );
};

/** Below a line of the cart. */
export const LineReward = ({ card, quote, line, index, name }: LineRewardProps) => {
  const t = useMessages(member);
  const nameOf = useName();
  const mode = quote?.loyalty?.mode ?? 'points';
  const amountOf = useAmount(mode);
  const paid = (quote?.rewards ?? []).filter(({ line_index: at }) => at === index);
  const offer = quote?.reward_hints?.find(({ line_index: at }) => at === index);
  const { taken } = card.state;
  const change = (next: typeof taken): void => card.change({ taken: next, fault: null });
  if (paid.length === 0 && offer === undefined) return null;
  return (
    <div class="line-reward">
      {paid.map((reward) => (
        <small key={reward.reward_id} class="saving">
          <Icon name="gift" />
          <span>{t.paidBy({ reward: nameOf(reward), cost: amountOf(reward.cost, 'object') })}</span>
        </small>
      ))}
      {paid.length > 0 && (
        <button
          type="button"
          class="text-button"
          aria-label={`${t.takeBack}: ${name}`}
          onClick={() => change(withoutRewardsOf(taken, line))}
        >
          {t.takeBack}
        </button>
      )}
      {offer !== undefined && (
        <Offer {...{ offer, mode, name }} onTake={() => change(withReward(taken, line, offer.reward_id))} />
      )}
    </div>
  );
};

/** The balance after the rewards of the cart, and what stands between the guest and his rewards. */
export const Balance = ({ card, quote }: Omit<LineRewardProps, 'line' | 'index' | 'name'>) => {
  const t = useMessages(member);
  const { member: owner, fault } = card.state;
  const loyalty = quote?.loyalty ?? null;
  const amountOf = useAmount(loyalty?.mode ?? 'points');
  if (owner === null) return null;
  return (
    <div class="balance">
      <div role="alert">{fault !== null && <p class="fault">{fault}</p>}</div>
      {loyalty !== null && (
        <p>
          <b>
            {quote?.balance_after == null || quote.reward_cost === 0
              ? t.have({ balance: amountOf(loyalty.balance) })
              : t.remains({ balance: amountOf(quote.balance_after) })}
          </b>
        </p>
      )}
      {loyalty !== null && loyalty.balance > 0 && owner.proof === null && (
        <p>
          <small class="muted">{t.proveToSpend}</small>
          <button type="button" class="button quiet" onClick={() => card.change({ isProving: true })}>
            {t.prove}
          </button>
        </p>
      )}
    </div>
  );
};

type Earning = NonNullable<CartQuote['loyalty']>;

const ForecastLine = ({ loyalty }: { readonly loyalty: Earning }) => {
  const t = useMessages(member);
  const amountOf = useAmount(loyalty.mode);
  const nextReward = useNextReward(loyalty.mode);
  const { earns, balance_after_delivery: balance, points_to_next_reward: left, next_reward: next } = loyalty;
  return (
    <p class="forecast">
      <Icon name="gift" />
      <span>
        {earns > 0 && `${t.earns({ earned: amountOf(earns, 'object') })} · `}
        {nextReward({ balance, isNow: false, left, next })}
      </span>
    </p>
  );
};

/** Below the bill: what the order earns, and how far it is then to the next reward. */
export const Forecast = ({ quote }: { readonly quote: CartQuote | null }) => {
  const loyalty = quote?.loyalty ?? null;
  return loyalty === null ? null : <ForecastLine loyalty={loyalty} />;
};

/** What of an earlier order is not in the cart. */
export const LeftOut = ({ names }: { readonly names: readonly string[] }) => {
  const t = useMessages(member);
  return (
    <div class="notice" role="status">
      <Icon name="clock" />
      <div>
        <p>{t.leftOut}</p>
        <ul>
          {names.map((name) => (
            <li key={name}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
};
