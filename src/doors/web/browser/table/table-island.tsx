/** The script of a table's page: items open in a sheet, the cart is sent as a round, the running bill is followed. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useMessages, useReader } from '../../components/reader.ts';
import { BILL_PLACE, type TableIslandProps } from '../../components/table.ts';
import { order } from '../../messages/compiled/order.ts';
import { table as messages } from '../../messages/compiled/table.ts';
import { tableMenuLoader } from '../menu-loader.ts';
import { MenuSearch } from '../menu-search.tsx';
import { CartBar } from '../order/cart-bar.tsx';
import { CartSheet, type CartSheetProps } from '../order/cart-sheet.tsx';
import { useCart } from '../order/cart.ts';
import { Elsewhere } from '../order/card/elsewhere.tsx';
import { ChangeDialog } from '../order/dialogs.tsx';
import { ItemOfView } from '../item-of-view.tsx';
import { OrderField } from '../order/order-field.tsx';
import { useItemTaps, useMenu } from '../shown-item.tsx';
import { useQuote } from '../order/use-quote.ts';
import { useView } from '../order/view.ts';
import { watchSections } from '../section-in-view.ts';
import { clientFor } from '../start.tsx';
import { RunningBill } from './running-bill.tsx';
import { SENT, SentRound } from './sent-round.tsx';
import { useRound, type Words } from './use-round.ts';
import type { Sending } from './use-sending.ts';
import { useTable } from './use-table.ts';

interface SaidProps {
  readonly sending: Sending;
  readonly isCodeEnded: boolean;
}

/** What became of the last round. */
const Said = ({ sending, isCodeEnded }: SaidProps) => {
  const t = useMessages(messages);
  if (isCodeEnded)
    return (
      <p class="fault" role="alert">
        {t.endedCode}
      </p>
    );
  if (sending.kind === 'refused')
    return (
      <p class="fault" role="alert">
        {sending.refusal.message}
      </p>
    );
  if (sending.kind === 'unknown')
    return (
      <p class="fault" role="alert">
        {t.unknown}
      </p>
    );
  return null;
};

interface RoundSheetProps extends SaidProps, Pick<CartSheetProps, 'cart' | 'menu' | 'quoting' | 'onClose'> {
  readonly said: Words;
  readonly onSaid: (said: Words) => void;
  readonly onSend: () => void;
}

/** The cart, and what the guest says with it; a price that has changed is asked about. */
const RoundSheet = ({ sending, isCodeEnded, said, onSaid, onSend, ...cart }: RoundSheetProps) => {
  const t = useMessages(messages);
  const words = useMessages(order);
  const isSending = sending.kind === 'sending';
  return (
    <>
      <CartSheet
        {...cart}
        channel={null}
        card={null}
        action={{
          label: isSending ? t.sending : t.send,
          isDisabled: isSending || isCodeEnded,
          onClick: onSend,
        }}
      >
        <OrderField
          name="name"
          label={t.yourName}
          value={said.name}
          onValue={(name) => onSaid({ ...said, name })}
          isOptional
          maxLength={100}
        />
        <OrderField
          name="notes"
          label={t.notes}
          value={said.notes}
          onValue={(notes) => onSaid({ ...said, notes })}
          isOptional
          isLong
          maxLength={500}
        />
        <Said {...{ sending, isCodeEnded }} />
      </CartSheet>
      {cart.quoting.change !== null && (
        <ChangeDialog
          change={cart.quoting.change}
          acceptLabel={words.acceptShown}
          onAccept={cart.quoting.acceptChange}
          onClose={cart.quoting.acceptChange}
        />
      )}
    </>
  );
};

export const TableIsland = ({ tableId }: TableIslandProps) => {
  const { language } = useReader();
  const client = useMemo(() => clientFor(language), [language]);
  const loadMenu = useMemo(() => tableMenuLoader(client, tableId), [client]);
  const place = { tableId };
  const cart = useCart(`table ${tableId}`);
  const { view, open, close, leave } = useView();
  const { table, askedAt, isOffline, isCodeEnded, again } = useTable(client, tableId);
  const bill = table?.bill ?? null;
  const [added, setAdded] = useState<string | null>(null);
  const { sending, said, setSaid, submit } = useRound(client, tableId, cart.lines, {
    onAnswer: again,
    onSent: ({ items }) => {
      cart.takeOff(items);
      leave();
      window.setTimeout(() => document.getElementById(SENT)?.focus());
    },
  });
  const quoting = useQuote(client, {
    ...{ place, lines: cart.lines, point: null, hints: true, member: null, rewards: [] },
  });
  const { menu, hasFailed } = useMenu(loadMenu, view !== '');
  useItemTaps(open, menu !== null || hasFailed ? view : null);
  useEffect(watchSections, []);
  return (
    <>
      <MenuSearch loadMenu={loadMenu} opensAtOnce={false} />
      <Elsewhere id={BILL_PLACE}>
        <>
          {sending.kind === 'sent' && <SentRound sent={sending} {...{ bill, askedAt }} />}
          <RunningBill {...{ bill, isOffline, isCodeEnded: isCodeEnded && view !== 'cart' }} />
        </>
      </Elsewhere>
      <CartBar count={cart.count} {...{ quoting, added }} onOpen={() => open('cart')} />
      <ItemOfView {...{ view, place, client, menu, hasFailed, cart }} onAdded={setAdded} onClose={close} />
      {view === 'cart' && (
        <RoundSheet
          {...{ cart, menu, quoting, sending, isCodeEnded, said }}
          onSaid={setSaid}
          onClose={close}
          onSend={() => void submit()}
        />
      )}
    </>
  );
};
