/** Items that a guest cannot tell apart, and items whose choices are never offered. */
import { grouped } from '../../../kernel/grouped.ts';
import { bareArabic, foldedForm } from '../../domain/text.ts';
import type { ShopRows } from '../../store/tables.ts';
import { isLiveRow } from '../write/writing.ts';
import type { Slip } from './slip.ts';

/** Items of one category and one name, the ways to spell it included. */
export const twinSlips = (rows: ShopRows): Slip[] => {
  const items = rows.menu_item.filter(isLiveRow);
  const named = grouped(
    items,
    ({ category_id: category, name }) => `${category ?? ''}\n${bareArabic(foldedForm(name))}`,
  );
  return [...named.values()].flatMap(([first, ...others]) =>
    others.map(({ id, name }) => ({
      key: `twins ${[first?.id ?? '', id].sort().join()}`,
      text:
        name === first?.name
          ? `two items of one category are called ‘${name}’: is one of them the other?`
          : `‘${name}’ and ‘${first?.name}’ of one category are one name in two spellings: is one of them the other?`,
    })),
  );
};

/** An empty list of add-ons means none, whatever the groups say. */
export const choiceSlips = (rows: ShopRows): Slip[] => {
  const groups = grouped(rows.item_modifier_group, ({ item_id: item }) => item);
  return rows.menu_item
    .filter((item) => isLiveRow(item) && !item.takes_addons && groups.has(item.id))
    .map(({ id, name }) => ({
      key: `choices ${id}`,
      text: `‘${name}’ has modifier groups and an empty list of allowed add-ons, so that nothing of them is offered`,
    }));
};
