/** A quantity between two buttons. */
import { figure } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { useMessages, useReader } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';

interface StepperProps {
  /** Of what. */
  readonly name: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

export const Stepper = ({ name, value, min, max, onChange }: StepperProps) => {
  const t = useMessages(order);
  const reader = useReader();
  return (
    <span class="stepper" role="group" aria-label={name}>
      <button type="button" disabled={value <= min} onClick={() => onChange(value - 1)}>
        <Icon name="minus" />
        <span class="visually-hidden">
          {value === 1 && min === 0 ? t.remove({ item: name }) : t.less({ item: name })}
        </span>
      </button>
      <output>{figure(reader, value)}</output>
      <button type="button" disabled={value >= max} onClick={() => onChange(value + 1)}>
        <Icon name="plus" />
        <span class="visually-hidden">{t.more({ item: name })}</span>
      </button>
    </span>
  );
};
