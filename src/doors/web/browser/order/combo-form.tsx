/** The form of a combo: what comes in each slot, and how it is made. */
import { menu as menuMessages } from '../../messages/compiled/menu.ts';
import type { Menu } from '../../components/deal-text.ts';
import { figure } from '../../components/format.ts';
import { boundsText } from '../../components/item-details.tsx';
import { sizeName, useName } from '../../components/names.ts';
import { useMessages, useReader } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import { itemOfChoice, pickOf, unmetSlots, type Choice, type Pick, type Picks, type Slot } from './combo.ts';
import { MakingForm } from './making-form.tsx';
import { Options } from './options.tsx';
import { Stepper } from './stepper.tsx';

interface SlotFormProps {
  readonly menu: Menu;
  readonly slot: Slot;
  readonly picked: readonly Pick[];
  readonly onChange: (picked: readonly Pick[]) => void;
  readonly showsFaults: boolean;
}

/** Several units: how many of each. What was chosen for those that stay is kept. */
const Counts = ({ menu, slot, picked, onChange }: SlotFormProps) => {
  const nameOf = useName();
  const countOf = ({ menu_item_id: id }: Choice): number =>
    picked.filter(({ itemId }) => itemId === id).length;
  const setCount = (choice: Choice, count: number): void => {
    const own = picked.filter(({ itemId }) => itemId === choice.menu_item_id);
    const removed = own.slice(count);
    const added = Array.from({ length: Math.max(0, count - own.length) }, () => pickOf(menu, choice));
    onChange([...picked.filter((pick) => !removed.includes(pick)), ...added]);
  };
  return (
    <>
      {slot.choices
        .filter(({ available }) => available !== false)
        .map((choice) => (
          <div key={choice.menu_item_id} class="option">
            <span>
              <bdi>{nameOf(choice)}</bdi>
            </span>
            <Stepper
              name={nameOf(choice)}
              value={countOf(choice)}
              min={0}
              max={countOf(choice) + Math.max(0, slot.max - picked.length)}
              onChange={(count) => setCount(choice, count)}
            />
          </div>
        ))}
    </>
  );
};

const PickForm = ({ menu, slot, picked, onChange, showsFaults }: SlotFormProps) => {
  const { language } = useReader();
  const t = useMessages(order);
  return (
    <>
      {picked.map((pick, index) => {
        const choice = slot.choices.find(({ menu_item_id: id }) => id === pick.itemId);
        const item = choice === undefined ? null : itemOfChoice(menu, choice);
        const prefix = `${slot.id}-${index}-`;
        const change = (making: Pick['making']): void =>
          onChange(picked.map((each, at) => (at === index ? { ...each, making } : each)));
        return (
          <div key={prefix} class="pick">
            {choice !== undefined && choice.sizes.length > 1 && (
              <Options
                name={`${prefix}size`}
                title={t.size}
                bounds=""
                fault={null}
                isSingle
                options={choice.sizes.map((size) => ({
                  ...{ id: size.label, name: sizeName(language, size), charge: size.extra },
                }))}
                chosen={pick.making.size === null ? [] : [pick.making.size]}
                onChange={([size = null]) => change({ ...pick.making, size })}
              />
            )}
            {item !== null && (
              <MakingForm
                {...{ prefix, menu, item, showsFaults }}
                making={pick.making}
                onChange={change}
                hasSizes={false}
              />
            )}
          </div>
        );
      })}
    </>
  );
};

const SlotForm = (props: SlotFormProps & { readonly isUnmet: boolean }) => {
  const { menu, slot, picked, onChange, isUnmet } = props;
  const reader = useReader();
  const t = useMessages(order);
  const words = useMessages(menuMessages);
  const nameOf = useName();
  const isSingle = slot.max === 1;
  const missing = slot.min === 1 ? words.chooseOne : t.missing({ n: figure(reader, slot.min) });
  return (
    <Options
      name={slot.id}
      title={nameOf(slot)}
      bounds={boundsText(reader, slot.min, slot.max)}
      fault={isUnmet && picked.length < slot.min ? missing : null}
      isSingle
      {...(isSingle && slot.min === 0 ? { none: t.none } : {})}
      options={
        isSingle
          ? slot.choices.map((choice) => ({
              id: choice.menu_item_id,
              name: nameOf(choice),
              charge: choice.surcharge,
              isSoldOut: choice.available === false,
            }))
          : []
      }
      chosen={isSingle ? picked.map(({ itemId }) => itemId) : []}
      onChange={([id]) => {
        const choice = slot.choices.find(({ menu_item_id: each }) => each === id);
        onChange(choice === undefined ? [] : [pickOf(menu, choice)]);
      }}
    >
      {!isSingle && <Counts {...props} />}
      <PickForm {...props} />
    </Options>
  );
};

interface ComboFormProps {
  readonly menu: Menu;
  readonly slots: readonly Slot[];
  readonly picks: Picks;
  readonly onChange: (picks: Picks) => void;
  readonly showsFaults: boolean;
}

export const ComboForm = ({ menu, slots, picks, onChange, showsFaults }: ComboFormProps) => {
  const unmet = showsFaults ? unmetSlots(menu, slots, picks) : [];
  return (
    <>
      {slots.map((slot) => (
        <SlotForm
          key={slot.id}
          {...{ menu, slot, showsFaults }}
          picked={picks[slot.id] ?? []}
          isUnmet={unmet.includes(slot)}
          onChange={(picked) => onChange({ ...picks, [slot.id]: picked })}
        />
      ))}
    </>
  );
};
