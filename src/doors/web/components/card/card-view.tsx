/** A loyalty card, the same on the server and in the browser. */
import type { ComponentChildren } from 'preact';
import { firstWord } from '../../../../kernel/names.ts';
import type { ZoneId } from '../../../../kernel/time.ts';
import { card as messages } from '../../messages/compiled/card.ts';
import { rewards as words } from '../../messages/compiled/rewards.ts';
import { figure } from '../format.ts';
import { Icon } from '../icon.tsx';
import { useMessages, useReader } from '../reader.ts';
import { Ledger } from './ledger.tsx';
import { PastOrders } from './past-orders.tsx';
import { PreferencesForm, type Preferences } from './preferences.tsx';
import { ProgressPicture } from './progress.tsx';
import { RewardList } from './reward-list.tsx';
import type { Card, PastOrder } from './shapes.ts';
import { WalletLinks } from './wallets.tsx';
import { programmeName, useAmount } from './words.ts';

/** Of the island. */
export interface CardProps {
  readonly card: Card;
  readonly orders: readonly PastOrder[];
  readonly slug: string;
  /** Of the shop's first branch. */
  readonly zone: ZoneId;
}

interface CardViewProps extends CardProps {
  readonly isAlive: boolean;
  /** Why what is shown may be old; null: it is not. */
  readonly notice: string | null;
  /** What became of the last choice of preferences. */
  readonly said: string | null;
  readonly onAgain: (order: PastOrder) => void;
  readonly onPreferences: (change: Partial<Preferences>) => void;
  readonly onEnlarge: () => void;
  readonly onVoucher: () => void;
  readonly children?: ComponentChildren;
}

/** The path names the card's token, as the page's own address does. */
export const codeAddress = ({ member_token: token }: Card): string => `/public/loyalty/card/${token}/qr.svg`;

const canSpend = (card: Card): boolean => card.enabled && card.can_redeem;

const Balance = ({ card }: { readonly card: Card }) => {
  const t = useMessages(messages);
  const reader = useReader();
  const amount = useAmount(card.mode);
  const { rewards_ready: ready } = card;
  return (
    <div class="balance">
      <ProgressPicture card={card} />
      <div>
        <p>
          <span class="muted">{t.balance}</span> <b>{amount(card.balance)}</b>
        </p>
        {card.enabled && <p class="small">{t.toNext({ amount: amount(card.points_to_next_reward) })}</p>}
        {canSpend(card) && (
          <p class="ready">
            <Icon name="gift" />
            {t.ready({ count: ready, figure: figure(reader, ready) })}
          </p>
        )}
      </div>
    </div>
  );
};

const Paused = ({ mode }: Pick<Card, 'mode'>) => {
  const t = useMessages(messages);
  const kept = { points: t.pausedPoints, visits: t.pausedVisits }[mode];
  return (
    <div class="notice">
      <Icon name="clock" />
      <div>
        <p>
          <b>{t.paused}</b>
        </p>
        <p>{kept}</p>
      </div>
    </div>
  );
};

type PassProps = Pick<CardViewProps, 'card' | 'isAlive' | 'onEnlarge'>;

const Code = ({ card, isAlive, onEnlarge }: PassProps) => {
  const t = useMessages(messages);
  return (
    <div class="code">
      <p class="small">{t.showCode}</p>
      <button type="button" class="scan" disabled={!isAlive} onClick={onEnlarge}>
        <img src={codeAddress(card)} alt={t.code} width={200} height={200} />
        {card.member_code !== null && <bdi dir="ltr">{card.member_code}</bdi>}
        <span class="visually-hidden">{t.enlarge}</span>
      </button>
    </div>
  );
};

const Pass = ({ card, ...code }: PassProps) => {
  const t = useMessages(messages);
  const { language } = useReader();
  return (
    <section class="card pass" aria-labelledby="hello">
      <h1 id="hello">
        <bdi>{t.hello({ name: firstWord(card.name) })}</bdi>
      </h1>
      <p class="muted">
        <bdi>{programmeName(language, card)}</bdi>
      </p>
      <Balance card={card} />
      <Code card={card} {...code} />
    </section>
  );
};

export const CardView = (props: CardViewProps) => {
  const { card, orders, slug, zone, notice, isAlive } = props;
  const t = useMessages(messages);
  const { rewards } = useMessages(words);
  return (
    <>
      <p class={notice === null ? 'visually-hidden' : 'notice'} role="status">
        {notice}
      </p>
      {!card.enabled && <Paused mode={card.mode} />}
      <Pass {...{ card, isAlive, onEnlarge: props.onEnlarge }} />
      <WalletLinks passes={card.passes} />
      {card.order_now_url != null && (
        <a class="button wide" href={card.order_now_url}>
          <Icon name="bag" />
          {t.order}
        </a>
      )}
      <section class="card" aria-labelledby="rewards">
        <h2 id="rewards">{rewards}</h2>
        <RewardList programme={card} {...(card.enabled ? { balance: card.balance } : {})} />
        {canSpend(card) && (
          <>
            <p class="muted small">{t.howToSpend}</p>
            {card.offline_limit !== null && (
              <button type="button" class="button quiet" disabled={!isAlive} onClick={props.onVoucher}>
                {t.voucher}
              </button>
            )}
          </>
        )}
      </section>
      <Ledger card={card} zone={zone} />
      <PastOrders
        {...{ orders, zone, slug, onAgain: props.onAgain }}
        takesOrders={card.order_now_url != null}
      />
      <PreferencesForm {...card} isAlive={isAlive} said={props.said} onChange={props.onPreferences} />
      <p class="muted small">{t.keep}</p>
      {props.children}
    </>
  );
};
