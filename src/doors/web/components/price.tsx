import type { Piastres } from '../../../kernel/money.ts';
import { money } from './format.ts';
import { menu } from '../messages/compiled/menu.ts';
import { useMessages, useReader } from './reader.ts';

/** An amount, apart from the direction of the text around it. `before`: the price that a deal has replaced. */
export const Price = ({ amount, before }: { readonly amount: Piastres; readonly before?: Piastres }) => {
  const reader = useReader();
  const t = useMessages(menu);
  return (
    <span class="price">
      {before !== undefined && (
        <>
          <del>
            <bdi>{money(reader, before)}</bdi>
          </del>{' '}
          <span class="visually-hidden">{t.dealPriceBefore} </span>
        </>
      )}
      <bdi>{money(reader, amount)}</bdi>
    </span>
  );
};
