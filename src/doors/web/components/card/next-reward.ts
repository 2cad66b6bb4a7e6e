/** How far the next reward is, in the reader's words. */
import { progress } from '../../messages/compiled/progress.ts';
import { figure } from '../format.ts';
import { useName, type Named } from '../names.ts';
import { useMessages, useReader } from '../reader.ts';
import type { Mode } from './shapes.ts';
import { useAmount } from './words.ts';

export interface NextReward {
  readonly balance: number;
  /** Whether it is that of today, or what an order will make of it. */
  readonly isNow: boolean;
  /** To the next reward. */
  readonly left: number;
  /** Of the cheapest reward; null: the shop lists none, and the reward is of the guest's choice. */
  readonly next: (Named & { readonly cost: number }) | null;
}

/** How far it is to the next reward, or that the balance is enough for it. */
export const useNextReward = (mode: Mode): ((of: NextReward) => string) => {
  const t = useMessages(progress);
  const reader = useReader();
  const nameOf = useName();
  const amountOf = useAmount(mode);
  return ({ balance, isNow, left, next }) => {
    const missing = { n: figure(reader, left), left: amountOf(left) };
    if (next === null) return t.leftToNext(missing);
    const reward = nameOf(next);
    return balance >= next.cost
      ? t.enough({ reward, time: isNow ? 'now' : 'after' })
      : t.left({ ...missing, reward });
  };
};
