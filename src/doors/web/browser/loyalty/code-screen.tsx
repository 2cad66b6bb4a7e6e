/** The code of a card over the whole screen. */
import { codeAddress } from '../../components/card/card-view.tsx';
import type { Card } from '../../components/card/shapes.ts';
import { useMessages } from '../../components/reader.ts';
import { card as messages } from '../../messages/compiled/card.ts';
import { LitScreen } from './lit-screen.tsx';

export const CodeScreen = ({ card, onClose }: { readonly card: Card; readonly onClose: () => void }) => {
  const t = useMessages(messages);
  return (
    <LitScreen label={t.code} onClose={onClose}>
      <img src={codeAddress(card)} alt={t.code} width={320} height={320} />
      {card.member_code !== null && <bdi dir="ltr">{card.member_code}</bdi>}
    </LitScreen>
  );
};
