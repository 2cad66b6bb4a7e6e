/** How near the next reward is, as a picture: stamps of a card of visits, else a ring. */
import { card as messages } from '../../messages/compiled/card.ts';
import { figure } from '../format.ts';
import { Icon } from '../icon.tsx';
import { useMessages, useReader } from '../reader.ts';
import type { Card } from './shapes.ts';
import { useAmount } from './words.ts';

/** More are a ring, which needs no counting. */
const MOST_STAMPS = 12;

const Stamps = ({ done, of }: { readonly done: number; readonly of: number }) => (
  <span class="stamps">
    {Array.from({ length: of }, (_, at) => (
      <span key={at} class={at < done ? 'stamp done' : 'stamp'}>
        <Icon name="cup" />
      </span>
    ))}
  </span>
);

/** `share`: hundredths. */
const Ring = ({ share, text }: { readonly share: number; readonly text: string }) => (
  <span class="ring">
    <svg viewBox="0 0 120 120">
      <circle cx="60" cy="60" r="52" />
      {share > 0 && (
        <circle
          class="done"
          cx="60"
          cy="60"
          r="52"
          pathLength={100}
          stroke-dasharray={`${share} 100`}
          transform="rotate(-90 60 60)"
        />
      )}
    </svg>
    <b>{text}</b>
  </span>
);

export const ProgressPicture = ({ card }: { readonly card: Card }) => {
  const t = useMessages(messages);
  const reader = useReader();
  const amount = useAmount(card.mode);
  const { next_reward_cost: cost, progress_to_next: done } = card;
  return (
    <div
      class="progress"
      role="img"
      aria-label={t.progress({ done: figure(reader, done), cost: amount(cost, 'object') })}
    >
      {card.mode === 'visits' && cost <= MOST_STAMPS ? (
        <Stamps done={done} of={cost} />
      ) : (
        <Ring share={Math.floor((100 * done) / cost)} text={figure(reader, card.balance)} />
      )}
    </div>
  );
};
