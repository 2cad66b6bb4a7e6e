/** Who books: name, phone, notes, and the code that proves the phone. */
import type { ComponentChildren } from 'preact';
import { booking } from '../../messages/compiled/booking.ts';
import { Field } from '../field.tsx';
import { countdown } from '../format.ts';
import { Icon } from '../icon.tsx';
import { OtpField } from '../otp-field.tsx';
import { useMessages, useReader } from '../reader.ts';

export interface Guest {
  readonly name: string;
  readonly phone: string;
  readonly notes: string;
}

/** What is wrong with a field. */
export type GuestFault = 'name' | 'phone';

/** A code is on its way to the phone. */
export interface CodeState {
  readonly code: string;
  readonly fault: string | null;
  /** On the device's clock. */
  readonly resendAt: number;
}

interface DetailsProps {
  readonly guest: Guest;
  readonly faults: readonly GuestFault[];
  /** Null: none is asked for. */
  readonly code: CodeState | null;
  /** What is wrong besides; null: nothing. */
  readonly fault: string | null;
  readonly isBusy: boolean;
  readonly onGuest: (guest: Guest) => void;
  readonly onCode: (code: string) => void;
  readonly onResend: () => void;
  readonly onOtherPhone: () => void;
  readonly onSubmit: () => void;
  readonly children?: ComponentChildren;
}

/** They stay as they are while a code is on its way. */
const Contact = ({ guest, faults, onGuest, code }: DetailsProps) => {
  const t = useMessages(booking);
  const isReadOnly = code !== null;
  return (
    <>
      <Field
        id="guest-name"
        name="name"
        label={t.name}
        value={guest.name}
        onValue={(name) => onGuest({ ...guest, name })}
        fault={faults.includes('name') ? t.nameFault : undefined}
        autocomplete="name"
        isReadOnly={isReadOnly}
      />
      <Field
        id="guest-phone"
        name="phone"
        type="tel"
        label={t.phone}
        value={guest.phone}
        onValue={(phone) => onGuest({ ...guest, phone })}
        fault={faults.includes('phone') ? t.phoneFault : undefined}
        hint={t.phoneHint}
        autocomplete="tel"
        maxLength={32}
        isReadOnly={isReadOnly}
      />
    </>
  );
};

interface NotesFieldProps {
  readonly notes: string;
  readonly onNotes: (notes: string) => void;
}

export const NotesField = ({ notes, onNotes }: NotesFieldProps) => {
  const t = useMessages(booking);
  return (
    <Field
      id="guest-notes"
      name="notes"
      label={t.notes}
      value={notes}
      onValue={onNotes}
      hint={t.notesHint}
      isRequired={false}
      isLong
      maxLength={500}
    />
  );
};

/** Its validity is the server's to say, in our words: the browser's own are off. */
export const Details = (props: DetailsProps) => {
  const { guest, code, fault, isBusy, onGuest, onCode, onResend, onOtherPhone, onSubmit } = props;
  const t = useMessages(booking);
  return (
    <form
      class="details"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Contact {...props} />
      {code === null ? (
        <NotesField notes={guest.notes} onNotes={(notes) => onGuest({ ...guest, notes })} />
      ) : (
        <OtpField phone={guest.phone} {...code} {...{ onCode, onResend, onOtherPhone }} />
      )}
      {fault !== null && (
        <p class="notice fault" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" class="button wide" aria-disabled={isBusy}>
        {isBusy ? t.working : t.book}
      </button>
      {props.children}
    </form>
  );
};

interface HoldNoteProps {
  /** Seconds that the table is still kept; null: it is not kept. */
  readonly left: number | null;
  readonly onAgain: () => void;
}

export const HoldNote = ({ left, onAgain }: HoldNoteProps) => {
  const t = useMessages(booking);
  const reader = useReader();
  if (left !== null && left > 0)
    return (
      <p class="hold" role="timer">
        <Icon name="clock" />
        {t.held({ time: countdown(reader, left) })}
      </p>
    );
  return (
    <div class="notice" role="status">
      <Icon name="clock" />
      <div>
        <p>{t.heldOver}</p>
        <button type="button" class="text-button" onClick={onAgain}>
          {t.holdAgain}
        </button>
      </div>
    </div>
  );
};
