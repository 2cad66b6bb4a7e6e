/** What was chosen on a cart line, in words, by the names of the menu. */
import type { Menu, MenuItem } from '../../components/deal-text.ts';
import { sizeName, translated } from '../../components/names.ts';
import type { CartLine, CartQuote } from '../../components/order.ts';
import type { Reader } from '../../components/reader.ts';

type Making = Pick<CartLine, 'addons' | 'optional_field_ids' | 'size_label'>;

const sizeText = (reader: Reader, item: MenuItem | undefined, label: string | null | undefined): string[] => {
  const size = item?.sizes.find((each) => each.label === label);
  if (label == null) return [];
  return [size === undefined ? label : sizeName(reader.language, size)];
};

const makingTexts = (
  { language }: Reader,
  menu: Menu,
  item: MenuItem | undefined,
  { addons = [], optional_field_ids: optionals = [] }: Making,
): string[] => {
  const options = item?.modifier_groups.flatMap((group) => group.options) ?? [];
  const names = [
    ...addons.map(
      ({ addon_item_id: id }) =>
        options.find(({ option_id: option }) => option === id) ??
        menu.addons.find(({ addon_item_id: addon }) => addon === id),
    ),
    ...optionals.map((id) => item?.optionals.find((optional) => optional.id === id)),
  ];
  return names.flatMap((named) => (named === undefined ? [] : [translated(language, named)]));
};

const pickTexts = (reader: Reader, menu: Menu, combo: MenuItem | undefined, line: CartLine): string[] =>
  (line.combo?.picks ?? []).map((pick) => {
    const choices = combo?.combo?.slots.flatMap((slot) => slot.choices) ?? [];
    const choice = choices.find(({ menu_item_id: id }) => id === pick.menu_item_id);
    const item = menu.items.find(({ id }) => id === pick.menu_item_id);
    const name = choice === undefined ? [] : [translated(reader.language, choice)];
    return [
      ...name,
      ...sizeText(reader, item, pick.size_label),
      ...makingTexts(reader, menu, item, pick),
    ].join(' · ');
  });

/** Size, add-ons, picks and note, one after the other. */
export const lineTexts = (reader: Reader, menu: Menu | null, line: CartLine): readonly string[] => {
  const note = line.notes == null ? [] : [`“${line.notes}”`];
  if (menu === null) return note;
  const item = menu.items.find(({ id }) => id === line.menu_item_id);
  return [
    ...sizeText(reader, item, line.size_label),
    ...makingTexts(reader, menu, item, line),
    ...pickTexts(reader, menu, item, line),
    ...note,
  ];
};

/** The item's own name, while no quote names it. Null: the menu has not come yet, or has no such item. */
export const itemName = ({ language }: Reader, menu: Menu | null, line: CartLine): string | null => {
  const item = menu?.items.find(({ id }) => id === line.menu_item_id);
  return item === undefined ? null : translated(language, item);
};

export type Hint = NonNullable<CartQuote['hints']>[number];

/** Two hints may be of one item. */
export const hintName = (reader: Reader, menu: Menu | null, hint: Hint): string => {
  const item = menu?.items.find(({ id }) => id === hint.menu_item_id);
  return [translated(reader.language, hint), ...sizeText(reader, item, hint.size_label)].join(' · ');
};
