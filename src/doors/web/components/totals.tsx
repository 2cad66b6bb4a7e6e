/** The sums of a bill, one under the other. */
import type { ComponentChildren } from 'preact';
import type { Piastres } from '../../../kernel/money.ts';
import { Price } from './price.tsx';

interface SumProps {
  readonly label: ComponentChildren;
  readonly amount: Piastres;
  /** Shown instead of the amount. */
  readonly instead?: string;
  readonly isTotal?: boolean;
}

export const Sum = ({ label, amount, instead, isTotal = false }: SumProps) => (
  <div class={isTotal ? 'sum total' : 'sum'}>
    <dt>{label}</dt>
    <dd>{instead ?? <Price amount={amount} />}</dd>
  </div>
);
