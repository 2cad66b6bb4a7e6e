/** What a programme gives, before a guest joins it. */
import { join as messages } from '../../messages/compiled/join.ts';
import { rewards as words } from '../../messages/compiled/rewards.ts';
import { money } from '../format.ts';
import { Icon } from '../icon.tsx';
import { useMessages, useReader } from '../reader.ts';
import { RewardList } from './reward-list.tsx';
import type { JoinInfo } from './shapes.ts';
import { useAmount } from './words.ts';

const Gives = ({ info }: { readonly info: JoinInfo }) => {
  const t = useMessages(messages);
  const reader = useReader();
  const amount = useAmount(info.mode);
  const gift = info.birthday_reward_amount ?? null;
  return (
    <ul class="gives">
      <li>
        <Icon name={info.mode === 'points' ? 'tag' : 'cup'} />
        {info.mode === 'points'
          ? t.earnPoints({ amount: money(reader, info.earn_piastres_per_point) })
          : info.visit_per_item
            ? t.earnVisitPerItem
            : t.earnVisits}
      </li>
      <li>
        <Icon name="gift" />
        {t.firstReward({ cost: amount(info.next_reward_cost, 'object') })}
      </li>
      {info.birthday_enabled && (
        <li>
          <Icon name="calendar" />
          {gift === null ? t.birthdayWish : t.birthdayGift({ amount: amount(gift) })}
        </li>
      )}
    </ul>
  );
};

/** A shop may write them in one language alone. */
const useTerms = ({ terms, terms_ar: arabic }: JoinInfo): string | null => {
  const { language } = useReader();
  return (language === 'ar' ? (arabic ?? terms) : (terms ?? arabic)) ?? null;
};

export const Programme = ({ info }: { readonly info: JoinInfo }) => {
  const t = useMessages(messages);
  const { rewards } = useMessages(words);
  const terms = useTerms(info);
  return (
    <>
      <Gives info={info} />
      <section class="card" aria-labelledby="rewards">
        <h2 id="rewards">{rewards}</h2>
        <RewardList programme={info} />
        {terms !== null && (
          <details class="terms">
            <summary>{t.terms}</summary>
            <p dir="auto">{terms}</p>
          </details>
        )}
      </section>
    </>
  );
};
