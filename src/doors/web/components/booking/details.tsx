/** Who books: name, phone, notes, and the code that proves the phone. */
import type { ComponentChildren } from 'preact';
import { booking } from '../../messages/compiled/booking.ts';
import { ContactFields, type Contact } from '../contact-fields.tsx';
import { Field } from '../field.tsx';
import { countdown } from '../format.ts';
import { Icon } from '../icon.tsx';
import { OtpField, type CodeState } from '../otp-field.tsx';
import { useMessages, useReader } from '../reader.ts';

export interface Guest extends Contact {
  readonly notes: string;
}

/** What is wrong with a field. */
export type GuestFault = 'name' | 'phone';

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
  const { guest, faults, code, fault, isBusy, onGuest, onCode, onResend, onOtherPhone, onSubmit } = props;
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
      <ContactFields
        {...{ prefix: 'guest', t, contact: guest, faults }}
        isReadOnly={code !== null}
        onContact={(change) => onGuest({ ...guest, ...change })}
      />
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
