/** Warnings about items with the same name, and about modifier groups that are never offered. */
import { groupBy } from '../../../kernel/group-by.ts';
import { caseFolded } from '../../../kernel/closest-word.ts';
import { normalizedArabic } from '../../domain/text.ts';
import type { ShopRows } from '../../store/tables.ts';
import { isLiveRow } from '../write/context.ts';
import type { Warning } from './warning.ts';

/** Items of one category whose names differ at most in Arabic spelling variants. */
export const duplicateNameWarnings = (rows: ShopRows): Warning[] => {
  const items = rows.menu_item.filter(isLiveRow);
  const named = groupBy(
    items,
    ({ category_id: category, name }) => `${category ?? ''}\n${normalizedArabic(caseFolded(name))}`,
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

/** An empty list of allowed add-ons disables the modifier groups. */
export const unusedGroupWarnings = (rows: ShopRows): Warning[] => {
  const groups = groupBy(rows.item_modifier_group, ({ item_id: item }) => item);
  return rows.menu_item
    .filter((item) => isLiveRow(item) && !item.takes_addons && groups.has(item.id))
    .map(({ id, name }) => ({
      key: `choices ${id}`,
      text: `‘${name}’ has modifier groups and an empty list of allowed add-ons, so that nothing of them is offered`,
    }));
};
