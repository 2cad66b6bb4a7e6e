/** Proves the phone of the card, which the page does not know: the guest types it once on a device. */
import { useState } from 'preact/hooks';
import type { Client } from '../../../../../client/client.ts';
import { westernDigits } from '../../../../../kernel/digits.ts';
import { useMessages } from '../../../components/reader.ts';
import { member } from '../../../messages/compiled/member.ts';
import { order } from '../../../messages/compiled/order.ts';
import { Sheet } from '../../sheet.tsx';
import { describeFailure } from '../../words.ts';
import { CodeDialog } from '../code-dialog.tsx';
import { OrderField } from '../order-field.tsx';

const HEADING = 'order-proof';

const lastDigits = (text: string): string => westernDigits(text).replace(/\D/g, '').slice(-4);

interface ProofDialogProps {
  readonly client: Client;
  /** The last digits of the card's phone, apart from the direction of the text around them. */
  readonly digits: string;
  /** As typed into the checkout. */
  readonly typed: string;
  /** Returns whether the token proves the phone of the card. */
  readonly onToken: (token: string) => Promise<boolean>;
  readonly onClose: () => void;
}

export const ProofDialog = ({ client, digits, typed, onToken, onClose }: ProofDialogProps) => {
  const t = useMessages(member);
  const words = useMessages(order);
  const [phone, setPhone] = useState(typed);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isAsking, setAsking] = useState(false);
  const backTo = (said?: string): void => {
    setAsking(false);
    setFault(said);
  };
  const check = async (token: string): Promise<void> => {
    try {
      if (!(await onToken(token))) backTo(t.otherNumber({ digits }));
    } catch (thrown) {
      backTo(describeFailure(thrown, words.offline));
    }
  };
  if (isAsking)
    return (
      <CodeDialog
        {...{ client, phone }}
        onProven={(token) => void check(token)}
        onPhoneFault={backTo}
        onClose={() => backTo()}
      />
    );
  return (
    <Sheet headingId={HEADING} onClose={onClose} isSmall>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (phone.trim() === '') setFault(words.phoneMissing);
          else if (lastDigits(phone) === lastDigits(digits)) setAsking(true);
          else setFault(t.otherNumber({ digits }));
        }}
      >
        <h2 id={HEADING} tabIndex={-1}>
          {t.proveTitle}
        </h2>
        <p>{t.proveWhy({ digits })}</p>
        <OrderField
          name="card_phone"
          type="tel"
          label={words.phone}
          value={phone}
          onValue={(text) => {
            setPhone(text);
            setFault(undefined);
          }}
          fault={fault}
          autocomplete="tel"
          maxLength={32}
        />
        <p class="actions">
          <button type="submit" class="button wide">
            {t.send}
          </button>
        </p>
      </form>
    </Sheet>
  );
};
