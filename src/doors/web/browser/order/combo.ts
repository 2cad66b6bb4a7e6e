/** The picks of a combo. */
import type { Menu, MenuItem } from '../../components/deal-text.ts';
import type { CartLine } from '../../components/order.ts';
import { madeAs, startingMaking, unmetGroups, type Making } from './making.ts';

export type Slot = NonNullable<MenuItem['combo']>['slots'][number];
export type Choice = Slot['choices'][number];

export interface Pick {
  readonly itemId: string;
  readonly making: Making;
}
/** By slot id, in the order they were picked. */
export type Picks = Readonly<Record<string, readonly Pick[]>>;

/** The item of a choice where the menu sells it too: only then its add-ons are known. */
export const itemOfChoice = (menu: Menu, choice: Choice): MenuItem | null =>
  menu.items.find(({ id }) => id === choice.menu_item_id) ?? null;

export const pickOf = (menu: Menu, choice: Choice): Pick => {
  const item = itemOfChoice(menu, choice);
  const making = item === null ? { addons: [], optionals: [] } : startingMaking(menu, item);
  const size = choice.included_size_label === '' ? null : choice.included_size_label;
  return { itemId: choice.menu_item_id, making: { ...making, size } };
};

const isAvailable = ({ available }: Choice): boolean => available !== false;

/** The combo's own proposals; where a slot has one choice, that one. */
export const startingPicks = (menu: Menu, slots: readonly Slot[]): Picks =>
  Object.fromEntries(
    slots.map((slot) => {
      const choices = slot.choices.filter(isAvailable);
      const first =
        choices.find(({ menu_item_id: id }) => id === slot.default_item_id) ??
        (choices.length === 1 && slot.min > 0 ? choices[0] : undefined);
      if (first === undefined) return [slot.id, []];
      return [slot.id, Array.from({ length: Math.max(1, slot.min) }, () => pickOf(menu, first))];
    }),
  );

/** The slots that have too few or too many, or a pick whose groups are not complete. */
export const unmetSlots = (menu: Menu, slots: readonly Slot[], picks: Picks): readonly Slot[] =>
  slots.filter((slot) => {
    const picked = picks[slot.id] ?? [];
    const isIncomplete = picked.some(({ itemId, making }) => {
      const item = menu.items.find(({ id }) => id === itemId);
      return item !== undefined && unmetGroups(item, making).length > 0;
    });
    return picked.length < slot.min || picked.length > slot.max || isIncomplete;
  });

export const comboOf = (
  menu: Menu,
  slots: readonly Slot[],
  picks: Picks,
): NonNullable<CartLine['combo']> => ({
  picks: slots.flatMap((slot) =>
    (picks[slot.id] ?? []).map(({ itemId, making }) => {
      const item = menu.items.find(({ id }) => id === itemId);
      const size = making.size === null ? {} : { size_label: making.size };
      return {
        slot_id: slot.id,
        menu_item_id: itemId,
        quantity: 1,
        ...size,
        ...(item === undefined ? {} : madeAs(item, making)),
      };
    }),
  ),
});
