/**
 * Buttons to the wallets of phones. The vendors' artwork is not ours to ship: the buttons keep its rules (black, at
 * least 44 px high, clear space, the official words) and carry a wallet that we drew.
 */
import { card as messages } from '../../messages/compiled/card.ts';
import { Icon } from '../icon.tsx';
import { useMessages } from '../reader.ts';
import type { Card } from './shapes.ts';

const WalletLink = ({ address, text }: { readonly address: string; readonly text: string }) => (
  <li>
    <a class="wallet" href={address} rel="noopener">
      <Icon name="wallet" />
      <span>{text}</span>
    </a>
  </li>
);

export const WalletLinks = ({ passes }: Pick<Card, 'passes'>) => {
  const t = useMessages(messages);
  const { any, wallet_one_url: one, wallet_two_url: two } = passes;
  if (!any) return null;
  return (
    <ul class="wallets">
      {one != null && <WalletLink address={one} text={t.walletOne} />}
      {two != null && <WalletLink address={two} text={t.walletTwo} />}
    </ul>
  );
};
