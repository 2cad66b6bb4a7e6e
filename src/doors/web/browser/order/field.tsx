/** A labelled text field with its fault. */
import { useMessages } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly fault: string | undefined;
  readonly isOptional?: boolean;
  readonly hint?: string;
  readonly maxLength?: number;
  readonly type?: 'text' | 'tel';
  readonly autocomplete?: 'name' | 'tel' | 'street-address' | 'address-line2' | 'off';
  readonly isLong?: boolean;
}

interface ControlProps extends FieldProps {
  readonly id: string;
  /** Ids of what describes it, or empty. */
  readonly described: string;
}

const Control = (props: ControlProps) => {
  const { id, described, name, value, onValue, fault, isOptional = false, isLong = false } = props;
  const common = {
    ...{ id, name, value },
    autocomplete: props.autocomplete ?? 'off',
    maxLength: props.maxLength ?? 120,
    required: !isOptional,
    'aria-invalid': fault !== undefined,
    ...(described === '' ? {} : { 'aria-describedby': described }),
  } as const;
  if (isLong)
    return <textarea rows={2} {...common} onInput={({ currentTarget }) => onValue(currentTarget.value)} />;
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }): void =>
    onValue(currentTarget.value);
  return props.type === 'tel' ? (
    <input type="tel" dir="ltr" {...common} onInput={onInput} />
  ) : (
    <input type="text" {...common} onInput={onInput} />
  );
};

export const Field = (props: FieldProps) => {
  const { name, label, fault, isOptional = false, hint } = props;
  const t = useMessages(order);
  const id = `order-${name}`;
  const described = [
    ...(fault === undefined ? [] : [`${id}-fault`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return (
    <div class="field">
      <label for={id}>
        {label} {isOptional && <small class="muted">{t.optional}</small>}
      </label>
      <Control {...props} described={described.join(' ')} id={id} />
      {hint !== undefined && (
        <p id={`${id}-hint`} class="muted small">
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} class="fault small">
          {fault}
        </p>
      )}
    </div>
  );
};
