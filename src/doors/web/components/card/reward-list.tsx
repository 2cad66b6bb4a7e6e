/** The rewards of a programme with what they cost. */
import { card as messages } from '../../messages/compiled/card.ts';
import { rewards as words } from '../../messages/compiled/rewards.ts';
import { Icon } from '../icon.tsx';
import { translated } from '../names.ts';
import { useMessages, useReader } from '../reader.ts';
import type { Card, JoinInfo, Mode, Reward } from './shapes.ts';
import { useAmount } from './words.ts';

interface RowProps {
  readonly reward: Reward;
  readonly mode: Mode;
  /** Of the card; null: no card is there. */
  readonly balance: number | null;
}

const RewardState = ({ reward, mode, balance }: RowProps) => {
  const t = useMessages(messages);
  const amount = useAmount(mode);
  if (balance === null) return null;
  const missing = reward.cost_amount - balance;
  if (missing > 0) return <small class="muted">{t.short({ amount: amount(missing) })}</small>;
  return (
    <small class="ready">
      <Icon name="check" />
      {t.readyNow}
    </small>
  );
};

const RewardRow = (props: RowProps) => {
  const { language } = useReader();
  const amount = useAmount(props.mode);
  const { reward } = props;
  return (
    <li>
      <Icon name="gift" />
      <span class="what">
        <bdi>{translated(language, reward)}</bdi>
        <RewardState {...props} />
      </span>
      <span class="cost">{amount(reward.cost_amount)}</span>
    </li>
  );
};

interface RewardListProps {
  readonly programme: Pick<JoinInfo | Card, 'mode' | 'rewards' | 'next_reward_cost'>;
  readonly balance?: number;
}

/** A shop that lists none gives one of the guest's choice. */
export const RewardList = ({ programme, balance }: RewardListProps) => {
  const t = useMessages(words);
  const { mode, rewards, next_reward_cost: cost } = programme;
  const any = { id: '', name: t.anyReward, name_translations: {}, cost_currency: mode, cost_amount: cost };
  return (
    <ul class="rewards">
      {(rewards.length === 0 ? [any] : rewards).map((reward) => (
        <RewardRow key={reward.id} {...{ reward, mode, balance: balance ?? null }} />
      ))}
    </ul>
  );
};
