/** The name and the phone of a guest. */
import { Field } from './field.tsx';

export interface Contact {
  readonly name: string;
  readonly phone: string;
}

interface ContactWords {
  readonly name: string;
  readonly nameFault: string;
  readonly phone: string;
  readonly phoneFault: string;
  readonly phoneHint: string;
}

interface ContactFieldsProps {
  /** The ids of the fields begin with it. */
  readonly prefix: string;
  readonly t: ContactWords;
  readonly contact: Contact;
  /** The names of the fields that are wrong. */
  readonly faults: readonly string[];
  readonly isReadOnly: boolean;
  readonly nameLength?: number;
  readonly onContact: (change: Partial<Contact>) => void;
}

export const ContactFields = (props: ContactFieldsProps) => {
  const { prefix, t, contact, faults, isReadOnly, nameLength, onContact } = props;
  return (
    <>
      <Field
        id={`${prefix}-name`}
        name="name"
        label={t.name}
        value={contact.name}
        onValue={(name) => onContact({ name })}
        fault={faults.includes('name') ? t.nameFault : undefined}
        autocomplete="name"
        {...(nameLength === undefined ? {} : { maxLength: nameLength })}
        isReadOnly={isReadOnly}
      />
      <Field
        id={`${prefix}-phone`}
        name="phone"
        type="tel"
        label={t.phone}
        value={contact.phone}
        onValue={(phone) => onContact({ phone })}
        fault={faults.includes('phone') ? t.phoneFault : undefined}
        hint={t.phoneHint}
        autocomplete="tel"
        maxLength={32}
        isReadOnly={isReadOnly}
      />
    </>
  );
};
