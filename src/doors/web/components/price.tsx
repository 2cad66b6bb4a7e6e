import type { Piastres } from '../../../kernel/money.ts';
import { money } from './format.ts';
import { useReader } from './reader.ts';

/** An amount, apart from the direction of the text around it. `before`: the price that a deal has replaced. */
export const Price = ({ amount, before }: { readonly amount: Piastres; readonly before?: Piastres }) => {
  const reader = useReader();
  return (
    <span class="price">
      {before !== undefined && (
        <>
          <del>
            <bdi>{money(reader, before)}</bdi>
          </del>{' '}
        </>
      )}
      <bdi>{money(reader, amount)}</bdi>
    </span>
  );
};
