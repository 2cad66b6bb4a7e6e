/** The checkout: who, where, how it is paid, and the bill. */
import { useEffect, useRef } from 'preact/hooks';
import { digitText, telephone } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import type { OrderIslandProps } from '../../components/order.ts';
import { useMessages, useReader } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import { Sheet } from '../sheet.tsx';
import { QuotedBill, QuotedTotal } from './bill.tsx';
import type { CheckoutForm, Faults, OnForm, TextField } from './checkout.ts';
import { isSamePhone, type Guest } from './guest.ts';
import { OrderField } from './order-field.tsx';
import { PlaceFields } from './place-fields.tsx';
import type { Card } from './use-card.ts';
import type { Quoting } from './use-quote.ts';

const HEADING = 'order-checkout';

/** A refusal in words, and what to do about it. */
export interface Trouble {
  readonly message: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
  readonly callsBranch: boolean;
}

interface CheckoutSheetProps {
  readonly shop: OrderIslandProps;
  readonly form: CheckoutForm;
  readonly onForm: OnForm;
  readonly faults: Faults;
  readonly guest: Guest | null;
  readonly card: Card;
  readonly quoting: Quoting;
  readonly trouble: Trouble | null;
  readonly isPlacing: boolean;
  readonly onPlace: () => void;
  readonly onClose: () => void;
}

type PartProps = Pick<CheckoutSheetProps, 'shop' | 'form' | 'onForm' | 'faults' | 'guest'>;

const Contact = ({ shop, form, onForm, faults, guest }: PartProps) => {
  const t = useMessages(order);
  const reader = useReader();
  const setText = (field: TextField) => (text: string) => onForm({ [field]: text });
  const isKnown = guest !== null && isSamePhone(guest.phone, form.customer_phone);
  const hint =
    isKnown && shop.branch.otp_required
      ? t.known
      : t.phoneHint({ example: digitText(reader, '01001234567') });
  return (
    <section aria-labelledby="order-contact">
      <h3 id="order-contact">{t.contact}</h3>
      <OrderField
        name="customer_name"
        label={t.name}
        value={form.customer_name}
        onValue={setText('customer_name')}
        fault={faults['customer_name']}
        autocomplete="name"
      />
      <OrderField
        name="customer_phone"
        type="tel"
        label={t.phone}
        value={form.customer_phone}
        onValue={setText('customer_phone')}
        fault={faults['customer_phone']}
        autocomplete="tel"
        maxLength={32}
        hint={hint}
      />
    </section>
  );
};

const Payment = ({ form, onForm }: PartProps) => {
  const t = useMessages(order);
  return (
    <fieldset class="options">
      <legend>{t.pay}</legend>
      {(['cash', 'card'] as const).map((payment) => (
        <label key={payment} class="option">
          <input
            type="radio"
            name="payment"
            checked={form.payment === payment}
            onChange={() => onForm({ payment })}
          />
          <span>{t[payment]}</span>
        </label>
      ))}
    </fieldset>
  );
};

const TroubleNotice = ({
  trouble,
  shop,
}: {
  readonly trouble: Trouble | null;
  readonly shop: OrderIslandProps;
}) => {
  const t = useMessages(order);
  return (
    <div role="alert">
      {trouble !== null && (
        <div class="notice">
          <Icon name="clock" />
          <div>
            <p>{trouble.message}</p>
            <p class="actions">
              {trouble.action !== null && (
                <button type="button" class="button quiet" onClick={trouble.action.run}>
                  {trouble.action.label}
                </button>
              )}
              {trouble.callsBranch && shop.branchPhone !== null && (
                <a class="button quiet" href={telephone(shop.branchPhone)}>
                  {t.call}
                </a>
              )}
            </p>
          </div>
        </div>
      )}
    </div>
  );
};

/** A new fault takes the focus to its field; one that is mended does not. */
const useFocusOnFault = (faults: Faults) => {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(0);
  useEffect(() => {
    const [first] = Object.keys(faults);
    const isMended = Object.keys(faults).length < shown.current;
    shown.current = Object.keys(faults).length;
    if (first === undefined || isMended) return;
    form.current?.querySelector<HTMLElement>(`[name="${first}"],[aria-invalid="true"]`)?.focus();
  }, [faults]);
  return form;
};

const PlaceButton = ({ isPlacing, quoting }: Pick<CheckoutSheetProps, 'isPlacing' | 'quoting'>) => {
  const t = useMessages(order);
  const isCounting = quoting.state.status === 'asking';
  return (
    <button type="submit" form="checkout" class="button wide" aria-disabled={isPlacing || isCounting}>
      {isPlacing ? t.placing : isCounting ? t.counting : t.place}
      {!isPlacing && <QuotedTotal quoting={quoting} />}
    </button>
  );
};

export const CheckoutSheet = (props: CheckoutSheetProps) => {
  const { shop, form, onForm, faults, guest, card, quoting, trouble, isPlacing, onPlace, onClose } = props;
  const places = card.state.member?.places ?? [];
  const t = useMessages(order);
  const formElement = useFocusOnFault(faults);
  return (
    <Sheet
      headingId={HEADING}
      onClose={onClose}
      footer={
        <>
          <TroubleNotice {...{ trouble, shop }} />
          <div role="alert">{card.state.fault !== null && <p class="fault">{card.state.fault}</p>}</div>
          <PlaceButton {...{ isPlacing, quoting }} />
        </>
      }
    >
      <form
        id="checkout"
        ref={formElement}
        class="checkout"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onPlace();
        }}
      >
        <h2 id={HEADING} tabIndex={-1}>
          {t.checkout}
        </h2>
        <Contact {...props} />
        {shop.channel !== 'pickup' && (
          <PlaceFields
            {...{ shop, form, onForm, faults }}
            places={places.length > 0 ? places : (guest?.places ?? [])}
            delivery={quoting.state.quote?.delivery ?? null}
          />
        )}
        {quoting.state.quote?.order_total !== 0 && <Payment {...props} />}
        <OrderField
          name="delivery_notes"
          label={shop.channel === 'pickup' ? t.pickupNotes : t.notes}
          value={form.delivery_notes}
          onValue={(delivery_notes) => onForm({ delivery_notes })}
          fault={faults['delivery_notes']}
          isOptional
          isLong
          maxLength={1000}
        />
        {quoting.state.status !== 'refused' && <QuotedBill quoting={quoting} channel={shop.channel} />}
        {card.part !== null && <card.part.Forecast quote={quoting.state.quote} />}
      </form>
    </Sheet>
  );
};
