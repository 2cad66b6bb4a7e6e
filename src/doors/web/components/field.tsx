/** A labelled text field with its fault and its hint. */
import type { ComponentChildren } from 'preact';

export interface FieldProps {
  readonly id: string;
  readonly name: string;
  readonly label: ComponentChildren;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly fault?: string | undefined;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly isReadOnly?: boolean;
  readonly maxLength?: number;
  readonly type?: 'text' | 'tel';
  readonly autocomplete?: 'name' | 'tel' | 'street-address' | 'address-line2' | 'off';
  readonly isLong?: boolean;
}

const Control = ({ described, ...field }: FieldProps & { readonly described: readonly string[] }) => {
  const { id, name, value, onValue, fault, isRequired = true, isReadOnly = false, isLong = false } = field;
  const common = {
    ...{ id, name, value, required: isRequired, readOnly: isReadOnly },
    autocomplete: field.autocomplete ?? 'off',
    maxLength: field.maxLength ?? 120,
    'aria-invalid': fault !== undefined,
    ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
  } as const;
  if (isLong)
    return <textarea rows={2} {...common} onInput={({ currentTarget }) => onValue(currentTarget.value)} />;
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }): void =>
    onValue(currentTarget.value);
  return field.type === 'tel' ? (
    <input type="tel" dir="ltr" {...common} onInput={onInput} />
  ) : (
    <input type="text" {...common} onInput={onInput} />
  );
};

export const Field = (props: FieldProps) => {
  const { id, label, fault, hint } = props;
  const described = [
    ...(fault === undefined ? [] : [`${id}-fault`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Control {...props} described={described} />
      {fault !== undefined && (
        <p id={`${id}-fault`} class="fault small">
          {fault}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="muted small">
          {hint}
        </p>
      )}
    </div>
  );
};
