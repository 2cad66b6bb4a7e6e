/** Checks that a menu reply contains everything it refers to (Decisions 6). */
import type { ReadOf } from '../server/world.ts';

export type Menu = ReadOf<'getBranchMenu'>;
type Item = Menu['items'][number];
type Deal = Menu['deals'][number];

interface Known {
  readonly categories: ReadonlySet<string>;
  readonly addons: ReadonlySet<string>;
  readonly items: ReadonlyMap<string, Item>;
}

const itemFaults = (item: Item, { categories, addons, items }: Known): string[] => {
  const faults: string[] = [];
  const wrong = (what: string) => faults.push(`${item.name}: ${what}`);
  if (typeof item.category_id === 'string' && !categories.has(item.category_id)) wrong('category');
  const allowed = item.allowed_addon_ids.filter((id) => addons.has(id));
  // An allowlist that would become empty keeps its ids: an empty one means no restriction.
  if (allowed.length > 0 && allowed.length < item.allowed_addon_ids.length) wrong('allowlist');
  const mayHave = [
    ...item.allowed_addon_ids,
    ...Object.keys(item.addon_charges ?? {}),
    ...item.modifier_groups,
  ];
  if (item.takes_addons === false && mayHave.length > 0) wrong('add-ons where none are taken');
  for (const id of Object.keys(item.addon_charges ?? {})) if (!addons.has(id)) wrong('charges');
  for (const id of [item.default_milk_addon_id, item.default_coffee_addon_id])
    if (typeof id === 'string' && !addons.has(id)) wrong('default add-on');
  for (const group of item.modifier_groups) {
    if (group.options.some(({ option_id: id }) => !addons.has(id))) wrong(`option of ${group.name}`);
    const choosable = group.options.filter(({ is_available: available }) => available !== false).length;
    if (group.is_required && choosable === 0) wrong(`required group ${group.name} cannot be filled`);
  }
  const prices = item.sizes.map(({ price }) => price);
  if (prices.length > 0 && item.price !== Math.min(...prices)) wrong('price is not the cheapest size’s');
  for (const { size_label: size } of item.optionals)
    if (typeof size === 'string' && !item.sizes.some(({ label }) => label === size))
      wrong('optional of no size');
  if (item.meal !== undefined) {
    const slot = items.get(item.meal.combo_id)?.combo?.slots.find(({ id }) => id === item.meal?.slot_id);
    if (slot?.choices.every(({ menu_item_id: id }) => id !== item.id) ?? true) wrong('meal');
  }
  return faults;
};

const comboFaults = (item: Item, { items }: Known): string[] => {
  const faults: string[] = [];
  const wrong = (what: string) => faults.push(`${item.name}: ${what}`);
  if ((item.kind === 'combo') !== (item.combo !== undefined)) wrong('combo');
  for (const slot of item.combo?.slots ?? []) {
    const available = slot.choices.filter(({ available: isAvailable }) => isAvailable !== false);
    if (slot.min > 0 && available.length === 0) wrong(`nothing for ${slot.name}`);
    if (
      typeof slot.default_item_id === 'string' &&
      !available.some(({ menu_item_id: id }) => id === slot.default_item_id)
    )
      wrong(`default of ${slot.name}`);
    for (const choice of slot.choices) {
      const target = items.get(choice.menu_item_id);
      if (choice.available === false) {
        if (choice.sizes.length > 0) wrong(`sizes of ${choice.name}`);
        continue;
      }
      if (target?.kind !== 'item') wrong(`choice ${choice.name}`);
      const included = choice.sizes.find(({ label }) => label === choice.included_size_label);
      const isBase = choice.included_size_label === '' ? choice.sizes.length === 0 : included?.extra === 0;
      if (!isBase || (included !== undefined && included.price !== choice.base_price))
        wrong(`size of ${choice.name}`);
    }
  }
  return faults;
};

const dealFaults = (deal: Deal, branchId: string, { categories, items }: Known): string[] => {
  const faults: string[] = [];
  const wrong = (what: string) => faults.push(`${deal.name}: ${what}`);
  if (deal.pool.length === 0) wrong('empty pool');
  for (const entry of [...deal.pool, ...deal.reward_pool]) {
    const { category_id: category, menu_item_id: id } = entry;
    if ((typeof category === 'string') === (typeof id === 'string')) wrong('pool entry');
    if (typeof category === 'string' && !categories.has(category)) wrong('pool category');
    if (typeof id === 'string' && items.get(id)?.kind !== 'item') wrong('pool item');
  }
  if (deal.windows.some(({ branch_id: id }) => id !== null && id !== branchId))
    wrong('window of another branch');
  if (deal.branch_overrides.some(({ branch_id: id }) => id !== branchId)) wrong('override of another branch');
  if ('sell' in deal) wrong('sell');
  return faults;
};

/** The faults of a branch menu, in words; empty when every reference resolves. */
export const menuFaults = (menu: Menu, branchId: string): string[] => {
  const known: Known = {
    categories: new Set(menu.categories.map(({ id }) => id)),
    addons: new Set(menu.addons.map(({ addon_item_id: id }) => id)),
    items: new Map(menu.items.map((item) => [item.id, item])),
  };
  const used = new Set(menu.items.map(({ category_id: id }) => id));
  const empty = menu.categories
    .filter(({ id }) => !used.has(id))
    .map(({ name }) => `${name}: empty category`);
  return [
    ...(known.items.size === menu.items.length ? [] : ['an item twice']),
    ...empty,
    ...menu.items.flatMap((item) => [...itemFaults(item, known), ...comboFaults(item, known)]),
    ...menu.deals.flatMap((deal) => dealFaults(deal, branchId, known)),
  ];
};
