/** A loyalty card: read again whenever it is looked at, its code enlarged, its preferences saved. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Client } from '../../../../client/client.ts';
import { CardView, codeAddress, type CardProps } from '../../components/card/card-view.tsx';
import type { Preferences } from '../../components/card/preferences.tsx';
import type { CartLine } from '../../components/order.ts';
import { useMessages, useReader } from '../../components/reader.ts';
import { card as messages } from '../../messages/compiled/card.ts';
import { forgetCard, keepCard, readCard } from '../card.ts';
import { isGone, keepsAnotherCard } from '../other-card.ts';
import { CodeScreen } from './code-screen.tsx';
import type { VoucherOnScreen } from './voucher-on-screen.tsx';
import { keepForAgain } from '../order/again.ts';
import { clientFor } from '../start.tsx';
import { useReturn } from '../use-return.ts';
import { describeFailure } from '../words.ts';

type Line = CardProps['orders'][number]['lines'][number];

/** As a cart has it: without names, which the menu has. */
const cartLineOf = ({ combo, ...line }: Line): CartLine => ({
  ...{ menu_item_id: line.menu_item_id, quantity: line.quantity, size_label: line.size_label },
  ...{ optional_field_ids: line.optional_field_ids, addons: line.addons },
  ...(combo === null ? {} : { combo }),
});

/** A device without a card knows this one from now on; an old token that still leads here is replaced. */
const useKept = (props: CardProps, client: Client): void =>
  useEffect(() => {
    const { card, slug } = props;
    void keepsAnotherCard(client, slug, card.member_token).then((isAnother) => {
      if (!isAnother) keepCard(slug, card.member_token);
    });
    const path = `/card/${card.member_token}`;
    if (location.pathname !== path) history.replaceState(history.state, '', path + location.search);
  }, []);

/** The card as it is now, and why that may be old. */
const useCard = ({ card: drawn, slug }: CardProps) => {
  const t = useMessages(messages);
  const { language } = useReader();
  const client = useMemo(() => clientFor(language), [language]);
  const [card, setCard] = useState(drawn);
  const [notice, setNotice] = useState<string | null>(null);
  /** Of the preferences changed here: what was read before one of them is old. */
  const changes = useRef(0);
  useReturn(
    useCallback(() => {
      const before = changes.current;
      client.getCard({ path: { member_token: drawn.member_token } }).then(
        ({ body }) => {
          if (body === null || changes.current !== before) return;
          setCard(body);
          setNotice(null);
        },
        (error: unknown) => {
          if (isGone(error) && readCard(slug) === drawn.member_token) forgetCard(slug);
          setNotice(isGone(error) ? t.gone : t.stale);
        },
      );
    }, [client]),
  );
  return { client, card, setCard, changes, notice, setNotice };
};

const usePreferences = ({ client, card, setCard, changes }: ReturnType<typeof useCard>) => {
  const t = useMessages(messages);
  const [said, setSaid] = useState<string | null>(null);
  const save = async (change: Partial<Preferences>): Promise<void> => {
    const mine = (changes.current += 1);
    const before = { locale: card.locale, marketing_opt_out: card.marketing_opt_out };
    setCard((shown) => ({ ...shown, ...change }));
    setSaid(null);
    try {
      await client.setCardPreferences({ path: { member_token: card.member_token }, body: change });
      if (changes.current === mine) setSaid(t.saved);
    } catch (error) {
      if (changes.current !== mine) return;
      setCard((shown) => ({ ...shown, ...before }));
      setSaid(describeFailure(error, t.offline));
    }
  };
  return { said, save };
};

/** What is over the whole screen: the code of the card, or a voucher. */
type Screen = 'code' | { readonly Voucher: typeof VoucherOnScreen };

export const LiveCard = (props: CardProps) => {
  const { slug } = props;
  const t = useMessages(messages);
  const live = useCard(props);
  const { said, save } = usePreferences(live);
  const [isAlive, setIsAlive] = useState(false);
  const saidOf = (error: unknown): string => describeFailure(error, t.offline);
  const [screen, setScreen] = useState<Screen | null>(null);
  useKept(props, live.client);
  useEffect(() => setIsAlive(true), []);
  return (
    <CardView
      {...{ ...props, card: live.card, notice: live.notice, said, isAlive }}
      onAgain={({ branch_id: branchId, channel, lines }) =>
        keepForAgain(slug, { branchId, channel, lines: lines.map(cartLineOf) })
      }
      onPreferences={(change) => void save(change)}
      onEnlarge={() => setScreen('code')}
      onVoucher={() => {
        // Few guests need it: it is loaded when one does.
        import('./voucher-on-screen.tsx').then(
          ({ VoucherOnScreen: Voucher }) => setScreen({ Voucher }),
          (error: unknown) => live.setNotice(saidOf(error)),
        );
      }}
    >
      {screen !== null && (
        <CodeScreen label={screen === 'code' ? t.code : t.voucher} onClose={() => setScreen(null)}>
          {screen === 'code' ? (
            <>
              <img src={codeAddress(live.card)} alt={t.code} width={320} height={320} />
              {live.card.member_code !== null && <bdi dir="ltr">{live.card.member_code}</bdi>}
            </>
          ) : (
            <screen.Voucher {...{ client: live.client, card: live.card, zone: props.zone, saidOf }} />
          )}
        </CodeScreen>
      )}
    </CardView>
  );
};
