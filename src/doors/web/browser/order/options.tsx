/** Radio buttons and check boxes for what may be chosen. */
import type { ComponentChildren } from 'preact';
import { menu } from '../../messages/compiled/menu.ts';
import { money } from '../../components/format.ts';
import { useMessages, useReader } from '../../components/reader.ts';

export interface Option {
  readonly id: string;
  readonly name: string;
  /** Piastres that it adds; null: not said. */
  readonly charge: number | null;
  readonly isSoldOut?: boolean;
}

interface OptionsProps {
  readonly name: string;
  readonly title: string;
  /** How many may be chosen, in words. */
  readonly bounds: string;
  readonly fault: string | null;
  readonly isSingle: boolean;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Named, one option is that nothing is chosen. */
  readonly none?: string;
  readonly children?: ComponentChildren;
}

const Charge = ({ option }: { readonly option: Option }) => {
  const reader = useReader();
  const t = useMessages(menu);
  if (option.isSoldOut === true) return <em>{t.soldOut}</em>;
  if (option.charge === null || option.charge === 0) return null;
  return <bdi class="price">{t.more({ price: money(reader, option.charge) })}</bdi>;
};

export const Options = (props: OptionsProps) => {
  const { name, title, bounds, fault, isSingle, options, chosen, onChange, none } = props;
  const toggled = (id: string): readonly string[] =>
    chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id];
  return (
    <fieldset class="options" {...(fault === null ? {} : { 'aria-describedby': `${name}-fault` })}>
      <legend>
        <bdi>{title}</bdi>
        {bounds !== '' && <small class="muted"> {bounds}</small>}
      </legend>
      {fault !== null && (
        <p id={`${name}-fault`} class="fault small">
          {fault}
        </p>
      )}
      {none !== undefined && (
        <label class="option">
          <input type="radio" name={name} checked={chosen.length === 0} onChange={() => onChange([])} />
          <span>{none}</span>
        </label>
      )}
      {options.map((option) => (
        <label key={option.id} class="option">
          <input
            type={isSingle ? 'radio' : 'checkbox'}
            name={name}
            checked={chosen.includes(option.id)}
            disabled={option.isSoldOut === true}
            onChange={() => onChange(isSingle ? [option.id] : toggled(option.id))}
          />
          <span>
            <bdi>{option.name}</bdi>
          </span>
          <Charge option={option} />
        </label>
      ))}
      {props.children}
    </fieldset>
  );
};
