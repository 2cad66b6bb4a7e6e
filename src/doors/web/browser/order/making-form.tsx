/** The form of an item's size, groups, add-ons and optionals. */
import { menu as menuMessages } from '../../messages/compiled/menu.ts';
import { order } from '../../messages/compiled/order.ts';
import type { Menu, MenuItem } from '../../components/deal-text.ts';
import { figure, money } from '../../components/format.ts';
import { addonCharge, boundsOf, boundsText, freeAddons } from '../../components/item-details.tsx';
import { sizeName, useName } from '../../components/names.ts';
import { useMessages, useReader } from '../../components/reader.ts';
import { optionalsOf, SWAPS, unmetGroups, type Making, type Unmet } from './making.ts';
import { Options } from './options.tsx';

interface MakingFormProps {
  /** Before the names of its fields. */
  readonly prefix: string;
  readonly menu: Menu;
  readonly item: MenuItem;
  readonly making: Making;
  readonly onChange: (making: Making) => void;
  /** After a try to add the item. */
  readonly showsFaults: boolean;
  /** A combo has its own sizes. */
  readonly hasSizes: boolean;
}

const Sizes = ({ prefix, item, making, onChange }: MakingFormProps) => {
  const t = useMessages(order);
  const reader = useReader();
  return (
    <fieldset class="options">
      <legend>{t.size}</legend>
      {item.sizes.map((size) => (
        <label key={size.label} class="option">
          <input
            type="radio"
            name={`${prefix}size`}
            checked={making.size === size.label}
            onChange={() => onChange({ ...making, size: size.label })}
          />
          <span>
            <bdi>{sizeName(reader.language, size)}</bdi>
          </span>
          <bdi class="price">{money(reader, size.price)}</bdi>
        </label>
      ))}
    </fieldset>
  );
};

/** The chosen ids, those among `ids` replaced. */
const replaced = (all: readonly string[], ids: readonly string[], chosen: readonly string[]): string[] => [
  ...all.filter((id) => !ids.includes(id)),
  ...chosen,
];

const Groups = ({ prefix, item, making, onChange, showsFaults }: MakingFormProps) => {
  const t = useMessages(order);
  const reader = useReader();
  const nameOf = useName();
  const words = useMessages(menuMessages);
  const unmet = showsFaults ? unmetGroups(item, making) : [];
  const faultText = ({ kind, n }: Unmet): string =>
    kind === 'missing' && n === 1 ? words.chooseOne : t[kind]({ n: figure(reader, n) });
  return (
    <>
      {item.modifier_groups.map((group) => {
        const { min, max } = boundsOf(group);
        const ids = group.options.map(({ option_id: id }) => id);
        const fault = unmet.find(({ groupId }) => groupId === group.group_id);
        return (
          <Options
            key={group.group_id}
            name={prefix + group.group_id}
            title={nameOf(group)}
            bounds={boundsText(reader, min, max)}
            fault={fault === undefined ? null : faultText(fault)}
            isSingle={max === 1}
            {...(max === 1 && min === 0 ? { none: t.none } : {})}
            options={group.options.map((option) => ({
              id: option.option_id,
              name: nameOf(option),
              charge: option.charge ?? option.price,
              isSoldOut: option.is_available === false,
            }))}
            chosen={making.addons.filter((id) => ids.includes(id))}
            onChange={(chosen) => onChange({ ...making, addons: replaced(making.addons, ids, chosen) })}
          />
        );
      })}
    </>
  );
};

const FreeAddons = ({ prefix, menu, item, making, onChange }: MakingFormProps) => {
  const t = useMessages(menuMessages);
  const words = useMessages(order);
  const nameOf = useName();
  const addons = freeAddons(menu, item);
  const defaults: Readonly<Record<string, string | null | undefined>> = {
    ...{ milk_type: item.default_milk_addon_id, coffee_type: item.default_coffee_addon_id },
  };
  return (
    <>
      {([...SWAPS, 'extra'] as const).map((type) => {
        const listed = addons.filter((addon) => addon.type === type);
        const ids = listed.map(({ addon_item_id: id }) => id);
        const isSingle = type !== 'extra';
        if (listed.length === 0) return null;
        return (
          <Options
            key={type}
            name={prefix + type}
            title={t[type]}
            bounds={isSingle ? t.chooseOne : t.optional}
            fault={null}
            isSingle={isSingle}
            {...(isSingle && !ids.includes(defaults[type] ?? '') ? { none: words.none } : {})}
            options={listed.map((addon) => ({
              id: addon.addon_item_id,
              name: nameOf(addon),
              charge: addonCharge(item, addon),
              isSoldOut: !addon.is_available,
            }))}
            chosen={making.addons.filter((id) => ids.includes(id))}
            onChange={(chosen) => onChange({ ...making, addons: replaced(making.addons, ids, chosen) })}
          />
        );
      })}
    </>
  );
};

export const MakingForm = (props: MakingFormProps) => {
  const { prefix, item, making, onChange, hasSizes } = props;
  const t = useMessages(menuMessages);
  const nameOf = useName();
  const optionals = optionalsOf(item, making.size);
  return (
    <>
      {hasSizes && item.sizes.length > 0 && <Sizes {...props} />}
      <Groups {...props} />
      <FreeAddons {...props} />
      {optionals.length > 0 && (
        <Options
          name={`${prefix}optionals`}
          title={t.optionals}
          bounds={t.optional}
          fault={null}
          isSingle={false}
          options={optionals.map((optional) => ({
            ...{ id: optional.id, name: nameOf(optional), charge: optional.price },
          }))}
          chosen={making.optionals}
          onChange={(chosen) => onChange({ ...making, optionals: chosen })}
        />
      )}
    </>
  );
};
