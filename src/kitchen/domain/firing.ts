/** What the kitchen gets of a round, a sale or an order, and which station makes it (Decisions 12, Kitchen). */
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { optionNames, type FrozenLine, type FrozenPart } from '../../pricing/domain/frozen-cart.ts';

/** From when something is fired; so long it also keeps the words of its guests. */
export const MINUTES_ON_BOARD = 24 * 60;

/** What a device fired without the server is still to be made within this time. */
const MINUTES_TO_MAKE = 30;

export const wasJustFired = (firedAt: Instant, now: Instant): boolean =>
  now - firedAt <= MINUTES_TO_MAKE * 60_000;

export const FIRING_SOURCES = ['ticket', 'sale', 'order'] as const;
export type FiringSource = (typeof FIRING_SOURCES)[number];

/** Of a branch without stations, in the main language of the shop. */
export const DEFAULT_STATION = { ar: 'المطبخ', en: 'Kitchen' } as const;

/** In the order of the shop file. */
export interface Station {
  readonly id: Uuid;
  readonly categoryIds: readonly Uuid[];
  readonly itemIds: readonly Uuid[];
}

/** The station that names the item, else its category, else the first; null: the branch has none. */
export const stationOf = (
  stations: readonly Station[],
  itemId: Uuid,
  categoryId: Uuid | null,
): Uuid | null => {
  const naming =
    stations.find(({ itemIds }) => itemIds.includes(itemId)) ??
    stations.find(({ categoryIds }) => categoryId !== null && categoryIds.includes(categoryId));
  return (naming ?? stations[0])?.id ?? null;
};

/** A dish, in the main language of the shop; a combo has one for each of its parts. */
export interface Dish {
  readonly menuItemId: Uuid;
  readonly name: string;
  readonly sizeLabel: string | null;
  /** Add-ons and optionals. */
  readonly details: readonly string[];
  /** Name of the combo that it is part of. */
  readonly combo: string | null;
  readonly notes: string | null;
  readonly quantity: number;
}

const dishOf = (making: FrozenLine | FrozenPart, combo: string | null): Dish => ({
  ...{ menuItemId: making.menu_item_id, name: making.name, sizeLabel: making.size_label, combo },
  ...{ details: optionNames(making), notes: making.notes, quantity: making.quantity },
});

/** A note on a combo stands with each of its dishes. */
export const dishesOf = (line: FrozenLine): readonly Dish[] =>
  line.combo === null
    ? [dishOf(line, null)]
    : line.combo.parts.map((part) => {
        const notes = [line.notes, part.notes].filter((note) => note !== null).join('\n');
        return { ...dishOf(part, line.name), notes: notes === '' ? null : notes };
      });
