/** How an item is made: what is chosen of it, what is still missing, and the cart line of it. */
import { boundsOf, freeAddons } from '../../components/item-details.tsx';
import type { Menu, MenuItem } from '../../components/deal-text.ts';
import type { CartLine } from '../../components/order.ts';

export interface Making {
  /** Null for an item without sizes. */
  readonly size: string | null;
  readonly addons: readonly string[];
  readonly optionals: readonly string[];
}

type Addon = Menu['addons'][number];
type Swap = Exclude<Addon['type'], 'extra'>;
export const SWAPS: readonly Swap[] = ['milk_type', 'coffee_type'];

/** With the item's own milk and coffee, which cost nothing, where they can be had. */
export const startingMaking = (menu: Menu, item: MenuItem): Making => {
  const defaults = [item.default_milk_addon_id, item.default_coffee_addon_id];
  const offered = freeAddons(menu, item).filter(({ is_available: isAvailable }) => isAvailable);
  const cheapest = item.sizes.find(({ price }) => price === item.price) ?? item.sizes[0];
  return {
    size: cheapest?.label ?? null,
    addons: offered.map(({ addon_item_id: id }) => id).filter((id) => defaults.includes(id)),
    optionals: [],
  };
};

export interface Unmet {
  readonly groupId: string;
  readonly kind: 'missing' | 'tooMany';
  readonly n: number;
}

/** The groups whose bounds the choice does not keep. */
export const unmetGroups = (item: MenuItem, { addons }: Making): readonly Unmet[] =>
  item.modifier_groups.flatMap((group): Unmet[] => {
    const { min, max } = boundsOf(group);
    const got = group.options.filter(({ option_id: id }) => addons.includes(id)).length;
    if (got < min) return [{ groupId: group.group_id, kind: 'missing', n: min }];
    return max !== null && got > max ? [{ groupId: group.group_id, kind: 'tooMany', n: max }] : [];
  });

/** Only the optionals of the size that is chosen. */
export const optionalsOf = (item: MenuItem, size: string | null): MenuItem['optionals'] =>
  item.optionals.filter(({ size_label: label }) => label == null || label === size);

/** The fields of a cart line, and of a pick of a combo. */
export const madeAs = (
  item: MenuItem,
  { size, addons, optionals }: Making,
): Pick<CartLine, 'size_label' | 'addons' | 'optional_field_ids'> => {
  const offered = new Set(optionalsOf(item, size).map(({ id }) => id));
  const chosen = optionals.filter((id) => offered.has(id));
  return {
    ...(size === null ? {} : { size_label: size }),
    ...(addons.length === 0 ? {} : { addons: addons.map((id) => ({ addon_item_id: id, quantity: 1 })) }),
    ...(chosen.length === 0 ? {} : { optional_field_ids: chosen }),
  };
};
