/** The script of the choice of branch and channel: guests without a card load nothing but this. */
import type { ChoiceIslandProps } from '../../../components/order.ts';
import type { Reader } from '../../../components/reader.ts';
import { readCard } from '../../card.ts';

interface ChoiceData {
  readonly reader: Reader;
  readonly props: ChoiceIslandProps;
}

export const startOrderChoice = (): void => {
  document.documentElement.dataset['alive'] = '';
  const data = document.getElementById('island-data')?.textContent;
  if (data == null) return;
  const { reader, props } = JSON.parse(data) as ChoiceData;
  const card = readCard(props.slug);
  if (card === null) return;
  // With all that the page of the chosen branch needs next.
  import('./card-part.tsx').then(
    ({ greetAtChoice }) => greetAtChoice(reader, props, card),
    () => undefined,
  );
};
