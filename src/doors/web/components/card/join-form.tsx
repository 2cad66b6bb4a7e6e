/** Who joins: name, phone, a birthday where the shop asks for it, and the code that proves the phone. */
import { join as messages } from '../../messages/compiled/join.ts';
import { rewards as words } from '../../messages/compiled/rewards.ts';
import { ContactFields, type Contact } from '../contact-fields.tsx';
import { figure, monthName } from '../format.ts';
import { OtpField, type CodeState } from '../otp-field.tsx';
import { useMessages, useReader } from '../reader.ts';

export interface Joiner extends Contact {
  /** From 1; '': not said. */
  readonly month: string;
  readonly day: string;
}

export const NOBODY: Joiner = { name: '', phone: '', month: '', day: '' };

/** What is wrong with a field. */
export type JoinFault = 'name' | 'phone' | 'birthday';

export interface JoinCode extends CodeState {
  /** The phone has a card already; `linkSent`: its link is on its way too. Null: that is not known. */
  readonly known: { readonly linkSent: boolean } | null;
}

export interface JoinFormProps {
  readonly joiner: Joiner;
  readonly asksBirthday: boolean;
  readonly faults: readonly JoinFault[];
  /** Null: none is asked for. */
  readonly code: JoinCode | null;
  /** What is wrong besides; null: nothing. */
  readonly fault: string | null;
  readonly isBusy: boolean;
  /** False: the page answers to no tap yet. */
  readonly isAlive: boolean;
  readonly onJoiner: (joiner: Joiner) => void;
  readonly onCode: (code: string) => void;
  readonly onResend: () => void;
  readonly onOtherPhone: () => void;
  readonly onSubmit: () => void;
}

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1);

/** Of a leap year. */
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const daysOf = (month: string): readonly number[] =>
  Array.from({ length: LONGEST[Number(month) - 1] ?? 31 }, (_, at) => at + 1);

interface SelectProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: number, text: string])[];
  readonly autocomplete: string;
  readonly isWrong: boolean;
  readonly isDisabled: boolean;
  readonly onValue: (value: string) => void;
}

const Select = (props: SelectProps) => (
  <span>
    <label for={props.id} class="small">
      {props.label}
    </label>
    <select
      id={props.id}
      autocomplete={props.autocomplete}
      aria-invalid={props.isWrong}
      aria-describedby={props.isWrong ? 'birthday-fault birthday-hint' : 'birthday-hint'}
      disabled={props.isDisabled}
      value={props.value}
      onChange={({ currentTarget }) => props.onValue(currentTarget.value)}
    >
      <option value="">—</option>
      {props.options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </span>
);

const Birthday = ({ joiner, faults, code, isAlive, onJoiner }: JoinFormProps) => {
  const t = useMessages(messages);
  const reader = useReader();
  const isWrong = faults.includes('birthday');
  const common = { isWrong, isDisabled: !isAlive || code !== null };
  return (
    <fieldset class="field birthday">
      <legend>{t.birthday}</legend>
      <div class="selects">
        <Select
          {...common}
          id="joiner-birthday"
          label={t.day}
          value={joiner.day}
          options={daysOf(joiner.month).map((day) => [day, figure(reader, day)])}
          autocomplete="bday-day"
          onValue={(day) => onJoiner({ ...joiner, day })}
        />
        <Select
          {...common}
          id="joiner-month"
          label={t.month}
          value={joiner.month}
          options={MONTHS.map((month) => [month, monthName(reader, month)])}
          autocomplete="bday-month"
          onValue={(month) => onJoiner({ ...joiner, month })}
        />
      </div>
      {isWrong && (
        <p id="birthday-fault" class="fault small">
          {t.birthdayFault}
        </p>
      )}
      <p id="birthday-hint" class="muted small">
        {t.birthdayHint}
      </p>
    </fieldset>
  );
};

const Known = ({ code }: { readonly code: JoinCode | null }) => {
  const t = useMessages(messages);
  if (code?.known == null) return null;
  return (
    <p class="notice" role="status">
      <span>
        {t.hasCard} {code.known.linkSent && t.linkSent}
      </span>
    </p>
  );
};

/** Its validity is the server's to say, in our words: the browser's own are off. */
export const JoinForm = (props: JoinFormProps) => {
  const { joiner, faults, code, fault, isBusy, isAlive, onCode, onResend, onOtherPhone } = props;
  const t = useMessages(messages);
  const { working } = useMessages(words);
  return (
    <form
      class="card"
      aria-labelledby="join-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      <h2 id="join-form">{t.form}</h2>
      <ContactFields
        {...{ prefix: 'joiner', t, contact: joiner, faults, nameLength: 80 }}
        isReadOnly={!isAlive || code !== null}
        onContact={(change) => props.onJoiner({ ...joiner, ...change })}
      />
      {props.asksBirthday && <Birthday {...props} />}
      <Known code={code} />
      {code !== null && <OtpField phone={joiner.phone} {...code} {...{ onCode, onResend, onOtherPhone }} />}
      {fault !== null && (
        <p class="notice fault" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" class="button wide" disabled={!isAlive} aria-disabled={isBusy}>
        {isBusy ? working : code === null ? t.join : t.openWithCode}
      </button>
    </form>
  );
};
