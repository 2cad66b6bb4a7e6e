/** The cart: lines with their prices, what would make it cheaper, the bill. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Menu } from '../../components/deal-text.ts';
import { figure, money } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { useName } from '../../components/names.ts';
import type { CartLine, CartQuote, OnlineChannel } from '../../components/order.ts';
import { Price } from '../../components/price.tsx';
import { useMessages, useReader } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import { Sheet } from '../sheet.tsx';
import { QuotedBill, QuotedTotal } from './bill.tsx';
import { MAX_QUANTITY, type Cart } from './cart.ts';
import { hintName, itemName, lineTexts, type Hint } from './line-text.ts';
import { lineFaults, type LineFault } from './refusals.ts';
import { Stepper } from './stepper.tsx';
import type { Card } from './use-card.ts';
import type { Quoting } from './use-quote.ts';

const HEADING = 'order-cart';

interface LineProps {
  readonly line: CartLine;
  readonly menu: Menu | null;
  readonly quoted: CartQuote['lines'][number] | undefined;
  readonly fault: LineFault | undefined;
  readonly onQuantity: (quantity: number) => void;
  /** Of the name: what the card pays for. */
  readonly rewardOf: (name: string) => ComponentChildren;
}

const FaultOfLine = ({
  name,
  fault,
  onQuantity,
}: { readonly name: string } & Pick<LineProps, 'onQuantity' | 'fault'>) => {
  const t = useMessages(order);
  const reader = useReader();
  if (fault === undefined) return null;
  const left = fault.available ?? 0;
  return (
    <p class="actions">
      <button type="button" class="button quiet" onClick={() => onQuantity(left)}>
        {left > 0 ? `${t.howMany}: ${figure(reader, left)}` : t.remove({ item: name })}
      </button>
    </p>
  );
};

/** What the line costs; struck, what it would cost without its reward. */
const LinePrice = ({ quoted }: { readonly quoted: CartQuote['lines'][number] }) => (
  <Price
    amount={quoted.line_total}
    {...(quoted.reward_discount === 0 ? {} : { before: quoted.line_total + quoted.reward_discount })}
  />
);

const Line = ({ line, menu, quoted, fault, onQuantity, rewardOf }: LineProps) => {
  const t = useMessages(order);
  const reader = useReader();
  const nameOf = useName();
  const known = quoted === undefined ? itemName(reader, menu, line) : nameOf(quoted);
  const name = known ?? (menu === null ? '…' : t.goneItem);
  return (
    <li class={fault === undefined ? 'cart-line' : 'cart-line wrong'}>
      <div class="what">
        <b>
          <bdi>{name}</bdi>
        </b>
        {lineTexts(reader, menu, line).map((text) => (
          <small key={text} class="muted">
            <bdi>{text}</bdi>
          </small>
        ))}
        {quoted !== undefined && quoted.deal_discount > 0 && (
          <small class="saving">
            <Icon name="tag" />
            {t.dealSaves({ amount: money(reader, quoted.deal_discount) })}
          </small>
        )}
        <FaultOfLine {...{ name, fault, onQuantity }} />
      </div>
      <div class="amounts">
        {quoted !== undefined && <LinePrice quoted={quoted} />}
        <Stepper name={name} value={line.quantity} min={0} max={MAX_QUANTITY} onChange={onQuantity} />
      </div>
      {rewardOf(name)}
    </li>
  );
};

/** One more of a line, with its options, or a new line. */
const hintedLine = ({ lines }: Cart, { line_index: at, menu_item_id, size_label }: Hint): CartLine => {
  const line = at === null ? undefined : lines[at];
  // The cart may have changed since its quote.
  if (line?.menu_item_id === menu_item_id) return line;
  return { menu_item_id, quantity: 1, ...(size_label === null ? {} : { size_label }) };
};

interface HintsProps extends Pick<CartSheetProps, 'cart' | 'menu'> {
  readonly quote: CartQuote;
}

const Hints = ({ quote, cart, menu }: HintsProps) => {
  const t = useMessages(order);
  const reader = useReader();
  const hints = (quote.hints ?? []).filter(({ saving }) => saving > 0);
  if (hints.length === 0) return null;
  return (
    <section class="hints" aria-labelledby="hints">
      <h3 id="hints">{t.hints}</h3>
      {hints.map((hint) => (
        <button
          key={`${hint.menu_item_id} ${hint.size_label ?? ''} ${hint.line_index ?? ''}`}
          type="button"
          class="button quiet"
          onClick={() => cart.add({ ...hintedLine(cart, hint), quantity: 1 })}
        >
          <Icon name="plus" />
          <span>{t.hint({ item: hintName(reader, menu, hint), amount: money(reader, hint.saving) })}</span>
        </button>
      ))}
    </section>
  );
};

export interface CartSheetProps {
  /** Null: at a table. */
  readonly channel: OnlineChannel | null;
  readonly cart: Cart;
  readonly menu: Menu | null;
  readonly quoting: Quoting;
  /** Null: no card is used here. */
  readonly card: Card | null;
  readonly onClose: () => void;
  /** What the guest does next. */
  readonly action: { readonly label: string; readonly isDisabled: boolean; readonly onClick: () => void };
  /** Below the bill. */
  readonly children?: ComponentChildren;
}

export const CartSheet = (props: CartSheetProps) => {
  const { channel, cart, menu, quoting, card, onClose, action, children } = props;
  const part = card?.part ?? null;
  const t = useMessages(order);
  const { state } = quoting;
  const faults = lineFaults(state.refusal);
  const isEmpty = cart.lines.length === 0;
  /** The button that emptied it is gone. */
  useEffect(() => {
    if (isEmpty) document.getElementById(HEADING)?.focus();
  }, [isEmpty]);
  const footer = isEmpty ? (
    <button type="button" class="button wide" onClick={onClose}>
      {t.backToMenu}
    </button>
  ) : (
    <button
      type="button"
      class="button wide"
      disabled={state.status !== 'ready' || action.isDisabled}
      onClick={action.onClick}
    >
      {action.label}
      <QuotedTotal quoting={quoting} />
    </button>
  );
  return (
    <Sheet headingId={HEADING} onClose={onClose} footer={footer}>
      <h2 id={HEADING} tabIndex={-1}>
        {isEmpty ? t.empty : t.cart}
      </h2>
      {part !== null && card !== null && card.state.leftOut.length > 0 && (
        <part.LeftOut names={card.state.leftOut} />
      )}
      <ul class="cart-lines">
        {cart.lines.map((line, index) => (
          <Line
            key={index}
            {...{ line, menu }}
            quoted={state.quote?.lines[index]}
            fault={faults.find((fault) => fault.line === index)}
            onQuantity={(quantity) => cart.setQuantity(index, quantity)}
            rewardOf={(name) =>
              part !== null &&
              card !== null && <part.LineReward {...{ card, line, index, name }} quote={state.quote} />
            }
          />
        ))}
      </ul>
      {!isEmpty && <QuotedBill quoting={quoting} channel={channel} />}
      {part !== null && card !== null && <part.Balance card={card} quote={state.quote} />}
      {part !== null && <part.Forecast quote={state.quote} />}
      {!isEmpty && children}
      {state.status === 'ready' && <Hints {...{ cart, menu }} quote={state.quote} />}
    </Sheet>
  );
};
