/** An item to be ordered: what is chosen of it, how many, and what that costs. */
import { useState } from 'preact/hooks';
import type { Client } from '../../../../client/client.ts';
import type { Menu, MenuItem } from '../../components/deal-text.ts';
import { textIn, useName } from '../../components/names.ts';
import type { CartLine } from '../../components/order.ts';
import { Picture } from '../../components/picture.tsx';
import { Price } from '../../components/price.tsx';
import { useMessages, useReader } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import { Sheet } from '../sheet.tsx';
import { MAX_QUANTITY } from './cart.ts';
import { ComboForm } from './combo-form.tsx';
import { comboOf, startingPicks, unmetSlots } from './combo.ts';
import { MakingForm } from './making-form.tsx';
import { madeAs, startingMaking, unmetGroups } from './making.ts';
import { OrderField } from './order-field.tsx';
import { Stepper } from './stepper.tsx';
import { useQuote, type QuotedPlace, type QuoteState } from './use-quote.ts';

const HEADING = 'order-item';

interface ItemSheetProps {
  readonly place: QuotedPlace;
  readonly client: Client;
  readonly menu: Menu;
  readonly item: MenuItem;
  readonly onAdd: (line: CartLine) => void;
  readonly onClose: () => void;
}

/** The first field with a fault takes the focus. */
const focusFault = (): void => {
  window.setTimeout(() => {
    const fault = document.querySelector('dialog[open] .options .fault');
    fault?.closest('fieldset')?.querySelector<HTMLElement>('input:not(:disabled),button')?.focus();
  });
};

const About = ({ item }: { readonly item: MenuItem }) => {
  const { language } = useReader();
  const nameOf = useName();
  const description = textIn(language, item.description, item.description_translations);
  return (
    <>
      <Picture address={item.image_url} alt="" width={640} height={320} sizes="min(100vw, 36rem)" isFirst />
      <h2 id={HEADING} tabIndex={-1}>
        <bdi>{nameOf(item)}</bdi>
      </h2>
      {description != null && description !== '' && (
        <p class="muted">
          <bdi>{description}</bdi>
        </p>
      )}
    </>
  );
};

interface FooterProps {
  readonly name: string;
  readonly quantity: number;
  readonly onQuantity: (quantity: number) => void;
  readonly state: QuoteState;
  readonly onAdd: () => void;
}

const Footer = ({ name, quantity, onQuantity, state, onAdd }: FooterProps) => {
  const t = useMessages(order);
  return (
    <div class="buy">
      {state.status === 'refused' && (
        <p class="fault small" role="alert">
          {state.refusal.message}
        </p>
      )}
      <Stepper name={name} value={quantity} min={1} max={MAX_QUANTITY} onChange={onQuantity} />
      <button type="button" class="button" onClick={onAdd}>
        {t.add}{' '}
        <span class="amount">
          {state.status === 'ready' && <Price amount={state.quote.total_after_deals} />}
        </span>
      </button>
    </div>
  );
};

export const ItemSheet = ({ place, client, menu, item, onAdd, onClose }: ItemSheetProps) => {
  const t = useMessages(order);
  const nameOf = useName();
  const slots = item.combo?.slots ?? [];
  const [making, setMaking] = useState(() => startingMaking(menu, item));
  const [picks, setPicks] = useState(() => startingPicks(menu, slots));
  const [quantity, setQuantity] = useState(1);
  const [notes, setNotes] = useState('');
  const [showsFaults, setShowsFaults] = useState(false);
  const isComplete = unmetGroups(item, making).length === 0 && unmetSlots(menu, slots, picks).length === 0;
  const line: CartLine = {
    menu_item_id: item.id,
    quantity,
    ...(item.kind === 'combo' ? { combo: comboOf(menu, slots, picks) } : madeAs(item, making)),
    ...(notes.trim() === '' ? {} : { notes: notes.trim() }),
  };
  const { state } = useQuote(client, {
    place,
    lines: isComplete ? [{ ...line, notes: null }] : [],
    ...{ point: null, hints: false, member: null, rewards: [] },
  });
  const add = (): void => {
    setShowsFaults(true);
    if (!isComplete) focusFault();
    else if (state.status !== 'refused') onAdd(line);
  };
  return (
    <Sheet
      headingId={HEADING}
      onClose={onClose}
      footer={<Footer name={nameOf(item)} onQuantity={setQuantity} onAdd={add} {...{ quantity, state }} />}
    >
      <form
        class="making"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <About item={item} />
        <MakingForm prefix="" {...{ menu, item, making, showsFaults }} onChange={setMaking} hasSizes />
        {slots.length > 0 && <ComboForm {...{ menu, slots, picks, showsFaults }} onChange={setPicks} />}
        <OrderField
          name="note"
          label={t.note}
          value={notes}
          onValue={setNotes}
          isOptional
          isLong
          maxLength={500}
        />
      </form>
    </Sheet>
  );
};
